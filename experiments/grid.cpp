#include "experiments/grid.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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

[[noreturn]] void refuse_so_many(std::size_t max) {
    throw Error(ErrorCode::invalid_argument,
                "the axes have more than " + format::grouped(max) +
                    " combinations. Give fewer values or larger steps, or measure in several runs.");
}

/// The algorithms that a group name such as "all" stands for; nullopt for any other word.
std::optional<std::vector<const Algorithm*>> members_of(std::string_view word, EngineId engine) {
    const auto members_in = [engine](std::span<const Algorithm> list, std::optional<Operation> operation) {
        std::vector<const Algorithm*> members;
        for (const Algorithm& each : list) {
            if (each.engine == engine && !each.truncates && (!operation || each.operation == *operation))
                members.push_back(&each);
        }
        return members;
    };
    if (word == "all") return members_in(compaction::catalogue(), std::nullopt);
    if (word == "steps") return members_in(compaction::steps(), std::nullopt);
    if (word == "copies") return members_in(compaction::steps(), Operation::copy);
    if (word == "counts") return members_in(compaction::steps(), Operation::count);
    if (word == "scans") return members_in(compaction::steps(), Operation::scan);
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

/// The values in their order, without repeats.
template <typename T>
std::vector<T> without_repeats(const std::vector<T>& values) {
    std::set<T> seen;
    std::vector<T> once;
    for (const T& value : values)
        if (seen.insert(value).second) once.push_back(value);
    return once;
}

Grid without_repeats(Grid grid) {
    grid.num_items = without_repeats(grid.num_items);
    grid.keep_fractions = without_repeats(grid.keep_fractions);
    grid.patterns = without_repeats(grid.patterns);
    grid.item_sizes = without_repeats(grid.item_sizes);
    grid.caches = without_repeats(grid.caches);
    grid.seeds = without_repeats(grid.seeds);
    return grid;
}

/// Calls `use` for each stream of the grid until it returns false.
void for_each_stream(const Grid& grid, const std::function<bool(const StreamSpec&)>& use) {
    for (const std::uint64_t num_items : grid.num_items) {
        for (const workloads::Pattern pattern : grid.patterns) {
            const auto picture = pattern == workloads::Pattern::picture ? grid.picture : nullptr;
            for (const double keep_fraction : grid.keep_fractions) {
                for (const compaction::ItemSize item_size : grid.item_sizes) {
                    for (const Cache cache : grid.caches) {
                        for (const std::uint64_t seed : grid.seeds) {
                            if (!use({num_items, pattern, keep_fraction, item_size, cache, seed, picture}))
                                return;
                        }
                    }
                }
                // Other keep fractions would give the same stream.
                if (!workloads::info_of(pattern).uses_keep_fraction) break;
            }
        }
    }
}

/// The number of streams of each length and item size.
std::size_t streams_of_each_size(const Grid& grid) {
    std::size_t contents = 0;
    for (const workloads::Pattern pattern : grid.patterns)
        contents += workloads::info_of(pattern).uses_keep_fraction
                        ? grid.keep_fractions.size()
                        : std::min<std::size_t>(1, grid.keep_fractions.size());
    return contents * grid.caches.size() * grid.seeds.size();
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

/// A value of an option that an algorithm accepts.
struct LegalValue {
    std::uint32_t value;
    std::vector<std::string> arguments;  ///< of the command line that give it: "--threads 64"
    bool used = false;
};

/// The legal values of each option; one automatic value where the grid has none.
using LegalValues = std::array<std::vector<LegalValue>, all_options.size()>;

class Expander {
  public:
    Expander(const Grid& grid, EngineId engine, const std::atomic<bool>* cancel)
        : algorithms_(resolve(grid.algorithms, engine)), cancel_(cancel) {
        expansion_.grid = without_repeats(grid);
    }

    Expansion expand() {
        const Grid& grid = expansion_.grid;
        for (const Algorithm* algorithm : algorithms_) {
            for (const compaction::ItemSize item_size : grid.item_sizes)
                add_option_sets(*algorithm, item_size);
        }
        count_settings();
        if (cancelled()) return {};
        option_values_.require_all_used(ErrorCode::invalid_option);
        stream_values_.require_all_used(ErrorCode::invalid_argument);
        if (expansion_.num_settings == 0) {
            throw Error(ErrorCode::invalid_argument,
                        "no combination of these values exists: " + (expansion_.left_out.empty()
                                                                         ? std::string("an axis is empty.")
                                                                         : expansion_.left_out.front()));
        }
        return std::move(expansion_);
    }

  private:
    bool cancelled() const { return cancel_ && cancel_->load(); }

    void add_option_sets(const Algorithm& algorithm, compaction::ItemSize item_size) {
        const std::string size = size_text(item_size);
        if (!algorithm.is_available()) {
            return leave_out(stream_values_, {size},
                             algorithm.id + " cannot run. " + algorithm.unavailable_reason);
        }
        if (std::ranges::find(algorithm.item_sizes, item_size) == algorithm.item_sizes.end())
            return leave_out(stream_values_, {size}, algorithm.id + " does not support " + size + ".");
        LegalValues values = legal_values(algorithm);
        std::size_t combinations = 1;
        for (const auto& each : values) combinations = checked_product({combinations, each.size()});
        num_option_sets_ += combinations;
        if (num_option_sets_ > max_settings) refuse_so_many(max_settings);
        Expansion::OptionSets sets{.algorithm = &algorithm, .item_size = item_size, .legal = {}};
        for (std::size_t index = 0; index < combinations && !cancelled(); ++index)
            add_options(sets, values, index);
        for (const auto& option : values) {
            for (const LegalValue& value : option) {
                for (const std::string& argument : value.arguments)
                    if (value.used) option_values_.use(argument);
            }
        }
        if (!sets.legal.empty()) expansion_.option_sets.push_back(std::move(sets));
    }

    /// Leaves out the values that the algorithm does not accept.
    LegalValues legal_values(const Algorithm& algorithm) {
        LegalValues values;
        for (const Option option : all_options) {
            const auto index = static_cast<std::size_t>(option);
            const std::vector<std::string>& texts = expansion_.grid.options[index];
            if (texts.empty()) values[index].push_back({compaction::automatic, {}});
            std::map<std::uint32_t, std::size_t> index_of_value;
            for (const std::string& text : texts) {
                const std::string argument = "--" + std::string(flag_of(option)) + " " + text;
                try {
                    const bool automatic = text == "automatic" || text == "0";
                    const std::uint32_t value =
                        automatic ? compaction::automatic : parse_option(algorithm, option, text);
                    const auto [found, is_new] = index_of_value.try_emplace(value, values[index].size());
                    if (is_new) values[index].push_back({value, {}});
                    values[index][found->second].arguments.push_back(argument);
                } catch (const Error& error) {
                    leave_out(option_values_, {argument}, error.what());
                }
            }
            if (values[index].empty()) break;  // no combination is left
        }
        return values;
    }

    /// Adds combination `index` of the values if it is legal; the last option changes fastest.
    void add_options(Expansion::OptionSets& sets, LegalValues& values, std::size_t index) {
        compaction::Options options;
        std::array<LegalValue*, all_options.size()> chosen{};
        for (std::size_t i = all_options.size(); i-- > 0;) {
            chosen[i] = &values[i][index % values[i].size()];
            index /= values[i].size();
            options[all_options[i]] = chosen[i]->value;
        }
        try {
            validate(*sets.algorithm, options, sets.item_size);
        } catch (const Error& error) {
            std::vector<std::string> arguments;
            for (const LegalValue* value : chosen)
                arguments.insert(arguments.end(), value->arguments.begin(), value->arguments.end());
            return leave_out(option_values_, arguments, error.what());
        }
        for (LegalValue* value : chosen) value->used = true;
        sets.legal.push_back(options);
    }

    void count_settings() {
        const std::size_t streams = streams_of_each_size(expansion_.grid);
        for (const std::uint64_t num_items : expansion_.grid.num_items) {
            if (num_items == 0)
                throw Error(ErrorCode::invalid_argument, "n = 0 is empty; the shortest stream has 1 item.");
            const std::string length = "n = " + format::count_text(num_items);
            for (const Expansion::OptionSets& sets : expansion_.option_sets) {
                const Algorithm& algorithm = *sets.algorithm;
                if (num_items > algorithm.max_items) {
                    leave_out(stream_values_, {length},
                              length + " is too long for " + algorithm.id + ", which takes up to " +
                                  std::to_string(algorithm.max_items) + " items.");
                    continue;
                }
                expansion_.num_settings += checked_product({streams, sets.legal.size()});
                if (expansion_.num_settings > max_settings) refuse_so_many(max_settings);
                stream_values_.use(length);
                stream_values_.use(size_text(sets.item_size));
            }
        }
    }

    static std::string size_text(compaction::ItemSize item_size) {
        return std::to_string(bytes_of(item_size)) + "-byte items";
    }

    void leave_out(ValueUse& use, const std::vector<std::string>& values, const std::string& reason) {
        constexpr std::size_t max_reasons = 20;
        for (const std::string& value : values) use.refuse(value, reason);
        std::vector<std::string>& reasons = expansion_.left_out;
        if (reasons.size() > max_reasons || std::ranges::find(reasons, reason) != reasons.end()) return;
        reasons.push_back(reasons.size() < max_reasons ? reason : "others, for reasons like these.");
    }

    std::vector<const Algorithm*> algorithms_;
    const std::atomic<bool>* cancel_;
    std::size_t num_option_sets_ = 0;
    ValueUse option_values_;
    ValueUse stream_values_;
    Expansion expansion_;
};

}  // namespace

std::size_t checked_product(std::initializer_list<std::size_t> sizes, std::size_t max) {
    std::size_t product = 1;
    for (const std::size_t size : sizes) {
        if (size > 0 && product > max / size) refuse_so_many(max);
        product *= size;
    }
    return product;
}

Expansion expand(const Grid& grid, EngineId engine, const std::atomic<bool>* cancel) {
    return Expander(grid, engine, cancel).expand();
}

SettingSequence Expansion::settings() const {
    const auto give = [this](const TakeSettings& take) {
        std::vector<Setting> turn;
        for_each_stream(grid, [&](const StreamSpec& stream) {
            bool wanted = true;
            const auto give_turn = [&] {
                if (!turn.empty()) wanted = take(turn);
                turn.clear();
            };
            for (const OptionSets& sets : option_sets) {
                if (sets.item_size != stream.item_size || stream.num_items > sets.algorithm->max_items)
                    continue;
                for (const compaction::Options& options : sets.legal) {
                    turn.push_back({sets.algorithm, options, stream});
                    if (turn.size() == SettingSequence::max_in_turn) give_turn();
                    if (!wanted) return false;
                }
            }
            give_turn();
            return wanted;
        });
    };
    return {num_settings, give};
}

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    constexpr std::size_t max_shown = 60;
    const std::string shown =
        text.size() > max_shown ? std::string(text.substr(0, max_shown)) + "..." : std::string(text);
    throw compaction::Error(compaction::ErrorCode::invalid_argument, "'" + shown + "' " + why);
}

constexpr const char* not_a_count =
    "is not a count; write 4096, 2^12, 2^12-3, 1024,4096, 2^10..2^26, 2^10..2^26:2 or 32..1024:32.";
constexpr const char* not_a_fraction = "is not a fraction from 0 to 1; write 0.5, 0.1,0.9 or 0.1..0.9:0.2.";
constexpr const char* too_fine = "has more than nine decimals, and would be rounded; write at most nine.";
constexpr const char* too_many = "has more than 10000 values; give it a larger step, such as 1..100000:1000.";

/// Refuses a list that would have more than max_axis_values.
void require_room(std::string_view text, std::size_t num_values, std::uint64_t num_more) {
    if (num_more > max_axis_values - std::min(num_values, max_axis_values)) refuse(text, too_many);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
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
    // "2^10..2^26:2": the step counts exponents.
    if (first->exponent && last->exponent && first->offset == last->offset) {
        for (std::uint64_t exponent = *first->exponent;; exponent += *step) {
            counts.push_back((std::uint64_t{1} << exponent) + static_cast<std::uint64_t>(first->offset));
            if (*step > *last->exponent - exponent) return;
        }
    }
    const std::uint64_t steps = (last->value() - first->value()) / *step;
    if (steps >= max_axis_values) refuse(text, too_many);
    require_room(text, counts.size(), steps + 1);
    for (std::uint64_t i = 0; i <= steps; ++i) counts.push_back(first->value() + i * *step);
}

/// Streams differ where their keep fractions differ by 2^-32, so billionths are told apart.
constexpr double billion = 1e9;

/// The digits of a number, without zeros before and after them: 3 of "0.1250" and "1.25e-1".
std::size_t significant_digits(std::string_view text) {
    std::string digits;
    for (const char each : text.substr(0, text.find_first_of("eE")))
        if (each >= '0' && each <= '9') digits += each;
    const std::size_t first = digits.find_first_not_of('0');
    return first == std::string::npos ? 0 : digits.find_last_not_of('0') + 1 - first;
}

/// The fraction in billionths. Refuses text that is no fraction or has more decimals.
std::uint64_t billionths(std::string_view whole, std::string_view text) {
    const auto fraction = format::parse_number<double>(text);
    if (!fraction || !(*fraction >= 0 && *fraction <= 1)) refuse(whole, not_a_fraction);
    const double rounded = std::round(*fraction * billion);
    // A double may already have lost the last of many digits.
    constexpr std::size_t max_digits = 10;
    if (rounded / billion != *fraction || significant_digits(text) > max_digits) refuse(whole, too_fine);
    return static_cast<std::uint64_t>(rounded);
}

void append_range(std::string_view text, const RangeText& range, std::vector<double>& fractions) {
    const std::uint64_t first = billionths(text, range.first);
    const std::uint64_t last = billionths(text, range.last);
    const std::uint64_t step = range.step ? billionths(text, *range.step) : 0;
    if (step == 0) refuse(text, not_a_fraction);
    if (first > last) refuse(text, "is an empty range; write the smaller end first.");
    require_room(text, fractions.size(), (last - first) / step + 1);
    for (std::uint64_t i = first; i <= last; i += step) fractions.push_back(static_cast<double>(i) / billion);
}

}  // namespace

std::vector<std::uint64_t> parse_counts(std::string_view text) {
    std::vector<std::uint64_t> counts;
    for (const std::string_view part : split(text, ',')) {
        if (const auto range = range_in(part)) {
            append_range(part, *range, counts);
        } else if (const auto count = format::read_count(part)) {
            require_room(text, counts.size(), /*num_more=*/1);
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
        require_room(text, fractions.size(), /*num_more=*/1);
        fractions.push_back(static_cast<double>(billionths(part, part)) / billion);
    }
    return without_repeats(fractions);
}

std::vector<std::string> parse_words(std::string_view text) {
    std::vector<std::string> words;
    for (const std::string_view part : split(text, ',')) {
        if (part.empty()) refuse(text, "has an empty entry; separate values with single commas.");
        const std::vector<std::uint64_t> counts =
            range_in(part) ? parse_counts(part) : std::vector<std::uint64_t>();
        require_room(text, words.size(), std::max<std::size_t>(1, counts.size()));
        if (counts.empty()) words.emplace_back(part);
        for (const std::uint64_t count : counts) words.push_back(std::to_string(count));
    }
    return without_repeats(words);
}

}  // namespace experiments
