#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/context.hpp"
#include "app/gl/keys.hpp"
#include "app/gl/pixels.hpp"
#include "app/labs/runner.hpp"
#include "app/nvml/reading.hpp"
#include "app/scene/memory_scene.hpp"
#include "app/scene/particles.hpp"
#include "app/scene/side.hpp"
#include "app/scene/slot_sample.hpp"
#include "app/settings/settings.hpp"
#include "app/trace/access_counts.hpp"
#include "app/trace/memory_replay.hpp"
#include "app/trace/traced_run.hpp"
#include "app/view_model/messages.hpp"
#include "app/view_model/requests.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/engine.hpp"
#include "experiments/paired_ratio.hpp"
#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

/// The data that the application publishes for the panels, by subject. Panels read the parts they show, edit
/// the Settings and set Requests; they own none of this data.
namespace warpsieve {

/// The machine, and the program that runs on it.
struct MachineInfo {
    compaction::EngineId engine = compaction::EngineId::cpu;
    compaction::DeviceInfo device;
    std::string gpu_unavailable_reason;  ///< why no GPU can be used, in one line; empty if one can
    gl::ContextInfo gl;
    scene::Transfer transfer = scene::Transfer::host;
    std::string transfer_reason;  ///< why it is not interop on a GPU, as a sentence; else empty
    std::string clock_reason;     ///< why the processors' clock is not known; empty if it is known
    /// The driver's last report on the GPU; null before the first one, and on the CPU engine.
    std::shared_ptr<const nvml::Reading> gpu_reading;
    std::string version;  ///< "0.1.0 (1a2b3c4)"
};

/// The buffer that is compacted.
struct StreamInfo {
    std::uint64_t slots = 0;
    std::uint64_t phase = 0;         ///< scene::Moment::phase of the newest frame
    std::uint64_t memory_bytes = 0;  ///< memory of the slots
};

/// A row of the timing table. Times in microseconds.
struct TimingRow {
    std::string name;
    /// Empty for rows that are not phases (between calls, total, map / unmap, ...).
    std::optional<compaction::PhaseRole> role;
    bool in_total = true;
    experiments::Summary us;
    double hidden_us = 0;  ///< median of FrameSample::hidden_us of a phase
    double gap_us = 0;     ///< median of FrameSample::gap_us of a phase
};

/// Name of the timing row of the whole compaction.
inline constexpr std::string_view total_row_name = "total";
/// Name of the timing row of the time between calls: the total minus the phases.
inline constexpr std::string_view between_row_name = experiments::between_calls_name;
/// Name of the timing row that the plot shows as a line of its own.
inline constexpr std::string_view interop_row_name = "map / unmap";
/// Name of the timing row of all work before the compaction.
inline constexpr std::string_view simulate_row_name = "simulate";

/// Effective bandwidth (bytes read once + bytes kept, over time) against a copy measured in the same run.
struct Throughput {
    double useful_gb_s = 0;
    double copy_gb_s = 0;         ///< bytes read + bytes written of a device-to-device copy
    double fraction_of_copy = 0;  ///< 0 while no copy has been measured
    double useful_noise = 0;      ///< interquartile range over median, of the times behind the figure
    double copy_noise = 0;

    /// Noise of the ratio: the larger of both noises.
    double noise_of_fraction() const { return std::max(useful_noise, copy_noise); }
};

/// One algorithm that compacts the stream of every frame: A, or B of the A/B lens.
struct RunInfo {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options options;  ///< current options, automatic ones resolved
    std::uint64_t num_kept = 0;
    /// The newest traced compaction; null before the first, and after a change.
    std::shared_ptr<const trace::TracedRun> traced;
    /// What a compaction does to memory, on a simulated GPU; null before the first count, and after a change.
    std::shared_ptr<const trace::AccessCounts> accesses;
};

/// The runs of both sides.
struct RunInfos {
    RunInfo a;
    std::optional<RunInfo> b;  ///< while the A/B lens is shown

    /// Null for a B that does not run.
    const RunInfo* of(Side side) const { return side == Side::a ? &a : b ? &*b : nullptr; }
};

/// The algorithm of a side and its current options; empty for a B that does not run.
inline const compaction::Algorithm* algorithm_of(const RunInfos& runs, Side side) {
    const RunInfo* run = runs.of(side);
    return run ? run->algorithm : nullptr;
}
inline compaction::Options options_of(const RunInfos& runs, Side side) {
    const RunInfo* run = runs.of(side);
    return run ? run->options : compaction::Options{};
}
/// Whether compactions of the engine can be timed. A simulated GPU has no times.
inline bool has_times(compaction::EngineId engine) {
    return engine != compaction::EngineId::simulated;
}
inline constexpr const char* no_times =
    "Compactions on a simulated GPU are not timed. Select another engine to time them.";

/// The figures of the row with that name; null without one.
inline const experiments::Summary* figures_of(std::span<const TimingRow> rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &TimingRow::name);
    return found == rows.end() ? nullptr : &found->us;
}

/// The figures of the row with that name; null without one or without samples.
inline const experiments::Summary* timed_figures_of(std::span<const TimingRow> rows, std::string_view name) {
    const experiments::Summary* figures = figures_of(rows, name);
    return figures && figures->n > 0 ? figures : nullptr;
}

enum class CheckState : std::uint8_t { off, waiting, correct, wrong };

/// Results of comparing a run's output with the reference.
struct CheckResult {
    CheckState state = CheckState::waiting;
    std::uint64_t checked = 0;  ///< comparisons since the start
    std::uint64_t wrong = 0;    ///< comparisons that failed; a later success does not reset it
    std::string last;           ///< the last verdict in words
    std::string first_failure;  ///< the first failure in words, with algorithm and frame
};

/// The checks of both sides. The result of B covers every algorithm that was ever B, and stays without a B.
struct CheckResults {
    CheckResult a;
    CheckResult b;

    const CheckResult& of(Side side) const { return side == Side::a ? a : b; }
};

/// The parts of a frame, in order.
enum class FramePart : std::uint8_t { simulate, compact, publish, draw, panels, present };

struct FramePartInfo {
    FramePart part;
    const char* name;
    const char* meaning;
};
inline constexpr std::array frame_parts{
    FramePartInfo{FramePart::simulate, "simulate", "Spawning, ageing and moving every slot."},
    FramePartInfo{FramePart::compact, "compact",
                  "Mean of all compactions of a frame, of A and of B. The table has the median of one."},
    FramePartInfo{FramePart::publish, "publish",
                  "Handing positions, kept items and their number to the renderer."},
    FramePartInfo{FramePart::draw, "draw", "Drawing the particles."},
    FramePartInfo{FramePart::panels, "panels", "Laying out and drawing the controls, views and plots."},
    FramePartInfo{FramePart::present, "present", "Showing the frame. With vsync, it waits for the display."},
};

/// A time for each part of a frame, in microseconds.
using FramePartTimes = std::array<double, frame_parts.size()>;

/// The times of the parts of a frame, in microseconds: means over the last frames, because means add up.
struct FrameTimes {
    double frame_us = 0;                      ///< time between the starts of two frames; 0: unknown
    FramePartTimes host_us{};                 ///< the host's clock; other_us() fills up to frame_us
    std::optional<FramePartTimes> device_us;  ///< the GPU's clock; 0 for a part that is not timed

    double other_us() const { return rest(host_us); }
    /// The time in which the GPU works on none of the parts.
    double idle_us() const { return device_us ? rest(*device_us) : 0; }

  private:
    double rest(const FramePartTimes& parts) const {
        const double left = frame_us - std::accumulate(parts.begin(), parts.end(), 0.0);
        return left > 0 ? left : 0;
    }
};

/// The history of the frames, and how it was timed.
struct TimingHistory {
    std::shared_ptr<const experiments::Timeline> timeline;
    std::shared_ptr<const experiments::Timeline> timeline_b;  ///< B's timeline while the A/B lens is shown
    const experiments::SavedRun* ghost = nullptr;             ///< a saved run to compare the totals with
    FrameTimes frame;                       ///< times of the parts of a frame; refreshed at 5 Hz
    double interface_us = 0;                ///< CPU time of the panels, smoothed
    std::uint64_t untimed_compactions = 0;  ///< left untimed because the recorder's ring was full
    std::string method;                     ///< "CUDA events, phases by block stamps (32 ns step)"
};

/// The processors' clock when it was last measured, in Hz; 0 where it is not known.
inline double last_clock_hz(const std::shared_ptr<const experiments::Timeline>& timeline) {
    const bool any = timeline && timeline->size() > 0;
    return any ? (*timeline)[timeline->size() - 1].clock_hz : 0;
}

/// The reports of the labs.
struct LabReports {
    std::vector<std::shared_ptr<const labs::Report>> reports;  ///< the last of each lab that ran
    bool running = false;                                      ///< one of them is not finished
};

/// One algorithm in the race.
struct RaceLane {
    const compaction::Algorithm* algorithm = nullptr;
    std::string problem = {};  ///< why it does not run; empty if it does
    std::size_t n = 0;         ///< times behind the figures
    double median_us = 0;      ///< time of one compaction: that of the fastest lane times `over_fastest`
    /// 95 % interval: of the median for the fastest lane, of `over_fastest` for the others.
    experiments::Interval interval = {};
    /// Its time over that of the fastest lane, which has a ratio of 1.
    experiments::PairedRatio over_fastest = {};
    /// Shows the traced compaction whose time is nearest to the median; null until a requested one is made.
    std::shared_ptr<const trace::MemoryReplay> replay = {};
    std::string replay_problem = {};  ///< why there is no replay, in one sentence; empty without a request

    bool runs() const { return problem.empty() && n > 0; }
};

struct RaceFigures {
    std::uint64_t serial = 0;     ///< changes when the measurement of all lanes restarts
    std::vector<RaceLane> lanes;  ///< sorted as in the settings
};

/// The figures of a capture that the run is compared with. Times in microseconds.
struct RecordedFigures {
    struct Row {
        std::string name;
        experiments::Summary us;
    };

    std::string file;
    std::string device;
    std::string algorithm;  ///< id
    std::uint64_t num_kept = 0;
    std::optional<double> kept_at_s;  ///< Figures::kept_at_s
    std::vector<Row> rows;
};

/// The figures of one run.
struct RunFigures {
    std::vector<TimingRow> rows;
    Throughput throughput;
    std::uint64_t num_kept = 0;  ///< in the frame in which the figures were refreshed
};

/// The figures that people read. Refreshed at 5 Hz; a published object never changes, so anyone may keep it.
struct Figures {
    RunFigures a;
    std::optional<RunFigures> b;     ///< while the A/B lens is shown
    experiments::PairedRatio ratio;  ///< A's time over B's
    experiments::Summary frame_us;
    /// GPU launches of one compaction; empty if unknown.
    std::optional<std::vector<compaction::Launch>> launches;
    RaceFigures race;
    /// Scene time of the frame whose kept items are counted, in seconds. Empty while frames run on a GPU,
    /// where the newest count is a few frames old.
    std::optional<double> kept_at_s;

    /// Null for a B that does not run.
    const RunFigures* of(Side side) const { return side == Side::a ? &a : b ? &*b : nullptr; }
};

/// The figures of a side; empty for a B that does not run.
inline std::span<const TimingRow> rows_of(const Figures& figures, Side side) {
    const RunFigures* run = figures.of(side);
    return run ? std::span<const TimingRow>(run->rows) : std::span<const TimingRow>{};
}
inline Throughput throughput_of(const Figures& figures, Side side) {
    const RunFigures* run = figures.of(side);
    return run ? run->throughput : Throughput{};
}

/// Side of the slot map's textures in pixels; a picture uses a corner of one.
inline constexpr int map_picture_side = 1024;

/// Input of the slot map.
struct SlotMapData {
    std::shared_ptr<const scene::SlotSample> sample;  ///< null before the first
    std::shared_ptr<const trace::TracedRun> traced;   ///< compaction of the sample's frame; null if untraced
    std::shared_ptr<const scene::SlotSample> sample_b;  ///< B's output, if both were requested
    unsigned slots_texture = 0;   ///< gl::Picture of the slots, painted as the map requested
    unsigned output_texture = 0;  ///< gl::Picture of the output
};

/// Input of the views that draw the memory scene.
struct MemoryData {
    std::shared_ptr<trace::MemoryReplay> replay;  ///< shows a compaction of A; null before the first
    std::string problem;  ///< why the newest replay could not be made, in one sentence; else empty
    const scene::MemoryColours* colours = nullptr;  ///< for the theme; null before the first frame
    scene::Matrix view_projection{};                ///< the camera's in the last frame
};

/// A part of the texture of the thumbnails, and its size in pixels; a width of 0: the file is no picture.
struct Thumbnail {
    float u0 = 0;
    float v0 = 0;
    float u1 = 0;
    float v1 = 0;
    float width = 0;
    float height = 0;
};

/// Small pictures of captures.
struct Thumbnails {
    unsigned texture = 0;                       ///< a gl::Picture
    std::map<std::string, Thumbnail> pictures;  ///< by path; a requested file follows a few frames later
};

/// Answers about single particles, a frame or a few after the request.
struct FollowResult {
    /// The slot or the output index under the mouse; empty if not requested.
    std::optional<std::uint64_t> picked;
    std::optional<std::uint64_t> picked_output_index;
    /// Positions of the requested item in the window: its particle, its slot and its output cell. Empty if
    /// not visible.
    std::array<std::optional<WindowPoint>, 3> markers;
};

/// The frame that is drawn.
struct DisplayInfo {
    /// Seconds on the clock that animations follow; offscreen that of the scene, so pictures are repeatable.
    double now_s = 0;
    std::uint64_t frame = 0;
    std::uint64_t total_frames = 0;    ///< length of an offscreen run; 0 in a window
    std::uint64_t figures_serial = 0;  ///< changes when the figures are refreshed, at 5 Hz
    float scale = 1;
    bool first_start = false;  ///< first start of the window, without saved settings
    bool for_picture = false;  ///< a picture is taken of this frame: transient items are left out
    bool plain_plots = false;  ///< software OpenGL: lines instead of filled, anti-aliased areas
    bool recording = false;
    double film_s_left = 0;             ///< seconds until the loop is filmed; 0: nothing is being filmed
    std::uint64_t frames_recorded = 0;  ///< frames of the current recording
};

struct QualityFlag;
struct ChangeCard;

/// The reliability of the figures, and the effect of the last change.
struct FigureQuality {
    std::span<const QualityFlag> flags;
    const ChangeCard* change = nullptr;
};

struct Snapshot {
    CatalogueInfo catalogue;
    MachineInfo machine;
    const Settings* defaults = nullptr;  ///< settings after a reset on this machine; null: Settings{}
    StreamInfo stream;
    RunInfos runs;
    CheckResults checks;
    TimingHistory timings;
    std::shared_ptr<const Figures> figures = std::make_shared<const Figures>();  ///< never null
    FigureQuality quality;
    const RecordedFigures* recorded = nullptr;  ///< figures of the replayed run; null: nothing is replayed
    LabReports labs;
    SlotMapData slot_map;
    MemoryData memory;
    Thumbnails thumbnails;
    FollowResult follow;
    DisplayInfo display;
    Messages messages;
    std::span<const gl::KeyEvent> keys;  ///< keys of this frame, oldest first
};

}  // namespace warpsieve
