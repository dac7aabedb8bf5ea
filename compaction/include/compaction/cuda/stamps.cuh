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
/// of the last stores remains. All blocks of a traced launch note both, by the same instructions.
///
/// bench_phase_stamps measures the cost. The first warp of every block reads the timer. If only the first
/// blocks did, they would get their items last, and the others wait for them where they look back. The next
/// launch waits for what lies between the last barrier of a block and the store of its end, so that is short.
class BlockStamp {
  public:
    /// Notes where the block starts, unless it has to wait first.
    __device__ explicit BlockStamp(const Stamps& stamps, BlockStart start = BlockStart::at_once,
                                   BlockEnd end = BlockEnd::destructor)
        : stamps_(stamps),
          end_(end),
          notes_begin_(stamps.first_blocks > 0 && threadIdx.x < 32),
          begin_(notes_begin_ ? &times().begin : nullptr) {
        if (!notes_begin_) return;
        if (start == BlockStart::at_once) {
            begin();
        } else {
            detail::store_relaxed_if(stores_begin(), &times().arrived, detail::timer_ns());
        }
    }
    __device__ ~BlockStamp() {
        if (end_ == BlockEnd::by_thread_0 || !is_last()) return;
        __syncthreads();  // the last warp of the block is done
        if (threadIdx.x == 0) note_end();
    }
    BlockStamp(const BlockStamp&) = delete;
    BlockStamp& operator=(const BlockStamp&) = delete;

    /// The launch before is complete. All threads call.
    __device__ void begin() const { note_begin(begins()); }

    /// The first step of begin(): when the launch before is complete. The kernel issues its first loads
    /// before the second step, because a store waits for the timer.
    __device__ unsigned long long begins() const { return notes_begin_ ? detail::timer_ns() : 0; }
    /// The second step: notes that time. A thread that branched would leave its warp.
    __device__ void note_begin(unsigned long long now) const {
        if (notes_begin_) detail::store_relaxed_if(stores_begin(), begin_, now);
    }

    /// Thread 0 has nothing more to do, and the others have passed the last barrier.
    __device__ void end() const {
        if (is_last()) note_end();
    }

    /// Adds to the number of items that the block keeps, if the launch is traced.
    __device__ void add_kept(unsigned kept) const {
        if (is_traced() && kept > 0) atomicAdd(&times().kept, kept);
    }

    /// When a warp begins its role for a tile, for role_ends.
    __device__ unsigned long long role_begins() const { return notes_roles() ? detail::timer_ns() : 0; }

    /// Notes that this warp has done its role for tile `round` of the block. A whole warp calls. The caller
    /// numbers the block's roles by `place`, as other blocks wait for this one, and an atomic takes longer.
    __device__ void role_ends(WarpRole role, unsigned round, unsigned place, unsigned long long begin) const {
        if (!notes_roles()) return;
        const auto duration = static_cast<std::uint32_t>(detail::timer_ns() - begin);
        if (threadIdx.x % 32 != 0) return;
        if (place < RoleRecords::max_roles) {
            stamps_.roles->roles[place] = {begin, duration, static_cast<std::uint16_t>(round),
                                           static_cast<std::uint8_t>(stamps_.phase), role};
        } else {
            atomicAdd(&stamps_.roles->left_out, 1ULL);
        }
    }

  private:
    __device__ bool stores_begin() const { return threadIdx.x == 0 && blockIdx.x < stamps_.first_blocks; }
    __device__ bool is_last() const { return blockIdx.x >= stamps_.last_from; }
    __device__ bool is_traced() const { return __builtin_expect(stamps_.is_traced, 0); }
    __device__ bool notes_roles() const { return blockIdx.x == stamps_.roles_of_block; }
    __device__ BlockTimes& times() const { return stamps_.times[blockIdx.x & stamps_.place_mask]; }
    /// One thread calls.
    __device__ void note_end() const {
        BlockTimes& mine = times();
        detail::store_relaxed_if(true, &mine.end, detail::timer_ns());
        if (is_traced()) mine.processor = detail::multiprocessor_index();
    }

    const Stamps& stamps_;
    const BlockEnd end_;
    const bool notes_begin_;           ///< this warp
    unsigned long long* const begin_;  ///< known before the wait for the launch before
};

}  // namespace compaction::cuda
