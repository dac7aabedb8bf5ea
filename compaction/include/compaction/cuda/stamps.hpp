#pragma once

#include <cstdint>
#include <vector>

#include "compaction/host_device.hpp"
#include "compaction/warp_role.hpp"

/// Where the blocks of a kernel note when they run; stamps.cuh is the device side.
namespace compaction::cuda {

/// When a block ran, in nanoseconds of the GPU's timer. Before the first stamp `arrived` and `begin` are the
/// highest value and `end` is 0, in a traced launch all are 0; `arrived` remains so in a launch that need not
/// wait.
struct BlockTimes {
    unsigned long long arrived = ~0ULL;  ///< the block was resident
    unsigned long long begin = ~0ULL;    ///< the block could begin, as the launch before was complete
    unsigned long long end = 0;          ///< the last warp of the block ended
    std::uint32_t processor = 0;         ///< in a traced launch: its multiprocessor
    std::uint32_t kept = 0;              ///< in a traced launch: the sum of BlockStamp::add_kept
};

/// One role of a warp of the block Stamps::roles_of_block, which a single access stores.
struct alignas(16) RoleRecord {
    unsigned long long begin;  ///< nanoseconds of the GPU's timer
    std::uint32_t duration;    ///< nanoseconds
    std::uint16_t round;       ///< which of the block's tiles, modulo 65,536
    std::uint8_t phase;        ///< Stamps::phase
    WarpRole role;             ///< what the warp did
};

/// The roles of a traced run in device memory. All is 0 when it begins.
struct RoleRecords {
    static constexpr std::uint32_t max_roles = 1U << 15;  ///< places

    unsigned long long left_out;  ///< roles whose number has no place
    RoleRecord roles[max_roles];  ///< each role has a place of its own; `begin` is 0 where none ended
};

/// The launches of a traced run, on the host. All blocks of such a launch note their times, each in a place
/// of its own.
struct TracedLaunches {
    static constexpr std::uint32_t max_blocks = 1U << 20;  ///< the most places

    /// One launch.
    struct Launch {
        std::uint32_t phase;         ///< Stamps::phase
        std::uint32_t first_place;   ///< of its first block; the others follow
        std::uint32_t blocks;        ///< how many
        std::uint32_t first_blocks;  ///< so many would have noted its begin without a trace
        std::uint32_t last_from;     ///< blocks from this index on would have noted its end
    };

    BlockTimes* times = nullptr;        ///< [capacity], device memory
    std::uint32_t capacity = 0;         ///< at most max_blocks
    std::uint32_t num_places = 0;       ///< that launches have
    std::vector<Launch> launches = {};  ///< in their order
    std::uint64_t left_out = 0;         ///< blocks of launches for which no places were left
};

/// Where the blocks of a launch note their times: an argument of a kernel, by value. By default none does.
struct Stamps {
    /// Places for the times of blocks that note the begin or the end of a launch.
    static constexpr unsigned num_places = 256;

    std::uint32_t first_blocks = 0;             ///< so many at the begin of the grid note when they begin
    std::uint32_t is_traced = 0;                ///< 1 if each block of the launch has a place of its own
    std::uint32_t last_from = ~0U;              ///< blocks from this index on note when they end
    std::uint32_t place_mask = num_places - 1;  ///< block b has place b & place_mask
    BlockTimes* times = nullptr;                ///< device memory
    std::uint32_t phase = 0;                    ///< goes into the records of roles
    std::uint32_t roles_of_block = ~0U;         ///< the block whose warps note their roles
    RoleRecords* roles = nullptr;               ///< device memory
    std::uint32_t last_threads = 0;             ///< so many at the end of the grid note it, for on_grid
    TracedLaunches* traced = nullptr;           ///< host memory; null: no trace

    /// The same for a grid: with the blocks that note their times. In a traced run all of them do, while
    /// there are places. Whoever launches a kernel calls it once; for kernels that detail::launch launches,
    /// that does. `launches`: that take places one after the other.
    Stamps on_grid(unsigned blocks, unsigned threads, unsigned launches = 1) const {
        Stamps stamps = *this;
        if (!times) return stamps;
        const unsigned last = last_threads / threads;
        // Of blocks that all begin together any may end last. Else it is one of those that began last.
        stamps.last_from = blocks > last ? blocks - (last + 1) / 2 : 0;
        if (traced) stamps.trace(std::uint64_t{blocks} * launches);
        return stamps;
    }

    /// The stamps of the launch after this one, if each has one block and launches the next. The first notes
    /// when the phase begins and the last when it ends; those between note nothing, if they are not traced.
    COMPACTION_HOST_DEVICE Stamps of_next_launch(bool is_last) const {
        Stamps stamps = *this;
        stamps.first_blocks = is_traced ? ~0U : 0;
        stamps.last_from = times && (is_last || is_traced) ? 0 : ~0U;
        stamps.times += is_traced;
        return stamps;
    }

  private:
    /// Gives each block of the launch a place of its own.
    void trace(std::uint64_t blocks) {
        if (blocks > traced->capacity - traced->num_places) {
            traced->left_out += blocks;
            roles_of_block = ~0U;
            return;
        }
        const auto traced_blocks = static_cast<std::uint32_t>(blocks);
        traced->launches.push_back({phase, traced->num_places, traced_blocks, first_blocks, last_from});
        times = traced->times + traced->num_places;
        traced->num_places += traced_blocks;
        first_blocks = ~0U;
        last_from = 0;
        place_mask = ~0U;
        is_traced = 1;
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
