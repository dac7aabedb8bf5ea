#include "workloads/streams.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace workloads {
namespace {

constexpr std::array all_patterns{
    PatternInfo{Pattern::empty, "empty", "Nothing is kept.", false},
    PatternInfo{Pattern::full, "full", "Everything is kept: compaction is a copy.", false},
    PatternInfo{Pattern::first_only, "first-only", "Only the first item is kept.", false},
    PatternInfo{Pattern::last_only, "last-only", "Only the last item is kept.", false},
    PatternInfo{Pattern::structured, "structured",
                "1, 0, 3, 0, 5, ...: every other item is kept, so a branch predictor is never wrong.", false},
    PatternInfo{Pattern::random, "random",
                "Each item is kept with the probability given: the hardest stream to predict.", true},
    PatternInfo{Pattern::runs, "runs",
                "Long runs of kept items between long runs of empty ones, so sequences differ in their work.",
                true},
    PatternInfo{Pattern::ramp, "ramp", "The density rises from 0 at the front to 1 at the end.", false}};

constexpr double two_to_32 = 0x1p32;
constexpr double mean_run = 4096;

/// 64 well-mixed bits for each (seed, index), so that any item can be made without those before it.
/// Source: Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators", figure 17
/// (SplitMix64).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// A non-zero value from the lower half of `bits`; the upper half stays free to decide whether it is kept.
Item value_from(std::uint64_t bits) {
    return std::max<Item>(1, static_cast<Item>(bits));
}

Item value_at(std::uint64_t seed, std::uint64_t index) {
    return value_from(random_bits(seed, index));
}

/// Item i is kept when its random 32 bits are below `kept_below(i)`, of 2^32.
template <typename KeptBelow>
void fill_by_chance(std::span<Item> stream, std::uint64_t seed, KeptBelow kept_below) {
    for (std::uint64_t i = 0; i < stream.size(); ++i) {
        const std::uint64_t bits = random_bits(seed, i);
        stream[i] = (bits >> 32) < kept_below(i) ? value_from(bits) : 0;
    }
}

/// Runs of 1 to twice the mean, so that half of the keep fraction's share falls on each side of the mean.
void fill_runs(std::span<Item> stream, double keep_fraction, std::uint64_t seed) {
    // A generator of its own for the lengths: they must not follow the values.
    const std::uint64_t lengths_seed = random_bits(seed, stream.size());
    std::uint64_t i = 0;
    for (std::uint64_t run = 0; i < stream.size(); ++run) {
        const bool is_kept = run % 2 == 0;
        const double mean = 2 * mean_run * (is_kept ? keep_fraction : 1 - keep_fraction);
        const auto longest = static_cast<std::uint64_t>(2 * mean);
        if (longest == 0) continue;
        const std::uint64_t length = 1 + random_bits(lengths_seed, run) % longest;
        const std::uint64_t end = std::min<std::uint64_t>(stream.size(), i + length);
        for (; i < end; ++i) stream[i] = is_kept ? value_at(seed, i) : 0;
    }
}

}  // namespace

std::span<const PatternInfo> patterns() {
    return all_patterns;
}

const PatternInfo& info_of(Pattern pattern) {
    return all_patterns[static_cast<std::size_t>(pattern)];
}

std::optional<Pattern> find_pattern(std::string_view name) {
    const auto found = std::ranges::find(all_patterns, name, &PatternInfo::name);
    if (found == all_patterns.end()) return std::nullopt;
    return found->pattern;
}

void fill_stream(std::span<Item> stream, Pattern pattern, double keep_fraction, std::uint64_t seed) {
    const double fraction = keep_fraction > 0 ? std::min(keep_fraction, 1.0) : 0.0;
    const double length = static_cast<double>(stream.size());
    if (stream.empty()) return;
    switch (pattern) {
        case Pattern::empty:
            std::ranges::fill(stream, Item{0});
            break;
        case Pattern::full:
            for (std::uint64_t i = 0; i < stream.size(); ++i) stream[i] = value_at(seed, i);
            break;
        case Pattern::first_only:
            std::ranges::fill(stream, Item{0});
            stream.front() = value_at(seed, 0);
            break;
        case Pattern::last_only:
            std::ranges::fill(stream, Item{0});
            stream.back() = value_at(seed, stream.size() - 1);
            break;
        case Pattern::structured:
            for (std::uint64_t i = 0; i < stream.size(); ++i) {
                stream[i] = i % 2 == 0 ? static_cast<Item>(i + 1) & 0xffffU : 0;
            }
            break;
        case Pattern::random: {
            const auto threshold = static_cast<std::uint64_t>(fraction * two_to_32);
            fill_by_chance(stream, seed, [threshold](std::uint64_t) { return threshold; });
            break;
        }
        case Pattern::runs:
            fill_runs(stream, fraction, seed);
            break;
        case Pattern::ramp:
            fill_by_chance(stream, seed, [length](std::uint64_t i) {
                return static_cast<std::uint64_t>(static_cast<double>(i) / length * two_to_32);
            });
            break;
    }
}

std::vector<Item> make_stream(Pattern pattern, std::uint64_t num_items, double keep_fraction,
                              std::uint64_t seed) {
    std::vector<Item> stream(num_items);
    fill_stream(stream, pattern, keep_fraction, seed);
    return stream;
}

std::vector<Item> widen(std::span<const Item> stream, compaction::ItemSize size, std::uint64_t seed) {
    const std::size_t words = words_of(size);
    // A generator of its own, so that the payload does not repeat the values.
    const std::uint64_t payload_seed = random_bits(seed, ~std::uint64_t{0});
    std::vector<Item> wide(stream.size() * words);
    for (std::uint64_t i = 0; i < wide.size(); ++i) {
        const bool is_flag = i % words == words - 1;
        wide[i] = is_flag ? stream[i / words] : static_cast<Item>(random_bits(payload_seed, i));
    }
    return wide;
}

}  // namespace workloads
