#pragma once

#include <optional>

#include "app/gl/context.hpp"
#include "app/gl/picture.hpp"
#include "app/gl/timer_query.hpp"
#include "app/live/frame_clock.hpp"
#include "app/live/item_picker.hpp"
#include "app/live/live_run.hpp"
#include "app/render/particle_renderer.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/sparse_dense.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// Draws the particles as the camera sees them and the interface over them, and finds the particle under the
/// mouse.
class SceneDrawing {
  public:
    /// Needs the current OpenGL context throughout.
    explicit SceneDrawing(gl::Context& context);

    /// Moves the camera to the saved pose, or else to the viewpoint of the source.
    void place_camera(const Settings& settings);
    /// Moves the camera smoothly to a new `goal`; without one, back to where place_camera() moves it or, in
    /// slow motion, to the viewpoint of the memory. `at_once`: the camera jumps.
    void point_camera(const std::optional<scene::Viewpoint>& goal, bool at_once, const Settings& settings);
    /// Whether the camera is pointed at a goal.
    bool points_camera() const { return goal_.has_value(); }
    /// Moves the camera to the viewpoint of the source, and saves that pose in the settings.
    void view_source(Settings& settings);
    /// `by_mouse_only`: the camera does not move by itself. `idle_at_once`: it moves by itself without first
    /// waiting for a while without input. Saves the pose in `settings` when the mouse moves the camera.
    void move_camera(const scene::CameraInput& input, double seconds, bool by_mouse_only, bool idle_at_once,
                     Settings& settings);
    /// With software OpenGL: switches the bloom off when frames get long, and on when they are short again.
    /// `frame_seconds`: the duration of the last frame.
    void choose_detail(double frame_seconds);

    /// Uploads the pictures that the slot map painted.
    void upload(const SlotMapRequest& request);
    /// Answers the requests to pick or to locate a particle in `area`. `applied`: the settings that the run
    /// uses.
    void answer_picks(const LiveRun& run, const Settings& applied, const gl::Rectangle& area,
                      const Requests& requests, Snapshot& snapshot);
    /// Draws the particles and, over the sparse and the dense array, the compaction of `memory`; in slow
    /// motion, only that compaction. `memory` may be null.
    void draw_scene(LiveRun& run, const Settings& applied, const gl::Rectangle& rectangle,
                    const MemoryRequest* memory);
    void draw_interface();

    /// Writes the OpenGL names of the slot map's textures.
    void fill_textures(SlotMapData& map) const;
    /// Writes colours and projection of the last frame.
    void fill(MemoryData& memory) const;
    /// Adds the GPU times of earlier frames to `clock`.
    void add_device_times(FrameClock& clock);
    /// Whether the GPU times the drawing. False for software OpenGL, which draws on the host.
    bool has_device_times() const { return draw_query_.has_value(); }

  private:
    /// Changes between camera_ and memory_camera_ if `in_slow_motion` differs from the last frame.
    void change_camera(bool in_slow_motion);
    /// The camera of the last frame.
    const scene::Camera& camera() const { return (in_slow_motion_ ? memory_camera_ : camera_).camera(); }

    gl::Context& context_;
    render::ParticleRenderer renderer_;
    scene::CameraMotion camera_;
    scene::CameraMotion memory_camera_;     ///< shows a compaction in slow motion; not saved
    bool in_slow_motion_ = false;           ///< the last frame showed a compaction in slow motion
    std::optional<scene::Viewpoint> goal_;  ///< where point_camera() points the camera
    /// At the next change of cameras, the new one flies from the pose of the last one. Otherwise it jumps.
    bool flies_between_cameras_ = false;
    scene::Matrix view_projection_{};                ///< of the last frame
    const scene::MemoryColours* colours_ = nullptr;  ///< of the theme in the last frame
    ItemPicker picker_;
    gl::Picture slots_picture_{map_picture_side};
    gl::Picture output_picture_{map_picture_side};
    std::optional<gl::TimerQuery> draw_query_;
    std::optional<gl::TimerQuery> interface_query_;
    double smooth_frame_s_ = 0;  ///< moving average of the durations of frames
};

}  // namespace warpsieve
