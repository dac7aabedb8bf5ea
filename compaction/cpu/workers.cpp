#include "cpu/workers.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "compaction/error.hpp"
#include "platform/machine.hpp"

namespace compaction::cpu {
namespace {

std::uint32_t legal_threads(const Engine& engine, std::uint32_t requested) {
    if (requested == automatic) return allowed_threads(std::min(engine.device().processors, max_threads));
    const std::uint32_t allowed = allowed_threads(requested);
    if (allowed >= requested) return requested;
    throw Error(ErrorCode::invalid_option,
                "The system lets this process start " + std::to_string(allowed) + " of " +
                    std::to_string(requested) +
                    " threads. Choose fewer threads or raise the limit (ulimit -u, pids.max, ulimit -v).");
}

/// The numbers of threads that all Oversubscription objects want.
struct Oversubscriptions {
    std::mutex mutex;
    std::multiset<std::uint32_t> threads;
    std::optional<tbb::global_control> limit;

    /// oneTBB obeys the lowest of several limits, so there is one.
    void set_limit() {
        limit.reset();
        if (!threads.empty()) limit.emplace(tbb::global_control::max_allowed_parallelism, *threads.rbegin());
    }
};
Oversubscriptions& oversubscriptions() {
    static auto* const all = new Oversubscriptions;  // never destroyed, as oneTBB
    return *all;
}

/// Makes oneTBB start the threads of the arena now, while the system lets it. It starts them on demand, and
/// ends the process if one cannot be started, such as when a stream has taken the memory for its stack.
void start_threads(tbb::task_arena& arena, std::uint32_t threads) {
    static std::atomic<std::uint32_t> started{1};
    if (threads <= started) return;
    constexpr std::chrono::milliseconds patience{200};
    const auto deadline = std::chrono::steady_clock::now() + patience;
    // Static, because ThreadSanitizer does not see that the loop ends before this function returns.
    static std::mutex mutex;
    static std::condition_variable all_present;
    std::uint32_t present = 0;
    arena.execute([&] {
        const auto wait_for_all = [&](std::uint32_t) {
            std::unique_lock lock(mutex);
            if (++present == threads) all_present.notify_all();
            all_present.wait_until(lock, deadline, [&] { return present >= threads; });
        };
        tbb::parallel_for(0U, threads, wait_for_all, tbb::simple_partitioner());
    });
    started = threads;
}

}  // namespace

void loop_in_parallel(std::uint64_t count, LoopPart* part, void* loop) {
    using Range = tbb::blocked_range<std::uint64_t>;
    tbb::parallel_for(Range(0, count), [=](const Range& range) { part(loop, range.begin(), range.end()); });
}

std::uint32_t worker_index() {
    return static_cast<std::uint32_t>(std::max(tbb::this_task_arena::current_thread_index(), 0));
}

std::uint32_t allowed_threads(std::uint32_t wanted) {
    // oneTBB keeps its threads, so threads that have started once are not tried again.
    static std::atomic<std::uint32_t> proven{1};
    if (wanted <= proven) return wanted;
    const std::uint32_t startable = warpsieve::platform::startable_threads(wanted - 1);
    // Leave half of them to the display driver and the writers of files.
    if (startable < wanted - 1) return 1 + startable / 2;
    proven = wanted;
    return wanted;
}

void limit_to_allowed_threads(std::uint32_t processors) {
    const std::uint32_t allowed = allowed_threads(processors);
    if (allowed == processors) return;
    // Never destroyed: without the limit, oneTBB would start the refused threads even at the end of the
    // program.
    static const auto* const limit =
        new tbb::global_control(tbb::global_control::max_allowed_parallelism, allowed);
    static_cast<void>(limit);
}

Oversubscription::Oversubscription(std::uint32_t threads) : threads_(threads) {
    Oversubscriptions& all = oversubscriptions();
    const std::lock_guard lock(all.mutex);
    all.threads.insert(threads_);
    all.set_limit();
}

Oversubscription::~Oversubscription() {
    Oversubscriptions& all = oversubscriptions();
    const std::lock_guard lock(all.mutex);
    all.threads.erase(all.threads.find(threads_));
    all.set_limit();
}

Workers::Workers(const Engine& engine, std::uint32_t requested)
    : requested_(requested), threads_(legal_threads(engine, requested)), arena_(static_cast<int>(threads_)) {
    if (threads_ > engine.device().processors) oversubscription_.emplace(threads_);
    if (requested != automatic) start_threads(arena_, threads_);
}

void Workers::loop_in_arena(std::uint64_t count, LoopPart* part, void* loop) {
    arena_.execute([=] { loop_in_parallel(count, part, loop); });
}

}  // namespace compaction::cpu
