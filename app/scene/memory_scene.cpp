#include "app/scene/memory_scene.hpp"

namespace warpsieve::scene {

void describe(const trace::MemoryReplay& replay, const trace::MemoryState&, const MemoryColours&,
              bool at_rest, MemoryScene& scene) {
    const SparseDenseLayout layout = sparse_dense_layout(replay.num_items(), {}, 0);
    scene.input = layout.sparse;
    scene.output = layout.dense;
    scene.at_rest = at_rest;
}

Viewpoint memory_viewpoint() {
    return sparse_dense_viewpoint();
}

std::optional<MemoryHit> hit(const trace::MemoryReplay&, const trace::MemoryState&, const MemoryScene&,
                             const Matrix&, ScreenPoint, float, float) {
    return std::nullopt;
}

MemoryHit follow(const trace::MemoryReplay&, const trace::MemoryState&, const MemoryScene&,
                 std::uint64_t slot) {
    MemoryHit found;
    found.index = slot;
    return found;
}

std::vector<PlacedLabel> place(std::span<const Label>, const Matrix&, float, float, const MeasureLabel&) {
    return {};
}

}  // namespace warpsieve::scene
