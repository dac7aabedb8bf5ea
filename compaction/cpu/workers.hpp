#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include "compaction/engine.hpp"
#include "cpu/sequences.hpp"

namespace compaction::cpu {

/// A part of a loop: what to do for the indices [begin, end).
using LoopPart = void(void* loop, std::uint64_t begin, std::uint64_t end);

/// Calls part(loop, ...) for parts of [0, count), side by side on the threads of the arena it is called from.
/// All is done on return.
void loop_in_parallel(std::uint64_t count, LoopPart* part, void* loop);

/// Work(i) for every i. oneTBB orders what is before, within and after a loop. The two atomics say the same
/// in our own code, where ThreadSanitizer can see it: oneTBB's library is not built for it. They order no
/// work with other work.
template <typename Work>
class Loop {
  public:
    explicit Loop(const Work& work) : work_(work) { started_.store(true, std::memory_order_release); }
    ~Loop() { static_cast<void>(finished_.load(std::memory_order_acquire)); }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    static void run_part(void* loop, std::uint64_t begin, std::uint64_t end) {
        static_cast<Loop*>(loop)->run(begin, end);
    }

  private:
    void run(std::uint64_t begin, std::uint64_t end) {
        if (!started_.load(std::memory_order_acquire)) return;
        for (std::uint64_t i = begin; i != end; ++i) work_(i);
        finished_.fetch_add(end - begin, std::memory_order_release);
    }

    const Work& work_;
    std::atomic<bool> started_{false};
    std::atomic<std::uint64_t> finished_{0};
};

/// Calls work(i) for every i in [0, count), side by side on the threads of the arena it is called from. All
/// is done on return.
template <typename Work>
void for_each_index(std::uint64_t count, const Work& work) {
    Loop<Work> loop(work);
    loop_in_parallel(count, Loop<Work>::run_part, &loop);
}

/// The threads that one compactor shares its work out to.
class Workers {
  public:
    /// `asked`: how many threads; `automatic` for as many as the machine has, up to `max_threads`.
    Workers(const Engine& engine, std::uint32_t asked);

    /// How many a stream of `stream_bytes` is shared by: those asked for, or the calling one alone where
    /// waking others costs more than it saves.
    std::uint32_t threads_for(std::uint64_t stream_bytes) const {
        return asked_ == automatic && stream_bytes <= one_thread_bytes ? 1 : threads_;
    }

    std::uint32_t threads() const { return threads_; }

    /// Calls work(i) for every i in [0, count): on the calling thread if `threads` or `count` is 1, which
    /// then starts none, else on all.
    template <typename Work>
    void for_each(std::uint64_t count, std::uint32_t threads, const Work& work) {
        if (threads == 1 || count == 1) {
            for (std::uint64_t i = 0; i < count; ++i) work(i);
        } else {
            Loop<Work> loop(work);
            loop_in_arena(count, Loop<Work>::run_part, &loop);
        }
    }

  private:
    void loop_in_arena(std::uint64_t count, LoopPart* part, void* loop);

    std::uint32_t asked_;
    std::uint32_t threads_;
    std::optional<tbb::global_control> oversubscription_;
    tbb::task_arena arena_;
};

}  // namespace compaction::cpu
