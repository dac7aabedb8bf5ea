#include "app/settings/access.hpp"
#include "app/settings/lab_choices.hpp"

namespace warpsieve {
namespace {

using labs::LabSettings;
using labs::ReproduceSettings;
using labs::StepsSettings;
using labs::SweepSettings;

Words<compaction::Operation> operations() {
    Words<compaction::Operation> words;
    for (const compaction::Operation each : labs::step_operations()) words.emplace_back(each, name_of(each));
    return words;
}

Words<compaction::ItemSize> item_sizes() {
    Words<compaction::ItemSize> words;
    for (const compaction::ItemSize size : compaction::all_item_sizes)
        words.emplace_back(size, std::to_string(bytes_of(size)));
    return words;
}

Words<experiments::Cache> caches() {
    using experiments::Cache;
    return {{Cache::cold, std::string(name_of(Cache::cold))}, {Cache::hot, std::string(name_of(Cache::hot))}};
}

Words<labs::ReproduceScope> scopes() {
    using enum labs::ReproduceScope;
    return {{table, "table"}, {document, "document"}, {everything, "everything"}};
}

Access algorithms() {
    return {Kind::list, [](const Settings& settings) { return Value(settings.labs.sweep.algorithms); },
            [](Settings& settings, const Value& value) {
                settings.labs.sweep.algorithms = std::get<std::vector<std::string>>(value);
            },
            [](const Settings&) { return Legal{}; }};
}

}  // namespace

std::vector<Field> lab_fields() {
    const auto axes = words_of(labs::sweep_axes(), &labs::SweepAxisInfo::axis, &labs::SweepAxisInfo::id);
    const auto shows = words_of(labs::sweep_shows(), &labs::SweepShowsInfo::shows, &labs::SweepShowsInfo::id);
    const auto patterns =
        words_of(workloads::patterns(), &workloads::PatternInfo::pattern, &workloads::PatternInfo::name);
    const auto qualities = words_of(labs::qualities(), &labs::QualityInfo::quality, &labs::QualityInfo::name);
    return {{.key = "labs.lab", .access = text(&LabSettings::lab)},
            {.key = "labs.quality", .access = word(&LabSettings::quality, qualities)},
            {.key = "labs.hold_scene", .access = toggle(&LabSettings::hold_scene)},
            {.key = "labs.pattern", .access = word(&LabSettings::pattern, patterns)},
            {.key = "labs.item_bytes", .access = word(&LabSettings::item_size, item_sizes())},
            {.key = "labs.cache", .access = word(&LabSettings::cache, caches())},
            {.key = "labs.base", .access = text(&LabSettings::base)},
            {.key = "labs.tuned", .access = text(&LabSettings::tuned)},
            {.key = "labs.sweep.axis", .access = word(&SweepSettings::axis, axes)},
            {.key = "labs.sweep.shows", .access = word(&SweepSettings::shows, shows)},
            {.key = "labs.sweep.algorithms", .access = algorithms()},
            {.key = "labs.steps.operation",
             .old_key = "labs.steps.problem",
             .access = word(&StepsSettings::operation, operations())},
            {.key = "labs.steps.axis", .access = word(&StepsSettings::axis, axes)},
            {.key = "labs.steps.shows", .access = word(&StepsSettings::shows, shows)},
            {.key = "labs.reproduce.table", .access = text(&ReproduceSettings::table)},
            {.key = "labs.reproduce.scope", .access = word(&ReproduceSettings::scope, scopes())}};
}

}  // namespace warpsieve
