#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/context.hpp"
#include "app/labs/runner.hpp"
#include "app/nvml/reading.hpp"
#include "app/scene/particles.hpp"
#include "app/scene/slot_sample.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/messages.hpp"
#include "compaction/engine.hpp"
#include "compaction/partition.hpp"
#include "experiments/paired_ratio.hpp"
#include "experiments/saved_run.hpp"
#include "experiments/statistics.hpp"
#include "experiments/timeline.hpp"

/// What the application shows the panels and what they ask of it. Panels read the View, edit the Settings and
/// set Requests; they own nothing.
namespace warpsieve {

/// A row of the timing table. Times in microseconds.
struct TimingRow {
    std::string name;
    std::string meaning;  ///< tooltip
    std::optional<compaction::PhaseRole>
        role;  ///< empty for rows that are no phase (total, map / unmap, ...)
    bool in_total = true;
    experiments::Summary us;
};

/// Useful throughput (bytes read once + bytes kept, over time) against a copy measured in the same run.
struct Throughput {
    double useful_gb_s = 0;
    double copy_gb_s = 0;      ///< bytes read + bytes written of a device-to-device copy
    double share_of_copy = 0;  ///< 0 while no copy has been measured
    double useful_noise = 0;   ///< interquartile range over median, of the times behind the figure
    double copy_noise = 0;

    /// Of a ratio whose two sides are measured apart: that of the worse one.
    double share_noise() const { return std::max(useful_noise, copy_noise); }
};

enum class CheckState : std::uint8_t { off, waiting, correct, wrong };

struct CheckView {
    CheckState state = CheckState::waiting;
    std::uint64_t checked = 0;  ///< comparisons made since the start
    std::uint64_t wrong = 0;    ///< of these, how many failed; never reset by a later success
    std::string last;           ///< the last verdict in words
    std::string first_failure;  ///< the first failure in words, with algorithm and frame
};

/// B of the A/B lens, which compacts the same stream in every frame, and how A stands to it.
struct RivalView {
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options layout;  ///< options in force, automatic ones resolved
    std::uint64_t num_kept = 0;
    std::vector<TimingRow> rows;     ///< phases and total; refreshed at 5 Hz
    Throughput throughput;           ///< refreshed at 5 Hz
    experiments::PairedRatio ratio;  ///< refreshed at 5 Hz
};

/// Name of the timing row of the whole compaction.
inline constexpr std::string_view total_row_name = "total";

/// Sides of the slot map's textures in pixels; a picture takes up a corner.
inline constexpr int map_picture_side = 1024;

/// What the slot map is made of.
struct SlotMapView {
    compaction::Partition partition;            ///< of the algorithm and layout in force
    const scene::SlotSample* sample = nullptr;  ///< null before the first
    unsigned slots_texture = 0;   ///< gl::Picture of the slots, as the map asked it to be painted
    unsigned places_texture = 0;  ///< and of the output's places
};

/// Name of the timing row that the plot shows as a line of its own.
inline constexpr std::string_view interop_row_name = "map / unmap";

struct Badge;
struct ChangeCard;

struct View {
    std::span<const compaction::Algorithm> catalogue = compaction::catalogue();  ///< what menus offer
    std::span<const compaction::EngineStatus> engines = compaction::engine_statuses();
    const compaction::Algorithm* algorithm = nullptr;
    compaction::Options layout;  ///< options in force, automatic ones resolved
    compaction::EngineId engine = compaction::EngineId::cpu;
    compaction::DeviceInfo device;
    std::string engine_reason;  ///< why not the GPU, in one line; empty on the GPU
    gl::ContextInfo gl;
    scene::Transfer transfer = scene::Transfer::host;
    std::string transfer_reason;

    std::uint64_t slots = 0;
    std::uint64_t num_kept = 0;
    std::uint64_t memory_bytes = 0;  ///< what the slots take

    const experiments::Timeline* timeline = nullptr;
    const experiments::SavedRun* ghost = nullptr;  ///< to hold the totals against
    std::vector<TimingRow> rows;                   ///< refreshed at 5 Hz
    Throughput throughput;                         ///< refreshed at 5 Hz
    experiments::Summary frame_us;                 ///< refreshed at 5 Hz
    double interface_us = 0;                       ///< CPU time of the panels, smoothed
    std::uint64_t dropped_runs = 0;                ///< runs that went untimed because the ring was full
    std::string clock_reason;  ///< why the processors' clock is not known here; empty where it is
    /// What the driver said of the GPU last; null before it has, and on the CPU engine.
    std::shared_ptr<const nvml::Reading> gpu_reading;
    std::string timing_method;  ///< "CUDA events at phase boundaries", "steady_clock"
    CheckView check;
    /// What one compaction gives the GPU to do; nothing where that is not known.
    std::optional<std::vector<compaction::Launch>> launches;
    std::span<const Badge> badges;       ///< how far the figures can be trusted
    const ChangeCard* change = nullptr;  ///< what the last change of a control did

    std::uint64_t frames_recorded = 0;  ///< of the recording that runs
    bool recording = false;

    std::optional<RivalView> rival;                                ///< while the A/B lens is shown
    CheckView rival_check;                                         ///< of all that was ever B
    std::vector<std::shared_ptr<const labs::Report>> lab_reports;  ///< the last of each lab that ran
    bool lab_running = false;                                      ///< one of them is not finished

    SlotMapView slot_map;

    Messages messages;
    double now_s = 0;
    std::uint64_t frame = 0;
    float scale = 1;
    bool for_picture = false;  ///< a picture is taken of this frame: what only passes is left out of it
    bool plain_plots = false;  ///< software OpenGL: lines instead of filled, anti-aliased areas
    std::string version;       ///< "0.1.0 (1a2b3c4)"
};

/// The algorithm of a side of the lens, the options that it runs with, its rows; nothing of a B that is not
/// there.
inline const compaction::Algorithm* algorithm_of(const View& view, Side side) {
    return side == Side::a ? view.algorithm : view.rival ? view.rival->algorithm : nullptr;
}
inline compaction::Options layout_of(const View& view, Side side) {
    return side == Side::a ? view.layout : view.rival ? view.rival->layout : compaction::Options{};
}
inline std::span<const TimingRow> rows_of(const View& view, Side side) {
    if (side == Side::a) return view.rows;
    return view.rival ? std::span<const TimingRow>(view.rival->rows) : std::span<const TimingRow>{};
}
inline Throughput throughput_of(const View& view, Side side) {
    return side == Side::a ? view.throughput : view.rival ? view.rival->throughput : Throughput{};
}
inline const CheckView& check_of(const View& view, Side side) {
    return side == Side::a ? view.check : view.rival_check;
}
/// What the slot map asks for while it is shown. Lives until the panels are built again.
struct SlotMapRequest {
    const scene::SampleRequest* sample = nullptr;  ///< what is looked at; never null
    gl::PixelSize picture{0, 0};                   ///< of both pictures; nothing to upload where it is empty
    std::span<const std::uint32_t> slots;          ///< [picture] pixels for slots_texture
    std::span<const std::uint32_t> places;         ///< [picture] pixels for places_texture
};

/// A text that is to go into the capture folder, under a name that no file has yet.
struct SaveFile {
    std::string subject;    ///< "reproduction": part of its name
    std::string extension;  ///< ".html"
    std::string text;
};

/// What the panels asked for in this frame.
struct Requests {
    bool capture = false;
    bool capture_plot = false;  ///< the focused plot alone, twice as large
    bool toggle_recording = false;
    bool dismiss_change = false;
    std::string notice;  ///< something done that is worth a line; empty mostly
    bool reset_scene = false;
    bool clear_timings = false;
    bool single_step = false;
    std::vector<experiments::FrameSample>
        keep_as_ghost;  ///< to be saved and shown as ghost; empty: not asked
    bool quit = false;
    std::optional<std::size_t> dismiss_message;
    /// Mouse in the view: radians around and up, and a zoom factor.
    float orbit_around = 0;
    float orbit_up = 0;
    float zoom = 1;
    bool reset_camera = false;
    std::optional<labs::Job> start_lab;
    bool cancel_lab = false;
    std::optional<SlotMapRequest> slot_map;
    std::optional<SaveFile> save_file;
};

}  // namespace warpsieve
