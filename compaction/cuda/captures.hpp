#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "compaction/engine.hpp"
#include "compaction/launch.hpp"

/// Captures calls of the CUDA engine into graphs, to list their launches and to time their phases.
namespace compaction::cuda {

/// The operations that `enqueue` submits, found by capturing them into a graph without running it; nullopt if
/// they cannot be captured.
std::optional<std::vector<Launch>> launches_of(cudaStream_t stream, const std::function<void()>& enqueue);

/// Engine::record_phases: captures every run as a graph, copies it without the nodes of the later phases, and
/// joins the copies into one graph for each phase. Launches that overlap within a run still overlap; a run
/// begins when the previous one has ended.
std::vector<std::unique_ptr<Replay>> phase_replays(cudaStream_t stream,
                                                   const std::function<void(PhaseRecorder*)>& enqueue);

}  // namespace compaction::cuda
