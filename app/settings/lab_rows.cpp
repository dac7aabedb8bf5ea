// Settings of the labs.
#include <array>

#include "app/settings/lab_choices.hpp"
#include "app/settings/schema_rows.hpp"

namespace warpsieve {
namespace {

using Labs = labs::LabSettings;
using Sweep = labs::SweepSettings;
using Steps = labs::StepsSettings;
using labs::MeasurementQualityInfo;
using labs::ReproduceScope;
using labs::ReproduceSettings;
using labs::SweepAxisInfo;
using labs::SweepMetricInfo;
using workloads::PatternInfo;

constexpr std::array caches{experiments::Cache::cold, experiments::Cache::hot};
constexpr auto name = [](auto each) { return std::string(name_of(each)); };
constexpr auto item_bytes = [](compaction::ItemSize size) { return std::to_string(bytes_of(size)); };

Access axis(auto at) {
    return word(at, labs::sweep_axes(), &SweepAxisInfo::id, &SweepAxisInfo::axis);
}

Access metric(auto at) {
    return word(at, labs::sweep_metrics(), &SweepMetricInfo::id, &SweepMetricInfo::metric);
}

SettingDescriptor lab_row(const char* key, std::string_view help, Access access,
                          std::string_view label = {}) {
    return {.key = std::string("labs.") + key,
            .help = help,
            .access = std::move(access),
            .control = {.label = label},
            .undoable = true,
            .group = groups::labs};
}

}  // namespace

std::vector<SettingDescriptor> lab_rows() {
    std::vector<SettingDescriptor> rows{
        lab_row("lab", "Lab that is shown", text(&Labs::lab)),
        lab_row("quality", "How long each setting is measured",
                word(&Labs::quality, labs::measurement_qualities(), &MeasurementQualityInfo::name,
                     &MeasurementQualityInfo::quality),
                "quality"),
        lab_row("hold_scene", "Stop the scene while a lab measures", toggle(&Labs::hold_scene)),
        lab_row("pattern", "Items that the measured streams keep",
                word(&Labs::pattern, workloads::patterns(), &PatternInfo::name, &PatternInfo::pattern),
                "lab pattern"),
        lab_row("item_bytes", "Size of an item in bytes",
                word(&Labs::item_size, compaction::all_item_sizes, item_bytes), "item size"),
        lab_row("cache", "Whether caches may hold the stream at the start of a call",
                word(&Labs::cache, caches, name), "cache"),
        lab_row("base", "Algorithm that speed-ups refer to; empty: the default of the engine",
                text(&Labs::base), "base"),
        lab_row("tuned", "Algorithm or step to tune; empty takes that of the window", text(&Labs::tuned),
                "tuned algorithm"),
        lab_row("sweep.axis", "What varies along the sweep", axis(&Sweep::axis)),
        lab_row("sweep.shows", "What the plot of the sweep shows", metric(&Sweep::metric)),
        lab_row("sweep.algorithms", "Algorithms in the sweep", list(&Sweep::algorithms)),
        lab_row("steps.operation", "Operation whose steps are compared",
                word(&Steps::operation, labs::step_operations(), name)),
        lab_row("steps.axis", "What varies along the steps", axis(&Steps::axis)),
        lab_row("steps.shows", "What the plot of the steps shows", metric(&Steps::metric)),
        lab_row("reproduce.table", "Published table that is shown", text(&ReproduceSettings::table)),
        lab_row("reproduce.scope", "How much of the published results one job repeats",
                word(&ReproduceSettings::scope, {"table", "document", "everything"},
                     {"this table", "its publication", "everything"})),
    };
    rows.front().undoable = false;  // what is shown is no undo step
    std::ranges::find(rows, "labs.steps.operation", &SettingDescriptor::key)->old_key = "labs.steps.problem";
    return rows;
}

}  // namespace warpsieve
