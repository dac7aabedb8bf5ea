// A GPU fills the slots as the CPU does: equal handles, and positions that differ only by rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/interop/interop.hpp"
#include "app/scene/sources.hpp"
#include "compaction/compaction.hpp"
#include "tests/support/test_picture.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Item;

/// Slots on an engine, compacted by its default algorithm.
class SlotsOnEngine {
  public:
    SlotsOnEngine(EngineId id, std::uint64_t slots)
        : engine_(compaction::open_engine(id)),
          compactor_(engine_->make_compactor(compaction::default_algorithm(id), {})),
          particles_(id == EngineId::cuda
                         ? interop::make_gpu_particles(*engine_, slots, {0, false, "the test has no OpenGL"})
                         : scene::make_host_particles(*engine_, slots)) {
        compactor_->reserve(slots);
    }

    /// Runs a frame and waits until its particles can be drawn.
    void run(const scene::Frame& frame) {
        particles_->begin_frame();
        particles_->simulate(frame);
        const scene::FrameBuffers stream = particles_->buffers(Side::a);
        compactor_->enqueue(stream.in, frame.slots, stream.out, stream.num_selected,
                            compaction::keep_non_zero(), nullptr);
        handles_.resize(frame.slots);
        engine_->download(handles_.data(), stream.in, frame.slots * sizeof(Item));
        particles_->publish();
        particles_->end_frame();
        engine_->synchronise();
        particles_->begin_frame();
    }

    /// [slots], 0 for an empty slot.
    const std::vector<Item>& handles() const { return handles_; }
    scene::HostParticles kept() { return std::get<scene::HostParticles>(particles_->drawable(Side::a)); }

  private:
    std::unique_ptr<compaction::Engine> engine_;
    std::unique_ptr<compaction::Compactor> compactor_;
    std::unique_ptr<scene::Particles> particles_;
    std::vector<Item> handles_;
};

void expect_same_positions(const scene::HostParticles& gpu, const scene::HostParticles& cpu) {
    ASSERT_EQ(gpu.handles.size(), cpu.handles.size());
    for (std::size_t i = 0; i < gpu.handles.size(); ++i) {
        ASSERT_EQ(gpu.handles[i], cpu.handles[i]) << i;
        const scene::Position& a = gpu.attributes.position[gpu.handles[i] - 1];
        const scene::Position& b = cpu.attributes.position[cpu.handles[i] - 1];
        // Sines and logarithms differ in their last digits, which may add or remove a bounce.
        ASSERT_NEAR(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z), 0, 0.02) << "handle " << gpu.handles[i];
        ASSERT_NEAR(a.age, b.age, 1e-5F);
    }
}

class SourcesOnGpu : public testing::TestWithParam<const scene::SourceInfo*> {
  protected:
    void SetUp() override {
        const compaction::EngineStatus& status = compaction::status_of(EngineId::cuda);
        if (!status.available) GTEST_SKIP() << status.reason;
    }
};

TEST_P(SourcesOnGpu, FillTheSlotsAsOnTheCpu) {
    constexpr std::uint64_t slots = 100'003;
    SlotsOnEngine gpu(EngineId::cuda, slots);
    SlotsOnEngine cpu(EngineId::cpu, slots);
    workloads::StreamFunctions streams;
    scene::Clock clock;
    for (const workloads::PatternInfo& pattern : workloads::patterns()) {
        for (const float live_fraction : {0.0F, 0.1F, 0.5F, 1.0F}) {
            SCOPED_TRACE(std::string(pattern.name) + ", live fraction " + std::to_string(live_fraction));
            const std::uint32_t seed = 3;
            clock.advance(1.7, live_fraction);
            const scene::Frame frame{
                GetParam(), slots, clock.moment(live_fraction, seed),
                streams.make(GetParam()->has_picture ? workloads::Pattern::picture : pattern.pattern, slots,
                             static_cast<double>(live_fraction), seed, testing_support::test_picture())};
            gpu.run(frame);
            cpu.run(frame);
            ASSERT_EQ(gpu.handles(), cpu.handles());
            expect_same_positions(gpu.kept(), cpu.kept());
        }
        if (!GetParam()->has_patterns) break;
    }
}

INSTANTIATE_TEST_SUITE_P(All, SourcesOnGpu,
                         testing::ValuesIn(scene::sources().begin(), scene::sources().end()),
                         [](const auto& param) { return std::string(param.param->id); });

}  // namespace
}  // namespace warpsieve
