#include "app/application/scene_drawing.hpp"

#include <algorithm>
#include <cstdint>

#include "app/application/frame_pacing.hpp"
#include "app/live/saved_view.hpp"
#include "app/panels/layout.hpp"
#include "app/render/memory_pass.hpp"
#include "app/scene/sources.hpp"

namespace warpsieve {
namespace {

bool shows_sparse_dense(const Settings& settings) {
    return settings.window.particles_mode == ParticlesMode::sparse_dense;
}

/// Whether the idle camera sways instead of orbiting. A picture must be seen from the front.
bool sways(const Settings& settings) {
    return shows_sparse_dense(settings) || scene::effective_source(settings.run.source).has_picture;
}

/// Moves the camera to where it starts without a saved pose.
void move_to_home(const Settings& settings, scene::CameraMotion& camera) {
    camera.show(shows_sparse_dense(settings) ? scene::sparse_dense_viewpoint()
                                             : scene::effective_source(settings.run.source).viewpoint);
}

/// The layout of the sparse and the dense array; empty if the settings do not show them.
std::optional<scene::SparseDenseLayout> sparse_dense_of(const LiveRun& run, const Settings& applied) {
    if (!shows_sparse_dense(applied)) return std::nullopt;
    const scene::SourceInfo& source = scene::effective_source(applied.run.source);
    return scene::sparse_dense_layout(run.slots(), source.viewpoint, run.scene_seconds(),
                                      run.scene().stream.columns);
}

gl::TimerQuery* pointer_to(std::optional<gl::TimerQuery>& query) {
    return query ? &*query : nullptr;
}

}  // namespace

SceneDrawing::SceneDrawing(gl::Context& context) : context_(context), renderer_(context.info()) {
    if (context.info().software) return;
    draw_query_.emplace();
    interface_query_.emplace();
}

void SceneDrawing::place_camera(const Settings& settings) {
    move_to_home(settings, camera_);
    restore_camera(settings, camera_);
}

void SceneDrawing::point_camera(const std::optional<scene::Viewpoint>& goal, bool at_once,
                                const Settings& settings) {
    if (goal == goal_) return;
    goal_ = goal;
    flies_between_cameras_ = !at_once;
    scene::CameraMotion& pointed = in_slow_motion_ ? memory_camera_ : camera_;
    if (goal) {
        pointed.fly_to(*goal);
    } else {
        const scene::Camera start = camera_.camera();
        place_camera(settings);  // also while camera_ is not in use, for the next change of cameras
        if (in_slow_motion_) {
            memory_camera_.fly_to(scene::memory_viewpoint());
        } else {
            camera_.fly_from(start);
        }
    }
    if (at_once) pointed.land();
}

void SceneDrawing::change_camera(bool in_slow_motion) {
    if (in_slow_motion == in_slow_motion_) return;
    const scene::Camera last_pose = camera();
    in_slow_motion_ = in_slow_motion;
    scene::CameraMotion& next = in_slow_motion ? memory_camera_ : camera_;
    if (in_slow_motion) memory_camera_.show(scene::memory_viewpoint());
    if (goal_) next.fly_to(*goal_);
    if (flies_between_cameras_) {
        next.fly_from(last_pose);
    } else {
        next.land();
    }
    if (!goal_) flies_between_cameras_ = false;  // this was the way back from a goal
}

void SceneDrawing::view_source(Settings& settings) {
    move_to_home(settings, camera_);
    save_camera(camera_.camera(), settings);
}

void SceneDrawing::move_camera(const scene::CameraInput& input, double seconds, bool by_mouse_only,
                               bool idle_at_once, Settings& settings) {
    if (in_slow_motion_) return memory_camera_.advance(input, seconds, scene::IdleMotion::none);
    const scene::IdleMotion idle = by_mouse_only     ? scene::IdleMotion::none
                                   : sways(settings) ? scene::IdleMotion::sway
                                                     : scene::IdleMotion::orbit;
    camera_.advance(input, seconds, idle, idle_at_once);
    if (input.any()) save_camera(camera_.camera(), settings);
}

void SceneDrawing::choose_detail(double frame_seconds) {
    if (!context_.info().software) return;
    constexpr double weight = 0.05, max_s_with_bloom = 0.033, max_s_to_switch_on = 0.022;
    smooth_frame_s_ += weight * (std::min(frame_seconds, FramePacing::max_step_seconds) - smooth_frame_s_);
    if (smooth_frame_s_ > max_s_with_bloom) renderer_.set_bloom(false);
    if (smooth_frame_s_ < max_s_to_switch_on) renderer_.set_bloom(true);
}

void SceneDrawing::upload(const SlotMapRequest& request) {
    if (request.picture.width <= 0) return;
    slots_picture_.upload(request.picture, request.slots_pixels);
    output_picture_.upload(request.picture, request.output_pixels);
}

void SceneDrawing::answer_picks(const LiveRun& run, const Settings& applied, const gl::Rectangle& area,
                                const Requests& requests, Snapshot& snapshot) {
    const std::optional<scene::SparseDenseLayout> sparse_dense = sparse_dense_of(run, applied);
    const double kept_share = static_cast<double>(snapshot.runs.a.num_kept) /
                              static_cast<double>(std::max<std::uint64_t>(run.slots(), 1));
    picker_.step(run.scene(), {sparse_dense ? &*sparse_dense : nullptr, kept_share}, camera(), area, requests,
                 snapshot.follow);
}

void SceneDrawing::draw_scene(LiveRun& run, const Settings& applied, const gl::Rectangle& rectangle,
                              const MemoryRequest* memory) {
    const gl::PixelSize size = context_.size();
    if (size.width <= 0 || size.height <= 0) return;
    const gl::ScopedTimer timer(pointer_to(draw_query_));
    const bool in_slow_motion = memory && memory->in_slow_motion && memory->scene;
    change_camera(in_slow_motion);
    colours_ = &render::memory_colours(applied.window.theme);
    if (rectangle.height > 0)
        view_projection_ = camera().view_projection(static_cast<float>(rectangle.width) /
                                                    static_cast<float>(rectangle.height));
    const render::Columns all_columns{0, rectangle.width};
    if (in_slow_motion) {
        renderer_.draw_memory(*memory->scene, camera(), applied.window.theme, context_.framebuffer(), size,
                              rectangle, all_columns);
        return;
    }
    const std::optional<scene::SparseDenseLayout> sparse_dense = sparse_dense_of(run, applied);
    const auto draw = [&](Side side, render::Columns columns) {
        renderer_.draw(run.drawable(side), camera(), applied.window.theme, context_.framebuffer(), size,
                       rectangle, columns, sparse_dense ? &*sparse_dense : nullptr, &run.scene(),
                       context_.texture());
    };
    if (applied.compares()) {
        const int divider = panels::divider_column(rectangle, applied);
        draw(Side::a, {0, divider});
        draw(Side::b, {divider, rectangle.width});
    } else {
        draw(Side::a, all_columns);
    }
    if (sparse_dense && memory && memory->scene)
        renderer_.draw_memory(*memory->scene, camera(), applied.window.theme, context_.framebuffer(), size,
                              rectangle, all_columns);
}

void SceneDrawing::draw_interface() {
    const gl::ScopedTimer timer(pointer_to(interface_query_));
    context_.draw_interface();
}

void SceneDrawing::fill_textures(SlotMapData& map) const {
    map.slots_texture = slots_picture_.name();
    map.output_texture = output_picture_.name();
}

void SceneDrawing::fill(MemoryData& memory) const {
    memory.colours = colours_;
    memory.view_projection = view_projection_;
}

void SceneDrawing::add_device_times(FrameClock& clock) {
    const auto take = [&clock](std::optional<gl::TimerQuery>& query, FramePart part) {
        while (const auto us = query ? query->poll_us() : std::nullopt) clock.add_device_time(part, *us);
    };
    take(draw_query_, FramePart::draw);
    take(interface_query_, FramePart::panels);
}

}  // namespace warpsieve
