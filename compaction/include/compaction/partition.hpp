#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace compaction {

/// The group of threads that processes a part of the stream, and how it reads the part.
enum class PartKind : std::uint8_t {
    sequence,  ///< a warp or a thread iterates over it
    block,     ///< the threads of a block process it at once
    tile,      ///< a block processes one at a time, and several in turn
    chunk,     ///< the lanes of a warp process it at once
};

/// The name of the kind: "sequence", "block", "tile" or "chunk".
std::string_view name_of(PartKind kind);

/// The parts that an algorithm divides a stream into: ordered, contiguous, and together the whole stream.
/// Each part gets one count and one offset in the output. The boundaries hold for an input aligned to 16
/// bytes, as Engine::allocate provides; for others, parts begin up to a vector minus one item earlier.
///
/// All algorithms need two lengths at most: the first `num_longer` parts have `items_each` + `longer_by`
/// items, the others `items_each`. Parts are clipped to the end of the stream, so the last ones may be
/// shorter or empty.
struct Partition {
    PartKind kind = PartKind::sequence;  ///< the threads that process a part
    std::uint64_t num_items = 0;         ///< items in the stream
    std::uint64_t num_parts = 0;         ///< at least 1 if the parts are known
    std::uint64_t items_each = 0;        ///< items in a part
    std::uint64_t num_longer = 0;        ///< how many parts, from the first on, are longer
    std::uint64_t longer_by = 0;         ///< additional items in each of these
    std::string unknown_because;         ///< why the parts are unknown, in one sentence; empty if known

    /// Compares all members.
    bool operator==(const Partition&) const = default;

    /// Whether the parts are known.
    bool known() const { return unknown_because.empty(); }

    /// The first item of `part`; num_items for part num_parts.
    std::uint64_t begin(std::uint64_t part) const {
        if (part >= num_parts) return num_items;
        return std::min(num_items, part * items_each + std::min(part, num_longer) * longer_by);
    }
    /// One past the last item of `part`.
    std::uint64_t end(std::uint64_t part) const { return begin(part + 1); }
    /// How many items `part` has.
    std::uint64_t size(std::uint64_t part) const { return end(part) - begin(part); }

    /// The part that contains `item`, which must be in the stream.
    std::uint64_t part_of(std::uint64_t item) const {
        const std::uint64_t longer_items = items_each + longer_by;
        const std::uint64_t all_longer = num_longer * longer_items;
        if (item < all_longer) return item / longer_items;
        if (items_each == 0) return num_parts - 1;
        return std::min(num_longer + (item - all_longer) / items_each, num_parts - 1);
    }
};

/// A partition into parts of `items_each` items; at least one part.
inline Partition equal_parts(PartKind kind, std::uint64_t num_items, std::uint64_t items_each) {
    const std::uint64_t needed = (num_items + items_each - 1) / items_each;
    return {kind, num_items, std::max<std::uint64_t>(needed, 1), items_each, 0, 0, {}};
}

/// A partition into one sequence: one thread processes the whole stream.
inline Partition whole_stream(std::uint64_t num_items) {
    return {PartKind::sequence, num_items, 1, num_items, 0, 0, {}};
}

/// A partition whose parts are unknown, with the reason.
inline Partition unknown_partition(std::uint64_t num_items, std::string because) {
    Partition partition;
    partition.num_items = num_items;
    partition.unknown_because = std::move(because);
    return partition;
}

/// Which items of a stream the blocks of a launch process. On the CPU a block is one call of a parallel loop.
///
/// By index, block 0 takes the first `parts_per_block` parts, block 1 the next ones, and so on; after the
/// last block it is the turn of block 0 again. By ticket, a block takes the next part when it is ready for
/// it.
struct BlockParts {
    Partition partition;                ///< begins `lead` items before the stream
    std::uint64_t lead = 0;             ///< items before the stream; 0 if the stream is aligned
    std::uint64_t parts_per_block = 1;  ///< neighbouring parts that a block takes at a time; by ticket 1
    bool by_ticket = false;             ///< whether blocks take parts by ticket
    bool counts_selected = false;       ///< whether WorkSpan::num_selected counts the kept items of the parts
    bool waits = false;            ///< whether a part posts its count, and waits for the counts of others
    bool appends = false;          ///< whether a warp appends the kept items of a part by an atomic addition
    std::uint64_t num_blocks = 1;  ///< blocks in the grid
    std::vector<std::uint32_t> ticket_blocks = {};  ///< [num_parts] by ticket: the block that took each part;
                                                    ///< empty if unknown

    /// The first item of `part`, without the items before the stream.
    std::uint64_t begin(std::uint64_t part) const { return std::max(partition.begin(part), lead) - lead; }
    /// One past the last item of `part`.
    std::uint64_t end(std::uint64_t part) const { return begin(part + 1); }

    /// Whether `item` is in the stream.
    bool contains(std::uint64_t item) const { return item < partition.num_items - lead; }

    /// The block that processes `part`; nullopt if unknown.
    std::optional<std::uint64_t> block_of_part(std::uint64_t part) const {
        if (!by_ticket) return part / parts_per_block % num_blocks;
        if (part >= ticket_blocks.size()) return std::nullopt;
        return ticket_blocks[part];
    }
    /// The block that processes `item`, which must be in the stream; nullopt if unknown.
    std::optional<std::uint64_t> block_of_item(std::uint64_t item) const {
        return block_of_part(partition.part_of(item + lead));
    }
    /// The first part that `block` processes; nullopt if there is none or it is unknown.
    std::optional<std::uint64_t> first_part(std::uint64_t block) const {
        const auto taken = std::find(ticket_blocks.begin(), ticket_blocks.end(), block);
        const std::uint64_t part =
            by_ticket ? static_cast<std::uint64_t>(taken - ticket_blocks.begin()) : block * parts_per_block;
        const std::uint64_t num_known = by_ticket ? ticket_blocks.size() : partition.num_parts;
        return part < num_known ? std::optional(part) : std::nullopt;
    }
};

}  // namespace compaction
