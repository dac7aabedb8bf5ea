#include "app/panels/layout.hpp"

#include <algorithm>
#include <cmath>

namespace warpsieve::panels {
namespace {

// Pixels at 100 %.
constexpr float status_height = 28;
constexpr float tabs_height = 30;
constexpr float splitter_size = 6;
constexpr float min_controls_width = 280;
constexpr float max_controls_width = 560;
constexpr float min_timings_height = 132;
constexpr float max_timings_height = 620;
// The timings shrink to keep this height for the view: a plot with its axes.
constexpr float min_view_height = 150;
// The maximum shares of the window for controls and timings. The view takes the rest.
constexpr float max_controls_share = 0.48F;
constexpr float max_timings_share = 0.54F;

float clamped(float wanted, float min, float max, float available) {
    // Not std::clamp: in a small window the minimum may exceed the maximum.
    const float finite = std::isfinite(wanted) ? wanted : min;
    return std::max(1.0F, std::min({std::max(finite, min), max, available}));
}

int pixels(float at_100_percent, float scale) {
    return static_cast<int>(std::lround(at_100_percent * scale));
}

}  // namespace

float clamped_controls_width(float wanted, gl::PixelSize window, float scale) {
    return clamped(wanted, min_controls_width, max_controls_width,
                   max_controls_share * static_cast<float>(window.width) / scale);
}

float clamped_timings_height(float wanted, gl::PixelSize window, float scale) {
    const float height = static_cast<float>(window.height) / scale;
    const float other_heights = status_height + splitter_size + tabs_height + min_view_height;
    const float available =
        std::min(max_timings_share * height, std::max(height - other_heights, min_timings_height));
    return clamped(wanted, min_timings_height, max_timings_height, available);
}

int divider_column(const Rectangle& view, const Settings& settings) {
    return static_cast<int>(std::lround(settings.window.divider * static_cast<float>(view.width)));
}

Panes lay_out(gl::PixelSize window, const Settings& settings, float scale, float messages_height) {
    const int splitter = pixels(splitter_size, scale);
    const int controls_splitter = settings.window.show_controls ? splitter : 0;
    const int status = std::min(pixels(status_height, scale), window.height);
    const int height = window.height - status;
    const int controls =
        settings.window.show_controls
            ? std::min(pixels(clamped_controls_width(settings.window.controls_width, window, scale), scale),
                       std::max(window.width - splitter, 0))
            : 0;
    const int timings_splitter = settings.window.show_timings ? splitter : 0;
    const int timings =
        settings.window.show_timings
            ? std::min(pixels(clamped_timings_height(settings.window.timings_height, window, scale), scale),
                       std::max(height - splitter, 0))
            : 0;
    const int right = controls + controls_splitter;
    const int right_width = std::max(window.width - right, 0);
    const int above_timings = std::max(height - timings - timings_splitter, 0);
    const int tabs = std::min(pixels(tabs_height, scale), above_timings);
    const int below_tabs = above_timings - tabs;
    const int messages = std::min(static_cast<int>(std::ceil(messages_height)), below_tabs / 3);
    return {.controls = {0, 0, controls, height},
            .controls_splitter = {controls, 0, controls_splitter, height},
            .tabs = {right, 0, right_width, tabs},
            .view = {right, tabs, right_width, below_tabs - messages},
            .messages = {right, above_timings - messages, right_width, messages},
            .timings_splitter = {right, above_timings, right_width, timings_splitter},
            .timings = {right, above_timings + timings_splitter, right_width, timings},
            .status = {0, height, window.width, status}};
}

}  // namespace warpsieve::panels
