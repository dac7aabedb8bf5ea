#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/figures.hpp"
#include "app/panels/view_panel.hpp"
#include "app/panels/views/slot_map_paint.hpp"
#include "app/panels/views/slot_map_scene.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using format::grouped;

/// The layout of the slot map.
struct MapLayout {
    Rect header;
    Rect overview;
    Rect slots;   ///< room for the picture of the slots
    Rect gutter;  ///< fills the room between the pictures
    Rect output;  ///< room for the picture of the output
    Rect footer;
};

MapLayout lay_out_map(const Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    const float padding = ui.px(10);
    const float left = static_cast<float>(pane.x) + padding;
    const float right = static_cast<float>(pane.x + pane.width) - padding;
    const float top = static_cast<float>(pane.y);
    const float bottom = std::max(top, static_cast<float>(pane.y + pane.height) - room_for_follow_strip(ui));
    const float header_height = ui.px(lacks_height(ui) ? 24 : 42);
    const float footer_height = ui.px(lacks_height(ui) ? 26 : 34);
    const float overview_width = ui.px(10);
    const float gap = ui.px(6);
    const float usable_width = std::max(right - left - overview_width - gap, 0.0F);
    const float gutter_width = std::clamp(usable_width * 0.26F, ui.px(110), ui.px(420));
    const float picture_width = std::floor(std::max((usable_width - gutter_width) / 2, 0.0F));
    const float picture_top = top + header_height;
    const float picture_bottom = std::max(bottom - footer_height, picture_top);
    const float slots_left = left + overview_width + gap;
    return {.header = {{left, top}, {right, picture_top}},
            .overview = {{left, picture_top}, {left + overview_width, picture_bottom}},
            .slots = {{slots_left, picture_top}, {slots_left + picture_width, picture_bottom}},
            .gutter = {{slots_left + picture_width, picture_top}, {right - picture_width, picture_bottom}},
            .output = {{right - picture_width, picture_top}, {right, picture_bottom}},
            .footer = {{left, picture_bottom}, {right, bottom}}};
}

MapRoom room_of(const Rect& box) {
    return {static_cast<std::uint32_t>(std::max(box.width(), 0.0F)),
            static_cast<std::uint32_t>(std::max(box.height(), 0.0F))};
}

/// The current grid. Clamps the settings to this window and this stream.
std::optional<SlotGrid> current_grid(Ui& ui, const std::vector<SlotGrid>& ladder) {
    if (ladder.empty()) return {};
    Settings& settings = ui.settings;
    settings.window.slot_map_zoom =
        std::min(settings.window.slot_map_zoom, static_cast<std::uint32_t>(ladder.size() - 1));
    const SlotGrid grid = ladder[settings.window.slot_map_zoom];
    settings.window.slot_map_first =
        aligned_first(grid, settings.window.slot_map_first, ui.snapshot.stream.slots);
    return grid;
}

/// The side of a cell of a sample in pixels: that of the grid it was requested with, or what fits if the
/// grids have changed since.
float cell_pixels(const std::vector<SlotGrid>& ladder, const scene::SlotWindow& window, const Rect& room) {
    for (const SlotGrid& grid : ladder) {
        if (grid.columns == window.columns && grid.rows == window.rows) {
            return static_cast<float>(grid.cell_pixels);
        }
    }
    const float fitting = std::min(room.width() / static_cast<float>(window.columns),
                                   room.height() / static_cast<float>(window.rows));
    return std::max(std::floor(fitting), 1.0F);
}

MapScene make_scene(const Ui& ui, const MapLayout& layout, const std::vector<SlotGrid>& ladder,
                    const scene::SlotSample& sample, const trace::TracedRun* run,
                    const trace::StreamParts& stream) {
    const scene::SlotWindow& window = sample.request.window;
    const float cell_side = cell_pixels(ladder, window, layout.slots);
    const ImVec2 size{static_cast<float>(window.columns) * cell_side,
                      static_cast<float>(window.rows) * cell_side};
    const ImVec2 output_low{layout.output.high.x - size.x, layout.output.low.y};
    return {
        .sample = sample,
        .run = run,
        .stream = stream,
        .bars = bars_of(stream.groups, window, min_rows_per_bar(ui, cell_side)),
        .cell_side = cell_side,
        .slots = {layout.slots.low, {layout.slots.low.x + size.x, layout.slots.low.y + size.y}},
        .output = {output_low, {output_low.x + size.x, output_low.y + size.y}},
        .gutter = {{layout.slots.low.x + size.x, layout.gutter.low.y}, {output_low.x, layout.gutter.high.y}}};
}

/// Draws a picture whose first cell begins at slot or output index `first`.
void draw_picture(Ui& ui, const MapScene& map, const Rect& box, unsigned texture, std::uint64_t first) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const scene::SlotWindow& window = map.window();
    const ImVec2 texture_end{static_cast<float>(window.columns) / static_cast<float>(map_picture_side),
                             static_cast<float>(window.rows) / static_cast<float>(map_picture_side)};
    list.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture)), box.low, box.high,
                  {0, 0}, texture_end);
    // Covers the cells past the last slot.
    if (const auto end = cell_of(window, first, map.sample.slots)) {
        const Rect end_cell = map.cell_box(box, *end);
        list.AddRectFilled(end_cell.low, {box.high.x, end_cell.high.y}, ui.palette().panel);
        if (end_cell.high.y < box.high.y) {
            list.AddRectFilled({box.low.x, end_cell.high.y}, box.high, ui.palette().panel);
        }
    }
    list.AddRect({box.low.x - 1, box.low.y - 1}, {box.high.x + 1, box.high.y + 1}, ui.palette().outline);
}

/// Draws the kept fraction along the stream, and a frame around the visible part. A click or drag moves the
/// frame to the mouse.
void draw_overview(Ui& ui, const SlotGrid& grid, const Rect& box, std::span<const trace::PartGroup> groups) {
    Settings& settings = ui.settings;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    ImGui::SetCursorScreenPos(box.low);
    invisible_button("##overview", {box.width(), box.height()});
    ui.controls.record_item("slot map: overview");
    ui.tooltips.offer_item(ui.style,
                           "The whole stream from top to bottom; fuller parts are brighter. The frame "
                           "marks the visible part: click or drag to move it.");
    const std::uint64_t slots = ui.snapshot.stream.slots;
    if (ImGui::IsItemActive()) {
        const float share =
            std::clamp((ImGui::GetIO().MousePos.y - box.low.y) / std::max(box.height(), 1.0F), 0.0F, 1.0F);
        const auto slot = static_cast<std::uint64_t>(static_cast<double>(share) * static_cast<double>(slots));
        constexpr float middle = 0.5F;
        settings.window.slot_map_first = first_around(grid, slot, middle, slots);
    }
    list.AddRectFilled(box.low, box.high, palette.raised);
    const auto y_of = [&](std::uint64_t slot) {
        const double share =
            static_cast<double>(slot) / static_cast<double>(std::max<std::uint64_t>(slots, 1));
        return std::round(box.low.y + static_cast<float>(share) * box.height());
    };
    // The whole stream as one column of cells. A bar spans at least one of them.
    constexpr std::uint32_t rows = 64;
    const scene::SlotWindow whole{0, 1, rows, static_cast<std::uint32_t>(slots / rows + 1)};
    constexpr float min_rows_of_bar = 1;
    for (const PartBar& bar : bars_of(groups, whole, min_rows_of_bar)) {
        if (!bar.count) continue;
        const float share = static_cast<float>(*bar.count) / static_cast<float>(bar.end - bar.begin);
        list.AddRectFilled({box.low.x, y_of(bar.begin)}, {box.high.x, y_of(bar.end)},
                           plots::mix(palette.background, palette.label, share));
    }
    const float shown_top = y_of(settings.window.slot_map_first);
    const float shown_bottom =
        std::max(y_of(std::min(settings.window.slot_map_first + grid.slots(), slots)), shown_top + ui.px(4));
    list.AddRect({box.low.x - 1, shown_top - 1}, {box.high.x + 1, shown_bottom + 1}, palette.accent, 0,
                 ImDrawFlags_None, std::max(2.0F, ui.px(2)));
}

/// The sparse buffer and the compacted one side by side, with bands from each part to its output.
class SlotMapPanel : public ViewPanel {
  public:
    void draw(Ui& ui) override;

  private:
    void request_sample(Ui& ui, const SlotGrid& grid, const std::optional<HoveredCell>& hovered);
    void follow_trace(Ui& ui);
    void repaint(Ui& ui, const scene::SlotSample& sample);
    void handle_mouse(Ui& ui, const std::vector<SlotGrid>& ladder, const SlotGrid& grid, const Rect& picture,
                      const char* name);
    void draw_map(Ui& ui, const MapLayout& layout, const std::vector<SlotGrid>& ladder, const SlotGrid& grid);

    float dragged_rows_ = 0;  ///< fraction of a row that a drag has moved the mouse, but not yet the picture
    scene::SampleRequest request_;
    std::shared_ptr<const trace::TracedRun> run_;  ///< trace of the sample's frame; null if there is none
    trace::StreamParts stream_;                    ///< parts of the stream in run_
    std::vector<std::uint32_t> slot_pixels_;
    std::vector<std::uint32_t> output_pixels_;
    std::uint64_t painted_serial_ = 0;
    Paint painted_;
};

/// The slots in a row of the picture that the stream shows; 0 without a picture.
std::uint64_t picture_columns_of(const Ui& ui) {
    const workloads::Picture* const picture = ui.settings.run.shown_picture();
    return picture ? workloads::picture_columns(*picture, ui.snapshot.stream.slots) : 0;
}

/// Requests a sample of the visible slots, and a search in the output for the hovered item, else the pinned
/// one.
void SlotMapPanel::request_sample(Ui& ui, const SlotGrid& grid, const std::optional<HoveredCell>& hovered) {
    const FollowState& follow = ui.follow;
    const bool wants_hovered_item = hovered && !hovered->in_output;
    request_ = {{ui.settings.window.slot_map_first, grid.columns, grid.rows, grid.slots_per_cell},
                wants_hovered_item ? hovered->cell.first_handle : 0};
    if (!wants_hovered_item && follow.pinned && *follow.pinned < ui.snapshot.stream.slots)
        request_.wanted_handle = scene::handle_of(static_cast<std::uint32_t>(*follow.pinned));
    ui.requests.slot_map.emplace().sample = &request_;
    ui.requests.slot_map->with_trace = true;
}

/// Reads a new trace. The parts of a stream of another length are dropped.
void SlotMapPanel::follow_trace(Ui& ui) {
    const SlotMapData& map = ui.snapshot.slot_map;
    if (run_ == map.traced) return;
    run_ = map.traced;
    stream_ = run_ ? trace::stream_parts(*run_) : trace::StreamParts();
    if (!stream_.groups.empty() && stream_.groups.back().end != ui.snapshot.stream.slots) stream_ = {};
}

/// Repaints the pictures if the sample or the colours have changed.
void SlotMapPanel::repaint(Ui& ui, const scene::SlotSample& sample) {
    const scene::SlotWindow& window = sample.request.window;
    const std::uint64_t slots_from_first = sample.slots - std::min(sample.slots, window.first_slot);
    const Paint wanted{.theme = ui.settings.window.theme,
                       .colour = ui.settings.window.slot_map_colour,
                       .first_slot = window.first_slot,
                       .slots = std::min(window.row_slots() * window.rows, slots_from_first),
                       .slots_per_cell = window.slots_per_cell,
                       .ordered = sample.algorithm->stable};
    if (painted_serial_ == sample.serial && painted_ == wanted) return;
    painted_serial_ = sample.serial;
    painted_ = wanted;
    paint(sample.in, wanted, slot_pixels_);
    paint(sample.out, wanted, output_pixels_);
    SlotMapRequest& request = *ui.requests.slot_map;
    request.picture = {static_cast<int>(window.columns), static_cast<int>(window.rows)};
    request.slots_pixels = slot_pixels_;
    request.output_pixels = output_pixels_;
}

/// Handles the mouse over a picture: the wheel zooms around it, a drag moves, a double-click shows the whole
/// stream.
void SlotMapPanel::handle_mouse(Ui& ui, const std::vector<SlotGrid>& ladder, const SlotGrid& grid,
                                const Rect& picture, const char* name) {
    Settings& settings = ui.settings;
    ImGui::SetCursorScreenPos(picture.low);
    invisible_button(name, {picture.width(), picture.height()});
    ui.controls.record_item(name);
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActive() && io.MouseDelta.y != 0) {
        dragged_rows_ -= io.MouseDelta.y / static_cast<float>(grid.cell_pixels);
        const float whole_rows = std::trunc(dragged_rows_);
        dragged_rows_ -= whole_rows;
        const double first = static_cast<double>(settings.window.slot_map_first) +
                             static_cast<double>(whole_rows) * static_cast<double>(grid.row_slots());
        settings.window.slot_map_first =
            aligned_first(grid, static_cast<std::uint64_t>(std::max(first, 0.0)), ui.snapshot.stream.slots);
    }
    if (!ImGui::IsItemHovered()) return;
    if (io.MouseWheel != 0) {
        const bool zooms_in = io.MouseWheel > 0;
        const bool can_zoom =
            zooms_in ? settings.window.slot_map_zoom + 1 < ladder.size() : settings.window.slot_map_zoom > 0;
        if (can_zoom) {
            const float share = (io.MousePos.y - picture.low.y) / std::max(picture.height(), 1.0F);
            const auto row =
                static_cast<std::uint64_t>(std::max(share, 0.0F) * static_cast<float>(grid.rows));
            const std::uint64_t slot = settings.window.slot_map_first + row * grid.row_slots();
            settings.window.slot_map_zoom =
                zooms_in ? settings.window.slot_map_zoom + 1 : settings.window.slot_map_zoom - 1;
            settings.window.slot_map_first =
                first_around(ladder[settings.window.slot_map_zoom],
                             std::min(slot, ui.snapshot.stream.slots - 1), share, ui.snapshot.stream.slots);
        }
    }
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        settings.window.slot_map_zoom = 0;
        settings.window.slot_map_first = 0;
    }
}

void SlotMapPanel::draw_map(Ui& ui, const MapLayout& layout, const std::vector<SlotGrid>& ladder,
                            const SlotGrid& grid) {
    const ImVec2 size{static_cast<float>(grid.columns * grid.cell_pixels),
                      static_cast<float>(grid.rows * grid.cell_pixels)};
    const Rect slots{layout.slots.low, {layout.slots.low.x + size.x, layout.slots.low.y + size.y}};
    const Rect output{{layout.output.high.x - size.x, slots.low.y}, {layout.output.high.x, slots.high.y}};
    handle_mouse(ui, ladder, grid, slots, "slot map: sparse");
    const bool over_slots = ImGui::IsItemHovered() && !ImGui::IsItemActive();
    const bool clicked_slots = clicked_without_drag();
    handle_mouse(ui, ladder, grid, output, "slot map: compacted");
    const bool over_output = ImGui::IsItemHovered() && !ImGui::IsItemActive();
    const bool clicked_output = clicked_without_drag();
    follow_trace(ui);
    draw_overview(ui, grid, layout.overview, stream_.groups);
    const scene::SlotSample* sample = ui.snapshot.slot_map.sample.get();
    if (!sample || sample->slots != ui.snapshot.stream.slots) {
        request_sample(ui, grid, std::nullopt);
        draw_footer(ui, layout.footer, nullptr);
        return;
    }
    const MapScene map = make_scene(ui, layout, ladder, *sample, run_.get(), stream_);
    std::optional<HoveredCell> hovered;
    if (over_slots || over_output) hovered = hovered_cell(map, ImGui::GetIO().MousePos);
    request_sample(ui, grid, hovered);
    repaint(ui, *sample);
    draw_picture(ui, map, map.slots, ui.snapshot.slot_map.slots_texture, map.window().first_slot);
    draw_picture(ui, map, map.output, ui.snapshot.slot_map.output_texture, sample->first_output_index);
    draw_bars(ui, map);
    draw_boundaries(ui, map);
    draw_header(ui, layout.header.low.y, layout.header.high.y, map);
    draw_footer(ui, layout.footer, &map);
    FollowState& follow = ui.follow;
    if (hovered && hovered->item) {
        follow.under_mouse = hovered->item->slot;
        if (clicked_slots || clicked_output) follow.pinned = hovered->item->slot;
    }
    if (follow.pinned) {
        draw_followed(ui, map, *follow.pinned);
        ui.controls.record("followed in map", map.slots.low, map.output.high);
    }
    if (hovered) draw_hovered(ui, map, *hovered);
}

void SlotMapPanel::draw(Ui& ui) {
    const Rectangle& pane = ui.panes.view;
    if (pane.width <= 0 || pane.height <= 0) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.palette().background);
    begin_pane("slot map", pane, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const MapLayout layout = lay_out_map(ui);
    const auto max_cell_pixels = static_cast<std::uint32_t>(std::max(ui.px(24), 1.0F));
    const std::vector<SlotGrid> ladder =
        zoom_ladder(room_of(layout.slots), ui.snapshot.stream.slots, max_cell_pixels, picture_columns_of(ui));
    if (const auto grid = current_grid(ui, ladder)) {
        draw_map(ui, layout, ladder, *grid);
    } else {
        draw_title(ui, layout.header, "The slot map does not fit", "Make the window or this view larger.");
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

}  // namespace

ViewType slot_map_view() {
    return {.name = "Slot map",
            .meaning =
                "The sparse buffer beside the compacted one, slot by slot, with the algorithm's parts "
                "marked. Point at a slot to see which block moves its item, and where to.",
            .says_why_empty = true,
            .make = make_panel<SlotMapPanel>};
}

}  // namespace warpsieve::panels
