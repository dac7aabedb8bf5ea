#pragma once

#include <functional>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/statistics.hpp"

/// Batches of calls, timed on the engine's clock.
namespace bench {

/// One side of a comparison.
struct Candidate {
    std::function<void()> enqueue;  ///< enqueues one call
    std::vector<float> call_us;     ///< microseconds per call, one sample per batch
};

/// Interleaved sampling: times batches of calls in turn (A B C A B C ...), so that clock drift affects all
/// candidates alike. The first round is a warm-up and is discarded.
inline void time_in_turn(compaction::Engine& engine, std::vector<Candidate>& candidates, int rounds,
                         int calls_per_batch) {
    const auto timer = engine.make_timer(1);
    std::vector<compaction::SpanTiming> finished;
    for (int round = 0; round <= rounds; ++round) {
        for (Candidate& candidate : candidates) {
            {
                const compaction::ScopedSpan batch{timer.get(), 0};
                for (int call = 0; call < calls_per_batch; ++call) candidate.enqueue();
            }
            engine.synchronise();
            finished.clear();
            timer->poll(finished);
            if (round > 0)
                candidate.call_us.push_back(finished.front().us / static_cast<float>(calls_per_batch));
        }
    }
}

}  // namespace bench
