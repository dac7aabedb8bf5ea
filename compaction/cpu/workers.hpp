#pragma once

#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "compaction/engine.hpp"
#include "cpu/sequences.hpp"
#include "cpu/tuning.hpp"
#include "cpu/work_log.hpp"

namespace compaction::cpu {

/// Processes the indices [begin, end) of a loop.
using LoopPart = void(void* loop, std::uint64_t begin, std::uint64_t end);

/// Calls part(loop, ...) for parts of [0, count) in parallel on the threads of the calling arena. Returns
/// when all are done.
void loop_in_parallel(std::uint64_t count, LoopPart* part, void* loop);

/// Calls work(i) and adds its span to `log`. `work` returns the number of kept items, or nothing.
template <typename Work>
void do_logged(WorkLog& log, std::uint32_t worker, std::uint64_t i, const Work& work) {
    const Clock::time_point begin = Clock::now();
    std::uint64_t num_selected = 0;
    if constexpr (std::is_void_v<std::invoke_result_t<const Work&, std::uint64_t>>) {
        work(i);
    } else {
        num_selected = work(i);
    }
    log.add(i, worker, begin, num_selected);
}

/// The index of the calling thread among those of its arena, from 0.
std::uint32_t worker_index();

/// Calls work(i) for every i. oneTBB orders the code before, in and after a parallel loop. The two atomics
/// repeat this order for ThreadSanitizer, which oneTBB's library is not built for. They do not order the work
/// of different threads.
template <typename Work>
class Loop {
  public:
    explicit Loop(const Work& work, WorkLog* log = nullptr) : work_(work), log_(log) {
        started_.store(true, std::memory_order_release);
    }
    ~Loop() { static_cast<void>(finished_.load(std::memory_order_acquire)); }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    static void run_part(void* loop, std::uint64_t begin, std::uint64_t end) {
        static_cast<Loop*>(loop)->run(begin, end);
    }

  private:
    void run(std::uint64_t begin, std::uint64_t end) {
        if (!started_.load(std::memory_order_acquire)) return;
        if (log_) {
            for (std::uint64_t i = begin; i != end; ++i) do_logged(*log_, worker_index(), i, work_);
        } else {
            for (std::uint64_t i = begin; i != end; ++i) work_(i);
        }
        finished_.fetch_add(end - begin, std::memory_order_release);
    }

    const Work& work_;
    WorkLog* log_;
    std::atomic<bool> started_{false};
    std::atomic<std::uint64_t> finished_{0};
};

/// Calls work(i) for every i in [0, count) in parallel on the threads of the calling arena. Returns when all
/// are done.
template <typename Work>
void for_each_index(std::uint64_t count, const Work& work) {
    Loop<Work> loop(work);
    loop_in_parallel(count, Loop<Work>::run_part, &loop);
}

/// Returns `wanted`, or fewer if the system does not let this process start that many threads (ulimit -u,
/// pids.max). oneTBB ends the process when it cannot start a thread.
std::uint32_t allowed_threads(std::uint32_t wanted);

/// Limits the threads of oneTBB to allowed_threads(processors) for the rest of the process. Without a limit,
/// oneTBB starts a thread for each processor.
void limit_to_allowed_threads(std::uint32_t processors);

/// Lets oneTBB run more threads than the machine has processors, while the object lives: as many as the
/// largest of all objects says.
class Oversubscription {
  public:
    explicit Oversubscription(std::uint32_t threads);
    ~Oversubscription();
    Oversubscription(const Oversubscription&) = delete;
    Oversubscription& operator=(const Oversubscription&) = delete;

  private:
    std::uint32_t threads_;
};

/// The threads of one compactor.
class Workers {
  public:
    /// `requested` is the number of threads. `automatic` uses as many as the machine has and the system
    /// allows, up to `max_threads`. Throws Error{invalid_option} if the system does not allow the number
    /// requested.
    Workers(const Engine& engine, std::uint32_t requested);

    /// The number of threads for a stream: the number requested. If that is automatic: 1 for a short stream,
    /// which the calling thread processes, else all.
    std::uint32_t threads_for(std::uint64_t stream_bytes) const {
        return requested_ == automatic && stream_bytes <= tuning::one_thread_bytes ? 1 : threads_;
    }

    std::uint32_t threads() const { return threads_; }

    /// Calls work(i) for every i in [0, count): on the calling thread, without starting any, if `threads` or
    /// `count` is 1; else on all threads. `log`: receives a span for every i, if not null, with the number of
    /// kept items that `work` returns.
    template <typename Work>
    void for_each(std::uint64_t count, std::uint32_t threads, WorkLog* log, const Work& work) {
        if (log) log->set_loop(count, threads);
        if (threads != 1 && count != 1) {
            Loop<Work> loop(work, log);
            loop_in_arena(count, Loop<Work>::run_part, &loop);
        } else if (log) {
            for (std::uint64_t i = 0; i < count; ++i) do_logged(*log, /*worker=*/0, i, work);
        } else {
            for (std::uint64_t i = 0; i < count; ++i) work(i);
        }
    }

  private:
    void loop_in_arena(std::uint64_t count, LoopPart* part, void* loop);

    std::uint32_t requested_;
    std::uint32_t threads_;
    std::optional<Oversubscription> oversubscription_;
    tbb::task_arena arena_;
};

}  // namespace compaction::cpu
