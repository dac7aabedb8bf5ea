#include "experiments/phase_split.hpp"

namespace experiments {

std::vector<PhaseResult> split_phases(
    const compaction::Algorithm& algorithm, std::size_t runs, compaction::PhaseRecorder& recorder,
    const std::function<compaction::RunTiming(compaction::PhaseRecorder&)>& time_call) {
    const std::size_t num_phases = algorithm.phases.size();
    std::vector<std::vector<float>> by_events(num_phases);
    std::vector<std::vector<float>> until_end(num_phases);
    for (std::size_t run = 0; run < runs; ++run) {
        const compaction::RunTiming all = time_call(recorder);
        for (std::size_t phase = 0; phase < num_phases; ++phase) {
            if (phase < all.num_phases) by_events[phase].push_back(all.phase_us[phase]);
            BoundaryFilter filter(recorder, phase);
            const compaction::RunTiming first_phases = time_call(filter);
            if (first_phases.num_phases == 1) until_end[phase].push_back(first_phases.phase_us[0]);
        }
    }
    std::vector<PhaseResult> results;
    double before_us = 0;
    for (std::size_t phase = 0; phase < num_phases; ++phase) {
        PhaseResult result{.name = algorithm.phases[phase].name,
                           .role = algorithm.phases[phase].role,
                           .by_events_us = summarise(by_events[phase]),
                           .until_end_us = summarise(until_end[phase])};
        result.by_subtraction_us = result.until_end_us.median - before_us;
        before_us = result.until_end_us.median;
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace experiments
