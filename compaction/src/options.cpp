#include "compaction/options.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "compaction/algorithm.hpp"
#include "compaction/error.hpp"

namespace compaction {

bool LegalRange::contains(std::uint32_t value) const {
    if (value < minimum || value > maximum) return false;
    return spacing == Spacing::powers_of_two ? std::has_single_bit(value) : value % step == 0;
}

std::string LegalRange::text_of(std::uint32_t value) const {
    if (value == automatic) return "automatic";
    const bool named = value >= minimum && value - minimum < names.size() && !names[value - minimum].empty();
    return named ? names[value - minimum] : std::to_string(value);
}

std::optional<std::uint32_t> LegalRange::parse(std::string_view text) const {
    if (text == "automatic") return automatic;
    const auto named = std::ranges::find(names, text);
    if (!text.empty() && named != names.end()) {
        return minimum + static_cast<std::uint32_t>(named - names.begin());
    }
    const bool is_power = text.starts_with("2^");
    const std::string_view digits = text.substr(is_power ? 2 : 0);
    std::uint32_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || read.ec != std::errc{} || read.ptr != digits.data() + digits.size()) return {};
    if (!is_power) return number;
    return number < 32 ? std::optional(std::uint32_t{1} << number) : std::nullopt;
}

std::string LegalRange::describe() const {
    if (!names.empty()) {
        std::string all;
        for (const std::uint32_t value : values()) {
            if (!all.empty()) all += value == maximum ? " or " : ", ";
            all += std::to_string(value) + " (" + text_of(value) + ")";
        }
        return all;
    }
    const std::string ends = std::to_string(minimum) + " to " + std::to_string(maximum);
    if (spacing == Spacing::powers_of_two) return ends + ", powers of two";
    return step == 1 ? ends : ends + " in steps of " + std::to_string(step);
}

std::vector<std::uint32_t> LegalRange::values(std::size_t max_values) const {
    std::vector<std::uint32_t> legal;
    if (spacing == Spacing::powers_of_two) {
        for (std::uint64_t value = std::bit_ceil(minimum); value <= maximum; value *= 2) {
            legal.push_back(static_cast<std::uint32_t>(value));
        }
        return legal;
    }
    const std::uint64_t first = (minimum + step - 1) / step;
    const std::uint64_t last = maximum / step;
    const std::uint64_t intervals =
        std::max<std::uint64_t>(1, std::min<std::uint64_t>(last - first, max_values - 1));
    for (std::uint64_t i = 0; i <= intervals; ++i) {
        const auto value = static_cast<std::uint32_t>((first + (last - first) * i / intervals) * step);
        if (legal.empty() || legal.back() != value) legal.push_back(value);
    }
    return legal;
}

std::string_view name_of(Option option) {
    switch (option) {
        case Option::vector_width:
            return "vector width";
        case Option::threads_per_block:
            return "threads per block";
        case Option::blocks:
            return "blocks";
        case Option::sequences:
            return "sequences";
        case Option::variant:
            return "variant";
    }
    return {};
}

std::string_view flag_of(Option option) {
    switch (option) {
        case Option::vector_width:
            return "vector-width";
        case Option::threads_per_block:
            return "threads";
        case Option::blocks:
            return "blocks";
        case Option::sequences:
            return "sequences";
        case Option::variant:
            return "variant";
    }
    return {};
}

LegalRange every_vector_width() {
    return {.option = Option::vector_width,
            .minimum = 1,
            .maximum = 4,
            .spacing = LegalRange::Spacing::powers_of_two,
            .names = {"scalar", "pair", "", "quad"}};
}

LegalRange variants(std::vector<std::string> names) {
    const auto count = static_cast<std::uint32_t>(names.size());
    return {.option = Option::variant, .minimum = 1, .maximum = count, .names = std::move(names)};
}

const LegalRange* Algorithm::range_of(Option option) const {
    const auto found = std::ranges::find(options, option, &LegalRange::option);
    return found == options.end() ? nullptr : &*found;
}

namespace {

/// The range of an option. Throws if the algorithm lacks that option.
const LegalRange& require_range(const Algorithm& algorithm, Option option) {
    if (const LegalRange* range = algorithm.range_of(option)) return *range;
    std::string its_options;
    for (const LegalRange& each : algorithm.options) {
        its_options += (its_options.empty() ? "" : ", ") + std::string(name_of(each.option));
    }
    throw Error(ErrorCode::invalid_option, algorithm.id + " has no option '" + std::string(name_of(option)) +
                                               "'; it has " + (its_options.empty() ? "none" : its_options) +
                                               ". Leave that option automatic (0).");
}

[[noreturn]] void refuse_value(const Algorithm& algorithm, const LegalRange& range, std::string_view value) {
    throw Error(ErrorCode::invalid_option, std::string(name_of(range.option)) + " = " + std::string(value) +
                                               " is not legal for " + algorithm.id + "; legal values are " +
                                               range.describe() + ", or 0 for automatic.");
}

}  // namespace

void validate(const Algorithm& algorithm, const Options& options, ItemSize item_size) {
    if (!algorithm.is_available()) {
        throw Error(ErrorCode::unavailable, algorithm.id + " cannot run. " + algorithm.unavailable_reason);
    }
    for (const Option option : all_options) {
        if (options[option] == automatic) continue;
        const LegalRange& range = require_range(algorithm, option);
        if (!range.contains(options[option])) {
            refuse_value(algorithm, range, std::to_string(options[option]));
        }
    }
    if (std::ranges::find(algorithm.item_sizes, item_size) == algorithm.item_sizes.end()) {
        throw Error(ErrorCode::invalid_argument, algorithm.id + " does not support items of " +
                                                     std::to_string(bytes_of(item_size)) + " bytes.");
    }
    const std::uint32_t width = options[Option::vector_width];
    if (width > max_vector_width(item_size)) {
        throw Error(ErrorCode::invalid_option,
                    "vector width = " + std::to_string(width) + " is not legal for items of " +
                        std::to_string(bytes_of(item_size)) + " bytes: one access holds at most " +
                        std::to_string(max_vector_width(item_size)) + ". Leave it automatic (0).");
    }
}

std::uint32_t parse_option(const Algorithm& algorithm, Option option, std::string_view text) {
    const LegalRange& range = require_range(algorithm, option);
    const std::optional<std::uint32_t> value = range.parse(text);
    if (!value || (*value != automatic && !range.contains(*value))) refuse_value(algorithm, range, text);
    return *value;
}

}  // namespace compaction
