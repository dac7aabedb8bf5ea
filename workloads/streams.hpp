#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/predicate.hpp"

/// Streams to compact, made from a pattern, a keep fraction and a seed. The same three give the same stream
/// on every platform: all randomness is integer hashing, without the distributions of the standard library.
///
/// Keep fraction: the expected number of kept items over the number of items. For a particle system the
/// stream is the slots and the kept items are the live particles, so its *live fraction* is the keep fraction
/// of that stream.
namespace workloads {

using compaction::Item;

/// The positions of the kept (non-zero) items in a stream. Their values are random, except in `structured`.
enum class Pattern : std::uint8_t {
    empty,       ///< no item is kept
    full,        ///< every item is kept
    first_only,  ///< only the first
    last_only,   ///< only the last
    structured,  ///< 1, 0, 3, 0, 5, 0, ... modulo 2^16, as in the posts on Parallel Stream Compaction
    random,      ///< each is kept with the same probability, the keep fraction
    runs,        ///< alternating runs of kept and dropped items, of random lengths, 4,096 on average
    ramp,        ///< each is kept with a probability that rises from 0 at the front to 1 at the end
    picture,     ///< the bright pixels of a picture are kept, row by row; without a picture none is
};

/// A picture: Pattern::picture keeps its bright pixels.
struct Picture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> bright;  ///< [height x width], top row first: 1 for a bright pixel, else 0
    std::string source;                ///< the path of its file, or the word that it shows
    std::string sha256;                ///< of its file, or of the pixels of a word, in hexadecimal digits
};

/// The picture, kept alive by everything that makes streams from it; null for none.
using PicturePointer = std::shared_ptr<const Picture>;

/// The number of items in a row of the picture when it is stretched over `num_items` items: the rows have
/// the aspect ratio of the picture, and the last one may be shorter. Long rows have a multiple of 16 items,
/// unless every pixel is an item.
std::uint64_t picture_columns(const Picture& picture, std::uint64_t num_items);

/// A pattern as menus and command lines show it.
struct PatternInfo {
    Pattern pattern;
    std::string_view name;     ///< "first-only": unique, used on the command line
    std::string_view meaning;  ///< one sentence, for a tooltip
    bool uses_keep_fraction;   ///< whether the keep fraction changes the stream
};

/// Every pattern, in the order of the enumeration.
std::span<const PatternInfo> patterns();

/// The description of a pattern.
const PatternInfo& info_of(Pattern pattern);

/// The pattern of that name; nullopt if there is none.
std::optional<Pattern> find_pattern(std::string_view name);

/// Fills `stream` [any length]. Clamps `keep_fraction` to 0..1; NaN becomes 0. `picture`: for
/// Pattern::picture; null: it keeps nothing.
void fill_stream(std::span<Item> stream, Pattern pattern, double keep_fraction, std::uint64_t seed,
                 const PicturePointer& picture = nullptr);

/// Makes a stream of `num_items` items as fill_stream does.
std::vector<Item> make_stream(Pattern pattern, std::uint64_t num_items, double keep_fraction,
                              std::uint64_t seed, const PicturePointer& picture = nullptr);

/// A stream with wider items: the last word of item i is its flag, `stream[i]`; the words before it
/// are payload that depends on the seed. Returns the words of all items: [stream.size() x words_of(size)].
std::vector<Item> widen(std::span<const Item> stream, compaction::ItemSize size, std::uint64_t seed);

}  // namespace workloads
