#pragma once

#include <functional>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/timing.hpp"
#include "experiments/measure.hpp"

namespace experiments {

/// Passes one phase boundary of a run on to another recorder. The run then has one "phase": from its start to
/// the end of the chosen phase.
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

/// Times the phases of an algorithm by events and by subtraction: `runs` calls for each figure, interleaved.
/// `time_call` makes a call with the given recorder and returns its timing.
///
/// By subtraction is the method of the posts on Parallel Stream Compaction, which timed the first kernel,
/// then the first two, and so on. Here each call runs to its end with a single boundary marked. The phases
/// before it have no marks between them, but they do not run exactly as in an untimed call: a recorder turns
/// the overlap of kernels off. The first phase includes the cost of its marks; subtraction removes it from
/// the others.
std::vector<PhaseResult> split_phases(
    const compaction::Algorithm& algorithm, std::size_t runs, compaction::PhaseRecorder& recorder,
    const std::function<compaction::RunTiming(compaction::PhaseRecorder&)>& time_call);

}  // namespace experiments
