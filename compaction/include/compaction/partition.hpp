#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace compaction {

/// Who takes a part of the stream, and how.
enum class PartKind : std::uint8_t {
    sequence,  ///< a warp or a thread walks it from end to end
    block,     ///< the threads of a block take it at once
    tile,      ///< what a block takes at a time, of the many it may take
    chunk,     ///< the lanes of a warp take it at once
};

/// "sequence", "block", "tile", "chunk".
std::string_view name_of(PartKind kind);

/// The parts that an algorithm cuts a stream into, each of which it counts and places as one: ordered,
/// contiguous, and together the stream. For an input aligned to 16 bytes, as Engine::allocate gives; where
/// vectors begin before the stream, parts begin up to a vector less an item earlier.
///
/// Two lengths are enough for all algorithms: the first `num_longer` parts have `longer_by` items more than
/// the `items_each` of the others. All end where the stream ends, so that the last ones may be shorter, or
/// empty in a short stream.
struct Partition {
    PartKind kind = PartKind::sequence;
    std::uint64_t num_items = 0;  ///< of the stream
    std::uint64_t num_parts = 0;  ///< at least one where they are known
    std::uint64_t items_each = 0;
    std::uint64_t num_longer = 0;
    std::uint64_t longer_by = 0;
    std::string unknown_because;  ///< why the parts are not known, in one sentence; empty where they are

    bool operator==(const Partition&) const = default;

    bool known() const { return unknown_because.empty(); }

    /// Where part `part` begins; num_items for part num_parts.
    std::uint64_t begin(std::uint64_t part) const {
        if (part >= num_parts) return num_items;
        return std::min(num_items, part * items_each + std::min(part, num_longer) * longer_by);
    }
    std::uint64_t end(std::uint64_t part) const { return begin(part + 1); }
    std::uint64_t size(std::uint64_t part) const { return end(part) - begin(part); }

    /// The part that holds `item`, which must be in the stream.
    std::uint64_t part_of(std::uint64_t item) const {
        const std::uint64_t longer_items = items_each + longer_by;
        const std::uint64_t all_longer = num_longer * longer_items;
        if (item < all_longer) return item / longer_items;
        if (items_each == 0) return num_parts - 1;
        return std::min(num_longer + (item - all_longer) / items_each, num_parts - 1);
    }
};

/// Parts of `items_each` items, as many as it takes, and at least one.
inline Partition equal_parts(PartKind kind, std::uint64_t num_items, std::uint64_t items_each) {
    const std::uint64_t needed = (num_items + items_each - 1) / items_each;
    return {kind, num_items, std::max<std::uint64_t>(needed, 1), items_each, 0, 0, {}};
}

/// One sequence: a single thread walks the whole stream.
inline Partition whole_stream(std::uint64_t num_items) {
    return {PartKind::sequence, num_items, 1, num_items, 0, 0, {}};
}

inline Partition unknown_partition(std::uint64_t num_items, std::string because) {
    Partition partition;
    partition.num_items = num_items;
    partition.unknown_because = std::move(because);
    return partition;
}

}  // namespace compaction
