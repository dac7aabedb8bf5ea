#include "bench/measure.hpp"

#include <algorithm>

namespace bench {

using compaction::Item;

RotatingStreams::RotatingStreams(compaction::Engine& engine, const std::vector<Item>& stream,
                                 std::size_t cold_bytes)
    : output_(engine.allocate(std::max<std::size_t>(1, stream.size()) * sizeof(Item))),
      num_selected_(engine.allocate(sizeof(std::uint64_t))) {
    const std::size_t bytes = std::max<std::size_t>(1, stream.size()) * sizeof(Item);
    const std::size_t copies = std::clamp<std::size_t>((cold_bytes + bytes - 1) / bytes, 1, 64);
    for (std::size_t copy = 0; copy < copies; ++copy) {
        inputs_.push_back(engine.allocate(bytes));
        engine.upload(inputs_.back().as<Item>(), stream.data(), stream.size() * sizeof(Item));
    }
}

const Item* RotatingStreams::next_input() {
    next_ = (next_ + 1) % inputs_.size();
    return inputs_[next_].as<Item>();
}

void time_in_turn(compaction::Engine& engine, std::vector<Contestant>& contestants, int rounds,
                  int calls_per_batch) {
    const auto recorder = engine.make_recorder(1);
    std::vector<compaction::RunTiming> finished;
    for (int round = 0; round <= rounds; ++round) {
        for (Contestant& contestant : contestants) {
            {
                const compaction::ScopedRun run{recorder.get(), 0};
                const compaction::ScopedPhase batch{recorder.get()};
                for (int call = 0; call < calls_per_batch; ++call) contestant.enqueue();
            }
            engine.synchronise();
            finished.clear();
            recorder->poll(finished);
            if (round > 0)
                contestant.call_us.push_back(finished.front().total_us() /
                                             static_cast<float>(calls_per_batch));
        }
    }
}

}  // namespace bench
