#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/interop/gpu_particles.hpp"
#include "app/live/check_monitor.hpp"
#include "app/live/side_run.hpp"
#include "app/live/slot_sampling.hpp"
#include "app/nvml/watch.hpp"
#include "app/scene/particles.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"
#include "compaction/engine.hpp"

namespace warpsieve {

/// The running scene: an engine, the slots on it, and the algorithm that compacts them each frame, or the two
/// that the A/B lens compares. Needs a current OpenGL context throughout.
class LiveRun {
  public:
    /// `memory_limit_bytes`: the most the slots may take; 0: what is free. `log`, if given, gets A's timings
    /// of every frame.
    LiveRun(std::uint64_t memory_limit_bytes, std::vector<experiments::FrameSample>* log)
        : memory_limit_bytes_(memory_limit_bytes), log_(log) {}

    /// Makes what runs match `settings` (engine, algorithms, options, slots). Throws compaction::Error and
    /// keeps what ran before. Says whether what is timed from now on is something else, whose figures begin
    /// anew.
    bool configure(const Settings& settings);
    bool running() const { return stage_.a != nullptr; }

    /// What the slot map wants sampled in the next step; null while it is not shown.
    void show_in_slot_map(const scene::SampleRequest* request) { looked_at_ = request; }

    /// One frame: simulate, compact, check. It only enqueues. Throws Error{device_failure}.
    void step(const Settings& settings, double scene_seconds, std::uint64_t frame);
    /// Tells the timings what the frame took, once it is over.
    void end_frame(std::uint64_t frame, float frame_us);
    /// Takes in the timings that have finished.
    void collect();
    /// Waits for all work and takes in its timings and verdicts.
    void drain();

    void reset_scene() { clock_.reset(); }
    void clear_timings();
    void rehearse_device_failure() { interop::rehearse_device_failure(*stage_.engine); }

    /// B's only while it is compared.
    scene::DrawableParticles drawable(Side side = Side::a) { return stage_.particles->drawable(side); }
    const compaction::Engine& engine() const { return *stage_.engine; }
    LiveTiming& timing() { return stage_.a->timing(); }
    /// Which of the CUDA devices runs it, counted from 0: the one that OpenGL draws on, where there is one.
    int cuda_device() const { return interop_device_.device; }

    /// Fills in what the panels show of the run; the statistics only where `refresh_figures`.
    void describe(View& view, bool refresh_figures) const;

  private:
    /// What belongs to one engine. Declared in order of dependence: what comes later is destroyed first.
    struct Stage {
        std::unique_ptr<compaction::Engine> engine;
        std::unique_ptr<nvml::Watch> gpu_watch;  ///< none on the CPU engine
        std::unique_ptr<scene::Particles> particles;
        std::unique_ptr<SlotSampling> sampling;
        std::unique_ptr<SideRun> a;
        std::unique_ptr<SideRun> b;  ///< kept once it was compared, so that the lens opens again at once
    };

    Stage open_stage(const Settings& settings);
    bool reconfigure(const Settings& settings);
    std::unique_ptr<SideRun> make_side_run(compaction::Engine& engine, const Settings& settings, Side side);
    void fit_particles(const Settings& settings);
    std::unique_ptr<scene::Particles> make_particles(compaction::Engine& engine, std::uint64_t slots,
                                                     bool with_b) const;
    void require_memory(const compaction::Engine& engine, std::uint64_t slots, bool with_b,
                        std::uint64_t already_held) const;
    scene::Frame scene_frame(const Settings& settings);
    bool comparing() const { return stage_.particles->b_has_an_output(); }
    SideRun& side_run(Side side) { return side == Side::a ? *stage_.a : *stage_.b; }
    template <typename Act>
    void for_each_side(Side first, Act act);
    void enqueue_copy(std::uint64_t frame);
    void sample(std::uint64_t frame);
    void describe_rival(View& view, bool refresh_figures) const;

    std::uint64_t memory_limit_bytes_;
    std::vector<experiments::FrameSample>* log_;
    interop::InteropDevice interop_device_;
    std::array<CheckMonitor, both_sides.size()> checks_;
    Stage stage_;
    std::string source_;
    workloads::Pattern pattern_{};
    std::uint32_t seed_ = 0;
    float density_ = -1;
    std::uint32_t iterations_ = 0;
    std::optional<std::vector<compaction::Launch>> launches_;
    scene::Clock clock_;
    workloads::StreamFunctions streams_;
    const scene::SampleRequest* looked_at_ = nullptr;
};

}  // namespace warpsieve
