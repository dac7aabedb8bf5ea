#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <array>
#include <optional>

#include "app/scene/particles.hpp"
#include "app/scene/sources.hpp"

namespace warpsieve::scene {
namespace {

using compaction::Item;

/// An array in the engine's memory.
template <typename T>
class EngineArray {
  public:
    void allocate(compaction::Engine& engine, std::uint64_t size) {
        buffer_ = engine.allocate(size * sizeof(T));
    }
    T* data() const { return buffer_.as<T>(); }

  private:
    compaction::Buffer buffer_;
};

class ParticlesInHostMemory final : public Particles {
  public:
    ParticlesInHostMemory(compaction::Engine& engine, std::uint64_t slots)
        : engine_(engine),
          slots_(slots),
          handles_(engine.allocate(slots * sizeof(Item))),
          scratch_(engine.allocate(slots * sizeof(Item))) {
        for_each_attribute([&](auto& array) { array.allocate(engine, slots); }, attributes_);
        outputs_[index_of(Side::a)].emplace(engine, slots);
    }

    std::uint64_t slots() const override { return slots_; }

    void set_output_b(bool enabled) override {
        std::optional<Output>& b = outputs_[index_of(Side::b)];
        if (enabled && !b) b.emplace(engine_, slots_);
        has_output_b_ = enabled;
    }
    bool has_output_b() const override { return has_output_b_; }

    void begin_frame() override {}

    void simulate(const Frame& frame) override {
        constexpr std::uint64_t grain = 4096;
        Item* const handles = handles_.as<Item>();
        const ParticleArrays particles = arrays_of(attributes_);
        visit_source(frame, [&](const auto& source) {
            tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, slots_, grain), [&](const auto& range) {
                for (std::uint64_t i = range.begin(); i < range.end(); ++i)
                    simulate_slot(source, static_cast<std::uint32_t>(i), handles, particles);
            });
        });
    }

    FrameBuffers buffers(Side side) override {
        const Output& output = *outputs_[index_of(side)];
        return {.in = handles_.as<Item>(),
                .out = output.kept.as<Item>(),
                .num_selected = output.num_selected.as<std::uint64_t>(),
                .scratch = scratch_.as<Item>(),
                .positions = attributes_.position.data()};
    }
    void publish() override {}
    void end_frame() override {}

    DrawableParticles drawable(Side side) override {
        const Output& output = *outputs_[index_of(side)];
        return HostParticles{values_of(attributes_, slots_), {output.kept.as<Item>(), num_kept(side)}};
    }
    std::uint64_t num_kept(Side side) const override {
        return *outputs_[index_of(side)]->num_selected.as<std::uint64_t>();
    }
    void drain() override {}
    Transfer transfer() const override { return Transfer::host; }
    std::string transfer_reason() const override { return {}; }
    float interop_us() const override { return 0; }

  private:
    struct Output {
        Output(compaction::Engine& engine, std::uint64_t slots)
            : kept(engine.allocate(slots * sizeof(Item))),
              num_selected(engine.allocate(sizeof(std::uint64_t))) {
            *num_selected.as<std::uint64_t>() = 0;
        }
        compaction::Buffer kept;
        compaction::Buffer num_selected;
    };

    compaction::Engine& engine_;
    std::uint64_t slots_;
    Attributes<EngineArray> attributes_;
    compaction::Buffer handles_;
    compaction::Buffer scratch_;
    std::array<std::optional<Output>, both_sides.size()> outputs_;
    bool has_output_b_ = false;
};

}  // namespace

std::uint64_t required_bytes(std::uint64_t slots, std::uint64_t outputs) {
    constexpr std::uint64_t handles_and_scratch = 2;
    return slots * (attribute_bytes() + (handles_and_scratch + outputs) * sizeof(Item));
}

std::unique_ptr<Particles> make_host_particles(compaction::Engine& engine, std::uint64_t slots) {
    return std::make_unique<ParticlesInHostMemory>(engine, slots);
}

}  // namespace warpsieve::scene
