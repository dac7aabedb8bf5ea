#include "app/live/item_picker.hpp"

#include <algorithm>

namespace warpsieve {
namespace {

/// Minimum time between the starts of two picks: the longer of this time, and this many times the duration of
/// the last pick.
constexpr auto min_pick_period = std::chrono::milliseconds(50);
constexpr int min_pick_period_in_picks = 8;
/// Maximum distance from the mouse to a particle, in half heights of the view.
constexpr float reach = 0.03F;

}  // namespace

void ItemPicker::step(const scene::Frame& frame, const scene::Placement& placement,
                      const scene::Camera& camera, const gl::Rectangle& area, const Requests& requests,
                      FollowResult& result) {
    auto& [particle_marker, slot_marker, output_marker] = result.markers;
    result.markers = {};
    if (!requests.pick) {
        result.picked.reset();
        result.picked_output_index.reset();
    }
    if (area.width <= 0 || area.height <= 0) return;
    const auto width = static_cast<float>(area.width);
    const auto height = static_cast<float>(area.height);
    const auto left = static_cast<float>(area.x);
    const auto top = static_cast<float>(area.y);
    const scene::Matrix projection = camera.view_projection(width / height);
    const auto on_screen = [&](const scene::Vector& position) -> std::optional<WindowPoint> {
        const auto at = scene::project(projection, position);
        if (!at) return std::nullopt;
        return WindowPoint{left + (at->x + 1) / 2 * width, top + (1 - at->y) / 2 * height};
    };
    if (requests.locate && *requests.locate < frame.slots) {
        const auto position = scene::locate(frame, *requests.locate);
        if (position) particle_marker = on_screen(placement.drawn_position(*requests.locate, *position));
        if (placement.sparse_dense) {
            const scene::CellField& sparse = placement.sparse_dense->sparse;
            const scene::CellField& dense = placement.sparse_dense->dense;
            slot_marker =
                on_screen(sparse.centre(sparse.cell_of(static_cast<std::uint32_t>(*requests.locate))));
            if (position && requests.locate_output_index)
                output_marker = on_screen(
                    dense.centre(dense.cell_of(static_cast<std::uint32_t>(*requests.locate_output_index))));
        }
    }
    const Clock::time_point start = Clock::now();
    if (!requests.pick ||
        start - last_pick_ <
            std::max<Clock::duration>(min_pick_period, pick_duration_ * min_pick_period_in_picks))
        return;
    const scene::ScreenPoint point{(requests.pick->x - left) / width * 2 - 1,
                                   1 - (requests.pick->y - top) / height * 2};
    const scene::Picked picked = scene::pick(frame, {.view_projection = projection,
                                                     .placement = placement,
                                                     .point = point,
                                                     .aspect = width / height,
                                                     .reach = reach,
                                                     .turn = turn_++});
    result.picked = picked.slot;
    result.picked_output_index = picked.output_index;
    pick_duration_ = Clock::now() - start;
    last_pick_ = start;
}

}  // namespace warpsieve
