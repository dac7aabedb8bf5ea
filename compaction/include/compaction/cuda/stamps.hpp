#pragma once

#include <cstdint>

#include "compaction/warp_role.hpp"

/// Where the blocks of a kernel note when they run; stamps.cuh is the device side.
namespace compaction::cuda {

/// When the blocks of one multiprocessor ran, in nanoseconds of the GPU's timer. Before the first stamp
/// `arrived` and `begin` are the highest value and `end` is 0; `arrived` remains so in a launch that need not
/// wait.
struct BlockTimes {
    unsigned long long arrived = ~0ULL;  ///< the first block was resident
    unsigned long long begin = ~0ULL;    ///< the first block could begin, as the launch before was complete
    unsigned long long end = 0;          ///< the last block ended
};

/// One block of a traced launch.
struct BlockRecord {
    unsigned long long begin;  ///< nanoseconds of the GPU's timer
    unsigned long long end;    ///< by the same timer
    std::uint32_t block;       ///< its index in the grid
    std::uint32_t processor;   ///< its multiprocessor
    std::uint32_t kept;        ///< what the kernel passed to BlockStamp::add_kept
    std::uint8_t phase;        ///< Stamps::phase
    WarpRole role;             ///< whose time it is: the whole block's or a warp's
    std::uint16_t round;       ///< of a role: which of the block's tiles, modulo 65,536
};

/// A list of block records in device memory.
struct BlockRecords {
    unsigned long long count;  ///< of the blocks that wanted a record, which may be more than fit
    BlockRecord records[1];    ///< as many as the list was allocated for
};

/// Where the blocks of a launch note their times: an argument of a kernel, by value. Without `times` a block
/// tests one pointer and notes nothing.
struct Stamps {
    /// Places for multiprocessors: a power of two, and more than any GPU has.
    static constexpr unsigned max_processors = 256;

    BlockTimes* times = nullptr;          ///< [max_processors], device memory
    BlockRecords* trace = nullptr;        ///< device memory; null: no records
    std::uint32_t noted_at_each_end = 0;  ///< blocks of a long grid that note their times
    std::uint32_t phase = 0;              ///< goes into the records
    std::uint32_t max_records = 0;        ///< room in `trace`
    std::uint32_t roles_of_block = 0;     ///< the block whose warps note their roles too
};

}  // namespace compaction::cuda
