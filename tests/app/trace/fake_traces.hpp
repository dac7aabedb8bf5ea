#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "app/trace/traced_run.hpp"

/// Fake traces for tests and the gallery.
namespace warpsieve::fake {

/// A small generator, so that traces are the same on every platform.
class Jitter {
  public:
    explicit Jitter(std::uint64_t seed) : state_(seed) {}
    /// The next random number, from 0 to 1.
    float next() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<float>(state_ >> 40) * 0x1p-24F;
    }

  private:
    std::uint64_t state_;
};

/// A trace with `blocks` blocks in each phase of the algorithm. `resident` blocks run at a time on each
/// processor, and each begins when an earlier one ends.
inline compaction::RunTrace trace_of(const compaction::Algorithm& algorithm, std::uint32_t processors,
                                     std::uint32_t blocks, std::uint32_t resident, float block_us) {
    compaction::RunTrace trace;
    trace.run = 4'711;
    trace.processors = processors;
    trace.clock_step_us = 0.032F;
    Jitter jitter(blocks + processors);
    float begin = 0;
    for (std::size_t phase = 0; phase < algorithm.phases.size(); ++phase) {
        const bool is_short = algorithm.phases[phase].role == compaction::PhaseRole::prefix;
        const std::uint32_t here = is_short ? 1 : blocks;
        std::vector<float> free_at(std::size_t{processors} * resident, begin);
        float end = begin;
        trace.launches.push_back({.phase = static_cast<std::uint8_t>(phase), .blocks = here, .threads = 256});
        for (std::uint32_t block = 0; block < here; ++block) {
            const auto next = std::ranges::min_element(free_at);
            const auto seat = static_cast<std::uint32_t>(next - free_at.begin());
            const float us = block_us * (0.8F + 0.4F * jitter.next()) * (block % 97 == 96 ? 1.8F : 1.0F);
            trace.spans.push_back({.begin_us = *next,
                                   .end_us = *next + us,
                                   .block = block,
                                   .processor = seat % processors,
                                   .num_selected = 512 + block % 40,
                                   .phase = static_cast<std::uint8_t>(phase),
                                   .launch = static_cast<std::uint32_t>(phase)});
            *next += us + 0.05F;
            end = std::max(end, trace.spans.back().end_us);
        }
        trace.timing.phase_us[phase] = end + 0.4F - begin;
        begin = end + 0.4F;
    }
    trace.timing.num_phases = algorithm.phases.size();
    trace.timing.run = trace.run;
    return trace;
}

/// Lets the blocks of each launch but those of a prefix process equal parts of a stream.
inline void add_parts(compaction::RunTrace& trace, const compaction::Algorithm& algorithm,
                      std::uint64_t num_items) {
    for (compaction::LaunchTrace& launch : trace.launches) {
        if (algorithm.phases[launch.phase].role == compaction::PhaseRole::prefix) continue;
        const std::uint64_t items = (num_items + launch.blocks - 1) / launch.blocks;
        launch.parts = {.partition = compaction::equal_parts(compaction::PartKind::block, num_items, items),
                        .num_blocks = launch.blocks};
    }
}

/// Lets each block of the last launch post its count at a third of its time and have all counts at two
/// thirds.
inline void add_waits(compaction::RunTrace& trace) {
    compaction::LaunchTrace& launch = trace.launches.back();
    launch.parts->waits = true;
    launch.waits.resize(launch.parts->partition.num_parts);
    for (compaction::WorkSpan& span : trace.spans) {
        if (span.launch + 1 != trace.launches.size()) continue;
        const float third = (span.end_us - span.begin_us) / 3;
        span.wait = {span.begin_us + third, span.begin_us + 2 * third};
        launch.waits[span.block] = span.wait;
    }
}

/// Lets 8 warps of each block of the last launch append 64 items each, in the order in which blocks begin.
inline void add_appends(compaction::RunTrace& trace) {
    compaction::LaunchTrace& launch = trace.launches.back();
    launch.parts->appends = true;
    std::vector<const compaction::WorkSpan*> spans;
    for (const compaction::WorkSpan& span : trace.spans)
        if (span.launch + 1 == trace.launches.size()) spans.push_back(&span);
    std::ranges::sort(spans, {}, [](const auto* span) { return std::pair(span->begin_us, span->block); });
    std::uint64_t index = 0;
    for (const compaction::WorkSpan* span : spans)
        for (std::uint32_t warp = 0; warp < 8; ++warp, index += 64)
            launch.appends.push_back({span->block, warp, index, 64});
    std::ranges::sort(launch.appends, {},
                      [](const compaction::Append& each) { return std::pair(each.block, each.warp); });
}

/// Adds rounds of count, look-back and scatter to one block.
inline void add_roles(compaction::RunTrace& trace, std::uint32_t block, std::uint16_t rounds) {
    using compaction::WarpRole;
    const auto whole = std::ranges::find(trace.spans, block, &compaction::WorkSpan::block);
    const float length = (whole->end_us - whole->begin_us) / static_cast<float>(rounds + 2);
    const compaction::WorkSpan span = *whole;
    for (std::uint16_t round = 0; round < rounds; ++round) {
        const WarpRole roles[] = {WarpRole::count, WarpRole::look_back, WarpRole::scatter};
        for (int i = 0; i < 3; ++i) {
            compaction::WorkSpan part = span;
            part.begin_us += length * static_cast<float>(round + i);
            part.end_us = part.begin_us + length * (i == 1 ? 0.4F : 0.8F);
            part.role = roles[i];
            part.round = round;
            part.num_selected = i == 0 ? 32 : 0;
            trace.spans.push_back(part);
        }
    }
}

inline std::shared_ptr<const trace::TracedRun> traced(const compaction::Algorithm& algorithm,
                                                      const compaction::RunTrace& trace) {
    return std::make_shared<const trace::TracedRun>(trace::prepare(algorithm, trace.run, trace));
}

}  // namespace warpsieve::fake
