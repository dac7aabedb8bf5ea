#include "app/interop/interop.hpp"

#include <glad/gl.h>

#include <cuda_gl_interop.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/interop/kernels.hpp"
#include "app/interop/shared_buffer.hpp"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stream.hpp"
#include "compaction/error.hpp"
#include "workloads/stream_function.hpp"

namespace warpsieve::interop {
namespace {

using compaction::Item;
using compaction::cuda::check;
using compaction::cuda::DeviceBuffer;
using compaction::cuda::Event;
using compaction::cuda::PinnedBuffer;
using Microseconds = std::chrono::duration<float, std::micro>;

/// The table of a stream function in device memory. Copies it when it changes, and does not wait.
class DeviceTable {
  public:
    DeviceTable(std::uint64_t slots, cudaStream_t stream) : stream_(stream) {
        // Room for a picture: one bit per slot, in words of 64. The ends of runs, which the table may hold
        // instead, are usually fewer, except in short streams.
        grow_to(slots / 64 + 64);
    }

    /// Sends the table if the function is a new one. Returns the function with its table on the device; the
    /// earlier function while an earlier copy is in flight.
    workloads::StreamFunction to_device(const workloads::StreamFunction& function) {
        if (function.table_size == 0) return function;
        if (!same_stream(function, sent_) && arrived_.ready()) send(function);
        return sent_;
    }

  private:
    void grow_to(std::size_t size) {
        pinned_.grow_to(size);
        table_.grow_to(size);
    }

    void send(const workloads::StreamFunction& function) {
        grow_to(function.table_size);
        std::copy_n(function.table, function.table_size, pinned_.data());
        check(cudaMemcpyAsync(table_.data(), pinned_.data(), function.table_size * sizeof(std::uint64_t),
                              cudaMemcpyHostToDevice, stream_),
              "cudaMemcpyAsync of the table of the stream");
        arrived_.record(stream_);
        sent_ = function;
        sent_.table = table_.data();
    }

    cudaStream_t stream_;
    PinnedBuffer<std::uint64_t> pinned_;
    DeviceBuffer<std::uint64_t> table_;
    Event arrived_;
    workloads::StreamFunction sent_;
};

/// The number of items that one side kept: in GPU memory, and on the host a few frames later.
class KeptCount {
  public:
    explicit KeptCount(cudaStream_t stream) : stream_(stream), num_selected_(1) {
        // The first draw may read the count before any frame has written it.
        check(cudaMemsetAsync(num_selected_.data(), 0, sizeof(std::uint64_t), stream_), "cudaMemsetAsync");
    }

    std::uint64_t* on_device() { return num_selected_.data(); }
    std::uint64_t known() const { return known_; }

    /// Reads the count if it has arrived, and starts the next copy unless one is in flight.
    void exchange() {
        if (in_flight_ && arrived_.ready()) {
            known_ = *host_count_.data();
            in_flight_ = false;
        }
        if (in_flight_) return;
        copy_to_host();
        arrived_.record(stream_);
        in_flight_ = true;
    }
    /// Waits for the count of the newest frame.
    void drain() {
        copy_to_host();
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize for the count");
        known_ = *host_count_.data();
        in_flight_ = false;
    }

  private:
    void copy_to_host() {
        check(cudaMemcpyAsync(host_count_.data(), num_selected_.data(), sizeof(std::uint64_t),
                              cudaMemcpyDeviceToHost, stream_),
              "cudaMemcpyAsync of the count");
    }

    cudaStream_t stream_;
    DeviceBuffer<std::uint64_t> num_selected_;
    PinnedBuffer<std::uint64_t> host_count_{1};
    Event arrived_;
    bool in_flight_ = false;
    std::uint64_t known_ = 0;
};

/// Base of both transfers: the sparse buffer, its simulation and the counts of both sides.
class GpuParticles : public scene::Particles {
  public:
    GpuParticles(compaction::Engine& engine, std::uint64_t slots)
        : stream_(static_cast<cudaStream_t>(engine.native_stream())),
          slots_(slots),
          handles_(slots),
          scratch_(slots),
          table_(slots, stream_) {
        counts_[index_of(Side::a)].emplace(stream_);
    }

    std::uint64_t slots() const override { return slots_; }

    void set_output_b(bool enabled) override {
        if (enabled) {
            prepare_b();
            std::optional<KeptCount>& count = counts_[index_of(Side::b)];
            if (!count) count.emplace(stream_);
        }
        sides_ = enabled ? std::span<const Side>(both_sides) : std::span<const Side>(both_sides).first(1);
    }
    bool has_output_b() const override { return sides_.size() == both_sides.size(); }

    void simulate(const scene::Frame& frame) override {
        scene::Frame on_device = frame;
        on_device.stream = table_.to_device(frame.stream);
        launch_simulate(on_device, handles_.data(), particles(), stream_);
    }

    scene::FrameBuffers buffers(Side side) override {
        return {.in = handles_.data(),
                .out = kept(side),
                .num_selected = count(side).on_device(),
                .scratch = scratch_.data(),
                .positions = particles().position};
    }

    std::uint64_t num_kept(Side side) const override { return counts_[index_of(side)]->known(); }
    void drain() override {
        for (const Side side : sides_) count(side).drain();
    }

  protected:
    virtual scene::ParticleArrays particles() = 0;
    virtual Item* kept(Side side) = 0;
    /// Allocates B's output on the first call.
    virtual void prepare_b() = 0;

    KeptCount& count(Side side) { return *counts_[index_of(side)]; }

    cudaStream_t stream_;
    std::uint64_t slots_;
    DeviceBuffer<Item> handles_;
    DeviceBuffer<Item> scratch_;
    /// The sides with an output.
    std::span<const Side> sides_ = std::span<const Side>(both_sides).first(1);

  private:
    DeviceTable table_;
    std::array<std::optional<KeptCount>, both_sides.size()> counts_;
};

/// Keeps attributes, kept handles and draw commands in OpenGL buffers, so that nothing is copied.
class InteropParticles final : public GpuParticles {
  public:
    InteropParticles(compaction::Engine& engine, std::uint64_t slots) : GpuParticles(engine, slots) {
        scene::for_each_attribute([&](auto& array) { array.allocate(slots); }, attributes_);
        outputs_[index_of(Side::a)].emplace(slots);
    }

    void begin_frame() override {
        const auto start = std::chrono::steady_clock::now();
        std::vector<const SharedBuffer*> buffers;
        for_each_array([&](const auto& array) { buffers.push_back(&array.buffer()); });
        mapped_.emplace(buffers, stream_);
        for_each_array([&](auto& array) { array.map(*mapped_); });
        interop_us_ = Microseconds(std::chrono::steady_clock::now() - start).count();
    }

    void publish() override {
        for (const Side side : sides_) {
            launch_publish(count(side).on_device(), output(side).command.data(), stream_);
            count(side).exchange();
        }
    }

    void end_frame() override {
        const auto start = std::chrono::steady_clock::now();
        mapped_.reset();
        interop_us_ += Microseconds(std::chrono::steady_clock::now() - start).count();
    }

    scene::DrawableParticles drawable(Side side) override {
        scene::GlParticles drawable{.handles = output(side).kept.buffer().gl_name(),
                                    .command = output(side).command.buffer().gl_name()};
        scene::for_each_attribute([](unsigned& name, const auto& array) { name = array.buffer().gl_name(); },
                                  drawable.attributes, attributes_);
        return drawable;
    }
    scene::Transfer transfer() const override { return scene::Transfer::interop; }
    std::string transfer_reason() const override { return {}; }
    float interop_us() const override { return interop_us_; }

  private:
    struct Output {
        explicit Output(std::uint64_t slots) {
            kept.allocate(slots);
            command.allocate(1);
        }
        SharedArray<Item> kept;
        SharedArray<scene::DrawCommand> command;
    };

    template <typename Visitor>
    void for_each_array(const Visitor& visit) {
        scene::for_each_attribute(visit, attributes_);
        for (const Side side : sides_) {
            visit(output(side).kept);
            visit(output(side).command);
        }
    }

    Output& output(Side side) { return *outputs_[index_of(side)]; }
    scene::ParticleArrays particles() override { return arrays_of(attributes_); }
    Item* kept(Side side) override { return output(side).kept.data(); }
    void prepare_b() override {
        std::optional<Output>& b = outputs_[index_of(Side::b)];
        if (!b) b.emplace(slots_);
    }

    scene::Attributes<SharedArray> attributes_;
    std::array<std::optional<Output>, both_sides.size()> outputs_;
    std::optional<MappedBuffers> mapped_;
    float interop_us_ = 0;
};

/// Without interop: positions and kept handles are copied through pinned memory. With two frames in flight,
/// the host draws the last frame that has arrived and never waits.
class CopiedParticles final : public GpuParticles {
  public:
    CopiedParticles(compaction::Engine& engine, std::uint64_t slots, std::string reason)
        : GpuParticles(engine, slots), reason_(std::move(reason)) {
        const auto allocate = [&](auto& array) { array.grow_to(slots); };
        scene::for_each_attribute(allocate, attributes_);
        for (StagingBuffers& buffers : staging_) scene::for_each_attribute(allocate, buffers.attributes);
        prepare(Side::a);
    }

    void begin_frame() override {
        StagingBuffers& next = staging_[1 - shown_];
        if (next.in_flight && next.arrived.ready()) {
            next.in_flight = false;
            shown_ = 1 - shown_;
        }
    }

    void publish() override {
        for (const Side side : sides_) count(side).exchange();
        StagingBuffers& next = staging_[1 - shown_];
        if (next.in_flight) return;
        scene::for_each_attribute([&](auto& to, const auto& from) { copy(to.data(), from.data(), slots_); },
                                  next.attributes, attributes_);
        for (const Side side : sides_) {
            Kept& staged = next.kept[index_of(side)];
            copy(staged.handles.data(), kept(side), slots_);
            copy(staged.count.data(), count(side).on_device(), 1);
        }
        next.arrived.record(stream_);
        next.in_flight = true;
    }
    void end_frame() override {}

    scene::DrawableParticles drawable(Side side) override {
        const StagingBuffers& buffers = staging_[shown_];
        const Kept& kept = buffers.kept[index_of(side)];
        return scene::HostParticles{values_of(buffers.attributes, slots_),
                                    {kept.handles.data(), *kept.count.data()}};
    }
    scene::Transfer transfer() const override { return scene::Transfer::pinned_copy; }
    std::string transfer_reason() const override { return reason_; }
    float interop_us() const override { return 0; }

  private:
    struct Kept {
        PinnedBuffer<Item> handles;
        PinnedBuffer<std::uint64_t> count{1};

        void prepare(std::uint64_t slots) {
            handles.grow_to(slots);
            *count.data() = 0;
        }
    };
    struct StagingBuffers {
        scene::Attributes<PinnedBuffer> attributes;
        std::array<Kept, both_sides.size()> kept;
        Event arrived;
        bool in_flight = false;
    };

    template <typename T>
    void copy(T* to, const T* from, std::size_t size) {
        check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToHost, stream_),
              "cudaMemcpyAsync to pinned memory");
    }

    void prepare(Side side) {
        kept_[index_of(side)].grow_to(slots_);
        // A side is empty until its first frame has arrived.
        for (StagingBuffers& buffers : staging_) buffers.kept[index_of(side)].prepare(slots_);
    }

    scene::ParticleArrays particles() override { return arrays_of(attributes_); }
    Item* kept(Side side) override { return kept_[index_of(side)].data(); }
    void prepare_b() override { prepare(Side::b); }

    std::string reason_;
    scene::Attributes<DeviceBuffer> attributes_;
    std::array<DeviceBuffer<Item>, both_sides.size()> kept_;
    std::array<StagingBuffers, 2> staging_;
    int shown_ = 0;
};

}  // namespace

InteropDevice find_interop_device() {
    unsigned count = 0;
    int device = 0;
    const cudaError_t result = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
    cudaGetLastError();
    if (result == cudaSuccess && count > 0) return {.device = device, .shared = true, .reason = {}};
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return {
        .device = 0,
        .shared = false,
        .reason =
            std::string("OpenGL runs on ") + (renderer ? renderer : "an unknown device") +
            ", which cannot share buffers with the CUDA device; particles are copied through host memory."};
}

std::unique_ptr<scene::Particles> make_gpu_particles(compaction::Engine& engine, std::uint64_t slots,
                                                     const InteropDevice& device) {
    if (!device.shared) return std::make_unique<CopiedParticles>(engine, slots, device.reason);
    try {
        return std::make_unique<InteropParticles>(engine, slots);
    } catch (const compaction::Error& error) {
        // Copied particles need as much GPU memory.
        if (error.code() == compaction::ErrorCode::out_of_memory) throw;
        return std::make_unique<CopiedParticles>(
            engine, slots,
            std::string("CUDA-OpenGL interop failed, so particles are copied. ") + error.what());
    }
}

void inject_device_fault(compaction::Engine& engine) {
    launch_fault(static_cast<cudaStream_t>(engine.native_stream()));
}

}  // namespace warpsieve::interop
