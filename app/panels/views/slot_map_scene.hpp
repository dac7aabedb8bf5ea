#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string>

#include "app/panels/follow_model.hpp"
#include "app/panels/ui.hpp"
#include "app/panels/views/slot_map_model.hpp"

/// The drawing functions of the slot map.
namespace warpsieve::panels {

/// A sample on the screen.
struct MapScene {
    const scene::SlotSample& sample;
    const trace::TracedRun* run;       ///< trace of the sample's frame; null if there is none
    const trace::StreamParts& stream;  ///< parts of the stream in `run`; empty without a run
    std::vector<PartBar> bars;
    float cell_side = 1;  ///< in pixels
    Rect slots;           ///< picture of the sparse buffer
    Rect output;          ///< picture of the output
    Rect gutter;          ///< space between the pictures

    bool ordered() const { return sample.algorithm->stable; }
    const scene::SlotWindow& window() const { return sample.request.window; }
    float slot_y(std::uint64_t slot) const;
    float output_y(std::uint64_t output_index) const;
    /// The square of a cell.
    Rect cell_box(const Rect& picture, CellPosition at) const;
};

/// Draws boundaries between parts: those of the trace over the slots, those of `map.bars` over the output.
void draw_boundaries(Ui& ui, const MapScene& map);

/// Draws a bar beside the rows of each part, its count, and the band to its position in the output.
void draw_bars(Ui& ui, const MapScene& map);

/// The cell under the mouse: its slots or output indices, and its first item.
struct HoveredCell {
    bool in_output = false;
    scene::SlotCell cell;
    std::uint64_t position = 0;  ///< first slot or output index of the cell
    /// The first item; for an empty cell of the input, its first slot; nullopt for an empty cell of the
    /// output.
    std::optional<FollowedItem> item;
};
std::optional<HoveredCell> hovered_cell(const MapScene& map, ImVec2 mouse);

/// Marks the slot, its part and its output cell, draws a line between them, and a card of figures at the
/// mouse.
void draw_hovered(Ui& ui, const MapScene& map, const HoveredCell& hovered);

/// Like draw_hovered(), for the slot that is followed, without a card.
void draw_followed(Ui& ui, const MapScene& map, std::uint64_t slot);

/// Whether the view is not high enough for the second line of titles.
bool lacks_height(const Ui& ui);

/// The minimum number of rows of cells that a bar spans, so that a line of text fits into it.
float min_rows_per_bar(const Ui& ui, float cell_side);

/// Draws a title with figures beneath it, both cut to the width of the box.
void draw_title(Ui& ui, const Rect& box, const std::string& title, const std::string& figures);

/// Draws the titles of the three columns between `top` and `bottom`.
void draw_header(Ui& ui, float top, float bottom, const MapScene& map);

/// Draws the colour key with its choices, and the number of slots per cell. `map`: null before the first
/// sample.
void draw_footer(Ui& ui, const Rect& box, const MapScene* map);

}  // namespace warpsieve::panels
