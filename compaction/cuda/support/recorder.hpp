#pragma once

#include <array>
#include <vector>

#include "compaction/cuda/stream.hpp"
#include "compaction/timing.hpp"

namespace compaction::cuda {

/// Phase times from CUDA events at the phase boundaries, in a ring buffer of runs. A run is read when
/// cudaEventQuery reports that its last event has completed.
class EventRecorder final : public PhaseRecorder {
  public:
    EventRecorder(cudaStream_t stream, std::size_t max_runs) : stream_(stream), runs_(max_runs) {}

    void begin_run(std::uint64_t run) override;
    void end_phase() override;
    void end_run() override;
    void poll(std::vector<RunTiming>& finished) override;
    std::uint64_t dropped() const override { return dropped_; }

  private:
    struct Run {
        Run() {
            boundaries.reserve(max_phases + 1);
            for (std::size_t i = 0; i <= max_phases; ++i) boundaries.emplace_back(cudaEventDefault);
        }
        std::uint64_t id = 0;
        std::size_t num_phases = 0;
        std::vector<Event> boundaries;
    };

    cudaStream_t stream_;
    std::vector<Run> runs_;
    std::size_t oldest_ = 0;  ///< ring index of the oldest run in flight
    std::size_t in_flight_ = 0;
    Run* current_ = nullptr;  ///< the run between begin_run and end_run
    std::uint64_t dropped_ = 0;
};

}  // namespace compaction::cuda
