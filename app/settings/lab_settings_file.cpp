#include "app/settings/lab_settings_file.hpp"

#include <algorithm>
#include <array>

#include "app/labs/steps.hpp"
#include "app/labs/sweep.hpp"

namespace warpsieve {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> scopes{"table", "document", "everything"};

void read_axis(const json& document, labs::SweepAxis& axis, labs::SweepShows& shows) {
    const auto axes = labs::sweep_axes();
    const auto found =
        std::ranges::find(axes, document.value("axis", std::string()), &labs::SweepAxisInfo::id);
    if (found != axes.end()) axis = found->axis;
    const auto all_shows = labs::sweep_shows();
    const auto shown =
        std::ranges::find(all_shows, document.value("shows", std::string()), &labs::SweepShowsInfo::id);
    if (shown != all_shows.end()) shows = shown->shows;
}

}  // namespace

void add_plot_labs(json& document, const labs::LabSettings& settings) {
    document["sweep"] = {{"axis", labs::info_of(settings.sweep.axis).id},
                         {"shows", labs::info_of(settings.sweep.shows).id},
                         {"algorithms", settings.sweep.algorithms}};
    document["steps"] = {{"problem", name_of(settings.steps.operation)},
                         {"axis", labs::info_of(settings.steps.axis).id},
                         {"shows", labs::info_of(settings.steps.shows).id}};
    document["reproduce"] = {{"table", settings.reproduce.table},
                             {"scope", scopes[static_cast<std::size_t>(settings.reproduce.scope)]}};
}

void read_plot_labs(const json& document, labs::LabSettings& settings) {
    const json sweep = document.value("sweep", json::object());
    read_axis(sweep, settings.sweep.axis, settings.sweep.shows);
    settings.sweep.algorithms = sweep.value("algorithms", settings.sweep.algorithms);
    const json steps = document.value("steps", json::object());
    read_axis(steps, settings.steps.axis, settings.steps.shows);
    const std::string problem = steps.value("problem", std::string());
    for (const compaction::Operation each : labs::step_operations()) {
        if (name_of(each) == problem) settings.steps.operation = each;
    }
    const json reproduce = document.value("reproduce", json::object());
    settings.reproduce.table = reproduce.value("table", settings.reproduce.table);
    const auto scope = std::ranges::find(scopes, reproduce.value("scope", std::string()));
    if (scope != scopes.end())
        settings.reproduce.scope = static_cast<labs::ReproduceScope>(scope - scopes.begin());
}

}  // namespace warpsieve
