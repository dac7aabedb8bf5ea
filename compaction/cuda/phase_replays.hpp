#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <vector>

#include "compaction/engine.hpp"

namespace compaction::cuda {

/// Engine::record_phases: captures every run as a graph, copies it without the nodes of the later phases, and
/// joins the copies into one graph for each phase. Launches that overlap within a run still overlap; a run
/// begins when the previous one has ended.
std::vector<std::unique_ptr<Replay>> phase_replays(cudaStream_t stream,
                                                   const std::function<void(PhaseRecorder*)>& enqueue);

}  // namespace compaction::cuda
