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
std::string why_not(const RaceFrame& frame, const Algorithm& algorithm, bool races) {
    if (!algorithm.is_available()) return algorithm.unavailable_reason;
    if (!races && frame.view.lanes.size() >= most_racing)
        return "Eight algorithms race already. Remove one first.";
    return {};
}

void draw_entry(RaceFrame& frame, const Algorithm& algorithm) {
    std::vector<std::string>& race = frame.settings.window.race;
    bool races =
        std::ranges::find(frame.view.lanes, &algorithm, &RaceLane::algorithm) != frame.view.lanes.end();
    const std::string reason = why_not(frame, algorithm, races);
    ImGui::BeginDisabled(!reason.empty());
    bool changed = ImGui::Checkbox((algorithm.name + "##" + algorithm.id).c_str(), &races);
    if (key_presses_entry(frame, "race: " + algorithm.id, true)) {
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
    frame.tooltips.offer_item(frame.style, meaning, {});
}

}  // namespace

void draw_race_choice(RaceFrame& frame, float width) {
    const std::string shown = std::to_string(frame.view.lanes.size()) +
                              (frame.view.lanes.size() == 1 ? " algorithm" : " algorithms");
    ImGui::SetNextItemWidth(width);
    if (!begin_menu(frame, "##race", "race", shown)) {
        frame.tooltips.offer_item(frame.style, "The algorithms in the race, at most eight of this engine.");
        return;
    }
    for (const Algorithm& algorithm : frame.catalogue.algorithms) {
        if (algorithm.engine == frame.settings.run.engine) draw_entry(frame, algorithm);
    }
    if (button(frame, "default set", ImGui::GetContentRegionAvail().x,
               "The algorithms of the first start: the fast ones, the classic ones and a plain loop.", {}))
        frame.settings.window.race = WindowPreferences{}.race;
    end_menu(frame);
}

}  // namespace warpsieve::panels
