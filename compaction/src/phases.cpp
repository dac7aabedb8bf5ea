#include "phases.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace compaction {
namespace {

namespace platform = warpsieve::platform;

thread_local const Algorithm* enqueued = nullptr;
thread_local std::size_t next_phase = 0;

}  // namespace

void use_phase_names_of(const Algorithm* algorithm) {
    enqueued = algorithm;
    next_phase = 0;
}

void begin_named_range() {
    const bool named = enqueued && next_phase < enqueued->phases.size();
    platform::begin_profiler_range(named ? enqueued->phases[next_phase].name.c_str() : "phase");
    ++next_phase;
}

void end_named_range() {
    platform::end_profiler_range();
}

namespace {

float us_between(std::uint64_t begin, std::uint64_t end) {
    return end > begin ? static_cast<float>(end - begin) * 1e-3F : 0;
}

}  // namespace

void add_waits_to_spans(RunTrace& trace) {
    struct PartsOfBlock {
        std::uint64_t last_part = 0;
        std::uint64_t num_parts = 0;
    };
    std::vector<std::vector<PartsOfBlock>> parts_by_launch(trace.launches.size());
    for (std::size_t i = 0; i < parts_by_launch.size(); ++i) {
        const LaunchTrace& launch = trace.launches[i];
        if (launch.waits.empty()) continue;
        parts_by_launch[i].resize(launch.blocks);
        for (std::uint64_t part = 0; part < launch.waits.size(); ++part) {
            if (const auto block = launch.parts->block_of_part(part))
                parts_by_launch[i][*block] = {part, parts_by_launch[i][*block].num_parts + 1};
        }
    }
    for (WorkSpan& span : trace.spans) {
        if (span.role != WarpRole::all || span.blocks > 1) continue;
        const std::vector<PartsOfBlock>& parts_by_block = parts_by_launch[span.launch];
        if (span.block >= parts_by_block.size() || parts_by_block[span.block].num_parts != 1) continue;
        span.wait = trace.launches[span.launch].waits[parts_by_block[span.block].last_part];
    }
}

std::uint64_t end_of(std::span<const PhaseStamps> phases) {
    std::uint64_t end = 0;
    for (const PhaseStamps& phase : phases) end = std::max(end, phase.end);
    return end;
}

RunTiming times_of(std::uint64_t run, std::span<const PhaseStamps> phases, std::uint64_t previous_end) {
    RunTiming timing;
    timing.run = run;
    const auto first = std::ranges::find_if(phases, &PhaseStamps::known);
    if (first == phases.end()) return timing;
    timing.num_phases = phases.size();
    timing.gaps_known = std::ranges::all_of(
        phases, [](const PhaseStamps& phase) { return !phase.known() || phase.end != 0; });
    if (previous_end != 0) timing.between_us = us_between(previous_end, first->begin);

    // The begin of each phase, followed by the end of the run.
    std::array<std::uint64_t, max_phases + 1> begin{};
    std::uint64_t last_begin = first->begin;
    std::uint64_t last_end = first->begin;
    for (std::size_t p = 0; p < phases.size(); ++p) {
        const std::uint64_t earliest = phases[p].known() ? phases[p].begin : last_end;
        begin[p] = last_begin = std::max(last_begin, earliest);
        if (phases[p].known()) last_end = std::max(last_end, phases[p].end);
    }
    begin[phases.size()] = std::max(last_begin, last_end);

    for (std::size_t p = 0; p < phases.size(); ++p) {
        timing.phase_us[p] = us_between(begin[p], begin[p + 1]);
        if (!phases[p].known()) continue;
        timing.hidden_us[p] = us_between(phases[p].arrived, phases[p].begin);
        if (timing.gaps_known) timing.gap_us[p] = us_between(std::max(phases[p].end, begin[p]), begin[p + 1]);
    }
    return timing;
}

}  // namespace compaction
