#include "cuda/launches.hpp"

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/graph.hpp"
#include "compaction/error.hpp"

namespace compaction::cuda {
namespace {

Launch describe_kernel(cudaGraphNode_t node) {
    cudaKernelNodeParams kernel{};
    check(cudaGraphKernelNodeGetParams(node, &kernel), "cudaGraphKernelNodeGetParams");
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    int processors = 0;
    int max_threads = 0;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&max_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
          "cudaDeviceGetAttribute");

    Launch launch;
    launch.blocks = std::uint64_t{kernel.gridDim.x} * kernel.gridDim.y * kernel.gridDim.z;
    launch.threads_per_block = kernel.blockDim.x * kernel.blockDim.y * kernel.blockDim.z;
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &resident, kernel.func, static_cast<int>(launch.threads_per_block), kernel.sharedMemBytes),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    launch.occupancy = static_cast<double>(resident) * launch.threads_per_block / max_threads;
    if (resident > 0) launch.waves = static_cast<double>(launch.blocks) / (resident * processors);
    return launch;
}

Launch describe(cudaGraphNode_t node) {
    cudaGraphNodeType type{};
    check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    switch (type) {
        case cudaGraphNodeTypeKernel:
            return describe_kernel(node);
        case cudaGraphNodeTypeMemset:
            return {.kind = Launch::Kind::fill};
        case cudaGraphNodeTypeMemcpy:
            return {.kind = Launch::Kind::copy};
        default:
            return {.kind = Launch::Kind::other};
    }
}

/// Null if `enqueue` does something that cannot be captured, such as waiting.
Graph capture(cudaStream_t stream, const std::function<void()>& enqueue) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
    bool enqueued = true;
    try {
        enqueue();
    } catch (const Error&) {
        enqueued = false;
    }
    cudaGraph_t captured = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &captured);
    Graph graph(captured);
    // An aborted capture leaves an error that is not a device failure.
    cudaGetLastError();
    if (!enqueued || ended != cudaSuccess) return nullptr;
    return graph;
}

}  // namespace

std::optional<std::vector<Launch>> launches_of(cudaStream_t stream,
                                               const std::function<void()>& enqueue) try {
    const Graph graph = capture(stream, enqueue);
    if (!graph) return std::nullopt;
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph.get(), nullptr, &count), "cudaGraphGetNodes");
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(graph.get(), nodes.data(), &count), "cudaGraphGetNodes");
    std::vector<Launch> launches;
    launches.reserve(count);
    for (cudaGraphNode_t node : nodes) launches.push_back(describe(node));
    return launches;
} catch (const Error&) {
    // A query that the driver does not support is not a device failure.
    return std::nullopt;
}

}  // namespace compaction::cuda
