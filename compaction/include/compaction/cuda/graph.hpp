#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

/// Owners of CUDA graphs.
namespace compaction::cuda {

/// Destroys a graph.
struct DestroyGraph {
    /// Errors are ignored.
    void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
};
/// A graph that was captured or built.
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;

/// Destroys a graph that can be launched.
struct DestroyGraphExec {
    /// Errors are ignored.
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
};
/// A graph that can be launched.
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraphExec>;

}  // namespace compaction::cuda
