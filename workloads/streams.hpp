#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compaction/predicate.hpp"

/// Streams to compact, made from a pattern, a keep fraction and a seed. The same three give the same stream
/// on every platform: all randomness is integer hashing, nothing comes from the standard library's
/// distributions.
namespace workloads {

using compaction::Item;

/// Where in a stream the kept (non-zero) items are. Kept items have random non-zero values unless said
/// otherwise.
enum class Pattern : std::uint8_t {
    empty,       ///< none is kept
    full,        ///< all are kept
    first_only,  ///< only the first
    last_only,   ///< only the last
    structured,  ///< 1, 0, 3, 0, 5, 0, ... limited to 16 bits, as in the posts on Parallel Stream Compaction
    random,      ///< each kept with the same probability, the keep fraction
    runs,        ///< alternating runs, kept and not, of random lengths, 4,096 on average
    ramp,        ///< each kept with a probability that rises from 0 at the front to 1 at the end
};

/// A pattern as menus and command lines show it.
struct PatternInfo {
    Pattern pattern;
    std::string_view name;     ///< "first-only": unique, what the command line takes
    std::string_view meaning;  ///< one sentence, for a tooltip
    bool uses_keep_fraction;   ///< whether the keep fraction changes the stream
};

/// Every pattern there is, in the order of the enumeration.
std::span<const PatternInfo> patterns();

const PatternInfo& info_of(Pattern pattern);

/// The pattern of that name, or nothing.
std::optional<Pattern> find_pattern(std::string_view name);

/// Fills `stream` [any length]. `keep_fraction` is limited to 0..1; NaN counts as 0.
void fill_stream(std::span<Item> stream, Pattern pattern, double keep_fraction, std::uint64_t seed);

/// A new stream of `num_items`, filled as by fill_stream.
std::vector<Item> make_stream(Pattern pattern, std::uint64_t num_items, double keep_fraction,
                              std::uint64_t seed);

/// The same stream with wider items, for Operation::compaction and its kin: item i has `stream[i]` as its
/// flag word, and payload before it that follows from the seed. Returns the words of all items, one after
/// another: [stream.size() x words_of(size)].
std::vector<Item> widen(std::span<const Item> stream, compaction::ItemSize size, std::uint64_t seed);

}  // namespace workloads
