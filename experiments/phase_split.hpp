#pragma once

#include <functional>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/timing.hpp"
#include "experiments/measure.hpp"

namespace experiments {

/// Lets one boundary of a run through to another recorder, and no other: a run then has one "phase", from its
/// start to the end of the phase chosen.
class BoundaryFilter final : public compaction::PhaseRecorder {
  public:
    /// `phase` counts from 0.
    BoundaryFilter(compaction::PhaseRecorder& recorder, std::size_t phase)
        : recorder_(recorder), phase_(phase) {}

    void begin_run(std::uint64_t run) override {
        seen_ = 0;
        recorder_.begin_run(run);
    }
    void end_phase() override {
        if (seen_++ == phase_) recorder_.end_phase();
    }
    void end_run() override { recorder_.end_run(); }
    void poll(std::vector<compaction::RunTiming>& finished) override { recorder_.poll(finished); }
    std::uint64_t dropped() const override { return recorder_.dropped(); }

  private:
    compaction::PhaseRecorder& recorder_;
    std::size_t phase_;
    std::size_t seen_ = 0;
};

/// Times the phases of an algorithm in both ways, `runs` calls for each figure, in turn. `time_call` makes a
/// call with the recorder it is given and returns what that said.
///
/// By subtraction is the method of the posts on Parallel Stream Compaction, which timed the first kernel, the
/// first two, and so on. A call cannot be cut short here, so each call runs to its end and one boundary alone
/// is marked in it: phases before that run as they do untimed. The first phase holds what the two marks cost;
/// subtracting takes it out of the others.
std::vector<PhaseResult> split_phases(
    const compaction::Algorithm& algorithm, std::size_t runs, compaction::PhaseRecorder& recorder,
    const std::function<compaction::RunTiming(compaction::PhaseRecorder&)>& time_call);

}  // namespace experiments
