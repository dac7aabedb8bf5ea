// Times the simulation of the slots beside a copy that moves as many bytes.
//
//   bench_simulate
//
// Prints a CSV: microseconds of one call, medians. Simulating writes a handle of 4 bytes and a position of 16
// for each slot and reads nothing; the copy reads half of `bytes` and writes the other half. Calls and copies
// are timed in turn, each alone. Other work precedes each of them, so that the host enqueues it in time.
// `memory`: where positions are: in memory of CUDA, or in buffers shared with OpenGL. `frames`: the number of
// buffers that are written in turn. `drawn`: whether OpenGL draws the particles after each turn, as the
// program does.
#include <array>
#include <cstdio>
#include <memory>
#include <vector>

#include "app/gl/context.hpp"
#include "app/gl/imgui_backend.hpp"
#include "app/interop/interop.hpp"
#include "app/interop/kernels.hpp"
#include "app/render/particle_renderer.hpp"
#include "app/scene/sources.hpp"
#include "bench/exit_code.hpp"
#include "compaction/compaction.hpp"
#include "compaction/cuda/memory.hpp"
#include "compaction/error.hpp"
#include "experiments/statistics.hpp"

namespace {

using namespace warpsieve;

constexpr int rounds = 15;
constexpr float live_fraction = 0.5F;
constexpr std::uint64_t bytes_per_slot = sizeof(compaction::Item) + scene::attribute_bytes();
/// Work that precedes the timed work.
constexpr std::uint64_t filler_bytes = std::uint64_t{1} << 28;

struct Case {
    const char* memory;
    bool shared;
    std::uint32_t frames;
    bool drawn;
};
constexpr std::array cases{Case{"CUDA", false, 1, false},  Case{"CUDA", false, 4, false},
                           Case{"shared", true, 1, false}, Case{"shared", true, 4, false},
                           Case{"shared", true, 1, true},  Case{"shared", true, 4, true}};

double median(const std::vector<float>& values) {
    return experiments::summarise(values).median;
}

/// Times pieces of work one after the other.
class Watch {
  public:
    explicit Watch(compaction::Engine& engine)
        : engine_(engine), timer_(engine.make_timer(1)), filler_(engine.allocate(filler_bytes)) {}

    void fill() {
        engine_.enqueue_copy(filler_.as<std::byte>() + filler_bytes / 2, filler_.as<void>(),
                             filler_bytes / 2);
    }
    template <typename Enqueue>
    float time(const Enqueue& enqueue) {
        fill();
        {
            const compaction::ScopedSpan span{timer_.get(), 0};
            enqueue();
        }
        engine_.synchronise();
        spans_.clear();
        timer_->poll(spans_);
        return spans_.front().us;
    }

  private:
    compaction::Engine& engine_;
    std::unique_ptr<compaction::SpanTimer> timer_;
    compaction::Buffer filler_;
    std::vector<compaction::SpanTiming> spans_;
};

class Slots {
  public:
    virtual ~Slots() = default;
    /// Simulates the frames of a turn; adds the microseconds of each to `us`.
    virtual void run(const scene::Frame& frame, Watch& watch, std::vector<float>& us) = 0;
};

class CudaSlots final : public Slots {
  public:
    CudaSlots(compaction::Engine& engine, std::uint64_t slots, std::uint32_t frames)
        : stream_(static_cast<cudaStream_t>(engine.native_stream())),
          handles_(engine.allocate(slots * sizeof(compaction::Item))),
          attributes_(frames) {
        for (scene::Attributes<compaction::cuda::DeviceBuffer>& attributes : attributes_)
            scene::for_each_attribute([&](auto& array) { array.grow_to(slots); }, attributes);
    }

    void run(const scene::Frame& frame, Watch& watch, std::vector<float>& us) override {
        for (const auto& attributes : attributes_) {
            us.push_back(watch.time([&] {
                interop::launch_simulate(frame, handles_.as<compaction::Item>(), arrays_of(attributes),
                                         stream_);
            }));
        }
    }

  private:
    cudaStream_t stream_;
    compaction::Buffer handles_;
    std::vector<scene::Attributes<compaction::cuda::DeviceBuffer>> attributes_;
};

class SharedSlots final : public Slots {
  public:
    SharedSlots(compaction::Engine& engine, gl::Context& context, const interop::InteropDevice& device,
                std::uint64_t slots, std::uint32_t frames)
        : context_(context),
          renderer_(context.info()),
          compactor_(engine.make_compactor(compaction::default_algorithm(engine.id()), {})),
          particles_(frames) {
        for (std::unique_ptr<scene::Particles>& particles : particles_) {
            particles = interop::make_gpu_particles(engine, slots, device);
            if (particles->transfer() != scene::Transfer::interop)
                throw compaction::Error(compaction::ErrorCode::unavailable, particles->transfer_reason());
        }
        compactor_->reserve(slots);
    }

    void draw_too() { drawn_ = true; }

    void run(const scene::Frame& frame, Watch& watch, std::vector<float>& us) override {
        for (const std::unique_ptr<scene::Particles>& particles : particles_) {
            particles->begin_frame();
            us.push_back(watch.time([&] { particles->simulate(frame); }));
            if (drawn_) {
                const scene::FrameBuffers stream = particles->buffers(Side::a);
                compactor_->enqueue(stream.in, frame.slots, stream.out, stream.num_selected,
                                    compaction::keep_non_zero(), nullptr);
                particles->publish();
            }
            particles->end_frame();
        }
        if (!drawn_) return;
        const gl::PixelSize size = context_.size();
        for (const std::unique_ptr<scene::Particles>& particles : particles_) {
            renderer_.draw(particles->drawable(Side::a), scene::Camera(), Theme::dark, context_.framebuffer(),
                           size, {0, 0, size.width, size.height}, {0, size.width});
            context_.present();
        }
    }

  private:
    gl::Context& context_;
    render::ParticleRenderer renderer_;
    std::unique_ptr<compaction::Compactor> compactor_;
    std::vector<std::unique_ptr<scene::Particles>> particles_;  ///< one for each frame of a turn
    bool drawn_ = false;
};

std::unique_ptr<Slots> make_slots(compaction::Engine& engine, gl::Context& context,
                                  const interop::InteropDevice& device, std::uint64_t slots,
                                  const Case& variant) {
    if (!variant.shared) return std::make_unique<CudaSlots>(engine, slots, variant.frames);
    auto shared = std::make_unique<SharedSlots>(engine, context, device, slots, variant.frames);
    if (variant.drawn) shared->draw_too();
    return shared;
}

void measure(compaction::Engine& engine, gl::Context& context, const interop::InteropDevice& device,
             std::uint64_t slots, const Case& variant) {
    Watch watch(engine);
    const auto work = make_slots(engine, context, device, slots, variant);
    const std::uint64_t bytes = slots * bytes_per_slot;
    compaction::Buffer from = engine.allocate(bytes / 2);
    compaction::Buffer to = engine.allocate(bytes / 2);
    scene::Clock clock;
    std::vector<float> simulate_us, copy_us;
    for (int round = 0; round <= rounds; ++round) {
        clock.advance(1.0 / 60, live_fraction);
        const scene::Frame frame{
            .source = scene::sources().front(), .slots = slots, .moment = clock.moment(live_fraction, 1)};
        const float copy =
            watch.time([&] { engine.enqueue_copy(to.as<void>(), from.as<void>(), bytes / 2); });
        std::vector<float> simulated;
        work->run(frame, watch, simulated);
        // The first round is a warm-up.
        if (round == 0) continue;
        copy_us.push_back(copy);
        simulate_us.insert(simulate_us.end(), simulated.begin(), simulated.end());
    }
    gl::Context::finish();
    const double copy = median(copy_us);
    const double simulate = median(simulate_us);
    std::printf("%s,%u,%s,%llu,%llu,%.1f,%.1f,%.2f\n", variant.memory, variant.frames,
                variant.drawn ? "yes" : "no", static_cast<unsigned long long>(slots),
                static_cast<unsigned long long>(bytes), copy, simulate, simulate / copy);
    std::fflush(stdout);
}

}  // namespace

int main() try {
    const gl::ImGuiState imgui;
    const auto context = gl::open_headless({1920, 1080});
    const interop::InteropDevice device = interop::find_interop_device();
    const auto engine = compaction::open_engine(compaction::EngineId::cuda, device.device);
    std::printf("memory,frames,drawn,slots,bytes,copy_us,simulate_us,over_copy\n");
    if (!device.shared) std::fprintf(stderr, "bench_simulate: %s\n", device.reason.c_str());
    for (const int log2_slots : {20, 22, 24, 26}) {
        for (const Case& variant : cases) {
            if (variant.shared && !device.shared) continue;
            measure(*engine, *context, device, std::uint64_t{1} << log2_slots, variant);
        }
    }
    return 0;
} catch (const compaction::Error& error) {
    return exit_code_of("bench_simulate", error);
}
