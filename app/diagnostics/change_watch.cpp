#include "app/diagnostics/change_watch.hpp"

#include <algorithm>
#include <cmath>

#include "app/format/figures.hpp"
#include "app/settings/schema.hpp"
#include "experiments/setting.hpp"

namespace warpsieve {
namespace {

/// Figures of fewer frames are not compared.
constexpr std::size_t min_frames = 40;

std::string median_text(const experiments::Summary* times_us) {
    return times_us ? format::duration_text(times_us->median) : "–";
}

std::string size_text(std::uint64_t num_items) {
    const format::Figure figure = format::bytes(num_items * sizeof(compaction::Item));
    return figure.number + " " + figure.unit;
}

using Launches = std::optional<std::vector<compaction::Launch>>;

/// "3 kernels, 1 fill or copy".
std::string launches_text(const Launches& launches) {
    if (!launches) return "unknown";
    const auto kernels =
        std::ranges::count(*launches, compaction::Launch::Kind::kernel, &compaction::Launch::kind);
    const auto others = std::ssize(*launches) - kernels;
    std::string text = std::to_string(kernels) + (kernels == 1 ? " kernel" : " kernels");
    if (others > 0)
        text += ", " + std::to_string(others) + (others == 1 ? " fill or copy" : " fills or copies");
    return text;
}

/// The launch with the most threads, which usually takes the most time; null if there is none.
const compaction::Launch* largest_launch(const Launches& launches) {
    if (!launches || launches->empty()) return nullptr;
    return &*std::ranges::max_element(*launches, {}, [](const compaction::Launch& launch) {
        return launch.blocks * launch.threads_per_block;
    });
}

std::string occupancy_text(const compaction::Launch* launch) {
    if (!launch || launch->blocks == 0) return "unknown";
    return format::percent(launch->occupancy).number + " %";
}

std::string grid_text(const compaction::Launch* launch) {
    if (!launch || launch->blocks == 0) return "unknown";
    return format::grouped(launch->blocks) + " × " + std::to_string(launch->threads_per_block) + ", " +
           format::significant(launch->waves, 2) + " waves";
}

Settings settings_of(const RunConfig& run) {
    Settings settings;
    settings.run = run;
    return settings;
}

}  // namespace

std::string change_verdict(const experiments::Summary* before, const experiments::Summary* after) {
    if (!before || !after || !(before->median > 0) || !(after->median > 0)) return {};
    if (before->q1 <= after->q3 && after->q1 <= before->q3) return no_difference;
    const bool longer = after->median > before->median;
    const double factor = longer ? after->median / before->median : before->median / after->median;
    return format::significant(factor, 2) + (longer ? " × longer" : " × shorter");
}

ChangeWatch::Context ChangeWatch::context_of(const Snapshot& snapshot, const RunConfig& run) {
    return {run,
            snapshot.runs.a.algorithm,
            snapshot.runs.a.options,
            snapshot.stream.slots,
            snapshot.runs.a.num_kept,
            snapshot.figures};
}

void ChangeWatch::observe(const Snapshot& snapshot, const Settings& settings) {
    if (!snapshot.runs.a.algorithm) return;
    const bool changed =
        last_measured_ && restarts_statistics(last_measured_->run, settings.run, /*compares=*/false);
    if (changed) card_.reset();
    const experiments::Summary* total = timed_figures_of(snapshot.figures->a.rows, total_row_name);
    if (!total || total->n < min_frames) return;
    Context now = context_of(snapshot, settings.run);
    if (changed && last_measured_->run.engine == settings.run.engine) card_ = card_of(*last_measured_, now);
    last_measured_ = std::move(now);
}

std::vector<std::string> ChangeWatch::changes_between(const Context& before, const Context& after) {
    std::vector<std::string> changes;
    const Settings settings_before = settings_of(before.run);
    const Settings settings_after = settings_of(after.run);
    for (const SettingDescriptor& setting : schema()) {
        const compaction::LegalRange* range =
            setting.option ? after.algorithm->range_of(*setting.option) : nullptr;
        const bool is_compared = setting.use == Use::run && setting.side != Side::b &&
                                 (range || !setting.option) &&
                                 (setting.applies_to(settings_before) || setting.applies_to(settings_after));
        if (!is_compared) continue;
        const auto value_text = [&](const Context& context, const Settings& settings) {
            return setting.access.kind == Kind::algorithm
                       ? context.algorithm->name
                       : shown_text(setting, setting.access.get(settings), range);
        };
        const std::string value_before = value_text(before, settings_before);
        const std::string value_after = value_text(after, settings_after);
        if (value_before != value_after)
            changes.push_back(std::string(setting.control.label_on(after.run.engine)) + ": " + value_before +
                              " → " + value_after);
    }
    return changes;
}

std::vector<std::string> ChangeWatch::automatic_changes(const Context& before, const Context& after) {
    std::vector<std::string> changes;
    if (before.algorithm != after.algorithm) return changes;
    for (const compaction::LegalRange& range : after.algorithm->options) {
        const compaction::Option option = range.option;
        const bool changed_by_user = before.run.a.options[option] != after.run.a.options[option];
        if (changed_by_user || before.options[option] == after.options[option]) continue;
        changes.push_back(std::string(label_of(option, after.run.engine)) +
                          ", automatic: " + range.text_of(before.options[option]) + " → " +
                          range.text_of(after.options[option]));
    }
    return changes;
}

ChangeCard ChangeWatch::card_of(const Context& before, const Context& after) {
    ChangeCard card{changes_between(before, after), automatic_changes(before, after), {}};
    const auto add_times = [&](const std::string& name) {
        const experiments::Summary* us_before = timed_figures_of(before.figures->a.rows, name);
        const experiments::Summary* us_after = timed_figures_of(after.figures->a.rows, name);
        if (us_before || us_after)
            card.lines.push_back(
                {name, median_text(us_before), median_text(us_after), change_verdict(us_before, us_after)});
    };
    add_times(std::string(total_row_name));
    // With only one phase, its time is the total, which already has a line.
    const auto add_phases = [&](const Context& context) {
        if (context.algorithm->phases.size() < 2) return;
        for (const compaction::Phase& phase : context.algorithm->phases) {
            if (std::ranges::find(card.lines, phase.name, &ChangeCard::Line::name) == card.lines.end())
                add_times(phase.name);
        }
    };
    add_phases(before);
    add_phases(after);
    add_times(std::string(between_row_name));
    card.lines.push_back({"useful bytes",
                          size_text(before.slots + before.num_kept),
                          size_text(after.slots + after.num_kept),
                          {}});
    if (after.run.engine == compaction::EngineId::cuda) {
        card.lines.push_back({"launches",
                              launches_text(before.figures->launches),
                              launches_text(after.figures->launches),
                              {}});
        const compaction::Launch* launch_before = largest_launch(before.figures->launches);
        const compaction::Launch* launch_after = largest_launch(after.figures->launches);
        card.lines.push_back({"largest grid", grid_text(launch_before), grid_text(launch_after), {}});
        card.lines.push_back(
            {"its occupancy", occupancy_text(launch_before), occupancy_text(launch_after), {}});
    }
    return card;
}

}  // namespace warpsieve
