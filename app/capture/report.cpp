#include "app/capture/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "app/capture/capture.hpp"
#include "app/capture/run_file.hpp"
#include "app/diagnostics/change_watch.hpp"
#include "app/diagnostics/provenance.hpp"
#include "app/format/figures.hpp"
#include "app/nvml/reading.hpp"
#include "app/settings/schema.hpp"
#include "app/settings/settings_file.hpp"
#include "app/version.hpp"
#include "compaction/error.hpp"
#include "experiments/format/text.hpp"

namespace warpsieve::capture {

namespace {

using nlohmann::json;

const char* transfer_name(scene::Transfer transfer) {
    switch (transfer) {
        case scene::Transfer::interop:
            return "CUDA-OpenGL interop";
        case scene::Transfer::pinned_copy:
            return "pinned copy";
        case scene::Transfer::host:
            return "host memory";
    }
    return "";
}

const char* check_name(CheckState state) {
    switch (state) {
        case CheckState::off:
            return "off";
        case CheckState::waiting:
            return "waiting";
        case CheckState::correct:
            return "correct";
        case CheckState::wrong:
            return "wrong";
    }
    return "";
}

/// A phase's time in a frame; empty if the algorithm has no such phase or the phases were not timed.
std::optional<float> phase_us(const experiments::FrameSample& sample, const std::string& name) {
    const auto& phases = sample.algorithm->phases;
    const auto found = std::ranges::find(phases, name, &compaction::Phase::name);
    const auto index = static_cast<std::size_t>(found - phases.begin());
    if (found == phases.end() || index >= sample.num_phases) return std::nullopt;
    return sample.phase_us[index];
}

json summary_json(const experiments::Summary& us) {
    return {{"median", us.median}, {"q1", us.q1}, {"q3", us.q3}, {"min", us.min}, {"n", us.n}};
}

/// Means over the last frames.
json frame_parts_json(const FrameTimes& frame) {
    const auto parts = [](const FramePartTimes& times_us, const char* rest_name, double rest_us) {
        json part = json::object();
        for (const FramePartInfo& info : frame_parts)
            part[info.name] = times_us[static_cast<std::size_t>(info.part)];
        part[rest_name] = rest_us;
        return part;
    };
    return {{"frame", frame.frame_us},
            {"host", parts(frame.host_us, "other", frame.other_us())},
            {"gpu", frame.device_us ? parts(*frame.device_us, "idle", frame.idle_us()) : json()}};
}

/// The pattern's name; null if the source has none.
json pattern_json(const Settings& settings) {
    const std::optional<workloads::Pattern> pattern = settings.run.stream_pattern();
    return pattern ? json(workloads::info_of(*pattern).name) : json(nullptr);
}

json picture_json(const workloads::Picture& picture) {
    return {{"source", picture.source},
            {"width", picture.width},
            {"height", picture.height},
            {"sha256", picture.sha256}};
}

json check_json(const CheckResult& check) {
    return {{"state", check_name(check.state)},
            {"checked", check.checked},
            {"wrong", check.wrong},
            {"first_failure", check.first_failure}};
}

json options_json(const Snapshot& snapshot, const Settings& settings, Side side) {
    json options = json::object();
    for (const compaction::LegalRange& range : algorithm_of(snapshot.runs, side)->options) {
        options[std::string(compaction::flag_of(range.option))] = {
            {"value", options_of(snapshot.runs, side)[range.option]},
            {"automatic",
             settings.run.algorithm_config(side).options[range.option] == compaction::automatic}};
    }
    return options;
}

/// The value; null if it is unknown.
template <typename Value>
json known(const std::optional<Value>& value) {
    return value ? json(*value) : json(nullptr);
}

/// The last NVML reading; null for unknown values.
json gpu_reading_json(const nvml::Reading& reading) {
    return {
        {"source", "NVML"},
        {"sm_clock_hz", known(reading.sm_clock_hz)},
        {"highest_sm_clock_hz", known(reading.max_sm_clock_hz)},
        {"temperature_c", known(reading.temperature_c)},
        {"power_w", known(reading.power_w)},
        {"power_limit_w", known(reading.power_limit_w)},
        {"clock_reasons", reading.clock_reasons ? json(nvml::reason_names(*reading.clock_reasons)) : json()},
        {"unknown", reading.unknown}};
}

/// The summary of each row; empty if the engine has no times.
json timings_json(std::span<const TimingRow> rows, const compaction::Algorithm& algorithm) {
    json timings = json::object();
    if (!has_times(algorithm.engine)) return timings;
    for (const TimingRow& row : rows) timings[row.name] = summary_json(row.us);
    return timings;
}

const char* comparison_name(experiments::Comparison comparison) {
    switch (comparison) {
        case experiments::Comparison::warming_up:
            return "warming up";
        case experiments::Comparison::a_faster:
            return "A faster";
        case experiments::Comparison::b_faster:
            return "B faster";
        case experiments::Comparison::same:
            return "same";
        case experiments::Comparison::ambiguous:
            return "ambiguous";
    }
    return "";
}

/// The results of B, and their comparison with those of A.
json b_json(const Snapshot& snapshot, const Settings& settings) {
    const RunInfo& b = *snapshot.runs.b;
    const RunFigures& figures = *snapshot.figures->b;
    const experiments::PairedRatio& ratio = snapshot.figures->ratio;
    return {{"algorithm", b.algorithm->id},
            {"options", options_json(snapshot, settings, Side::b)},
            {"kept", figures.num_kept},
            {"timings_us", timings_json(figures.rows, *b.algorithm)},
            {"useful_gb_s", figures.throughput.useful_gb_s},
            {"share_of_copy", figures.throughput.fraction_of_copy},
            {"check", check_json(snapshot.checks.b)},
            {"ratio",
             {{"a_over_b", ratio.median},
              {"interval", {ratio.interval.low, ratio.interval.high}},
              {"coverage", ratio.interval.coverage},
              {"pairs", ratio.pairs},
              {"standing", comparison_name(ratio.comparison)}}}};
}

/// The effect of the last change, as the window shows it.
json change_json(const ChangeCard& card) {
    const auto all_without_powers = [](std::vector<std::string> texts) {
        for (std::string& text : texts) text = format::without_powers(text);
        return texts;
    };
    json figures = json::array();
    for (const ChangeCard::Line& line : card.lines)
        figures.push_back({{"name", line.name},
                           {"before", format::without_powers(line.before)},
                           {"now", format::without_powers(line.after)},
                           {"verdict", line.verdict}});
    return {{"set", all_without_powers(card.changes)},
            {"followed", all_without_powers(card.automatic_changes)},
            {"figures", std::move(figures)}};
}

}  // namespace

json describe_run(const Snapshot& snapshot, const Settings& settings) {
    json run = {{"program", "warpsieve"},
                {"version", version},
                {"commit", commit},
                {"mode", "interactive"},
                {"engine", compaction::id_of(snapshot.machine.engine)},
                {"device", snapshot.machine.device.name},
                {"driver", snapshot.machine.device.driver},
                {"opengl",
                 {{"renderer", snapshot.machine.gl.renderer},
                  {"version", snapshot.machine.gl.version},
                  {"software", snapshot.machine.gl.software}}},
                {"transfer", transfer_name(snapshot.machine.transfer)},
                {"source", settings.run.source},
                {"pattern", pattern_json(settings)},
                {"slots", snapshot.stream.slots},
                {"live_fraction", settings.run.live_fraction},
                {"kept", snapshot.figures->a.num_kept},
                {"kept_at_s", known(snapshot.figures->kept_at_s)},
                {"seed", settings.run.seed},
                {"algorithm", snapshot.runs.a.algorithm->id},
                {"options", options_json(snapshot, settings, Side::a)},
                {"iterations_per_frame", settings.run.iterations},
                {"timing_method", snapshot.timings.method},
                {"timings_us", timings_json(snapshot.figures->a.rows, *snapshot.runs.a.algorithm)},
                {"frame_us", summary_json(snapshot.figures->frame_us)},
                {"frame_parts_us", frame_parts_json(snapshot.timings.frame)},
                {"interface_us", snapshot.timings.interface_us},
                {"dropped_runs", snapshot.timings.untimed_compactions},
                {"useful_gb_s", snapshot.figures->a.throughput.useful_gb_s},
                {"copy_gb_s", snapshot.figures->a.throughput.copy_gb_s},
                {"share_of_copy", snapshot.figures->a.throughput.fraction_of_copy},
                {"check", check_json(snapshot.checks.a)},
                {"settings", settings_to_json(effective_settings(snapshot, settings))},
                {"command", command_to_repeat_run(snapshot, settings)}};
    if (!has_times(snapshot.runs.a.algorithm->engine)) {
        for (const char* const key : {"useful_gb_s", "copy_gb_s", "share_of_copy"}) run[key] = nullptr;
    }
    if (const workloads::Picture* picture = settings.run.shown_picture())
        run["stream_picture"] = picture_json(*picture);
    if (snapshot.machine.gpu_reading) run["gpu_reading"] = gpu_reading_json(*snapshot.machine.gpu_reading);
    if (snapshot.runs.b) run["b"] = b_json(snapshot, settings);
    if (snapshot.quality.change) run["change"] = change_json(*snapshot.quality.change);
    return run;
}

namespace {

using experiments::format::TerminalText;

/// Text formatted as by std::printf.
template <typename... Values>
std::string formatted(const char* format, Values... values) {
    const int length = std::snprintf(nullptr, 0, format, values...);
    std::string text(static_cast<std::size_t>(length) + 1, '\0');  // with the terminating 0
    std::snprintf(text.data(), text.size(), format, values...);
    text.pop_back();
    return text;
}

/// The value as text; "-" if it was not measured.
std::string measured(double value, int decimals) {
    return value > 0 ? experiments::format::fixed(value, decimals) : "-";
}

/// The phases, throughput and checks of one side.
void add_side(TerminalText& table, const Snapshot& snapshot, Side side) {
    const auto add = [&](const char* format, auto... values) {
        table.add_line(formatted(format, values...));
    };
    if (has_times(snapshot.runs.a.algorithm->engine)) {
        // The first column is one byte wider than in the rows below, because "µ" has two bytes.
        add("%-14s %10s %10s %10s %10s %6s", "µs", "median", "q1", "q3", "min", "n");
        for (const TimingRow& row : rows_of(*snapshot.figures, side)) {
            // A row of zeros was not measured; a 0 in a row with a larger time was.
            const bool known = row.us.n > 0 && row.us.max > 0;
            std::string line = formatted("%-13s", row.name.c_str());
            for (const double us : {row.us.median, row.us.q1, row.us.q3, row.us.min})
                line += known ? formatted(" %10.2f", us) : formatted(" %10s", "-");
            table.add_line(line + formatted(" %6zu", row.us.n) + (row.in_total ? "" : "   not in the total"));
        }
        const Throughput throughput = throughput_of(*snapshot.figures, side);
        add("useful %s GB/s, copy %s GB/s, %s %% of copy bandwidth",
            measured(throughput.useful_gb_s, 1).c_str(), measured(throughput.copy_gb_s, 1).c_str(),
            measured(100 * throughput.fraction_of_copy, 1).c_str());
    }
    const CheckResult& check = snapshot.checks.of(side);
    add("check: %llu compared, %llu wrong%s%s", static_cast<unsigned long long>(check.checked),
        static_cast<unsigned long long>(check.wrong),
        check.first_failure.empty() ? "" : "; first: ", check.first_failure.c_str());
}

}  // namespace

TerminalText run_table(const Snapshot& snapshot) {
    TerminalText table;
    table.add_line(snapshot.runs.a.algorithm->id + " on " + snapshot.machine.device.name + ", " +
                   snapshot.machine.device.driver + ", " + std::to_string(snapshot.stream.slots) +
                   " slots, " + std::to_string(snapshot.figures->a.num_kept) + " kept, " +
                   snapshot.timings.method);
    add_side(table, snapshot, Side::a);
    if (!snapshot.runs.b) return table;
    table.add_line("B: " + snapshot.runs.b->algorithm->id + ", " +
                   std::to_string(snapshot.figures->b->num_kept) + " kept");
    add_side(table, snapshot, Side::b);
    if (!has_times(snapshot.runs.a.algorithm->engine)) return table;
    const experiments::PairedRatio& ratio = snapshot.figures->ratio;
    table.add_line("A/B, interactive: " + experiments::verdict_of(ratio) + " " +
                   experiments::interval_of(ratio));
    return table;
}

namespace {

/// ",count_us,prefix_us,move_us,between_us,total_us", with `prefix` before each name.
void add_time_columns(std::ostream& csv, const std::string& prefix, const compaction::Algorithm& algorithm) {
    for (const compaction::Phase& phase : algorithm.phases) csv << ',' << prefix << phase.name << "_us";
    csv << ',' << prefix << "between_us," << prefix << "total_us";
}

/// The times of a frame in the columns of add_time_columns().
void add_times(std::ostream& csv, const experiments::FrameSample& sample,
               const compaction::Algorithm& algorithm) {
    for (const compaction::Phase& phase : algorithm.phases) {
        csv << ',';
        if (const auto us = phase_us(sample, phase.name)) csv << *us;
    }
    csv << ',';
    if (sample.num_phases > 0) csv << sample.between_us;
    csv << ',';
    if (has_times(sample.algorithm->engine)) csv << sample.total_us;
}

}  // namespace

std::string frames_csv(std::span<const experiments::FrameSample> frames,
                       const compaction::Algorithm& algorithm,
                       std::span<const experiments::FrameSample> frames_b) {
    const compaction::Algorithm* const b = frames_b.empty() ? nullptr : frames_b.back().algorithm;
    std::ostringstream csv;
    csv << "frame,algorithm";
    add_time_columns(csv, "", algorithm);
    csv << ",interop_us,simulate_us,frame_us,kept,clock_hz";
    if (b) {
        csv << ",b_algorithm";
        add_time_columns(csv, "b_", *b);
        csv << ",b_kept";
    }
    csv << '\n';
    auto frame_b = frames_b.begin();
    for (const experiments::FrameSample& sample : frames) {
        csv << sample.frame << ',' << sample.algorithm->id;
        add_times(csv, sample, algorithm);
        csv << ',' << sample.interop_us << ',';
        if (has_times(sample.algorithm->engine)) csv << sample.simulate_us;
        csv << ',' << sample.frame_us << ',' << sample.num_kept << ',';
        if (sample.clock_hz > 0) csv << static_cast<std::uint64_t>(std::llround(sample.clock_hz));
        while (frame_b != frames_b.end() && frame_b->frame < sample.frame) ++frame_b;
        if (frame_b != frames_b.end() && frame_b->frame == sample.frame) {
            csv << ',' << frame_b->algorithm->id;
            add_times(csv, *frame_b, *b);
            csv << ',' << frame_b->num_kept;
        } else if (b) {
            const std::size_t num_columns = b->phases.size() + 4;  // and algorithm, between, total, kept
            csv << std::string(num_columns, ',');
        }
        csv << '\n';
    }
    return csv.str();
}

std::string csv_header(const Snapshot& snapshot, const Settings& settings) {
    std::string header;
    const auto add = [&](const char* name, const std::string& value) {
        header += std::string("# ") + name + ": " + experiments::format::printable(value) + "\n";
    };
    const RunConfig& run = settings.run;
    add("device", snapshot.machine.device.name);
    add("engine", std::string(compaction::id_of(snapshot.machine.engine)));
    add("driver", snapshot.machine.device.driver);
    add("version", snapshot.machine.version);
    add("slots", std::to_string(snapshot.stream.slots));
    add("source", run.source);
    if (const std::optional<workloads::Pattern> pattern = run.stream_pattern())
        add("pattern", std::string(workloads::info_of(*pattern).name));
    if (const workloads::Picture* picture = settings.run.shown_picture())
        add("picture", picture::describe(*picture));
    add("live fraction", text_of(field("density"), settings));
    add("seed", std::to_string(run.seed));
    add("iterations", std::to_string(run.iterations));
    add("command", command_to_repeat_run(snapshot, settings));
    return header;
}

std::filesystem::path save_frames(const experiments::FrameLogs& frames, const std::string& header,
                                  const std::filesystem::path& folder) {
    const auto& [a, b] = frames;
    return write_new(folder, {}, ".csv", header + frames_csv(a, *a.back().algorithm, b));
}

namespace {

using nlohmann::json;

RecordedFigures figures_in(const json& sidecar) {
    RecordedFigures recorded{.file = {},
                             .device = sidecar.value("device", "an unknown device"),
                             .algorithm = sidecar.value("algorithm", "an unknown algorithm"),
                             .num_kept = 0,
                             .kept_at_s = {},
                             .rows = {}};
    if (const auto kept = sidecar.find("kept"); kept != sidecar.end()) {
        if (!kept->is_number_unsigned()) throw std::invalid_argument("\"kept\" is not a count");
        recorded.num_kept = *kept;
    }
    if (const auto time = sidecar.find("kept_at_s"); time != sidecar.end() && time->is_number())
        recorded.kept_at_s = *time;
    const json timings = sidecar.value("timings_us", json::object());
    for (const auto& [name, us] : timings.items()) {
        try {
            recorded.rows.push_back({name, recorded_summary(us)});
        } catch (const std::invalid_argument& fault) {
            throw std::invalid_argument("timings_us." + name + ": " + fault.what());
        }
        // The time between calls is negative if they overlap.
        if (recorded.rows.back().us.min < 0 && name != experiments::between_calls_name)
            throw std::invalid_argument("timings_us." + name + ": a time is negative");
    }
    return recorded;
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
            file.string() + " cannot be replayed: its figures are damaged. Give another file.");
    } catch (const std::invalid_argument& fault) {
        throw compaction::Error(
            compaction::ErrorCode::invalid_argument,
            file.string() + " cannot be replayed: " + fault.what() + ". Give another file.");
    }
}

namespace {

/// Particles come and go, so counts of two moments say nothing about the algorithms.
std::string kept_verdict(const RecordedFigures& recorded, const Figures& now) {
    if (now.a.num_kept == recorded.num_kept) return "same";
    if (recorded.kept_at_s && recorded.kept_at_s == now.kept_at_s) return "different";
    return "at another time of the scene";
}

}  // namespace

TerminalText replay_table(const RecordedFigures& recorded, const Snapshot& snapshot) {
    const bool same_device = recorded.device == snapshot.machine.device.name;
    TerminalText table;
    table.add_line("replay of " + recorded.file + ": recorded on " + recorded.device +
                   (same_device ? "" : ", now on " + snapshot.machine.device.name));
    if (recorded.algorithm != snapshot.runs.a.algorithm->id)
        table.add_line("recorded with " + recorded.algorithm + ", now " + snapshot.runs.a.algorithm->id);
    table.add_line(formatted("%-13s %10s %21s %10s %21s  %s", "us", "recorded", "quartiles", "now",
                             "quartiles", "verdict"));
    bool any_timed = false;
    for (const TimingRow& row : snapshot.figures->a.rows) {
        const auto found = std::ranges::find(recorded.rows, row.name, &RecordedFigures::Row::name);
        const bool timed = row.us.n > 0 && found != recorded.rows.end() && found->us.n > 0;
        if (!timed) continue;
        any_timed = true;
        table.add_line(formatted("%-13s %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f  %s", row.name.c_str(),
                                 found->us.median, found->us.q1, found->us.q3, row.us.median, row.us.q1,
                                 row.us.q3, change_verdict(&found->us, &row.us).c_str()));
    }
    if (!any_timed) table.add_line("No row has times both in the recording and in this run.");
    const std::uint64_t kept = snapshot.figures->a.num_kept;
    table.add_line(formatted(
        "%-13s %10llu %21s %10llu %21s  %s", "kept", static_cast<unsigned long long>(recorded.num_kept), "",
        static_cast<unsigned long long>(kept), "", kept_verdict(recorded, *snapshot.figures).c_str()));
    return table;
}

}  // namespace warpsieve::capture
