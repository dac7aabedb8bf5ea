#include "compaction/options.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "compaction/algorithm.hpp"
#include "compaction/error.hpp"

namespace compaction {

bool LegalRange::contains(std::uint32_t value) const {
    if (value < minimum || value > maximum) return false;
    return spacing == Spacing::powers_of_two ? std::has_single_bit(value) : value % step == 0;
}

std::string LegalRange::describe() const {
    if (option == Option::vector_width) {
        std::string widths;
        for (const std::uint32_t width : values()) {
            if (!widths.empty()) widths += width == maximum ? " or " : ", ";
            widths += std::to_string(width) + " (" + std::string(vector_width_name(width)) + ")";
        }
        return widths;
    }
    const std::string ends = std::to_string(minimum) + " to " + std::to_string(maximum);
    if (spacing == Spacing::powers_of_two) return ends + ", powers of two";
    return step == 1 ? ends : ends + " in steps of " + std::to_string(step);
}

std::vector<std::uint32_t> LegalRange::values(std::size_t most) const {
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
        std::max<std::uint64_t>(1, std::min<std::uint64_t>(last - first, most - 1));
    std::set<std::uint32_t> sample;
    for (std::uint64_t i = 0; i <= intervals; ++i) {
        sample.insert(static_cast<std::uint32_t>((first + (last - first) * i / intervals) * step));
    }
    return {sample.begin(), sample.end()};
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
    }
    return {};
}

std::string_view vector_width_name(std::uint32_t width) {
    switch (width) {
        case automatic:
            return "automatic";
        case 1:
            return "scalar";
        case 2:
            return "pair";
        case 4:
            return "quad";
        default:
            return "?";
    }
}

const LegalRange* Algorithm::range_of(Option option) const {
    const auto found = std::ranges::find(options, option, &LegalRange::option);
    return found == options.end() ? nullptr : &*found;
}

void validate(const Algorithm& algorithm, const Options& options) {
    for (const Option option : all_options) {
        const std::uint32_t value = options[option];
        if (value == automatic) continue;
        const std::string name{name_of(option)};
        const LegalRange* range = algorithm.range_of(option);
        if (!range) {
            std::string its_options;
            for (const LegalRange& each : algorithm.options) {
                its_options += (its_options.empty() ? "" : ", ") + std::string(name_of(each.option));
            }
            throw Error(ErrorCode::invalid_option, algorithm.id + " has no option '" + name + "'; it has " +
                                                       (its_options.empty() ? "none" : its_options) +
                                                       ". Leave it automatic (0).");
        }
        if (!range->contains(value)) {
            throw Error(ErrorCode::invalid_option,
                        name + " = " + std::to_string(value) + " is not legal for " + algorithm.id +
                            "; legal values are " + range->describe() + ", or 0 for automatic.");
        }
    }
}

}  // namespace compaction
