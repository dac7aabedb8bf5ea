#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string>

#include "app/panels/views/slot_map.hpp"
#include "app/panels/views/slot_map_model.hpp"

/// The pieces that the slot map is drawn from.
namespace warpsieve::panels {

/// A sample on the screen.
struct MapScene {
    const scene::SlotSample& sample;
    compaction::Partition parts;  ///< drawn_parts of the sample's
    std::vector<PartBar> bars;
    float cell = 1;  ///< pixels of a cell
    Box slots;       ///< picture of the sparse buffer
    Box places;      ///< picture of the output
    Box gutter;      ///< between them

    bool ordered() const { return sample.algorithm->stable; }
    const scene::SlotWindow& window() const { return sample.request.window; }
    float slot_y(std::uint64_t slot) const;
    float place_y(std::uint64_t place) const;
    /// The square of a cell.
    Box cell_box(const Box& picture, CellPlace at) const;
};

/// Lines between the parts: those of the algorithm over the slots, those of the bars over the places.
/// `step`: every so many boundaries.
void draw_boundaries(PanelFrame& frame, const MapScene& map, std::uint64_t step);

/// A bar for the parts beside their rows, how many of their slots they keep, and the band that leads to their
/// place in the output.
void draw_bars(PanelFrame& frame, const MapScene& map);

/// What the mouse points at: a slot or group of slots, or a place or group of places, and the item there.
struct Pointed {
    bool in_output = false;
    CellPlace at{};
    scene::SlotCell cell;
    std::uint64_t position = 0;         ///< first slot or place of the cell
    std::optional<std::uint64_t> slot;  ///< of the first item; of the cell where it is empty
    std::optional<std::uint64_t> part;
    std::optional<std::uint64_t> place;  ///< in the output, as far as known
    bool place_is_found = false;         ///< it was seen there; else it follows from the count before it
    bool missing = false;                ///< it was looked for in the output and is not there
};
std::optional<Pointed> pointed_at(const MapScene& map, ImVec2 mouse);

/// The slot, its part, its place and the line between them, with a card of figures at the mouse.
void draw_pointed(PanelFrame& frame, const MapScene& map, const Pointed& pointed);

/// Whether there is no height to spare for second lines.
bool is_low(const PanelFrame& frame);

/// How many rows of cells make a bar high enough for a line of text.
float rows_per_bar(const PanelFrame& frame, float cell);

/// A title with figures beneath it, both cut to the width of the box.
void draw_title(PanelFrame& frame, const Box& box, const std::string& title, const std::string& figures);

/// What the three columns are, between the heights `top` and `bottom`.
void draw_header(PanelFrame& frame, float top, float bottom, const MapScene& map);

/// What the colours mean, with the choice of them, and how much a cell stands for; `map` is null before the
/// first sample.
void draw_footer(SlotMapFrame& frame, const Box& box, const MapScene* map);

}  // namespace warpsieve::panels
