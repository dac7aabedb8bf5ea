#include "cuda/captures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/graph.hpp"
#include "compaction/error.hpp"
#include "cuda/support/stamps.hpp"

namespace compaction::cuda {
namespace {

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(graph, nodes.data(), &count), "cudaGraphGetNodes");
    return nodes;
}

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
    int resident_blocks = 0;
    check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &resident_blocks, kernel.func, static_cast<int>(launch.threads_per_block), kernel.sharedMemBytes),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    launch.occupancy = static_cast<double>(resident_blocks) * launch.threads_per_block / max_threads;
    if (resident_blocks > 0)
        launch.waves = static_cast<double>(launch.blocks) / (resident_blocks * processors);
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
    std::vector<Launch> launches;
    for (cudaGraphNode_t node : nodes_of(graph.get())) launches.push_back(describe(node));
    return launches;
} catch (const Error&) {
    // A query that the driver does not support is not a device failure.
    return std::nullopt;
}

namespace {

/// One captured run.
struct CapturedRun {
    Graph graph;
    /// For each phase, the nodes up to its end. Nodes after the end of the last phase belong to the last
    /// phase.
    std::vector<std::vector<cudaGraphNode_t>> until_end;
};

/// Captures the runs that use this recorder. Launches get no stamps. The members store a failure instead of
/// throwing, because destructors (ScopedRun, ScopedPhase) call them.
class CaptureRecorder final : public TimestampRecorder {
  public:
    explicit CaptureRecorder(cudaStream_t stream) : stream_(stream) {}
    ~CaptureRecorder() override { end_run(); }
    CaptureRecorder(const CaptureRecorder&) = delete;
    CaptureRecorder& operator=(const CaptureRecorder&) = delete;

    void begin_run(std::uint64_t) override {
        run_ = {};
        // Relaxed: other threads may still allocate.
        capturing_ = succeeded(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
    }

    void begin_phase() override {}

    void end_phase() override {
        if (!capturing_ || failed_) return;
        cudaStreamCaptureStatus status{};
        cudaGraph_t graph = nullptr;
        if (!succeeded(
                cudaStreamGetCaptureInfo(stream_, &status, nullptr, &graph, nullptr, nullptr, nullptr)))
            return;
        if (status != cudaStreamCaptureStatusActive) {
            failed_ = true;
            return;
        }
        std::size_t count = 0;
        if (!succeeded(cudaGraphGetNodes(graph, nullptr, &count))) return;
        std::vector<cudaGraphNode_t> nodes(count);
        if (!succeeded(cudaGraphGetNodes(graph, nodes.data(), &count))) return;
        run_.until_end.push_back(std::move(nodes));
    }

    void end_run() override {
        if (!std::exchange(capturing_, false)) return;
        cudaGraph_t graph = nullptr;
        const bool ended = succeeded(cudaStreamEndCapture(stream_, &graph));
        run_.graph.reset(graph);
        if (!ended || !graph || run_.until_end.empty()) {
            failed_ = true;
            return;
        }
        runs_.push_back(std::move(run_));
    }

    void collect() override {}
    void poll(std::vector<RunTiming>&) override {}
    std::uint64_t dropped() const override { return 0; }
    void request_trace(std::uint32_t) override {}
    std::optional<RunTrace> poll_trace() override { return std::nullopt; }
    Stamps stamps(PhaseEnd) const override { return {}; }

    /// Whether every run was captured, with the same number of phases.
    bool complete() const {
        return !failed_ && !runs_.empty() && std::ranges::all_of(runs_, [this](const CapturedRun& run) {
            return run.until_end.size() == runs_.front().until_end.size();
        });
    }
    std::span<const CapturedRun> runs() const { return runs_; }

  private:
    bool succeeded(cudaError_t result) {
        if (result == cudaSuccess) return true;
        // A capture that was ended by a call it forbids leaves an error that is not a device failure.
        cudaGetLastError();
        failed_ = true;
        return false;
    }

    cudaStream_t stream_;
    bool capturing_ = false;
    bool failed_ = false;
    CapturedRun run_;
    std::vector<CapturedRun> runs_;
};

/// A copy of the run up to the end of `phase`; null if that is the whole run, which needs no copy.
Graph cut_after(const CapturedRun& run, std::size_t phase) {
    if (phase + 1 == run.until_end.size()) return nullptr;
    cudaGraph_t clone = nullptr;
    check(cudaGraphClone(&clone, run.graph.get()), "cudaGraphClone");
    Graph cut(clone);
    std::vector<cudaGraphNode_t> nodes_to_keep = run.until_end[phase];
    std::ranges::sort(nodes_to_keep);
    for (cudaGraphNode_t node : nodes_of(run.graph.get())) {
        if (std::ranges::binary_search(nodes_to_keep, node)) continue;
        cudaGraphNode_t in_clone = nullptr;
        check(cudaGraphNodeFindInClone(&in_clone, node, clone), "cudaGraphNodeFindInClone");
        check(cudaGraphDestroyNode(in_clone), "cudaGraphDestroyNode");
    }
    return cut;
}

/// Replays the runs one after the other, each up to the end of `phase`.
class GraphReplay final : public Replay {
  public:
    GraphReplay(cudaStream_t stream, std::span<const CapturedRun> runs, std::size_t phase) : stream_(stream) {
        cudaGraph_t graph = nullptr;
        check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
        const Graph all(graph);
        cudaGraphNode_t last = nullptr;
        for (const CapturedRun& run : runs) {
            const Graph cut = cut_after(run, phase);
            cudaGraphNode_t node = nullptr;
            check(cudaGraphAddChildGraphNode(&node, graph, &last, last ? 1 : 0,
                                             cut ? cut.get() : run.graph.get()),
                  "cudaGraphAddChildGraphNode");
            last = node;
        }
        cudaGraphExec_t executable = nullptr;
        check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
        executable_.reset(executable);
        check(cudaGraphUpload(executable, stream_), "cudaGraphUpload");
    }

    void enqueue() override { check(cudaGraphLaunch(executable_.get(), stream_), "cudaGraphLaunch"); }

  private:
    cudaStream_t stream_;
    GraphExec executable_;
};

}  // namespace

std::vector<std::unique_ptr<Replay>> phase_replays(cudaStream_t stream,
                                                   const std::function<void(PhaseRecorder*)>& enqueue) {
    CaptureRecorder recorder(stream);
    try {
        enqueue(&recorder);
    } catch (const Error&) {
        // The run did something that cannot be captured, such as waiting.
        return {};
    }
    if (!recorder.complete()) return {};
    std::vector<std::unique_ptr<Replay>> replays;
    for (std::size_t phase = 0; phase < recorder.runs().front().until_end.size(); ++phase)
        replays.push_back(std::make_unique<GraphReplay>(stream, recorder.runs(), phase));
    return replays;
}

}  // namespace compaction::cuda
