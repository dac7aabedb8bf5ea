#include "experiments/first_calls.hpp"

#include <chrono>

#include "compaction/predicate.hpp"
#include "experiments/statistics.hpp"
#include "experiments/stream_ring.hpp"

namespace experiments {
namespace {

constexpr int later_calls = 20;

}  // namespace

FirstCalls time_first_calls(compaction::Engine& engine, const Setting& setting) {
    const StreamSpec& stream = setting.stream;
    const auto compactor = engine.make_compactor(*setting.algorithm, setting.options, stream.item_size);
    compactor->reserve(stream.num_items);
    const StreamRing ring(engine, stream, RingPlan(stream, engine.device()), /*cancel=*/nullptr);
    const CallBuffers buffers = ring[0];
    const auto time_call = [&] {
        const auto begin = std::chrono::steady_clock::now();
        compactor->enqueue(buffers.in, stream.num_items, buffers.out, buffers.num_selected,
                           compaction::keep_non_zero(), /*recorder=*/nullptr);
        engine.synchronise();
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    };
    FirstCalls calls;
    calls.first_us = time_call();
    calls.second_us = time_call();
    std::vector<float> later;
    for (int i = 0; i < later_calls; ++i) later.push_back(static_cast<float>(time_call()));
    calls.later_us = summarise(later).median;
    return calls;
}

void FirstCallSamples::add(const FirstCalls& calls) {
    first_us.push_back(static_cast<float>(calls.first_us));
    second_us.push_back(static_cast<float>(calls.second_us));
    later_us.push_back(static_cast<float>(calls.later_us));
}

}  // namespace experiments
