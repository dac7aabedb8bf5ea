#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/panels/ui.hpp"
#include "app/panels/views/difference_model.hpp"
#include "app/view_model/run_view.hpp"
#include "app/view_model/slot_map_view.hpp"

namespace warpsieve::panels {

struct DifferenceMemory {
    scene::SampleRequest request;
    std::uint64_t places = 0;               ///< that are shown of each output
    std::optional<OutputDifference> shown;  ///< of the pictures
    std::uint64_t painted_serial = 0;
    Paint painted;
    std::vector<std::uint32_t> pixels_a;
    std::vector<std::uint32_t> pixels_b;
};

/// Draws the outputs of A and B side by side, with the places that differ.
void draw_difference(Ui& ui);

}  // namespace warpsieve::panels
