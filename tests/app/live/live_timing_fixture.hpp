#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "app/live/live_timing.hpp"
#include "tests/app/live/scripted_engine.hpp"

namespace warpsieve {

inline const compaction::Algorithm three_phases{.id = "three",
                                                .name = "Three phases",
                                                .engine = compaction::EngineId::cpu,
                                                .authors = {},
                                                .source = {},
                                                .summary = {},
                                                .phases = {{compaction::PhaseRole::count, "count", ""},
                                                           {compaction::PhaseRole::prefix, "prefix", ""},
                                                           {compaction::PhaseRole::scatter, "move", ""}},
                                                .options = {}};
inline const compaction::Algorithm one_phase{.id = "one",
                                             .name = "One phase",
                                             .engine = compaction::EngineId::cpu,
                                             .authors = {},
                                             .source = {},
                                             .summary = {},
                                             .phases = {{compaction::PhaseRole::fused, "all", ""}},
                                             .options = {}};

/// The times of the work of one frame.
struct Script {
    float total_us = 10;                   ///< one compaction
    std::vector<float> phase_us{4, 2, 3};  ///< empty: a run without stamps
    std::vector<float> hidden_us{}, gap_us{};
    bool gaps_known = true;
    std::uint32_t iterations = 1;
    const compaction::Algorithm* algorithm = &three_phases;
    float copy_us = 0;  ///< 0: no copy
    std::uint64_t num_kept = 500;
};

inline compaction::RunTiming timing_of(const Script& script) {
    compaction::RunTiming timing;
    std::ranges::copy(script.phase_us, timing.phase_us.begin());
    std::ranges::copy(script.hidden_us, timing.hidden_us.begin());
    std::ranges::copy(script.gap_us, timing.gap_us.begin());
    timing.gaps_known = script.gaps_known;
    timing.num_phases = script.phase_us.size();
    return timing;
}

/// The height of the frame's stack in the plot.
inline float stack_of(const experiments::FrameSample& sample) {
    return std::accumulate(sample.phases().begin(), sample.phases().end(), sample.between_us);
}

/// LiveTiming with an engine whose times the test sets.
class LiveTimingTest : public testing::Test {
  protected:
    /// Runs the next frame as LiveRun does, and collects what has finished.
    void frame(const Script& script = {}) {
        const std::uint64_t number = next_frame_++;
        timing_.begin_frame(number, script.iterations, *script.algorithm);
        span(timing_.simulate_timer(), number, 3);
        recorder().script(timing_of(script));
        for (std::uint32_t i = 0; i < script.iterations; ++i)
            const compaction::ScopedRun run{timing_.phase_recorder_of(i), number};
        span(timing_.total_timer(), number, script.total_us * static_cast<float>(script.iterations));
        timing_.enqueue_phase_copies(number);
        if (script.copy_us > 0) span(timing_.copy_timer(), number, script.copy_us);
        timing_.end_frame(number, 0.5F, 1000, script.num_kept);
        timing_.collect();
    }
    void frames(int count, const Script& script = {}) {
        for (int i = 0; i < count; ++i) frame(script);
    }
    void hold_back(bool hold) {
        for (compaction::SpanTimer* timer :
             {timing_.total_timer(), timing_.simulate_timer(), timing_.copy_timer()}) {
            static_cast<scripted::Timer*>(timer)->hold_back(hold);
        }
        recorder().hold_back(hold);
    }
    scripted::Recorder& recorder() { return static_cast<scripted::Recorder&>(*timing_.phase_recorder_of(0)); }
    const experiments::FrameSample& newest() const {
        return timing_.timeline()[timing_.timeline().size() - 1];
    }
    TimingRow row_of(const std::string& name) const {
        for (const TimingRow& row : timing_.rows(three_phases, false)) {
            if (row.name == name) return row;
        }
        ADD_FAILURE() << "no row '" << name << "'";
        return {};
    }
    experiments::Summary row(const std::string& name) const { return row_of(name).us; }

    scripted::Engine engine_;
    std::vector<experiments::FrameSample> log_;
    LiveTiming timing_{engine_, &log_};
    std::uint64_t next_frame_ = 0;

  private:
    static void span(compaction::SpanTimer* timer, std::uint64_t number, float us) {
        static_cast<scripted::Timer*>(timer)->script(us);
        const compaction::ScopedSpan timed{timer, number};
    }
};

}  // namespace warpsieve
