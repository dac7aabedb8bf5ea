#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/statistics.hpp"

/// What the benches share: inputs that do not fit the cache, and batches of calls timed on the engine's own
/// clock.
namespace bench {

/// Several copies of one stream, used in turn, so that a call finds its input in memory and not in the cache.
class RotatingStreams {
  public:
    /// `cold_bytes`: what all copies together take at least.
    RotatingStreams(compaction::Engine& engine, const std::vector<compaction::Item>& stream,
                    std::size_t cold_bytes);

    const compaction::Item* next_input();
    compaction::Item* output() { return output_.as<compaction::Item>(); }
    std::uint64_t* num_selected() { return num_selected_.as<std::uint64_t>(); }

  private:
    std::vector<compaction::Buffer> inputs_;
    compaction::Buffer output_;
    compaction::Buffer num_selected_;
    std::size_t next_ = 0;
};

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
