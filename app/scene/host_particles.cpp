#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "app/scene/particles.hpp"

namespace warpsieve::scene {
namespace {

using compaction::Item;

class InHostMemory final : public Particles {
  public:
    InHostMemory(compaction::Engine& engine, std::uint64_t slots)
        : slots_(slots),
          positions_(engine.allocate(slots * sizeof(Position))),
          handles_(engine.allocate(slots * sizeof(Item))),
          kept_(engine.allocate(slots * sizeof(Item))),
          scratch_(engine.allocate(slots * sizeof(Item))),
          num_selected_(engine.allocate(sizeof(std::uint64_t))) {
        *num_selected_.as<std::uint64_t>() = 0;
    }

    std::uint64_t slots() const override { return slots_; }
    void begin_frame() override {}

    void simulate(const Moment& moment, compaction::PhaseRecorder* recorder) override {
        const compaction::ScopedPhase phase{recorder};
        constexpr std::uint64_t grain = 4096;
        tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, slots_, grain), [&](const auto& range) {
            for (std::uint64_t i = range.begin(); i < range.end(); ++i)
                simulate_slot(static_cast<std::uint32_t>(i), moment);
        });
    }

    StreamView stream() override {
        return {handles_.as<Item>(), kept_.as<Item>(), num_selected_.as<std::uint64_t>(),
                scratch_.as<Item>(), positions_.as<Position>()};
    }
    void end_frame() override {}

    DrawableParticles drawable() override {
        return HostParticles{{positions_.as<Position>(), slots_}, {kept_.as<Item>(), num_kept()}};
    }
    std::uint64_t num_kept() const override { return *num_selected_.as<std::uint64_t>(); }
    Transfer transfer() const override { return Transfer::host; }
    std::string transfer_reason() const override { return {}; }
    float interop_us() const override { return 0; }

  private:
    void simulate_slot(std::uint32_t slot, const Moment& moment) {
        const SlotCycle cycle = cycle_of(slot, moment);
        const bool live = is_live(cycle, moment);
        handles_.as<Item>()[slot] = live ? handle_of(slot) : 0;
        if (live) positions_.as<Position>()[slot] = position_of(slot, cycle, moment);
    }

    std::uint64_t slots_;
    compaction::Buffer positions_;
    compaction::Buffer handles_;
    compaction::Buffer kept_;
    compaction::Buffer scratch_;
    compaction::Buffer num_selected_;
};

}  // namespace

std::uint64_t required_bytes(std::uint64_t slots) {
    return slots * (sizeof(Position) + 3 * sizeof(Item));
}

std::unique_ptr<Particles> make_host_particles(compaction::Engine& engine, std::uint64_t slots) {
    return std::make_unique<InHostMemory>(engine, slots);
}

}  // namespace warpsieve::scene
