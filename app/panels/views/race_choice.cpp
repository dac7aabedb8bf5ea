// Which algorithms race.
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/views/race_view.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using compaction::Algorithm;

/// Why an algorithm cannot be added; empty if it can.
std::string why_not(const Ui& ui, const Algorithm& algorithm, bool races) {
    if (!algorithm.is_available()) return algorithm.unavailable_reason;
    if (!races && ui.view.race.lanes.size() >= most_racing)
        return "Eight algorithms race already. Remove one first.";
    return {};
}

void draw_entry(Ui& ui, const Algorithm& algorithm) {
    std::vector<std::string>& race = ui.settings.window.race;
    bool races =
        std::ranges::find(ui.view.race.lanes, &algorithm, &RaceLane::algorithm) != ui.view.race.lanes.end();
    const std::string reason = why_not(ui, algorithm, races);
    ImGui::BeginDisabled(!reason.empty());
    bool changed = ImGui::Checkbox((algorithm.name + "##" + algorithm.id).c_str(), &races);
    if (key_presses_entry(ui, "race: " + algorithm.id, true)) {
        races = !races;
        changed = true;
    }
    if (changed) {
        // An id after the eighth is in the list but has no lane.
        std::erase(race, algorithm.id);
        if (races) race.push_back(algorithm.id);
    }
    ImGui::EndDisabled();
    std::string meaning = reason.empty() ? algorithm.summary : reason;
    if (reason.empty() && algorithm.synchronises)
        meaning += "\n\nIt waits for its result in every frame, so the window runs slower while it races.";
    ui.tooltips.offer_item(ui.style, meaning, {});
}

}  // namespace

void draw_race_choice(Ui& ui, float width) {
    const std::string shown = std::to_string(ui.view.race.lanes.size()) +
                              (ui.view.race.lanes.size() == 1 ? " algorithm" : " algorithms");
    ImGui::SetNextItemWidth(width);
    if (!begin_menu(ui, "##race", "race", shown)) {
        ui.tooltips.offer_item(ui.style, "The algorithms in the race, at most eight of this engine.");
        return;
    }
    for (const Algorithm& algorithm : ui.view.catalogue.algorithms) {
        if (algorithm.engine == ui.settings.run.engine) draw_entry(ui, algorithm);
    }
    if (button(ui, "default set", ImGui::GetContentRegionAvail().x,
               "The algorithms of the first start: the fast ones, the classic ones and a plain loop.", {}))
        ui.settings.window.race = WindowPreferences{}.race;
    end_menu(ui);
}

}  // namespace warpsieve::panels
