#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>

#include "app/gl/pixels.hpp"
#include "app/scene/slot_sample.hpp"
#include "app/view_model/snapshot.hpp"

/// One item, followed through all views: the one under the mouse, or the one that was clicked.
namespace warpsieve::panels {

struct Ui;

struct FollowState {
    std::optional<std::uint64_t> pinned;     ///< slot that was clicked
    std::optional<std::uint64_t> suggested;  ///< slot that the welcome card or the tour follows
    /// The slot under the mouse in the last frame. It stays while the left mouse button is held.
    std::optional<std::uint64_t> hovered;
    std::optional<std::uint64_t> under_mouse;  ///< slot that a view found under the mouse in this frame
    std::optional<std::uint64_t>
        output_index_under_mouse;                       ///< set by a view that knows only the output index
    std::optional<std::uint64_t> hovered_output_index;  ///< output index under the mouse in the last frame
    bool needs_whole_stream = false;                    ///< draw_follow() must request the whole stream
    FollowResult result;                                ///< what the snapshot of this frame found
    int strip_height = 0;                               ///< of the strip of figures in this frame, in pixels
    scene::SampleRequest request;                       ///< SlotMapRequest::sample points to it

    /// The slot that is followed.
    std::optional<std::uint64_t> slot() const { return pinned ? pinned : hovered; }
};

/// Height of the strip of figures below the view, in pixels. 0 while nothing is pinned, and in slow motion,
/// because the figures are of another compaction.
int follow_strip_height(const FollowState& state, const Settings& settings, float scale);

/// The room that a view leaves at its lower end while the strip is not shown, so that nothing moves under the
/// mouse when a click pins an item.
float room_for_follow_strip(const Ui& ui);

/// Whether the last ImGui item was clicked once and not dragged.
bool clicked_without_drag();

/// Requests the particle under the mouse, and pins it on a click. Call after the ImGui item that fills the
/// view.
void point_at_particles(Ui& ui);
/// Draws a ring around each known position of the followed item: its particle, its slot and its output. Names
/// them if there are several. Clips the rings to the rectangle from `low` to `high`.
void draw_follow_markers(Ui& ui, ImVec2 low, ImVec2 high);

/// Draws a line of a card: a name and its value.
void fact_line(Ui& ui, const std::string& name, const std::string& value);

/// Draws a frame around a cell of the item that is followed; it stands out on any background.
void draw_item_frame(const Ui& ui, ImVec2 low, ImVec2 high);

/// Ends a frame: requests the facts about the followed item, then draws them in `strip` if the item is
/// pinned, else on a card at the mouse.
void draw_follow(Ui& ui, const gl::Rectangle& strip);

}  // namespace warpsieve::panels
