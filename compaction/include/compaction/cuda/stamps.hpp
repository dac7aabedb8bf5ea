#pragma once

#include <cstdint>

#include "compaction/host_device.hpp"
#include "compaction/warp_role.hpp"

/// Where the blocks of a kernel note when they run; stamps.cuh is the device side.
namespace compaction::cuda {

/// When some blocks of a launch ran, in nanoseconds of the GPU's timer. Before the first stamp `arrived` and
/// `begin` are the highest value and `end` is 0; `arrived` remains so in a launch that need not wait.
struct BlockTimes {
    unsigned long long arrived = ~0ULL;  ///< the block was resident
    unsigned long long begin = ~0ULL;    ///< the block could begin, as the launch before was complete
    unsigned long long end = 0;          ///< the last block ended
};

/// One block of a traced launch.
struct alignas(16) BlockRecord {
    unsigned long long begin;  ///< nanoseconds of the GPU's timer
    unsigned long long end;    ///< by the same timer
    std::uint32_t block;       ///< its index in the grid
    std::uint32_t processor;   ///< its multiprocessor
    std::uint32_t kept;        ///< what the kernel passed to BlockStamp::add_kept
    std::uint32_t phase;       ///< Stamps::phase
};

/// One role of a warp of the block Stamps::roles_of_block, which a single access stores.
struct alignas(16) RoleRecord {
    unsigned long long begin;  ///< nanoseconds of the GPU's timer
    std::uint32_t duration;    ///< nanoseconds
    std::uint16_t round;       ///< which of the block's tiles, modulo 65,536
    std::uint8_t phase;        ///< Stamps::phase
    WarpRole role;             ///< what the warp did
};

/// The records of a run in device memory. All is 0 when it begins.
struct BlockRecords {
    static constexpr std::uint32_t max_blocks = 1U << 17;  ///< places for blocks
    static constexpr std::uint32_t max_roles = 1U << 15;   ///< places for roles

    unsigned long long left_out;     ///< roles whose number has no place
    RoleRecord roles[max_roles];     ///< each role has a place of its own; `begin` is 0 where none ended
    BlockRecord blocks[max_blocks];  ///< the same for the blocks of a launch, and launch after launch
};

/// Where the blocks of a launch note their times: an argument of a kernel, by value. By default all blocks
/// are inner blocks, which note nothing.
struct Stamps {
    /// Places for times: block b has place b % num_places.
    static constexpr unsigned num_places = 256;

    std::uint32_t first_blocks = 0;        ///< so many at the begin of the grid note it, at most num_places
    std::uint32_t inner_blocks = ~0U;      ///< so many after them note nothing
    std::uint32_t last_from = ~0U;         ///< blocks from this index on note when they end
    std::uint32_t phase = 0;               ///< goes into the records
    BlockTimes* times = nullptr;           ///< [num_places], device memory
    BlockRecords* trace = nullptr;         ///< device memory; null: no records, otherwise no blocks are inner
    std::uint32_t roles_of_block = 0;      ///< the block whose warps note their roles too
    std::uint32_t last_threads = 0;        ///< blocks with so many threads at the end of the grid note it
    std::uint32_t first_record = 0;        ///< the place of block 0; the others follow
    std::uint64_t* num_records = nullptr;  ///< host memory, in a traced run: places that its launches took

    /// The same for a grid: with the blocks that note their times, and with places for records. Whoever
    /// launches a kernel calls it once; for kernels that detail::launch launches, that does. `launches`: that
    /// take places one after the other.
    Stamps on_grid(unsigned blocks, unsigned threads, unsigned launches = 1) const {
        Stamps stamps = *this;
        if (!times) return stamps;
        if (num_records) {
            stamps.first_record = *num_records < BlockRecords::max_blocks
                                      ? static_cast<std::uint32_t>(*num_records)
                                      : BlockRecords::max_blocks;
            *num_records += std::uint64_t{blocks} * launches;
        }
        const unsigned last = last_threads / threads;
        // Of blocks that all begin together any may end last. Else it is one of those that began last.
        stamps.last_from = blocks > last ? blocks - (last + 1) / 2 : 0;
        stamps.inner_blocks = trace || stamps.last_from < first_blocks ? 0 : stamps.last_from - first_blocks;
        return stamps;
    }

    /// The stamps of the launch after this one, if each has one block and launches the next. The first notes
    /// when the phase begins and the last when it ends; those between note nothing, but may have records.
    COMPACTION_HOST_DEVICE Stamps of_next_launch(bool is_last) const {
        Stamps stamps = *this;
        stamps.first_blocks = 0;
        stamps.inner_blocks = !times || !(is_last || trace) ? ~0U : 0;
        ++stamps.first_record;
        return stamps;
    }
};

namespace detail {

/// What a kernel of that grid gets for an argument: the argument, or its on_grid(blocks, threads).
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
