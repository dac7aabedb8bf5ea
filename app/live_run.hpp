#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/check_monitor.hpp"
#include "app/interop/gpu_particles.hpp"
#include "app/live_timing.hpp"
#include "app/scene/fountain.hpp"
#include "app/scene/particles.hpp"
#include "app/settings.hpp"
#include "app/slot_sampling.hpp"
#include "app/view.hpp"
#include "compaction/engine.hpp"

namespace warpsieve {

/// The running scene: an engine, the slots on it, the algorithm that compacts them each frame, its timings
/// and its check. Needs a current OpenGL context throughout.
class LiveRun {
  public:
    /// `memory_limit_bytes`: the most the slots may take; 0: what is free. `log`, if given, gets the timings
    /// of every frame.
    LiveRun(std::uint64_t memory_limit_bytes, std::vector<experiments::FrameSample>* log)
        : memory_limit_bytes_(memory_limit_bytes), log_(log) {}

    /// Makes what runs match `settings` (engine, algorithm, options, slots). Throws compaction::Error and
    /// keeps what ran before.
    void configure(const Settings& settings);
    bool running() const { return stage_.compactor != nullptr; }

    /// What the slot map wants sampled in the next step; null while it is not shown.
    void look_at(const scene::SampleRequest* request) { looked_at_ = request; }

    /// One frame: simulate, compact, check. It only enqueues. Throws Error{device_failure}.
    void step(const Settings& settings, double scene_seconds, std::uint64_t frame);
    /// Tells the timings what the frame took, once it is over.
    void end_frame(std::uint64_t frame, float frame_us);
    /// Waits for all work and takes in its timings and verdicts.
    void drain();

    void reset_scene() { clock_.reset(); }
    void rehearse_device_failure() { interop::rehearse_device_failure(*stage_.engine); }

    scene::DrawableParticles drawable() { return stage_.particles->drawable(); }
    const compaction::Engine& engine() const { return *stage_.engine; }
    LiveTiming& timing() { return *stage_.timing; }

    /// Fills in what the panels show of the run; the statistics only where `refresh_figures`.
    void describe(View& view, bool refresh_figures) const;

  private:
    /// What belongs to one engine. Declared in order of dependence: what comes later is destroyed first.
    struct Stage {
        std::unique_ptr<compaction::Engine> engine;
        std::unique_ptr<LiveTiming> timing;
        std::unique_ptr<scene::Particles> particles;
        std::unique_ptr<SlotSampling> sampling;
        std::unique_ptr<compaction::Verifier> verifier;
        std::unique_ptr<compaction::Compactor> compactor;
    };

    Stage open_stage(const Settings& settings, const compaction::Algorithm& algorithm);
    void resize(std::uint64_t slots);
    std::unique_ptr<scene::Particles> make_particles(compaction::Engine& engine, std::uint64_t slots) const;
    void sample(const scene::StreamView& stream, std::uint64_t frame);
    void require_memory(const compaction::Engine& engine, std::uint64_t slots,
                        std::uint64_t already_held) const;
    void compact(std::uint32_t iterations, bool split, std::uint64_t frame, const scene::StreamView& stream);
    void enqueue_check(const Settings& settings, std::uint64_t frame, const scene::StreamView& stream);
    void take_verdict();

    std::uint64_t memory_limit_bytes_;
    std::vector<experiments::FrameSample>* log_;
    interop::InteropDevice interop_device_;
    Stage stage_;
    const compaction::Algorithm* algorithm_ = nullptr;
    compaction::Options options_;
    float density_ = -1;
    std::uint32_t iterations_ = 0;
    scene::Clock clock_;
    CheckMonitor check_;
    const scene::SampleRequest* looked_at_ = nullptr;
};

}  // namespace warpsieve
