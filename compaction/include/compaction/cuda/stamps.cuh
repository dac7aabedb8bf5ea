#pragma once

#include <cstdint>

/// When the blocks of a kernel run, noted by the blocks themselves.
namespace compaction::cuda {

/// When the blocks of one multiprocessor ran, in nanoseconds of the GPU's timer. Before the first stamp
/// `arrived` and `begin` are the highest value and `end` is 0.
struct BlockTimes {
    unsigned long long arrived = ~0ULL;  ///< the first block was resident
    unsigned long long begin = ~0ULL;    ///< the first block could begin, as the launch before was complete
    unsigned long long end = 0;          ///< the last block ended
};

/// One block of a traced launch.
struct BlockRecord {
    unsigned long long begin;  ///< nanoseconds of the GPU's timer
    unsigned long long end;
    std::uint32_t block;      ///< its index in the grid
    std::uint32_t processor;  ///< its multiprocessor
    std::uint32_t kept;       ///< what the kernel passed to BlockStamp::add_kept
    std::uint16_t phase;      ///< Stamps::phase
    std::uint8_t role;        ///< a WarpRole; 0 for the whole block
    std::uint8_t round;       ///< of a role: which of the block's tiles, modulo 256
};

/// A list of block records in device memory.
struct BlockRecords {
    unsigned long long count;  ///< of the blocks that wanted a record, which may be more than fit
    BlockRecord records[1];    ///< as many as the list was allocated for
};

/// Where the blocks of a launch note their times: an argument of a kernel, by value. Without `times` a block
/// tests one pointer and notes nothing.
struct Stamps {
    BlockTimes* times = nullptr;  ///< [num_processors], device memory
    std::uint32_t num_processors = 0;
    std::uint32_t phase = 0;        ///< goes into the records
    BlockRecords* trace = nullptr;  ///< device memory; null: no records
    std::uint32_t max_records = 0;
};

namespace detail {

/// Nanoseconds of a timer that all multiprocessors share. It advances in steps, of 32 ns on an H200.
/// Source: NVIDIA, PTX ISA 9.0, section 10.28, %globaltimer.
__device__ inline unsigned long long timer_ns() {
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

/// The index of the multiprocessor that runs this block.
__device__ inline std::uint32_t multiprocessor_index() {
    std::uint32_t index;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(index));
    return index;
}

/// Adds a record to the list, if it has room.
__device__ inline void append_record(const Stamps& stamps, const BlockRecord& record) {
    const unsigned long long place = atomicAdd(&stamps.trace->count, 1ULL);
    if (place < stamps.max_records) stamps.trace->records[place] = record;
}

}  // namespace detail

/// Notes when a block runs, from its construction to its destruction, at the end of the kernel. All threads
/// of the block construct it, and the threads of a warp leave the kernel together: the destructor is a
/// barrier if the block notes its times.
///
/// There is one place for each multiprocessor, so that blocks do not wait for each other to write.
class BlockStamp {
  public:
    /// Whether a block may begin at once, or waits for the launch before and then calls begin().
    enum class Start { at_once, after_wait };

    __device__ explicit BlockStamp(const Stamps& stamps, Start start = Start::at_once) : stamps_(stamps) {
        if (!stamps_.times) return;
        if (threadIdx.x == 0) atomicMin(&times().arrived, detail::timer_ns());
        if (start == Start::at_once) begin();
    }
    __device__ ~BlockStamp() {
        if (!stamps_.times) return;
        __syncthreads();  // the last warp of the block is done
        if (threadIdx.x != 0) return;
        const unsigned long long now = detail::timer_ns();
        atomicMax(&times().end, now);
        if (stamps_.trace) {
            detail::append_record(
                stamps_, {begin_of_block(), now, blockIdx.x, detail::multiprocessor_index(), kept_by_block(),
                          static_cast<std::uint16_t>(stamps_.phase), 0, 0});
        }
    }
    BlockStamp(const BlockStamp&) = delete;
    BlockStamp& operator=(const BlockStamp&) = delete;

    /// The launch before is complete. All threads call.
    __device__ void begin() const {
        if (!stamps_.times) return;
        if (threadIdx.x == 0) {
            const unsigned long long now = detail::timer_ns();
            atomicMin(&times().begin, now);
            begin_of_block() = now;
            kept_by_block() = 0;
        }
        if (stamps_.trace) __syncthreads();  // the sum of kept items is 0 before any thread adds to it
    }

    /// Adds to the number of items that the block keeps, for its record.
    __device__ void add_kept(unsigned kept) const {
        if (stamps_.trace && kept > 0) atomicAdd(&kept_by_block(), kept);
    }

  private:
    __device__ BlockTimes& times() const {
        return stamps_.times[detail::multiprocessor_index() % stamps_.num_processors];
    }
    // In shared memory, since a register would be taken from every thread.
    __device__ static unsigned long long& begin_of_block() {
        __shared__ unsigned long long begin;
        return begin;
    }
    __device__ static unsigned& kept_by_block() {
        __shared__ unsigned kept;
        return kept;
    }

    const Stamps& stamps_;
};

}  // namespace compaction::cuda
