#include "app/interop/gpu_particles.hpp"

#include <glad/gl.h>

#include <cuda_gl_interop.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "app/interop/shared_buffer.hpp"
#include "app/interop/simulate.hpp"
#include "compaction/error.hpp"
#include "cuda/support/memory.hpp"
#include "cuda/support/stream.hpp"

namespace warpsieve::interop {
namespace {

using compaction::Item;
using compaction::cuda::check;
using compaction::cuda::DeviceBuffer;
using compaction::cuda::Event;
using compaction::cuda::PinnedBuffer;
using Microseconds = std::chrono::duration<float, std::micro>;

/// What both ways of getting particles to the draw have in common: the sparse buffer, its simulation, and the
/// number of kept items, which reaches the host through pinned memory frames later.
class GpuParticles : public scene::Particles {
  public:
    GpuParticles(compaction::Engine& engine, std::uint64_t slots)
        : stream_(static_cast<cudaStream_t>(engine.native_stream())),
          slots_(slots),
          handles_(slots),
          scratch_(slots),
          num_selected_(1) {
        // The first frame's draw may look at the count before any frame has written it.
        check(cudaMemsetAsync(num_selected_.data(), 0, sizeof(std::uint64_t), stream_), "cudaMemsetAsync");
    }

    std::uint64_t slots() const override { return slots_; }

    void simulate(const scene::Moment& moment, compaction::PhaseRecorder* recorder) override {
        const compaction::ScopedPhase phase{recorder};
        launch_simulate(moment, slots_, handles_.data(), positions(), stream_);
    }

    scene::StreamView stream() override {
        return {handles_.data(), kept(), num_selected_.data(), scratch_.data(), positions()};
    }

    std::uint64_t num_kept() const override { return num_kept_; }

  protected:
    virtual scene::Position* positions() = 0;
    virtual Item* kept() = 0;

    /// Sends the count on its way, unless one is still under way, and takes in the one that has arrived.
    void exchange_count() {
        if (count_awaited_ && count_arrived_.ready()) {
            num_kept_ = *host_count_.data();
            count_awaited_ = false;
        }
        if (count_awaited_) return;
        check(cudaMemcpyAsync(host_count_.data(), num_selected_.data(), sizeof(std::uint64_t),
                              cudaMemcpyDeviceToHost, stream_),
              "cudaMemcpyAsync of the count");
        count_arrived_.record(stream_);
        count_awaited_ = true;
    }

    cudaStream_t stream_;
    std::uint64_t slots_;
    DeviceBuffer<Item> handles_;
    DeviceBuffer<Item> scratch_;
    DeviceBuffer<std::uint64_t> num_selected_;

  private:
    PinnedBuffer<std::uint64_t> host_count_{1};
    Event count_arrived_;
    bool count_awaited_ = false;
    std::uint64_t num_kept_ = 0;
};

/// Positions, kept handles and the draw command live in OpenGL's buffers; nothing is copied.
class InteropParticles final : public GpuParticles {
  public:
    InteropParticles(compaction::Engine& engine, std::uint64_t slots)
        : GpuParticles(engine, slots),
          positions_(slots * sizeof(scene::Position)),
          kept_(slots * sizeof(Item)),
          command_(sizeof(scene::DrawCommand)) {}

    void begin_frame() override {
        const auto start = std::chrono::steady_clock::now();
        mapped_.emplace(std::array{positions_.resource(), kept_.resource(), command_.resource()}, stream_);
        mapped_positions_ = mapped_->pointer<scene::Position>(0);
        mapped_kept_ = mapped_->pointer<Item>(1);
        mapped_command_ = mapped_->pointer<scene::DrawCommand>(2);
        map_us_ = Microseconds(std::chrono::steady_clock::now() - start).count();
    }

    void end_frame() override {
        launch_publish(num_selected_.data(), mapped_command_, stream_);
        exchange_count();
        const auto start = std::chrono::steady_clock::now();
        mapped_.reset();
        interop_us_ = map_us_ + Microseconds(std::chrono::steady_clock::now() - start).count();
    }

    scene::DrawableParticles drawable() override {
        return scene::GlParticles{positions_.gl_name(), kept_.gl_name(), command_.gl_name()};
    }
    scene::Transfer transfer() const override { return scene::Transfer::interop; }
    std::string transfer_reason() const override { return {}; }
    float interop_us() const override { return interop_us_; }

  private:
    scene::Position* positions() override { return mapped_positions_; }
    Item* kept() override { return mapped_kept_; }

    SharedBuffer positions_;
    SharedBuffer kept_;
    SharedBuffer command_;
    std::optional<MappedBuffers<3>> mapped_;
    scene::Position* mapped_positions_ = nullptr;
    Item* mapped_kept_ = nullptr;
    scene::DrawCommand* mapped_command_ = nullptr;
    float map_us_ = 0;
    float interop_us_ = 0;
};

/// Without interop: positions and kept handles are copied through pinned memory. Two frames are under way at
/// a time, so the host draws the last one that has arrived and waits for none.
class CopiedParticles final : public GpuParticles {
  public:
    CopiedParticles(compaction::Engine& engine, std::uint64_t slots, std::string reason)
        : GpuParticles(engine, slots), reason_(std::move(reason)), positions_(slots), kept_(slots) {
        for (Landing& landing : landings_) landing.prepare(slots);
    }

    void begin_frame() override {
        Landing& next = landings_[1 - shown_];
        if (next.awaited && next.arrived.ready()) {
            next.awaited = false;
            shown_ = 1 - shown_;
        }
    }

    void end_frame() override {
        exchange_count();
        Landing& next = landings_[1 - shown_];
        if (next.awaited) return;
        copy(next.positions.data(), positions_.data(), slots_ * sizeof(scene::Position));
        copy(next.handles.data(), kept_.data(), slots_ * sizeof(Item));
        copy(next.count.data(), num_selected_.data(), sizeof(std::uint64_t));
        next.arrived.record(stream_);
        next.awaited = true;
    }

    scene::DrawableParticles drawable() override {
        const Landing& landing = landings_[shown_];
        return scene::HostParticles{{landing.positions.data(), slots_},
                                    {landing.handles.data(), *landing.count.data()}};
    }
    scene::Transfer transfer() const override { return scene::Transfer::pinned_copy; }
    std::string transfer_reason() const override { return reason_; }
    float interop_us() const override { return 0; }

  private:
    struct Landing {
        PinnedBuffer<scene::Position> positions;
        PinnedBuffer<Item> handles;
        PinnedBuffer<std::uint64_t> count{1};
        Event arrived;
        bool awaited = false;

        void prepare(std::uint64_t slots) {
            positions.grow_to(slots);
            handles.grow_to(slots);
            *count.data() = 0;
        }
    };

    void copy(void* to, const void* from, std::size_t size_bytes) {
        check(cudaMemcpyAsync(to, from, size_bytes, cudaMemcpyDeviceToHost, stream_),
              "cudaMemcpyAsync to pinned memory");
    }

    scene::Position* positions() override { return positions_.data(); }
    Item* kept() override { return kept_.data(); }

    std::string reason_;
    DeviceBuffer<scene::Position> positions_;
    DeviceBuffer<Item> kept_;
    std::array<Landing, 2> landings_;
    int shown_ = 0;
};

}  // namespace

InteropDevice find_interop_device() {
    unsigned count = 0;
    int device = 0;
    const cudaError_t result = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
    cudaGetLastError();
    if (result == cudaSuccess && count > 0) return {device, true, {}};
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return {0, false,
            std::string("OpenGL is drawn by ") + (renderer ? renderer : "an unknown device") +
                ", which shares no memory with the CUDA device; particles are copied through host memory."};
}

std::unique_ptr<scene::Particles> make_gpu_particles(compaction::Engine& engine, std::uint64_t slots,
                                                     const InteropDevice& device) {
    if (!device.shared) return std::make_unique<CopiedParticles>(engine, slots, device.reason);
    try {
        return std::make_unique<InteropParticles>(engine, slots);
    } catch (const compaction::Error& error) {
        if (error.code() == compaction::ErrorCode::out_of_memory) throw;
        return std::make_unique<CopiedParticles>(
            engine, slots,
            std::string("CUDA-OpenGL interop was refused, so particles are copied. ") + error.what());
    }
}

void rehearse_device_failure(compaction::Engine& engine) {
    launch_trap(static_cast<cudaStream_t>(engine.native_stream()));
}

}  // namespace warpsieve::interop
