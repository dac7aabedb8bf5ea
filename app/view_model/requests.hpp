#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/gl/pixels.hpp"
#include "app/labs/jobs.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/memory_scene.hpp"
#include "app/scene/slot_sample.hpp"
#include "compaction/algorithm.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve {

/// A pixel of the window.
struct WindowPoint {
    float x = 0;
    float y = 0;
};

/// The request of the slot map while it is shown. Valid until the panels are built again.
struct SlotMapRequest {
    const scene::SampleRequest* sample = nullptr;  ///< the sample to take; never null in a request
    bool with_b = false;                           ///< sample B's output of the same frame too
    bool with_trace = false;                       ///< trace the compaction of that frame
    gl::PixelSize picture{0, 0};                   ///< size of both pictures; 0 x 0: nothing to upload
    std::span<const std::uint32_t> slots_pixels;   ///< [height x width] for SlotMapData::slots_texture
    std::span<const std::uint32_t> output_pixels;  ///< [height x width] for SlotMapData::output_texture
};

/// The request of a view that shows what a compaction does to memory. Valid until the panels are built again.
struct MemoryRequest {
    const scene::MemoryScene* scene = nullptr;  ///< what to draw; null: nothing
    /// Draws the scene alone, with one replay until the compaction changes. Otherwise draws it over the
    /// particles, with a replay that is refreshed.
    bool in_slow_motion = false;
};

/// Two lanes of the race.
using RacePair = std::array<const compaction::Algorithm*, 2>;

/// A text to write into the capture folder, into a new file.
struct SaveFile {
    std::string subject;    ///< "reproduction": part of the file name
    std::string extension;  ///< ".html"
    std::string text;
};

/// Requests a trace of one compaction of the next frame: all blocks, and the warp roles of one block.
struct TraceRequest {
    std::uint32_t roles_block = 0;  ///< the block whose warp roles are traced
};

/// The requests of the panels in this frame.
struct Requests {
    bool capture = false;       ///< a picture of the window
    bool capture_plot = false;  ///< a picture of the focused plot alone, twice as large
    bool toggle_recording = false;
    bool film_loop = false;  ///< an animation of the view
    bool dismiss_change = false;
    std::string notice;  ///< one line that reports an action; usually empty
    bool reset_scene = false;
    bool clear_timings = false;
    bool single_step = false;
    experiments::FrameLogs keep_as_ghost;  ///< frames to save and show as ghost; none of A: no request
    bool quit = false;
    std::optional<std::size_t> dismiss_message;  ///< index in Snapshot::messages
    scene::CameraInput camera;                   ///< how the mouse moves the camera
    std::optional<labs::Job> start_lab;
    bool cancel_lab = false;
    std::optional<SlotMapRequest> slot_map;
    std::optional<MemoryRequest> memory;
    std::optional<RacePair> race_replays;              ///< two lanes of the race whose memory is shown
    std::optional<WindowPoint> pick;                   ///< pixel at which to find a particle
    std::optional<std::uint64_t> locate;               ///< slot whose item to find on the screen
    std::optional<std::uint64_t> locate_output_index;  ///< output index of the item of `locate`, if known
    std::optional<SaveFile> save_file;
    std::optional<TraceRequest> trace;
    std::string open;                      ///< a capture whose settings to load; empty: none
    std::vector<std::string> thumbnails;   ///< pictures to show small
    std::optional<std::size_t> tour_step;  ///< step of the guided tour to show; starts the tour if needed
    bool leave_tour = false;
    bool place_camera = false;  ///< move the camera to the position in the settings
    /// Where the tour points the camera. The camera moves there once, smoothly.
    std::optional<scene::Viewpoint> point_camera;
};

}  // namespace warpsieve
