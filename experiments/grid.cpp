#include "experiments/grid.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compaction/error.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/text.hpp"

namespace experiments {
namespace {

using compaction::Algorithm;
using compaction::all_options;
using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;
using compaction::Operation;
using compaction::Option;
using compaction::Options;

/// The algorithms that a group name such as "all" stands for. Empty for any other word.
std::optional<std::vector<const Algorithm*>> members_of(std::string_view word, EngineId engine) {
    const auto of = [engine](std::span<const Algorithm> list, std::optional<Operation> operation) {
        std::vector<const Algorithm*> members;
        for (const Algorithm& each : list) {
            if (each.engine == engine && !each.truncates && (!operation || each.operation == *operation))
                members.push_back(&each);
        }
        return members;
    };
    if (word == "all") return of(compaction::catalogue(), std::nullopt);
    if (word == "steps") return of(compaction::steps(), std::nullopt);
    if (word == "copies") return of(compaction::steps(), Operation::copy);
    if (word == "counts") return of(compaction::steps(), Operation::count);
    if (word == "scans") return of(compaction::steps(), Operation::scan);
    return std::nullopt;
}

/// The algorithm or step with that id. Throws Error{invalid_argument} with what the engine can measure.
const Algorithm* find(const std::string& id, EngineId engine) {
    std::string ids;
    for (const auto list : {compaction::catalogue(), compaction::steps()}) {
        for (const Algorithm& each : list) {
            if (each.id == id) return &each;
            if (each.engine == engine && each.is_available()) ids += each.id + ", ";
        }
    }
    ids += "all, steps, copies, counts, scans";
    throw Error(ErrorCode::invalid_argument,
                "There is no algorithm '" + id + "'. For the " + std::string(id_of(engine)) +
                    " engine, choose one of: " + ids + "." + format::did_you_mean(id, ids) +
                    " warpsieve --list lists those of every engine.");
}

std::vector<const Algorithm*> resolve(const std::vector<std::string>& words, EngineId engine) {
    std::vector<const Algorithm*> chosen;
    for (const std::string& word : words) {
        auto members = members_of(word, engine);
        if (!members) members = {find(word, engine)};
        for (const Algorithm* algorithm : *members) {
            if (algorithm->engine != engine) {
                throw Error(ErrorCode::invalid_argument,
                            algorithm->id + " runs on the " + std::string(id_of(algorithm->engine)) +
                                " engine, but the " + std::string(id_of(engine)) +
                                " engine was selected; change it with --engine.");
            }
            if (std::ranges::find(chosen, algorithm) == chosen.end()) chosen.push_back(algorithm);
        }
    }
    if (chosen.empty())
        throw Error(ErrorCode::invalid_argument, "there is no algorithm to measure; name one from --list.");
    return chosen;
}

std::vector<StreamSpec> streams_of(const Grid& grid) {
    std::vector<StreamSpec> streams;
    for (const std::uint64_t num_items : grid.num_items) {
        if (num_items == 0)
            throw Error(ErrorCode::invalid_argument, "n = 0 is empty; the shortest stream has 1 item.");
        for (const workloads::Pattern pattern : grid.patterns) {
            for (const double keep_fraction : grid.keep_fractions) {
                for (const compaction::ItemSize item_size : grid.item_sizes) {
                    for (const Cache cache : grid.caches) {
                        for (const std::uint64_t seed : grid.seeds) {
                            streams.push_back(
                                {num_items, pattern, keep_fraction, item_size, cache, seed,
                                 pattern == workloads::Pattern::picture ? grid.picture : nullptr});
                        }
                    }
                }
                // Other keep fractions would give the same stream.
                if (!workloads::info_of(pattern).uses_keep_fraction) break;
            }
        }
    }
    return streams;
}

/// A value of an option, as text.
using WrittenValue = std::pair<Option, std::string>;

/// Options as text, before an algorithm interprets them.
using WrittenOptions = std::vector<WrittenValue>;

std::vector<WrittenOptions> option_sets_of(const Grid& grid) {
    std::vector<WrittenOptions> sets{{}};
    for (const Option option : all_options) {
        const std::vector<std::string>& values = grid.options[static_cast<std::size_t>(option)];
        if (values.empty()) continue;
        std::vector<WrittenOptions> longer;
        for (const WrittenOptions& set : sets) {
            for (const std::string& value : values) {
                longer.push_back(set);
                longer.back().emplace_back(option, value);
            }
        }
        sets = std::move(longer);
    }
    return sets;
}

/// Records which values were used, and why the others were refused.
class ValueUse {
  public:
    void use(const std::string& value) { used_.insert(value); }
    void refuse(const std::string& value, const std::string& reason) { reasons_.try_emplace(value, reason); }

    /// Throws Error{code} for the first value that no setting uses.
    void require_all_used(ErrorCode code) const {
        for (const auto& [value, reason] : reasons_) {
            if (!used_.contains(value)) throw Error(code, reason);
        }
    }

  private:
    std::set<std::string> used_;
    std::map<std::string, std::string> reasons_;  ///< the first reason for each value
};

class Expander {
  public:
    Expander(const Grid& grid, EngineId engine)
        : algorithms_(resolve(grid.algorithms, engine)),
          option_sets_(option_sets_of(grid)),
          streams_(streams_of(grid)) {}

    Expansion expand() {
        for (const StreamSpec& stream : streams_) {
            for (const Algorithm* algorithm : algorithms_) add(*algorithm, stream);
        }
        option_values_.require_all_used(ErrorCode::invalid_option);
        stream_values_.require_all_used(ErrorCode::invalid_argument);
        if (expansion_.settings.empty()) {
            throw Error(ErrorCode::invalid_argument,
                        "no combination of these values exists: " + (expansion_.left_out.empty()
                                                                         ? std::string("an axis is empty.")
                                                                         : expansion_.left_out.front()));
        }
        return std::move(expansion_);
    }

  private:
    void add(const Algorithm& algorithm, const StreamSpec& stream) {
        const std::string size = std::to_string(bytes_of(stream.item_size)) + "-byte items";
        const std::string length = "n = " + format::count_text(stream.num_items);
        if (!algorithm.is_available()) {
            return leave_out(stream_values_, {size},
                             algorithm.id + " cannot run. " + algorithm.unavailable_reason);
        }
        if (std::ranges::find(algorithm.item_sizes, stream.item_size) == algorithm.item_sizes.end()) {
            return leave_out(stream_values_, {size}, algorithm.id + " does not support " + size + ".");
        }
        if (stream.num_items > algorithm.max_items) {
            return leave_out(stream_values_, {length},
                             length + " is too long for " + algorithm.id + ", which takes up to " +
                                 std::to_string(algorithm.max_items) + " items.");
        }
        for (const WrittenOptions& options : option_sets_) add(algorithm, options, stream, {size, length});
    }

    void add(const Algorithm& algorithm, const WrittenOptions& options, const StreamSpec& stream,
             const std::vector<std::string>& stream_values) {
        Setting setting{&algorithm, {}, stream};
        // The values to blame if an error is thrown: the one being parsed, then all of them.
        std::vector<std::string> option_values;
        try {
            for (const auto& [option, value] : options) {
                option_values = {"--" + std::string(flag_of(option)) + " " + value};
                if (value == "automatic" || value == "0") continue;
                setting.options[option] = parse_option(algorithm, option, value);
            }
            option_values.clear();
            for (const auto& [option, value] : options)
                option_values.push_back("--" + std::string(flag_of(option)) + " " + value);
            validate(algorithm, setting.options, stream.item_size);
        } catch (const Error& error) {
            return leave_out(option_values_, option_values, error.what());
        }
        for (const std::string& value : option_values) option_values_.use(value);
        for (const std::string& value : stream_values) stream_values_.use(value);
        const auto same = [&](const Setting& other) { return other == setting; };
        if (std::ranges::none_of(expansion_.settings, same)) expansion_.settings.push_back(setting);
    }

    void leave_out(ValueUse& use, const std::vector<std::string>& values, const std::string& reason) {
        for (const std::string& value : values) use.refuse(value, reason);
        if (std::ranges::find(expansion_.left_out, reason) == expansion_.left_out.end())
            expansion_.left_out.push_back(reason);
    }

    std::vector<const Algorithm*> algorithms_;
    std::vector<WrittenOptions> option_sets_;
    std::vector<StreamSpec> streams_;
    ValueUse option_values_;
    ValueUse stream_values_;
    Expansion expansion_;
};

}  // namespace

Expansion expand(const Grid& grid, EngineId engine) {
    return Expander(grid, engine).expand();
}

namespace {

/// A longer axis is likely a typing error, and would take days to measure.
constexpr std::uint64_t max_values = 10'000;

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    throw compaction::Error(compaction::ErrorCode::invalid_argument, "'" + std::string(text) + "' " + why);
}

constexpr const char* not_a_count =
    "is not a count; write 4096, 2^12, 2^12-3, 1024,4096, 2^10..2^26, 2^10..2^26:2 or 32..1024:32.";
constexpr const char* not_a_fraction = "is not a fraction from 0 to 1; write 0.5, 0.1,0.9 or 0.1..0.9:0.2.";
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
    if (!first || !last || !step || *step == 0) refuse(text, not_a_count);
    if (first->value() > last->value()) refuse(text, "is an empty range; write the smaller end first.");
    if (first->exponent && last->exponent && first->offset == last->offset) {
        for (std::uint64_t exponent = *first->exponent; exponent <= *last->exponent; exponent += *step) {
            counts.push_back((std::uint64_t{1} << exponent) + static_cast<std::uint64_t>(first->offset));
        }
        return;
    }
    const std::uint64_t steps = (last->value() - first->value()) / *step;
    if (steps >= max_values) refuse(text, too_many);
    for (std::uint64_t i = 0; i <= steps; ++i) counts.push_back(first->value() + i * *step);
}

void append_range(std::string_view text, const RangeText& range, std::vector<double>& fractions) {
    // Text that is not a number becomes an illegal value.
    const double first = format::parse_number<double>(range.first).value_or(-1);
    const double last = format::parse_number<double>(range.last).value_or(-1);
    const double step = range.step ? format::parse_number<double>(*range.step).value_or(0) : 0;
    const bool legal = step > 0 && first >= 0 && last >= 0 && last <= 1;
    if (!legal) refuse(text, not_a_fraction);
    if (first > last) refuse(text, "is an empty range; write the smaller end first.");
    // Rounding must not lose the last value.
    const double steps = std::floor((last - first) / step + 1e-9);
    if (steps >= static_cast<double>(max_values)) refuse(text, too_many);
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
            refuse(part, not_a_count);
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
        if (!fraction || !(*fraction >= 0 && *fraction <= 1)) refuse(part, not_a_fraction);
        fractions.push_back(*fraction);
    }
    return without_repeats(fractions);
}

std::vector<std::string> parse_words(std::string_view text) {
    std::vector<std::string> words;
    for (const std::string_view part : split(text, ',')) {
        if (part.empty()) refuse(text, "has an empty entry; separate values with single commas.");
        if (!range_in(part)) {
            words.emplace_back(part);
            continue;
        }
        for (const std::uint64_t count : parse_counts(part)) words.push_back(std::to_string(count));
    }
    return without_repeats(words);
}

}  // namespace experiments
