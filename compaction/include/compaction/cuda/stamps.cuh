#pragma once

#include <cstdint>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/stamps.hpp"

/// When the blocks of a kernel run, noted by the blocks themselves.
namespace compaction::cuda {

namespace detail {

/// Adds a record of this block to the list, if it has room.
__device__ inline void append_record(const Stamps& stamps, const BegunBlock& begun, unsigned long long end) {
    const unsigned long long place = atomicAdd(&stamps.trace->num_blocks, 1ULL);
    if (place >= BlockRecords::max_blocks) return;
    stamps.trace->blocks[place] = {begun.begin,   end,
                                   blockIdx.x,    multiprocessor_index(),
                                   begun.kept,    static_cast<std::uint8_t>(stamps.phase),
                                   WarpRole::all, 0};
}

}  // namespace detail

/// Whether a block may begin at once, or waits for the launch before and then calls begin().
enum class BlockStart { at_once, after_wait };

/// Notes when a block runs, from its construction to its destruction, at the end of the kernel. All threads
/// of the block construct it, and the threads of a warp leave the kernel together: the destructor is a
/// barrier if the block notes its end.
///
/// Blocks start in the order of their index. So the first ones, one for each multiprocessor, note when the
/// launch begins, and as many as can be resident at once note when it ends. They store to places of their own
/// and wait for nothing: an atomic, or the index of the multiprocessor, takes longer than the timer. Only in
/// a grid of more blocks than places, the last ones share them. A traced launch has records of all blocks.
///
/// bench_phase_stamps measures the cost. It depends on the code that every block runs, so for inner blocks
/// that is one comparison at each end. Records are written inline: a call would give the kernel a stack, and
/// cost it occupancy.
class BlockStamp {
  public:
    /// Notes where the block starts, unless it has to wait first.
    __device__ explicit BlockStamp(const Stamps& stamps, BlockStart start = BlockStart::at_once)
        : stamps_(stamps) {
        if (start == BlockStart::at_once && is_inner()) return;
        notes_begin_ = is_first() && threadIdx.x == 0;
        begin_ = &times().begin;
        if (start == BlockStart::at_once) {
            begin();
        } else {
            detail::store_timer_if(notes_begin_, &times().arrived);
        }
    }
    __device__ ~BlockStamp() {
        if (is_inner() || !(is_last() || is_traced())) return;
        __syncthreads();  // the last warp of the block is done
        if (threadIdx.x != 0) return;
        const unsigned long long now = detail::timer_ns();
        if (is_last()) {
            if (gridDim.x <= Stamps::num_places) {
                times().end = now;
            } else {
                atomicMax(&times().end, now);
            }
        }
        if (has_record()) detail::append_record(stamps_, begun(), now);
    }
    BlockStamp(const BlockStamp&) = delete;
    BlockStamp& operator=(const BlockStamp&) = delete;

    /// The launch before is complete. All threads call.
    __device__ void begin() const {
        detail::store_timer_if(notes_begin_, begin_);
        if (!is_traced()) return;
        if (threadIdx.x == 0) {
            if (has_record()) {
                begun() = {detail::timer_ns(), 0};
            } else {
                atomicAdd(&stamps_.trace->left_out, 1ULL);
            }
        }
        __syncthreads();  // the sum is 0 before any thread adds to it
    }

    /// Adds to the number of items that the block keeps, for its record.
    __device__ void add_kept(unsigned kept) const {
        if (has_record() && kept > 0) atomicAdd(&begun().kept, kept);
    }

    /// When a warp begins its role for a tile, for role_ends.
    __device__ unsigned long long role_begins() const { return notes_roles() ? detail::timer_ns() : 0; }

    /// Notes that this warp has done its role for tile `round` of the block. A whole warp calls. The caller
    /// numbers the block's roles by `place`, as other blocks wait for this one, and an atomic takes longer.
    __device__ void role_ends(WarpRole role, unsigned round, unsigned place, unsigned long long begin) const {
        if (!notes_roles() || threadIdx.x % 32 != 0) return;
        const unsigned long long now = detail::timer_ns();
        if (place >= BlockRecords::max_roles) {
            atomicAdd(&stamps_.trace->left_out, 1ULL);
            return;
        }
        stamps_.trace->roles[place] = {begin,      now,
                                       blockIdx.x, 0,
                                       0,          static_cast<std::uint8_t>(stamps_.phase),
                                       role,       static_cast<std::uint16_t>(round)};
    }

  private:
    /// One comparison, the same with stamps and without.
    __device__ bool is_inner() const { return blockIdx.x - stamps_.first_blocks < stamps_.inner_blocks; }
    __device__ bool is_first() const { return blockIdx.x < stamps_.first_blocks; }
    __device__ bool is_last() const { return blockIdx.x >= stamps_.last_from; }
    __device__ bool is_traced() const { return __builtin_expect(stamps_.trace != nullptr, 0); }
    __device__ bool notes_roles() const { return is_traced() && blockIdx.x == stamps_.roles_of_block; }
    __device__ BlockTimes& times() const { return stamps_.times[blockIdx.x % Stamps::num_places]; }
    __device__ bool has_record() const { return is_traced() && blockIdx.x < BlockRecords::max_blocks; }
    // Not in shared memory, which would cost launches that note nothing, nor in a register of every thread.
    __device__ BegunBlock& begun() const { return stamps_.trace->begun[blockIdx.x]; }

    const Stamps& stamps_;
    // Known before the wait for the launch before, after which they would delay the block.
    bool notes_begin_ = false;
    unsigned long long* begin_ = nullptr;
};

}  // namespace compaction::cuda
