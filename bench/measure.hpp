#pragma once

#include <functional>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/statistics.hpp"

/// What the benches share: batches of calls timed on the engine's own clock.
namespace bench {

/// Something to be timed: enqueues one call.
struct Contestant {
    std::function<void()> enqueue;
    std::vector<float> call_us;  ///< one sample a batch: microseconds per call
};

/// Times batches of calls in turn (A B C A B C ...), so that a drifting clock touches all alike, each batch
/// from before its first to after its last call on the engine's clock. The first round warms up and is not
/// kept.
void time_in_turn(compaction::Engine& engine, std::vector<Contestant>& contestants, int rounds,
                  int calls_per_batch);

}  // namespace bench
