// Camera, layout and drawing.
#include "app/application/application.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "app/live/kept_view.hpp"
#include "app/panels/layout.hpp"
#include "app/scene/sources.hpp"
#include "app/scene/two_stage.hpp"

namespace warpsieve {

void Application::view_source() {
    camera_.show(shows_stages() ? scene::two_stage_viewpoint()
                                : scene::source_in_force(settings_.run.source).viewpoint);
}

void Application::place_camera() {
    view_source();
    restore_camera(settings_, camera_);
}

bool Application::shows_stages() const {
    return settings_.window.particles_mode == ParticlesMode::two_stage;
}

/// Software OpenGL blooms only while frames are short. Pictures without a window do not depend on the time,
/// and a paused scene keeps its look.
void Application::choose_detail(double seconds) {
    if (task_.headless || settings_.run.paused || !context_.info().software) return;
    constexpr double weight = 0.05, too_long = 0.033, short_enough = 0.022;
    smooth_frame_s_ += weight * (std::min(seconds, longest_step_seconds) - smooth_frame_s_);
    if (smooth_frame_s_ > too_long) renderer_.set_bloom(false);
    if (smooth_frame_s_ < short_enough) renderer_.set_bloom(true);
}

/// Pictures without a window do not depend on the time, and a paused scene stays as it is.
void Application::move_camera(double seconds) {
    const bool stays = task_.headless || scene_held_ || settings_.run.paused;
    const scene::IdleMotion idle = stays            ? scene::IdleMotion::none
                                   : shows_stages() ? scene::IdleMotion::sway
                                                    : scene::IdleMotion::orbit;
    camera_.advance(camera_input_, seconds, idle, interface_.presents());
    if (camera_input_.any()) keep_camera(camera_.camera(), settings_);
}

Requests Application::lay_out() {
    const Clock::time_point start = Clock::now();
    Requests requests = interface_.build(view_, settings_, context_.size());
    context_.end_interface_frame();
    const double interface_us = seconds_between(start, Clock::now()) * 1e6;
    interface_us_ += 0.1 * (interface_us - interface_us_);
    return requests;
}

void Application::draw_scene(const gl::Rectangle& rectangle) {
    const gl::PixelSize size = context_.size();
    if (size.width <= 0 || size.height <= 0) return;
    frame_clock_.enter(FramePart::draw);
    const gl::ScopedTimer timer(draw_query_ ? &*draw_query_ : nullptr);
    const std::optional<scene::TwoStage> stage = stage_in_force();
    const auto draw = [&](Side side, render::Columns columns) {
        renderer_.draw(run_.drawable(side), camera_.camera(), applied_.window.theme, context_.framebuffer(),
                       size, rectangle, columns, stage ? &*stage : nullptr, &run_.scene(),
                       context_.texture());
    };
    if (applied_.compares()) {
        const int divider = panels::divider_column(rectangle, applied_);
        draw(Side::a, {0, divider});
        draw(Side::b, {divider, rectangle.width});
    } else {
        draw(Side::a, {0, rectangle.width});
    }
}

void Application::draw_panels() {
    frame_clock_.enter(FramePart::panels);
    {
        const gl::ScopedTimer timer(panels_query_ ? &*panels_query_ : nullptr);
        context_.draw_interface();
    }
    frame_clock_.enter(std::nullopt);
}

std::optional<scene::TwoStage> Application::stage_in_force() const {
    if (applied_.window.particles_mode != ParticlesMode::two_stage) return std::nullopt;
    const scene::SourceInfo& source = scene::source_in_force(applied_.run.source);
    return scene::two_stage(run_.slots(), source.viewpoint, run_.scene_seconds());
}

void Application::follow(const Requests& requests) {
    const std::optional<scene::TwoStage> stage = stage_in_force();
    const double kept_share = static_cast<double>(view_.runs.a.num_kept) /
                              static_cast<double>(std::max<std::uint64_t>(run_.slots(), 1));
    picker_.step(run_.scene(), {stage ? &*stage : nullptr, kept_share}, camera_.camera(),
                 interface_.scene_rectangle(context_.size(), settings_), requests, view_.follow);
}

}  // namespace warpsieve
