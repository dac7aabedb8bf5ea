#include "app/scene/pick.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>

#include "app/scene/sources.hpp"

namespace warpsieve::scene {
namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};

struct Nearest {
    float squared_distance;  // half heights of the view
    std::uint64_t index;     // slot, or index of the output
};

Nearest nearer(const Nearest& a, const Nearest& b) {
    return b.squared_distance < a.squared_distance ? b : a;
}

/// The first item of the nearest cell of an array, if it is nearer than `nearest`.
Nearest nearest_cell(const CellField& field, std::uint64_t items, const PickQuery& query, Nearest nearest) {
    for (std::uint32_t cell = 0; cell < field.cells; ++cell) {
        const std::uint64_t item = field.item_of(cell);
        if (item >= items) continue;
        nearest =
            nearer(nearest,
                   {squared_distance_to(query.view_projection, field.centre(cell), query.point, query.aspect),
                    item});
    }
    return nearest;
}

}  // namespace

Vector Placement::drawn_position(std::uint64_t slot, const Position& position) const {
    if (!sparse_dense) return {position.x, position.y, position.z};
    const double rank = static_cast<double>(slot) * kept_fraction;
    return sparse_dense->risen_position(static_cast<std::uint32_t>(rank), position);
}

std::optional<Position> locate(const Frame& frame, std::uint64_t slot) {
    if (!frame.source || slot >= frame.slots) return std::nullopt;
    std::optional<Position> found;
    visit_source(frame, [&](const auto& source) {
        const auto index = static_cast<std::uint32_t>(slot);
        if (source.is_live(index)) found = source.position_of(index);
    });
    return found;
}

std::optional<ScreenPoint> project(const Matrix& m, const Vector& p) {
    const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    if (w <= 0) return std::nullopt;
    const ScreenPoint at{(m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w,
                         (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w};
    const bool visible = std::abs(at.x) <= 1 && std::abs(at.y) <= 1;
    return visible ? std::optional(at) : std::nullopt;
}

float squared_distance_to(const Matrix& view_projection, const Vector& position, ScreenPoint point,
                          float aspect) {
    const auto at = project(view_projection, position);
    constexpr float beyond_any_reach = 1e9F;
    if (!at) return beyond_any_reach;
    const float x = (at->x - point.x) * aspect, y = at->y - point.y;
    return x * x + y * y;
}

Picked pick(const Frame& frame, const PickQuery& query) {
    if (!frame.source || frame.slots == 0 || query.max_slots == 0) return {};
    const Nearest out_of_reach{query.reach * query.reach, none};
    const std::uint64_t stride = (frame.slots + query.max_slots - 1) / query.max_slots;
    const std::uint64_t first_slot = query.turn % stride;
    const std::uint64_t num_steps = (frame.slots - first_slot + stride - 1) / stride;
    constexpr std::uint64_t grain = 4096;
    Nearest nearest_slot = out_of_reach;
    visit_source(frame, [&](const auto& source) {
        nearest_slot = tbb::parallel_reduce(
            tbb::blocked_range<std::uint64_t>(0, num_steps, grain), out_of_reach,
            [&](const auto& range, Nearest best) {
                for (std::uint64_t step = range.begin(); step < range.end(); ++step) {
                    const std::uint64_t slot = first_slot + step * stride;
                    const auto index = static_cast<std::uint32_t>(slot);
                    if (!source.is_live(index)) continue;
                    const Vector drawn = query.placement.drawn_position(slot, source.position_of(index));
                    best = nearer(
                        best,
                        {squared_distance_to(query.view_projection, drawn, query.point, query.aspect), slot});
                }
                return best;
            },
            nearer);
    });
    Picked picked;
    if (query.placement.sparse_dense) {
        const auto kept =
            static_cast<std::uint64_t>(static_cast<double>(frame.slots) * query.placement.kept_fraction);
        nearest_slot = nearest_cell(query.placement.sparse_dense->sparse, frame.slots, query, nearest_slot);
        const Nearest output = nearest_cell(query.placement.sparse_dense->dense, kept, query, nearest_slot);
        if (output.squared_distance < nearest_slot.squared_distance) {
            picked.output_index = output.index;
            return picked;
        }
    }
    if (nearest_slot.index != none) picked.slot = nearest_slot.index;
    return picked;
}

}  // namespace warpsieve::scene
