#include "app/capture/replay_report.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/diagnostics/change_watch.hpp"
#include "app/settings/settings_file.hpp"
#include "compaction/error.hpp"
#include "experiments/format/printable.hpp"

namespace warpsieve::capture {
namespace {

using nlohmann::json;

/// 0 for a figure that was not known.
double number_in(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

RecordedFigures figures_in(const json& sidecar) {
    RecordedFigures recorded{.file = {},
                             .device = sidecar.value("device", "an unknown device"),
                             .algorithm = sidecar.value("algorithm", "an unknown algorithm"),
                             .kept = sidecar.value("kept", std::uint64_t{0}),
                             .rows = {}};
    const json timings = sidecar.value("timings_us", json::object());
    for (const auto& [name, us] : timings.items()) {
        recorded.rows.push_back({name,
                                 {.median = number_in(us, "median"),
                                  .q1 = number_in(us, "q1"),
                                  .q3 = number_in(us, "q3"),
                                  .min = number_in(us, "min"),
                                  .n = static_cast<std::size_t>(number_in(us, "n"))}});
    }
    return recorded;
}

std::string line(const char* format, auto... values) {
    char text[256];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

}  // namespace

RecordedFigures recorded_figures(const std::filesystem::path& file) {
    const json sidecar = read_sidecar(file);
    try {
        RecordedFigures recorded = figures_in(sidecar);
        recorded.file = file.filename().string();
        return recorded;
    } catch (const json::exception&) {
        throw compaction::Error(
            compaction::ErrorCode::invalid_argument,
            file.string() + " cannot be replayed: its figures are damaged. Give another one.");
    }
}

std::string replay_table(const RecordedFigures& recorded, const View& view) {
    const bool same_device = recorded.device == view.machine.device.name;
    std::string table = "replay of " + recorded.file + ": recorded on " + recorded.device +
                        (same_device ? "" : ", now on " + view.machine.device.name) + "\n";
    if (recorded.algorithm != view.runs.a.algorithm->id)
        table += "recorded with " + recorded.algorithm + ", now " + view.runs.a.algorithm->id + "\n";
    table +=
        line("%-13s %10s %21s %10s %21s  %s\n", "us", "recorded", "quartiles", "now", "quartiles", "verdict");
    bool any_timed = false;
    for (const TimingRow& row : view.figures->a.rows) {
        const auto found = std::ranges::find(recorded.rows, row.name, &RecordedFigures::Row::name);
        const bool timed = row.us.n > 0 && found != recorded.rows.end() && found->us.n > 0;
        if (!timed) continue;
        any_timed = true;
        table += line("%-13s %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f  %s\n", row.name.c_str(),
                      found->us.median, found->us.q1, found->us.q3, row.us.median, row.us.q1, row.us.q3,
                      change_verdict(&found->us, &row.us).c_str());
    }
    if (!any_timed) table += "The recording holds no times of these phases.\n";
    const std::uint64_t kept = view.runs.a.num_kept;
    table += line("%-13s %10llu %21s %10llu %21s  %s\n", "kept",
                  static_cast<unsigned long long>(recorded.kept), "", static_cast<unsigned long long>(kept),
                  "", kept == recorded.kept ? "same" : "of another moment");
    return experiments::format::printable(table);
}

}  // namespace warpsieve::capture
