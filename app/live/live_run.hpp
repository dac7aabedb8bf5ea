#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/interop/interop.hpp"
#include "app/live/frame_clock.hpp"
#include "app/live/race_run.hpp"
#include "app/live/replay_maker.hpp"
#include "app/live/side_run.hpp"
#include "app/live/slot_sampling.hpp"
#include "app/nvml/watch.hpp"
#include "app/scene/particles.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"
#include "experiments/paired_ratio.hpp"

namespace warpsieve {

/// The running scene: an engine, its slots, and the algorithm that compacts them each frame, or the two that
/// the A/B lens compares. Needs a current OpenGL context throughout.
class LiveRun {
  public:
    /// `memory_limit_bytes`: memory limit of the slots; 0: what is free. `logs`, if given, get the
    /// timings of every frame.
    LiveRun(std::uint64_t memory_limit_bytes, experiments::FrameLogs* logs)
        : memory_limit_bytes_(memory_limit_bytes), logs_(logs) {}

    /// Makes the run match `config`; `compares`: B runs beside A. Throws compaction::Error and then keeps the
    /// run as it was, except that the race restarts, because its memory may have been needed. After
    /// Error{device_failure}, call configure() again before anything else. Returns whether the statistics
    /// restart; the start or stop of B alone does not restart them.
    bool configure(const RunConfig& config, bool compares);

    /// Lets these algorithms race over the slots of every frame; an empty list ends the race and frees its
    /// memory. A lane that cannot run states the reason. Call after configure.
    void race(std::span<const std::string> algorithms);

    /// Samples these slots for the slot map in the next steps; null: none. The request is not copied.
    /// `with_b`: samples the output of B too. `with_trace`: traces the compaction that is sampled.
    void request_slot_sample(const scene::SampleRequest* request, bool with_b = false,
                             bool with_trace = false) {
        sample_request_ = request;
        samples_b_ = with_b;
        traces_samples_ = with_trace;
    }

    /// Whether replays of A's compactions are made.
    enum class Replays : std::uint8_t {
        none,
        once,       ///< after each change of the subject
        refreshed,  ///< from time to time too
    };
    void make_replays(Replays wanted) { replays_wanted_ = wanted; }

    /// Makes replays of these two lanes of the race.
    void make_race_replays(const RacePair& pair) {
        if (resources_.race) resources_.race->make_replays(pair);
    }

    /// Traces one compaction of the next frame on each side.
    void request_trace(const TraceRequest& request);

    /// One frame: collects finished timings, then simulates, compacts and checks. Only enqueues. Throws
    /// Error{device_failure}. `clock`, if given, gets the host's time of each part.
    void step(double scene_seconds, std::uint64_t frame, FrameClock* clock = nullptr);
    /// Adds the duration of a finished frame to the timings.
    void end_frame(std::uint64_t frame, float frame_us);
    /// Collects finished timings.
    void collect();
    /// Waits for all work and collects its timings and verdicts.
    void drain();

    void reset_scene() { clock_.reset(); }
    void clear_timings();
    void inject_device_fault() { interop::inject_device_fault(*resources_.engine); }

    /// B's particles exist only while B runs.
    scene::DrawableParticles drawable(Side side = Side::a) { return resources_.particles->drawable(side); }
    std::uint64_t slots() const { return resources_.particles->slots(); }
    /// Scene time of the last step.
    double scene_seconds() const { return clock_.seconds(); }
    /// The scene in the last step.
    const scene::Frame& scene() const { return scene_; }
    const compaction::Engine& engine() const { return *resources_.engine; }
    LiveTiming& timing() { return resources_.a->timing(); }
    /// Index of the CUDA device of the run: the device that OpenGL draws on, if CUDA has it.
    int cuda_device() const { return interop_device_.device; }

    /// Adds the device's times of the last frames: simulate, compact, publish.
    void add_device_times(FramePartTimes& device_us) const;
    /// Fills in the part of the snapshot that describes the run, with its statistics if `refresh_figures`.
    void fill(Snapshot& snapshot, bool refresh_figures) const;

  private:
    /// The engine and all objects that use it. Members depend on earlier ones, so the order of declaration
    /// matters.
    struct Resources {
        std::unique_ptr<compaction::Engine> engine;
        std::unique_ptr<nvml::Watch> gpu_watch;  ///< none on the CPU engine
        std::unique_ptr<scene::Particles> particles;
        std::unique_ptr<SlotSampling> sampling;
        std::unique_ptr<SlotSampling> sampling_b;  ///< while the outputs are compared
        std::uint64_t sampled_frame = 0;
        std::shared_ptr<const scene::SlotSample> sample;  ///< the newest; null before the first
        std::shared_ptr<const trace::TracedRun> traced;   ///< the newest trace of a sampled frame
        std::unique_ptr<SideRun> a;
        std::unique_ptr<SideRun> b;     ///< kept after the lens closes, so that it reopens at once
        std::unique_ptr<RaceRun> race;  ///< while the race is shown
    };

    Resources open_resources(const RunConfig& config, bool compares);
    bool reconfigure(const RunConfig& config, bool compares);
    std::unique_ptr<SideRun> make_side_run(compaction::Engine& engine, const RunConfig& config, Side side);
    void resize_particles(std::uint64_t slots, bool compares);
    void allocate_slots(std::uint64_t slots, bool compares);
    void restore_slots(std::uint64_t slots, bool compares);
    std::unique_ptr<scene::Particles> make_particles(compaction::Engine& engine, std::uint64_t slots,
                                                     bool with_b) const;
    void require_memory(const compaction::Engine& engine, std::uint64_t slots, bool with_b,
                        std::uint64_t reusable_bytes) const;
    scene::Frame scene_frame();
    bool comparing() const { return resources_.particles->has_output_b(); }
    SideRun& side_run(Side side) { return side == Side::a ? *resources_.a : *resources_.b; }
    template <typename Act>
    void for_each_side(Side first_side, Act act) {
        if (!comparing()) return act(Side::a);
        act(first_side);
        act(other(first_side));
    }
    void enqueue_copy(std::uint64_t frame);
    bool prepare_sample(std::uint64_t frame);
    void sample(std::uint64_t frame);
    void begin_replay(std::uint64_t frame);
    void collect_trace(Side side);
    void collect_sample(std::uint64_t frame);
    void open_sampling_b(std::uint64_t slots);
    bool figures_are_stale(const Snapshot& snapshot) const;
    Figures figures() const;

    std::uint64_t memory_limit_bytes_;
    experiments::FrameLogs* logs_;
    const std::uint64_t first_round_ = experiments::random_first_round();  ///< the round of frame 0
    interop::InteropDevice interop_device_;
    std::array<CheckMonitor, both_sides.size()> checks_;
    Resources resources_;
    RunConfig config_;  ///< configuration of the running frames
    std::optional<std::vector<compaction::Launch>> launches_;
    scene::Clock clock_;
    scene::Frame scene_;  ///< result of the last step
    workloads::StreamFunctions streams_;
    const scene::SampleRequest* sample_request_ = nullptr;
    bool samples_b_ = false;
    Replays replays_wanted_ = Replays::none;
    ReplayMaker replays_;
    bool traces_samples_ = false;
    bool is_drained_ = false;  ///< no work was enqueued since drain()
};

/// The result of change_run().
struct RunChange {
    bool restarted = false;  ///< the statistics restart
    std::optional<compaction::Error> failure;
};

/// Makes the run match `settings`. If that fails, the run continues with `applied`, and `settings.run` is set
/// back to it. The tab is set back too if the change opened or closed the A/B lens.
RunChange change_run(LiveRun& run, Settings& settings, const Settings& applied);

}  // namespace warpsieve
