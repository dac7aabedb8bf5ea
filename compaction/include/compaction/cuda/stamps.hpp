#pragma once

#include <cstdint>

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

/// One block of a traced launch, or one role of a warp.
struct alignas(16) BlockRecord {
    unsigned long long begin;  ///< nanoseconds of the GPU's timer
    unsigned long long end;    ///< by the same timer
    std::uint32_t block;       ///< its index in the grid
    std::uint32_t processor;   ///< its multiprocessor; 0 in the record of a role
    std::uint32_t kept;        ///< what the kernel passed to BlockStamp::add_kept
    std::uint8_t phase;        ///< Stamps::phase
    WarpRole role;             ///< whose time it is: the whole block's or a warp's
    std::uint16_t round;       ///< of a role: which of the block's tiles, modulo 65,536
};

/// A block that has begun and gets a record when it ends.
struct BegunBlock {
    unsigned long long begin;  ///< nanoseconds of the GPU's timer
    std::uint32_t kept;        ///< items that its threads have kept so far
};

/// The records of a run in device memory. All before `blocks` is 0 when it begins.
struct BlockRecords {
    static constexpr std::uint32_t max_blocks = 1U << 17;  ///< places for blocks
    static constexpr std::uint32_t max_roles = 1U << 15;   ///< places for roles

    unsigned long long num_blocks;   ///< places that blocks asked for, which may be more than there are
    unsigned long long left_out;     ///< blocks and roles whose index has no place
    BlockRecord roles[max_roles];    ///< each role has a place of its own; `end` is 0 where none ended
    BlockRecord blocks[max_blocks];  ///< in the order in which they ended
    BegunBlock begun[max_blocks];    ///< by the index of the block; for the device alone
};

/// Where the blocks of a launch note their times: an argument of a kernel, by value. By default all blocks
/// are inner blocks, which note nothing.
struct Stamps {
    /// Places for times: block b has place b % num_places.
    static constexpr unsigned num_places = 256;

    std::uint32_t first_blocks = 0;    ///< so many at the begin of the grid note it, at most num_places
    std::uint32_t inner_blocks = ~0U;  ///< so many after them note nothing
    std::uint32_t last_from = ~0U;     ///< blocks from this index on note when they end
    std::uint32_t phase = 0;           ///< goes into the records
    BlockTimes* times = nullptr;       ///< [num_places], device memory
    BlockRecords* trace = nullptr;     ///< device memory; null: no records, otherwise no blocks are inner
    std::uint32_t roles_of_block = 0;  ///< the block whose warps note their roles too
    std::uint32_t last_threads = 0;    ///< blocks with so many threads at the end of the grid note it

    /// The same for a grid: with the blocks that note their times. Whoever launches a kernel calls it; for
    /// kernels that detail::launch launches, that does.
    Stamps on_grid(unsigned blocks, unsigned threads) const {
        Stamps stamps = *this;
        if (!times) return stamps;
        const unsigned last = last_threads / threads;
        stamps.last_from = blocks > last ? blocks - last : 0;
        stamps.inner_blocks = trace || stamps.last_from < first_blocks ? 0 : stamps.last_from - first_blocks;
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
