#include "app/interop/interop.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>

#include "app/interop/kernels.hpp"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stream.hpp"

namespace warpsieve::interop {
namespace {

using compaction::cuda::check;
using compaction::cuda::DeviceBuffer;
using compaction::cuda::Event;
using compaction::cuda::PinnedBuffer;
using scene::max_cells;
using scene::SlotCell;
using scene::SlotSample;

constexpr std::size_t cells_offset = sizeof(SampleFigures);
constexpr std::size_t max_sample_bytes = cells_offset + 2 * max_cells * sizeof(SlotCell);

/// Copies a sample as one block: figures, cells of the slots, cells of the output. At most one sample is in
/// flight; poll() returns the previous one until it arrives.
class GpuSampler final : public scene::SlotSampler {
  public:
    GpuSampler(compaction::Engine& engine, std::uint64_t max_slots)
        : stream_(static_cast<cudaStream_t>(engine.native_stream())),
          leaf_counts_((max_slots + leaf_slots - 1) / leaf_slots),
          leaf_ranks_((max_slots + leaf_slots - 1) / leaf_slots) {
        sample_.reserve();
    }

    /// Waits, because a sample in flight still writes to the memory.
    ~GpuSampler() override {
        if (in_flight_)
            compaction::cuda::log_failure(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }

    bool enqueue(const scene::SampleRequest& request, const scene::FrameBuffers& buffers,
                 const scene::SampledFrame& sampled) override {
        if (in_flight_) return false;
        pending_request_ = request;
        pending_frame_ = sampled;
        std::byte* const result = result_.data();
        auto* const cells = reinterpret_cast<SlotCell*>(result + cells_offset);
        launch_sample({.buffers = buffers,
                       .slots = sampled.slots,
                       .window = request.window,
                       .num_cells = request.window.cells(),
                       .row_slots = request.window.row_slots(),
                       .wanted_handle = request.wanted_handle,
                       .leaf_counts = leaf_counts_.data(),
                       .leaf_ranks = leaf_ranks_.data(),
                       .figures = reinterpret_cast<SampleFigures*>(result),
                       .in = cells,
                       .out = cells + request.window.cells()},
                      stream_);
        const std::size_t bytes = cells_offset + 2 * request.window.cells() * sizeof(SlotCell);
        check(cudaMemcpyAsync(staging_.data(), result, bytes, cudaMemcpyDeviceToHost, stream_),
              "cudaMemcpyAsync of a sample");
        copied_.record(stream_);
        in_flight_ = true;
        return true;
    }

    std::shared_ptr<const SlotSample> poll() override {
        if (in_flight_ && copied_.ready()) {
            in_flight_ = false;
            copy_from_staging();
        }
        return sample_.serial > 0 ? arrived_sample_ : nullptr;
    }

  private:
    void copy_from_staging() {
        SampleFigures figures{};
        std::memcpy(&figures, staging_.data(), sizeof figures);
        const auto* const cells = reinterpret_cast<const SlotCell*>(staging_.data() + cells_offset);
        const std::size_t num_cells = pending_request_.window.cells();
        sample_.in.assign(cells, cells + num_cells);
        sample_.out.assign(cells + num_cells, cells + 2 * num_cells);
        sample_.first_rank = figures.first_rank;
        sample_.first_output_index =
            scene::round_down_to_row(figures.first_rank, pending_request_.window.row_slots());
        sample_.live = figures.live;
        sample_.kept = figures.kept;
        sample_.found_output_index = figures.found_output_index;
        sample_.frame = pending_frame_.frame;
        sample_.algorithm = pending_frame_.algorithm;
        sample_.slots = pending_frame_.slots;
        std::swap(sample_.request, pending_request_);
        ++sample_.serial;
    }

    cudaStream_t stream_;
    DeviceBuffer<std::uint32_t> leaf_counts_;
    DeviceBuffer<std::uint64_t> leaf_ranks_;
    DeviceBuffer<std::byte> result_{max_sample_bytes};
    PinnedBuffer<std::byte> staging_{max_sample_bytes};
    Event copied_;
    bool in_flight_ = false;
    scene::SampleRequest pending_request_;
    scene::SampledFrame pending_frame_;
    std::shared_ptr<SlotSample> arrived_sample_ = std::make_shared<SlotSample>();
    SlotSample& sample_ = *arrived_sample_;
};

}  // namespace

std::unique_ptr<scene::SlotSampler> make_gpu_sampler(compaction::Engine& engine, std::uint64_t max_slots) {
    return std::make_unique<GpuSampler>(engine, max_slots);
}

}  // namespace warpsieve::interop
