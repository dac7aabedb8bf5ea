#include "tests/support/layouts.hpp"

namespace testing_support {

using compaction::Algorithm;
using compaction::LegalRange;
using compaction::Option;
using compaction::Options;

namespace {

/// Values of a range that lie ever further apart: short ranges whole, long ones from both ends.
std::vector<std::uint32_t> spread_of(const LegalRange& range) {
    const std::vector<std::uint32_t> legal = range.values(4096);
    std::vector<std::uint32_t> spread;
    for (std::size_t i = 0; i + 1 < legal.size(); i = i * 4 + 1) spread.push_back(legal[i]);
    if (range.option == Option::vector_width) return legal;
    spread.push_back(legal.back());
    return spread;
}

}  // namespace

std::vector<Options> few_layouts(const Algorithm& algorithm) {
    std::vector<Options> layouts{Options{}};
    Options least;
    Options greatest;
    Options between;
    for (const LegalRange& range : algorithm.options) {
        const std::vector<std::uint32_t> spread = spread_of(range);
        least[range.option] = spread.front();
        greatest[range.option] = spread.back();
        between[range.option] = spread[spread.size() / 2];
        if (range.option != Option::vector_width) continue;
        for (const std::uint32_t width : spread) {
            layouts.emplace_back();
            layouts.back()[Option::vector_width] = width;
        }
    }
    if (!algorithm.options.empty()) layouts.insert(layouts.end(), {least, greatest, between});
    return layouts;
}

std::vector<Options> many_layouts(const Algorithm& algorithm) {
    std::vector<Options> layouts{Options{}};
    for (const LegalRange& range : algorithm.options) {
        const std::size_t num_so_far = layouts.size();
        for (const std::uint32_t value : spread_of(range)) {
            for (std::size_t i = 0; i < num_so_far; ++i) {
                layouts.push_back(layouts[i]);
                layouts.back()[range.option] = value;
            }
        }
    }
    return layouts;
}

std::string describe(const Options& options) {
    std::string text;
    for (const Option option : compaction::all_options) {
        if (options[option] == compaction::automatic) continue;
        text +=
            (text.empty() ? "" : ", ") + std::string(name_of(option)) + " " + std::to_string(options[option]);
    }
    return text.empty() ? "automatic layout" : text;
}

}  // namespace testing_support
