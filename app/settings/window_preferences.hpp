#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "app/settings/view_ids.hpp"

namespace warpsieve {

enum class Theme : std::uint8_t { dark, light };

/// The content of the timeline: the last frames, or one compaction block by block.
enum class TimelineMode : std::uint8_t { frames, inside };
/// The content of the A/B lens: the particles, one compaction of A above one of B, or where the outputs
/// differ.
enum class LensMode : std::uint8_t { particles, inside, difference };

/// The meaning of an item's colour in the slot map.
enum class MapColour : std::uint8_t {
    age,   ///< age of the item, from born to dead
    slot,  ///< the slot it comes from, which shows order
};

/// The order of the steps of the kernel view: warp by warp, or lane by lane as scheduled.
enum class KernelOrder : std::uint8_t { warps, lanes };

/// The content of the particles view: the input and the output as arrays, or only the kept particles, where
/// their source puts them.
enum class ParticlesMode : std::uint8_t { sparse_dense, output_alone };

/// Maximum number of captures in `recent`.
inline constexpr std::size_t max_recent = 8;

/// Maximum number of algorithms in a race.
inline constexpr std::size_t max_racing = 8;

/// The divider of the A/B lens keeps this share of the view for each side.
inline constexpr double min_divider = 0.05;

/// Position of the dial of slow motion that the welcome card and the tour set: a compaction takes seconds.
inline constexpr std::int32_t watchable_slow_motion = 85;

/// The kernel view traces at most this many items: each makes some dozens of steps.
inline constexpr std::uint32_t max_kernel_items = 4'096;

/// `kernel_step` until the trace is there: the step at which a fault shows, else that which loads the
/// followed item, else the first one.
inline constexpr std::uint32_t opening_step = std::numeric_limits<std::int32_t>::max();

inline constexpr std::uint32_t min_timeline_frames = 60;
inline constexpr std::uint32_t max_timeline_frames = 6'000;

/// How the window looks and where it puts files. Only the tab changes the run: the lens runs B beside A, and
/// the race runs its algorithms.
struct WindowPreferences {
    float controls_width = 340;           ///< pixels at 100 %
    float timings_height = 220;           ///< pixels at 100 %
    bool show_controls = true;            ///< along the left side
    bool show_timings = true;             ///< along the bottom, below the main area
    bool show_frame_strip = true;         ///< where the time of a frame goes, beside the timings
    std::string tab = "particles";        ///< id of the tab in the main area
    float divider = 0.5F;                 ///< A's share of the view in the A/B lens
    std::uint32_t slot_map_zoom = 0;      ///< step of the slot map's zoom ladder; 0: the whole stream
    std::uint64_t slot_map_first = 0;     ///< first slot of the slot map
    std::uint32_t timeline_frames = 600;  ///< frames across the timeline view
    bool timeline_log = false;            ///< logarithmic time axis
    TimelineMode timeline_mode = TimelineMode::frames;
    LensMode lens_mode = LensMode::inside;
    /// Mode of the particles view and of the A/B lens.
    ParticlesMode particles_mode = ParticlesMode::sparse_dense;
    /// Position of the dial of slow motion (trace/playhead.hpp); 0: real time.
    std::int32_t slow_motion = 0;
    /// Where the first replay is paused, as a share of the compaction; 0: it plays from the beginning.
    float initial_pause = 0;
    std::uint32_t kernel_items = 1'024;  ///< items that the kernel view traces
    std::uint32_t kernel_seed = 0;       ///< seed of its simulated schedule
    KernelOrder kernel_order = KernelOrder::warps;
    bool kernel_memory = false;          ///< memory in place of the source, where both do not fit
    std::string kernel_plant = "none";   ///< id of the fault that is planted into the kernels
    std::string kernel_lesson = "none";  ///< id of the lesson that the kernel view shows
    std::uint32_t kernel_step = 0;       ///< in that order, or `opening_step`
    std::uint64_t kernel_slot = 0;   ///< first slot of the scene that it traces, from 1; 0: a random stream
    std::uint64_t kernel_phase = 0;  ///< scene::Moment::phase at which it traces these slots
    std::uint32_t kernel_warp = 0;   ///< the warp shown, counted from 1; 0: that of the step
    std::uint32_t kernel_item = 0;   ///< the item followed, counted from 1; 0: none
    std::string kernel_breakpoints;  ///< "warp.cuh:81;batch.cuh:103": lines at which it stops
    std::string kernel_watched;      ///< names of values that stay at the top, separated by ';'
    /// Ids of the algorithms in the race, in the order of the lanes; those of other engines are skipped.
    std::vector<std::string> race{"single_pass",
                                  "cub_select",
                                  "sequence_wise",
                                  "masked_two_pass",
                                  "block_wise",
                                  "spataro",
                                  "billeter_scaled",
                                  "atomic_append",
                                  "cpu_sequence_wise",
                                  "cpu_single_pass",
                                  "cpu_simd",
                                  "cpu_branchless",
                                  "cpu_scan_scatter",
                                  "std_copy_if",
                                  "thrust_copy_if_tbb",
                                  "cpu_loop",
                                  "simulated_single_pass",
                                  "simulated_sequence_wise"};
    std::filesystem::path ghost;  ///< a saved run, shown behind the live one; empty: none
    float scale = 0;              ///< 1 is 100 %; 0: the scale of the display
    Theme theme = Theme::dark;
    Theme plot_theme = Theme::light;       ///< theme of pictures of one plot: white for print
    std::filesystem::path capture_folder;  ///< empty: `captures` in the current folder
    /// Captures (saved pictures with their settings) whose settings were loaded, newest first.
    std::vector<std::string> recent;
    MapColour slot_map_colour = MapColour::slot;

    /// Length of the stream before the simulated engine shortened it; 0: it did not.
    std::uint64_t slots_before_simulated = 0;

    // Last geometry of the window and the camera; a size or distance of 0 selects the default.
    std::int32_t window_width = 0;
    std::int32_t window_height = 0;
    std::int32_t window_x = 0;
    std::int32_t window_y = 0;
    float camera_azimuth = 0;  ///< radians
    float camera_elevation = 0;
    float camera_distance = 0;  ///< metres

    /// The folder of pictures and recordings.
    std::filesystem::path captures() const { return capture_folder.empty() ? "captures" : capture_folder; }

    bool operator==(const WindowPreferences&) const = default;
};

}  // namespace warpsieve
