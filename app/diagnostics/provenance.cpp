#include "app/diagnostics/provenance.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "app/format/figures.hpp"
#include "app/nvml/reading.hpp"
#include "app/settings/schema.hpp"
#include "experiments/setting.hpp"

namespace warpsieve {
namespace {

/// Adds the value of every option, with "(automatic)" if the algorithm chose it.
void add_options(std::vector<ProvenanceItem>& items, const Snapshot& snapshot, const Settings& settings) {
    for (const compaction::LegalRange& range : snapshot.runs.a.algorithm->options) {
        const bool chosen = settings.run.a.options[range.option] != compaction::automatic;
        items.push_back(
            {std::string(label_of(range.option, snapshot.machine.engine)),
             range.text_of(snapshot.runs.a.options[range.option]) + (chosen ? "" : " (automatic)")});
    }
}

/// Adds the known values of the NVML reading.
void add_gpu_reading(std::vector<ProvenanceItem>& items, const Snapshot& snapshot) {
    if (!snapshot.machine.gpu_reading) return;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) items.push_back({name, value});
    };
    add("temperature", nvml::temperature_text(*snapshot.machine.gpu_reading));
    add("power", nvml::power_text(*snapshot.machine.gpu_reading));
    add("clock limits", nvml::clock_reasons_text(*snapshot.machine.gpu_reading));
}

/// Two algorithms whose times are compared.
struct ComparedPair {
    const compaction::Algorithm* a;
    const compaction::Algorithm* b;
    experiments::PairedRatio ratio;  ///< A's time over B's
};

/// The two sides of the A/B lens; in the race, the second fastest as A and the fastest as B. nullopt if there
/// are not two, or if the engine has no times.
std::optional<ComparedPair> compared_pair(const Snapshot& snapshot, const Settings& settings) {
    if (!has_times(snapshot.machine.engine)) return std::nullopt;
    if (!settings.races()) {
        if (!snapshot.runs.b) return std::nullopt;
        return ComparedPair{snapshot.runs.a.algorithm, snapshot.runs.b->algorithm, snapshot.figures->ratio};
    }
    std::vector<const RaceLane*> lanes;
    for (const RaceLane& lane : snapshot.figures->race.lanes) {
        if (lane.problem.empty()) lanes.push_back(&lane);
    }
    if (lanes.size() < 2) return std::nullopt;
    // Lanes that were not timed yet come last.
    std::ranges::sort(lanes, {}, [](const RaceLane* lane) {
        return std::pair{lane->n == 0, lane->median_us};
    });
    return ComparedPair{lanes[1]->algorithm, lanes[0]->algorithm, lanes[1]->over_fastest};
}

std::string check_text(const CheckResult& check) {
    if (check.wrong > 0)
        return format::grouped(check.wrong) + " of " + format::grouped(check.checked) + " wrong";
    if (check.checked == 0) return "not checked";
    return format::grouped(check.checked) + " correct";
}

}  // namespace

std::vector<ProvenanceItem> machine_provenance(const Snapshot& snapshot) {
    return {{"device", snapshot.machine.device.name},
            {"driver", snapshot.machine.device.driver.empty() ? "unknown" : snapshot.machine.device.driver},
            {"warpsieve", snapshot.machine.version}};
}

Provenance provenance_of(const Snapshot& snapshot, const Settings& settings) {
    Provenance provenance{machine_provenance(snapshot), command_to_repeat_run(snapshot, settings)};
    const auto add = [&](std::string name, std::string value) {
        provenance.items.push_back({std::move(name), std::move(value)});
    };
    const bool is_timed = has_times(snapshot.machine.engine);
    if (is_timed) {
        const double clock_hz = last_clock_hz(snapshot.timings.timeline);
        add("clock", clock_hz > 0 ? format::significant(clock_hz * 1e-9) + " GHz" : "unknown");
    }
    add_gpu_reading(provenance.items, snapshot);
    add("N", format::slot_count_text(snapshot.stream.slots));
    add("kept", format::grouped(snapshot.figures->a.num_kept) + " (live fraction " +
                    format::percent(static_cast<double>(settings.run.live_fraction)).number + " %)");
    if (const workloads::Picture* picture = settings.run.shown_picture())
        add("picture", picture::describe(*picture));
    add("seed", std::to_string(settings.run.seed));
    add("algorithm", snapshot.runs.a.algorithm->id);
    add_options(provenance.items, snapshot, settings);
    if (!is_timed) {
        add("times", "none on a simulated GPU");
    } else if (const experiments::Summary* total =
                   timed_figures_of(snapshot.figures->a.rows, total_row_name)) {
        add("median", format::duration_text(total->median));
        add("quartiles", format::duration_text(total->q1) + " to " + format::duration_text(total->q3));
        add("n", format::grouped(total->n) + " frames of " + std::to_string(settings.run.iterations) +
                     (settings.run.iterations == 1 ? " compaction" : " compactions"));
    } else {
        add("median", "not measured yet");
    }
    add("mode", "interactive");
    add("check", check_text(snapshot.checks.a));
    return provenance;
}

Provenance provenance_of_film(const Snapshot& snapshot, const Settings& settings) {
    Provenance provenance{{{"device", snapshot.machine.device.name}},
                          command_to_repeat_run(snapshot, settings)};
    if (const std::optional<ComparedPair> pair = compared_pair(snapshot, settings);
        pair && pair->ratio.known())
        provenance.items.push_back(
            {pair->a->id + " (A) and " + pair->b->id + " (B), paired medians",
             experiments::verdict_of(pair->ratio) + " " + experiments::interval_of(pair->ratio)});
    return provenance;
}

bool awaits_ratio(const Snapshot& snapshot, const Settings& settings) {
    const std::optional<ComparedPair> pair = compared_pair(snapshot, settings);
    return pair && !pair->ratio.known();
}

Settings effective_settings(const Snapshot& snapshot, Settings settings) {
    settings.run.engine = snapshot.machine.engine;
    settings.run.a.algorithm = snapshot.runs.a.algorithm->id;
    if (snapshot.runs.b) settings.run.b.algorithm = snapshot.runs.b->algorithm->id;
    settings.run.slots = snapshot.stream.slots;
    if (const workloads::Picture* picture = settings.run.shown_picture();
        picture && picture::names_file(picture->source))
        settings.run.picture_sha256 = picture->sha256.substr(0, picture::short_digits);
    return settings;
}

std::string command_to_repeat_run(const Snapshot& snapshot, const Settings& settings) {
    std::string command = "warpsieve --headless" + options_to_repeat(effective_settings(snapshot, settings));
    if (settings.run.check && settings.run.check_every != RunConfig{}.check_every)
        command += " --check-every " + std::to_string(settings.run.check_every);
    if (snapshot.display.total_frames > 0)
        command += " --frames " + std::to_string(snapshot.display.total_frames);
    return command;
}

}  // namespace warpsieve
