#include "bench/measure.hpp"

namespace bench {

void time_in_turn(compaction::Engine& engine, std::vector<Candidate>& candidates, int rounds,
                  int calls_per_batch) {
    const auto recorder = engine.make_recorder(1);
    std::vector<compaction::RunTiming> finished;
    for (int round = 0; round <= rounds; ++round) {
        for (Candidate& candidate : candidates) {
            {
                const compaction::ScopedRun run{recorder.get(), 0};
                const compaction::ScopedPhase batch{recorder.get()};
                for (int call = 0; call < calls_per_batch; ++call) candidate.enqueue();
            }
            engine.synchronise();
            finished.clear();
            recorder->poll(finished);
            if (round > 0)
                candidate.call_us.push_back(finished.front().total_us() /
                                            static_cast<float>(calls_per_batch));
        }
    }
}

}  // namespace bench
