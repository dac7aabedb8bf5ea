#pragma once

#include <cstdint>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/stamps.hpp"

/// When the blocks of a kernel run, noted by the blocks themselves.
namespace compaction::cuda {

/// Whether a block may begin at once, or waits for the launch before and then calls begin().
enum class BlockStart { at_once, after_wait };
/// Whether a block ends with the destructor, or its thread 0 calls end(), after its last barrier.
enum class BlockEnd { destructor, by_thread_0 };

/// Notes when a block runs, from its construction to its destruction, at the end of the kernel. All threads
/// of the block construct it, and the threads of a warp leave the kernel together: the destructor is a
/// barrier if the block notes its end. A kernel of short blocks constructs it when it has asked for its first
/// items, which are under way while the begin is noted.
///
/// Blocks start in the order of their index. So the first ones, one for each multiprocessor, note the begin
/// of the launch, and the last ones its end; in a large grid, these are half as many as can be resident. They
/// store to places of their own and wait for nothing: an atomic, or the index of the multiprocessor, takes
/// longer than the timer. Only in a grid of more blocks than places, the last ones share them, and what one
/// of the last stores remains. A traced launch has records of all blocks.
///
/// bench_phase_stamps measures the cost. It depends on the code that every block runs, so for inner blocks
/// that is one comparison at each end. One warp reads the timer, as the reads of several warps wait for each
/// other. Records are written inline: a call would give the kernel a stack, and cost it occupancy.
class BlockStamp {
  public:
    /// Notes where the block starts, unless it has to wait first.
    __device__ explicit BlockStamp(const Stamps& stamps, BlockStart start = BlockStart::at_once,
                                   BlockEnd end = BlockEnd::destructor)
        : stamps_(stamps), end_(end) {
        if (is_inner() || threadIdx.x >= 32) return;
        notes_ = true;
        notes_begin_ = is_first() && threadIdx.x == 0;
        begin_ = &times().begin;
        if (start == BlockStart::at_once) {
            begin();
        } else {
            detail::store_relaxed_if(notes_begin_, &times().arrived, detail::timer_ns());
        }
    }
    __device__ ~BlockStamp() {
        if (end_ == BlockEnd::by_thread_0 || is_inner() || !(is_last() || is_traced())) return;
        __syncthreads();  // the last warp of the block is done
        if (threadIdx.x < 32) note_end();
    }
    BlockStamp(const BlockStamp&) = delete;
    BlockStamp& operator=(const BlockStamp&) = delete;

    /// The launch before is complete. All threads call.
    __device__ void begin() const { note_begin(begins()); }

    /// The first step of begin(): when the launch before is complete. The kernel issues its first loads
    /// before the second step, because a store waits for the timer.
    __device__ unsigned long long begins() const { return notes_ ? detail::timer_ns() : 0; }
    /// The second step: notes that time.
    __device__ void note_begin(unsigned long long now) const {
        if (!notes_) return;
        detail::store_relaxed_if(notes_begin_, begin_, now);
        if (has_record() && threadIdx.x == 0) record().begin = now;
    }

    /// Thread 0 has nothing more to do, and the others have passed the last barrier.
    __device__ void end() const {
        if (!is_inner()) note_end();
    }

    /// Adds to the number of items that the block keeps, for its record.
    __device__ void add_kept(unsigned kept) const {
        if (!is_inner() && has_record() && kept > 0) atomicAdd(&record().kept, kept);
    }

    /// When a warp begins its role for a tile, for role_ends.
    __device__ unsigned long long role_begins() const { return notes_roles() ? detail::timer_ns() : 0; }

    /// Notes that this warp has done its role for tile `round` of the block. A whole warp calls. The caller
    /// numbers the block's roles by `place`, as other blocks wait for this one, and an atomic takes longer.
    __device__ void role_ends(WarpRole role, unsigned round, unsigned place, unsigned long long begin) const {
        if (!notes_roles()) return;
        const auto duration = static_cast<std::uint32_t>(detail::timer_ns() - begin);
        if (threadIdx.x % 32 != 0) return;
        if (place < BlockRecords::max_roles) {
            stamps_.trace->roles[place] = {begin, duration, static_cast<std::uint16_t>(round),
                                           static_cast<std::uint8_t>(stamps_.phase), role};
        } else {
            atomicAdd(&stamps_.trace->left_out, 1ULL);
        }
    }

  private:
    /// One comparison, the same with stamps and without.
    __device__ bool is_inner() const { return blockIdx.x - stamps_.first_blocks < stamps_.inner_blocks; }
    __device__ bool is_first() const { return blockIdx.x < stamps_.first_blocks; }
    __device__ bool is_last() const { return blockIdx.x >= stamps_.last_from; }
    __device__ bool is_traced() const { return __builtin_expect(stamps_.trace != nullptr, 0); }
    __device__ bool notes_roles() const { return is_traced() && blockIdx.x == stamps_.roles_of_block; }
    __device__ BlockTimes& times() const { return stamps_.times[blockIdx.x % Stamps::num_places]; }
    __device__ bool has_record() const {
        return is_traced() && stamps_.first_record + blockIdx.x < BlockRecords::max_blocks;
    }
    __device__ BlockRecord& record() const {
        return stamps_.trace->blocks[stamps_.first_record + blockIdx.x];
    }
    __device__ void note_end() const {
        const unsigned long long now = detail::timer_ns();
        detail::store_relaxed_if(is_last() && threadIdx.x == 0, &times().end, now);
        if (!has_record() || threadIdx.x != 0) return;
        BlockRecord& mine = record();
        mine.end = now;
        mine.block = blockIdx.x;
        mine.processor = detail::multiprocessor_index();
        mine.phase = stamps_.phase;
    }

    const Stamps& stamps_;
    const BlockEnd end_;
    // Known before the wait for the launch before, after which they would delay the block.
    bool notes_ = false;  ///< this warp
    bool notes_begin_ = false;
    unsigned long long* begin_ = nullptr;
};

}  // namespace compaction::cuda
