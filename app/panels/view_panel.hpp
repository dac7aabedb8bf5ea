#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/shortcuts.hpp"
#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// A view of the main area, with what it remembers between frames. Only its own file knows the class of a
/// view; docs/how-to/add_a_view.md shows how to add one.
class ViewPanel {
  public:
    virtual ~ViewPanel() = default;
    /// Fills ui.panes.view.
    virtual void draw(Ui& ui) = 0;
    /// Whether draw() also fills ui.panes.timings.
    virtual bool takes_timings_pane(const Ui& /*ui*/) const { return false; }
    /// Key H, while the view is shown: holds or releases its history.
    virtual void toggle_hold(Ui& /*ui*/) {}
    /// The arrow keys, while the view is shown: back (-1) or forward (1).
    virtual void step(Ui& /*ui*/, int /*direction*/) {}
    /// Space, while the view is shown: pauses or resumes the playback of the view. Returns false if it has
    /// none; Space then acts on the scene.
    virtual bool pause_or_resume(Ui& /*ui*/) { return false; }
    /// Esc, before close(), even while another view is shown. Returns false if nothing was pinned.
    virtual bool unpin() { return false; }
    /// Esc, while no tour runs, even while another view is shown: clears a selection, or cancels. Returns
    /// false if there was nothing to close.
    virtual bool close(Ui& /*ui*/) { return false; }
};

/// A key of one view. It acts while the view's tab is shown.
struct ViewKey {
    std::string keys;    ///< "Shift+L"
    std::string action;  ///< "timeline: logarithmic"
    Trigger trigger;
    std::function<void(ViewPanel& panel, Ui& ui)> act;
};

/// A key that calls a member function of the view's class.
template <typename Panel>
ViewKey view_key(std::string keys, std::string action, Trigger trigger, void (Panel::*act)(Ui&)) {
    return {std::move(keys), std::move(action), trigger,
            [act](ViewPanel& panel, Ui& ui) { (static_cast<Panel&>(panel).*act)(ui); }};
}

/// A kind of view as data: for the strip of tabs, the list of keys and the command palette.
struct ViewType {
    const char* name = "";        ///< "Slot map"
    const char* meaning = "";     ///< tooltip of the tab
    bool over_scene = false;      ///< the particles are drawn beneath it
    bool says_why_empty = false;  ///< it shows items, so a note says why there are none
    std::vector<ViewKey> keys = {};
    std::unique_ptr<ViewPanel> (*make)() = nullptr;

    // The following come from views.def.
    std::string_view id = {};  ///< "slot_map"
    char key = 0;              ///< key that shows the view; 0 for a mode
};

template <typename Panel>
std::unique_ptr<ViewPanel> make_panel() {
    return std::make_unique<Panel>();
}

#define VIEW(id) ViewType id##_view();
#define MODE(id) ViewType id##_view();
#include "app/settings/views.def"
#undef VIEW
#undef MODE

/// The views with a tab, in the order of the strip.
std::span<const ViewType> tabs();
/// The tab that the settings name, else the first.
const ViewType& current_tab(const Settings& settings);
/// The view that the tab shows: its own, or one of its modes.
const ViewType& current_view(const Settings& settings);

/// Makes a panel of each view, in the order of views.def.
std::vector<std::unique_ptr<ViewPanel>> make_views();
ViewPanel& panel_of(const Ui& ui, const ViewType& view);

/// Turns and zooms the camera with the mouse over the item that ImGui drew last. `size`: of the item, in
/// pixels.
void move_camera(Ui& ui, ImVec2 size);

}  // namespace warpsieve::panels
