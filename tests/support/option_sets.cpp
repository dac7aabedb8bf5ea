#include "tests/support/option_sets.hpp"

namespace testing_support {

using compaction::Algorithm;
using compaction::LegalRange;
using compaction::Option;
using compaction::Options;

namespace {

bool is_enumerated(Option option) {
    return option == Option::vector_width || option == Option::variant;
}

bool is_thread_count(const Algorithm& algorithm, const LegalRange& range) {
    return algorithm.engine == compaction::EngineId::cpu && range.option == Option::threads_per_block;
}

/// The most blocks or sequences that a simulated GPU runs in a short time.
constexpr std::uint32_t max_simulated = 24;
/// More threads on a few cores are slow and test nothing new.
constexpr std::uint32_t max_threads = 16;
/// More sequences than the items of most streams here: only with a sample of the other options.
constexpr std::uint32_t max_sequences = 1U << 20;

/// A sample of a range with growing gaps; all values of an enumerated option.
std::vector<std::uint32_t> sample_of(const Algorithm& algorithm, const LegalRange& range,
                                     compaction::ItemSize item_size) {
    std::vector<std::uint32_t> legal = range.values(4096);
    if (algorithm.engine == compaction::EngineId::simulated &&
        (range.option == Option::blocks || range.option == Option::sequences))
        std::erase_if(legal, [](std::uint32_t value) { return value > max_simulated; });
    if (is_thread_count(algorithm, range))
        std::erase_if(legal, [](std::uint32_t value) { return value > max_threads; });
    if (range.option == Option::vector_width) {
        std::erase_if(legal, [&](std::uint32_t width) { return width > max_vector_width(item_size); });
    }
    if (is_enumerated(range.option)) return legal;
    std::vector<std::uint32_t> sample;
    for (std::size_t i = 0; i + 1 < legal.size(); i = i * 4 + 1) sample.push_back(legal[i]);
    sample.push_back(legal.back());
    return sample;
}

}  // namespace

Options automatic_options(const Algorithm& algorithm) {
    Options options;
    if (algorithm.engine == compaction::EngineId::simulated && algorithm.truncates)
        options[Option::blocks] = 3;
    return options;
}

std::vector<Options> few_option_sets(const Algorithm& algorithm, compaction::ItemSize item_size) {
    std::vector<Options> option_sets{automatic_options(algorithm)};
    Options minimum;
    Options maximum;
    Options between;
    for (const LegalRange& range : algorithm.options) {
        const std::vector<std::uint32_t> sample = sample_of(algorithm, range, item_size);
        minimum[range.option] = sample.front();
        maximum[range.option] = sample.back();
        between[range.option] = sample[sample.size() / 2];
        if (!is_enumerated(range.option)) continue;
        for (const std::uint32_t value : sample) {
            option_sets.push_back(option_sets.front());
            option_sets.back()[range.option] = value;
        }
    }
    if (!algorithm.options.empty()) option_sets.insert(option_sets.end(), {minimum, maximum, between});
    return option_sets;
}

std::vector<Options> many_option_sets(const Algorithm& algorithm, compaction::ItemSize item_size) {
    std::vector<Options> option_sets{Options{}};
    for (const LegalRange& range : algorithm.options) {
        const std::size_t num_so_far = option_sets.size();
        for (const std::uint32_t value : sample_of(algorithm, range, item_size)) {
            // A sample suffices for variants, which hardly differ in their other options, and for millions
            // of sequences, which take a second to count.
            const bool is_long = range.option == Option::sequences && value > max_sequences;
            const std::size_t stride = is_long ? 61 : range.option == Option::variant ? 7 : 1;
            for (std::size_t i = 0; i < num_so_far; i += stride) {
                option_sets.push_back(option_sets[i]);
                option_sets.back()[range.option] = value;
            }
        }
    }
    return option_sets;
}

std::string describe(const Options& options) {
    std::string text;
    for (const Option option : compaction::all_options) {
        if (options[option] == compaction::automatic) continue;
        text +=
            (text.empty() ? "" : ", ") + std::string(name_of(option)) + " " + std::to_string(options[option]);
    }
    return text.empty() ? "automatic options" : text;
}

}  // namespace testing_support
