#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

/// Owners of CUDA graphs.
namespace compaction::cuda {

struct DestroyGraph {
    void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
};
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;

struct DestroyGraphExec {
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
};
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraphExec>;

}  // namespace compaction::cuda
