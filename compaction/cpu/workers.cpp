#include "cpu/workers.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

namespace compaction::cpu {

void loop_in_parallel(std::uint64_t count, LoopPart* part, void* loop) {
    using Range = tbb::blocked_range<std::uint64_t>;
    tbb::parallel_for(Range(0, count), [=](const Range& range) { part(loop, range.begin(), range.end()); });
}

Workers::Workers(const Engine& engine, std::uint32_t requested)
    : requested_(requested),
      threads_(requested == automatic ? std::min(engine.device().processors, max_threads) : requested),
      arena_(static_cast<int>(threads_)) {
    // By default oneTBB starts no more threads than the machine has. The lowest of several limits applies, so
    // every limit is the same.
    if (threads_ > engine.device().processors) {
        oversubscription_.emplace(tbb::global_control::max_allowed_parallelism, max_threads);
    }
}

void Workers::loop_in_arena(std::uint64_t count, LoopPart* part, void* loop) {
    arena_.execute([=] { loop_in_parallel(count, part, loop); });
}

}  // namespace compaction::cpu
