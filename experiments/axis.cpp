#include "experiments/axis.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compaction/error.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"

namespace experiments {
namespace {

/// A longer axis is likely a typing error, and would take days to measure.
constexpr std::uint64_t most_values = 10'000;

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    throw compaction::Error(compaction::ErrorCode::invalid_argument, "'" + std::string(text) + "' " + why);
}

constexpr const char* no_count =
    "is not a count; write 4096, 2^12, 2^12-3, 1024,4096, 2^10..2^26, 2^10..2^26:2 or 32..1024:32.";
constexpr const char* no_fraction = "is not a fraction from 0 to 1; write 0.5, 0.1,0.9 or 0.1..0.9:0.2.";
constexpr const char* too_many = "has more than 10000 values; give it a larger step, such as 1..100000:1000.";

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/// "a..b" or "a..b:step", split. Empty without "..".
struct RangeText {
    std::string_view first;
    std::string_view last;
    std::optional<std::string_view> step;
};

std::optional<RangeText> range_in(std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    RangeText range{text.substr(0, dots), text.substr(dots + 2), std::nullopt};
    if (const std::size_t colon = range.last.find(':'); colon != std::string_view::npos) {
        range.step = range.last.substr(colon + 1);
        range.last = range.last.substr(0, colon);
    }
    return range;
}

void append_range(std::string_view text, const RangeText& range, std::vector<std::uint64_t>& counts) {
    const auto first = format::read_count(range.first);
    const auto last = format::read_count(range.last);
    const auto step =
        range.step ? format::parse_number<std::uint64_t>(*range.step) : std::optional<std::uint64_t>(1);
    if (!first || !last || !step || *step == 0) refuse(text, no_count);
    if (first->value() > last->value()) refuse(text, "is an empty range; write the smaller end first.");
    if (first->exponent && last->exponent && first->offset == last->offset) {
        for (std::uint64_t exponent = *first->exponent; exponent <= *last->exponent; exponent += *step) {
            counts.push_back((std::uint64_t{1} << exponent) + static_cast<std::uint64_t>(first->offset));
        }
        return;
    }
    const std::uint64_t steps = (last->value() - first->value()) / *step;
    if (steps >= most_values) refuse(text, too_many);
    for (std::uint64_t i = 0; i <= steps; ++i) counts.push_back(first->value() + i * *step);
}

void append_range(std::string_view text, const RangeText& range, std::vector<double>& fractions) {
    // Text that is not a number becomes an illegal value.
    const double first = format::parse_number<double>(range.first).value_or(-1);
    const double last = format::parse_number<double>(range.last).value_or(-1);
    const double step = range.step ? format::parse_number<double>(*range.step).value_or(0) : 0;
    const bool legal = step > 0 && first >= 0 && last >= 0 && last <= 1;
    if (!legal) refuse(text, no_fraction);
    if (first > last) refuse(text, "is an empty range; write the smaller end first.");
    // Rounding must not lose the last value.
    const double steps = std::floor((last - first) / step + 1e-9);
    if (steps >= static_cast<double>(most_values)) refuse(text, too_many);
    for (double i = 0; i <= steps; ++i) {
        fractions.push_back(std::round((first + i * step) * 1e9) / 1e9);
    }
}

template <typename T>
std::vector<T> without_repeats(const std::vector<T>& values) {
    std::vector<T> once;
    for (const T& value : values) {
        if (std::ranges::find(once, value) == once.end()) once.push_back(value);
    }
    return once;
}

}  // namespace

std::vector<std::uint64_t> parse_counts(std::string_view text) {
    std::vector<std::uint64_t> counts;
    for (const std::string_view part : split(text, ',')) {
        if (const auto range = range_in(part)) {
            append_range(part, *range, counts);
        } else if (const auto count = format::read_count(part)) {
            counts.push_back(count->value());
        } else {
            refuse(part, no_count);
        }
    }
    return without_repeats(counts);
}

std::vector<double> parse_fractions(std::string_view text) {
    std::vector<double> fractions;
    for (const std::string_view part : split(text, ',')) {
        if (const auto range = range_in(part)) {
            append_range(part, *range, fractions);
            continue;
        }
        const auto fraction = format::parse_number<double>(part);
        if (!fraction || !(*fraction >= 0 && *fraction <= 1)) refuse(part, no_fraction);
        fractions.push_back(*fraction);
    }
    return without_repeats(fractions);
}

std::vector<std::string> parse_words(std::string_view text) {
    std::vector<std::string> words;
    for (const std::string_view part : split(text, ',')) {
        if (part.empty()) refuse(text, "has an empty entry; write values with one comma between two.");
        if (!range_in(part)) {
            words.emplace_back(part);
            continue;
        }
        for (const std::uint64_t count : parse_counts(part)) words.push_back(std::to_string(count));
    }
    return without_repeats(words);
}

}  // namespace experiments
