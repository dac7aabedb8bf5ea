#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "compaction/host_device.hpp"
#include "compaction/warp_role.hpp"

/// The memory in which the blocks of a kernel record when they run; stamps.cuh is the device side.
namespace compaction::cuda {

/// When a block ran, in nanoseconds of the GPU's timer. Initially `arrived` and `begin` are the highest value
/// and `end` is 0; in a traced launch all are 0. A launch that need not wait leaves `arrived` unchanged.
struct BlockTimes {
    unsigned long long arrived = ~0ULL;  ///< the block was resident
    unsigned long long begin = ~0ULL;    ///< the previous launch was complete, so the block could begin
    unsigned long long end = 0;          ///< the last warp of the block ended
    std::uint32_t processor = 0;         ///< in a traced launch: its multiprocessor
    std::uint32_t num_selected = 0;      ///< in a traced launch: the number of kept items, or `unknown`

    static constexpr std::uint32_t unknown = ~0U;  ///< the block processed other parts than its own
};

/// One interval in which a warp of the block Stamps::roles_block had a role. Stored by a single access.
struct alignas(16) RoleRecord {
    unsigned long long begin;  ///< nanoseconds of the GPU's timer
    std::uint32_t duration;    ///< nanoseconds
    std::uint16_t round;       ///< index of the tile among those of the block, modulo 65,536
    std::uint8_t phase;        ///< Stamps::phase
    WarpRole role;             ///< the role of the warp
};

/// The role intervals of a traced run, in device memory. Zero-initialise it before the run.
struct RoleRecords {
    static constexpr std::uint32_t max_roles = 1U << 15;  ///< length of `roles`

    unsigned long long left_out;  ///< intervals whose index is max_roles or higher
    RoleRecord roles[max_roles];  ///< by index of the interval; `begin` is 0 if it was not recorded
};

/// What a part of the stream records in a traced launch, in nanoseconds of the GPU's timer; 0 if unknown.
struct PartRecord {
    unsigned long long posted;  ///< its count was posted for other blocks
    unsigned long long summed;  ///< that count and all others that the part needs were summed
    std::uint32_t taken_by;     ///< by ticket: 1 + the block that took the part
};

/// What a warp that appends records in a traced launch, stored by a single access: the index that its atomic
/// addition returned, and the number of items. All zero if it appends none.
struct AppendRecord {
    static constexpr unsigned count_bits = 16;  ///< low bits of index_and_count

    std::uint64_t index_and_count;  ///< the number of items in the low bits, the index above them

    /// The index of the first item in the output.
    std::uint64_t index() const { return index_and_count >> count_bits; }
    /// How many items the warp appends.
    std::uint32_t count() const { return index_and_count & ((1U << count_bits) - 1); }
};

/// The launches of a traced run, on the host. A block of such a launch records its times in an entry. If
/// there are too few entries, 2, 4, 8, ... successive blocks share one.
struct TracedLaunches {
    static constexpr std::uint32_t max_blocks = 1U << 20;  ///< maximum number of entries
    /// More than any algorithm launches in a run, so that recording does not allocate.
    static constexpr std::size_t max_launches = 256;
    /// A launch takes at most this share of the entries that are left, so that they last for all launches.
    static constexpr std::uint32_t share_of_launch = 8;

    /// One launch.
    struct Launch {
        std::uint32_t phase;            ///< Stamps::phase
        std::uint32_t first_entry;      ///< the entry of its first block; the others follow
        std::uint32_t blocks;           ///< in the grid
        std::uint32_t first_blocks;     ///< number of leading blocks that record their start without a trace
        std::uint32_t last_from;        ///< blocks from this index on record their end without a trace
        std::uint32_t threads;          ///< in each block
        std::uint32_t description;      ///< next_description of the launch
        std::uint32_t entry_shift = 0;  ///< block b has entry b >> entry_shift
        std::uint32_t num_records = 0;  ///< PartRecords or AppendRecords behind the entries

        /// The entries that its blocks use.
        std::uint32_t num_entries() const { return blocks == 0 ? 0 : ((blocks - 1) >> entry_shift) + 1; }
    };

    /// The records that a launch needs besides its entries: one for each part of the stream.
    struct Records {
        std::uint64_t count = 0;       ///< how many
        std::uint32_t bytes_each = 1;  ///< size of one, in bytes
    };

    BlockTimes* times = nullptr;          ///< [capacity], device memory
    std::uint32_t capacity = 0;           ///< at most max_blocks
    std::uint32_t num_entries = 0;        ///< used by launches, including their records
    std::vector<Launch> launches = {};    ///< in the order of execution, at most max_launches
    std::uint64_t left_out = 0;           ///< blocks of launches for which no entries were left
    std::uint64_t launches_left_out = 0;  ///< these launches, and those beyond max_launches
    std::uint32_t next_description = 0;   ///< of the next launch: a number for the recorder; 0 for none
    Records next_records = {};            ///< of the next launch
};

/// Where the blocks of a launch record their times: an argument of a kernel, by value. By default, no block
/// records. A trace needs no more members than the times of a phase: its records are found by `times`.
struct Stamps {
    /// Entries for the times of blocks that record the start or the end of a launch.
    static constexpr unsigned num_entries = 256;

    /// The `entry_mask` of a traced launch.
    static constexpr std::uint32_t all_entries = ~0U;

    std::uint32_t first_blocks = 0;              ///< number of leading blocks that record their start
    std::uint32_t entry_shift = 0;               ///< 0 unless the launch is traced
    std::uint32_t last_from = ~0U;               ///< blocks from this index on record their end
    std::uint32_t entry_mask = num_entries - 1;  ///< block b has entry (b >> entry_shift) & entry_mask
    BlockTimes* times = nullptr;                 ///< device memory
    std::uint32_t phase = 0;                     ///< written to the records of roles
    std::uint32_t roles_block = ~0U;             ///< the block whose warps record their roles
    RoleRecords* roles = nullptr;                ///< device memory
    std::uint32_t last_threads = 0;  ///< on_grid lets the blocks of that many trailing threads record the end
    /// PartRecords or AppendRecords behind the entries of a traced launch, by index of the part.
    std::uint32_t num_records = 0;
    TracedLaunches* traced = nullptr;  ///< host memory; null: no trace

    /// Whether all blocks of the launch record.
    COMPACTION_HOST_DEVICE bool is_traced() const { return entry_mask == all_entries; }

    /// The stamps of a launch with that grid. In a traced run all blocks record their times, as long as
    /// entries are left; successive blocks may share one. The launcher of a kernel calls it once;
    /// detail::launch does so itself. `launches`: the number of consecutive launches of one block each, which
    /// have entries as the blocks of one launch have.
    Stamps on_grid(unsigned blocks, unsigned threads, unsigned launches = 1) const {
        Stamps stamps = *this;
        if (!times) return stamps;
        const unsigned resident_blocks = last_threads / threads;
        // If all blocks start together, any of them may end last. Otherwise one of those that start last
        // does.
        stamps.last_from = blocks > resident_blocks ? blocks - (resident_blocks + 1) / 2 : 0;
        if (traced) stamps.trace(std::uint64_t{blocks} * launches, threads);
        return stamps;
    }

    /// The stamps of launch `index`, which is the next one, if each launch has one block and launches the
    /// next. The first records the start of the phase and the last its end; those between record nothing
    /// unless they are traced.
    COMPACTION_HOST_DEVICE Stamps of_next_launch(std::uint64_t index, bool is_last) const {
        Stamps stamps = *this;
        const bool begins_entry = is_traced() && index >> entry_shift << entry_shift == index;
        stamps.first_blocks = begins_entry ? ~0U : 0;
        stamps.last_from = times && (is_last || is_traced()) ? 0 : ~0U;
        stamps.times += begins_entry;
        return stamps;
    }

  private:
    /// Gives the blocks of the launch entries.
    void trace(std::uint64_t blocks, unsigned threads) {
        const std::uint32_t description = std::exchange(traced->next_description, 0);
        const TracedLaunches::Records needed = std::exchange(traced->next_records, {});
        const std::uint64_t left = traced->capacity - traced->num_entries;
        if (left == 0 || traced->launches.size() >= TracedLaunches::max_launches) {
            traced->left_out += blocks;
            ++traced->launches_left_out;
            roles_block = ~0U;
            return;
        }
        const std::uint64_t max_entries = std::max<std::uint64_t>(left / TracedLaunches::share_of_launch, 1);
        while (((blocks - 1) >> entry_shift) >= max_entries) ++entry_shift;
        const std::uint64_t entries = ((blocks - 1) >> entry_shift) + 1;
        const std::uint64_t max_record_bytes = (left - entries) / 2 * sizeof(BlockTimes);
        num_records =
            static_cast<std::uint32_t>(std::min(needed.count, max_record_bytes / needed.bytes_each));
        const std::uint64_t record_bytes = std::uint64_t{num_records} * needed.bytes_each;
        const std::uint64_t record_entries = (record_bytes + sizeof(BlockTimes) - 1) / sizeof(BlockTimes);
        traced->launches.push_back({phase, traced->num_entries, static_cast<std::uint32_t>(blocks),
                                    first_blocks, last_from, threads, description, entry_shift, num_records});
        times = traced->times + traced->num_entries;
        traced->num_entries += static_cast<std::uint32_t>(entries + record_entries);
        first_blocks = ~0U;
        last_from = 0;
        entry_mask = all_entries;
    }
};
// Every launch passes its stamps, so members for traces must not make them longer.
static_assert(sizeof(Stamps) == 56);

namespace detail {

/// The argument that a kernel with that grid receives: the argument itself, or its on_grid(blocks, threads).
/// Callers pass 0 last: as an int, it prefers the first overload where that exists.
template <typename T>
auto on_grid(const T& argument, unsigned blocks, unsigned threads, int)
    -> decltype(argument.on_grid(blocks, threads)) {
    return argument.on_grid(blocks, threads);
}
template <typename T>
const T& on_grid(const T& argument, unsigned, unsigned, long) {
    return argument;
}

}  // namespace detail

}  // namespace compaction::cuda
