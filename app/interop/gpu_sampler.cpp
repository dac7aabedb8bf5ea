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
constexpr std::size_t max_bytes = cells_offset + 2 * max_cells * sizeof(SlotCell);

/// A sample is copied as one block: figures, cells of the slots, cells of the output. One sample is in
/// flight at a time; the previous one stays valid meanwhile.
class GpuSampler final : public scene::SlotSampler {
  public:
    GpuSampler(compaction::Engine& engine, std::uint64_t max_slots)
        : stream_(static_cast<cudaStream_t>(engine.native_stream())),
          leaf_counts_((max_slots + leaf_slots - 1) / leaf_slots),
          leaf_ranks_((max_slots + leaf_slots - 1) / leaf_slots) {
        shown_.reserve();
    }

    /// Waits, because a sample in flight still writes to the memory.
    ~GpuSampler() override {
        if (in_flight_)
            compaction::cuda::log_failure(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }

    bool enqueue(const scene::SampleRequest& request, const scene::FrameBuffers& buffers,
                 const scene::SampledFrame& sampled) override {
        if (in_flight_) return false;
        next_ = request;
        next_sampled_ = sampled;
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
        arrived_.record(stream_);
        in_flight_ = true;
        return true;
    }

    std::shared_ptr<const SlotSample> poll() override {
        if (in_flight_ && arrived_.ready()) {
            in_flight_ = false;
            copy_out();
        }
        return shown_.serial > 0 ? shared_sample_ : nullptr;
    }

  private:
    /// Copies the arrived sample out of the staging buffer.
    void copy_out() {
        SampleFigures figures{};
        std::memcpy(&figures, staging_.data(), sizeof figures);
        const auto* const cells = reinterpret_cast<const SlotCell*>(staging_.data() + cells_offset);
        const std::size_t num_cells = next_.window.cells();
        shown_.in.assign(cells, cells + num_cells);
        shown_.out.assign(cells + num_cells, cells + 2 * num_cells);
        shown_.first_rank = figures.first_rank;
        shown_.first_output_index = scene::round_down_to_row(figures.first_rank, next_.window.row_slots());
        shown_.live = figures.live;
        shown_.kept = figures.kept;
        shown_.found_output_index = figures.found_output_index;
        shown_.frame = next_sampled_.frame;
        shown_.algorithm = next_sampled_.algorithm;
        shown_.slots = next_sampled_.slots;
        std::swap(shown_.request, next_);
        ++shown_.serial;
    }

    cudaStream_t stream_;
    DeviceBuffer<std::uint32_t> leaf_counts_;
    DeviceBuffer<std::uint64_t> leaf_ranks_;
    DeviceBuffer<std::byte> result_{max_bytes};
    PinnedBuffer<std::byte> staging_{max_bytes};
    Event arrived_;
    bool in_flight_ = false;
    scene::SampleRequest next_;
    scene::SampledFrame next_sampled_;
    std::shared_ptr<SlotSample> shared_sample_ = std::make_shared<SlotSample>();
    SlotSample& shown_ = *shared_sample_;
};

}  // namespace

std::unique_ptr<scene::SlotSampler> make_gpu_sampler(compaction::Engine& engine, std::uint64_t max_slots) {
    return std::make_unique<GpuSampler>(engine, max_slots);
}

}  // namespace warpsieve::interop
