#include "app/panels/view_panel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/panels/memory.hpp"

namespace warpsieve::panels {
namespace {

/// Views with a tab first, then modes, as in views.def.
const std::vector<ViewType>& view_types() {
    static const std::vector<ViewType> types = [] {
        std::vector<ViewType> all;
        const auto add = [&all](ViewType type, std::string_view id, bool has_tab) {
            type.id = id;
            if (has_tab) type.key = static_cast<char>('1' + all.size());
            all.push_back(std::move(type));
        };
#define VIEW(id) add(id##_view(), #id, true);
#define MODE(id) add(id##_view(), #id, false);
#include "app/settings/views.def"
#undef VIEW
#undef MODE
        return all;
    }();
    return types;
}

const ViewType* find_view(std::span<const ViewType> views, std::string_view id) {
    const auto found = std::ranges::find(views, id, &ViewType::id);
    return found == views.end() ? nullptr : &*found;
}

}  // namespace

std::span<const ViewType> tabs() {
    return std::span(view_types()).first(tab_ids.size());
}

const ViewType& current_tab(const Settings& settings) {
    const ViewType* const found = find_view(tabs(), settings.window.tab);
    return found ? *found : tabs().front();
}

const ViewType& current_view(const Settings& settings) {
    if (settings.shows_inside()) return *find_view(view_types(), "inside");
    if (settings.shows_difference()) return *find_view(view_types(), "difference");
    return current_tab(settings);
}

std::vector<std::unique_ptr<ViewPanel>> make_views() {
    std::vector<std::unique_ptr<ViewPanel>> panels;
    for (const ViewType& view : view_types()) panels.push_back(view.make());
    return panels;
}

ViewPanel& panel_of(const Ui& ui, const ViewType& view) {
    return *ui.memory.views[static_cast<std::size_t>(&view - view_types().data())];
}

void move_camera(Ui& ui, ImVec2 size) {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActive()) {
        // A drag across the view turns the camera by half a turn.
        ui.requests.camera.held = true;
        ui.requests.camera.azimuth = -io.MouseDelta.x / size.x * std::numbers::pi_v<float>;
        ui.requests.camera.elevation = io.MouseDelta.y / size.y * std::numbers::pi_v<float>;
    }
    if (ImGui::IsItemHovered()) {
        // Scrolling up moves nearer: a factor below 1.
        constexpr float zoom_per_notch = 1 / 1.12F;
        if (io.MouseWheel != 0) ui.requests.camera.zoom = std::pow(zoom_per_notch, io.MouseWheel);
        ui.requests.camera.reset = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
}

}  // namespace warpsieve::panels
