#include "app/capture/report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <system_error>

#include "app/evidence.hpp"
#include "app/settings_file.hpp"
#include "app/version.hpp"

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

/// What a phase took in a frame; none where its algorithm has no such phase, or none of its phases has been
/// timed yet.
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

/// The settings with what was left open filled in, so that they mean the same on another day.
Settings in_force(const View& view, Settings settings) {
    settings.engine = view.engine;
    settings.algorithm = view.algorithm->id;
    settings.slots = view.slots;
    return settings;
}

}  // namespace

json describe_run(const View& view, const Settings& settings) {
    json options = json::object();
    for (const compaction::LegalRange& range : view.algorithm->options) {
        options[std::string(compaction::flag_of(range.option))] = {
            {"value", view.layout[range.option]},
            {"automatic", settings.options[range.option] == compaction::automatic}};
    }
    json timings = json::object();
    for (const TimingRow& row : view.rows) timings[row.name] = summary_json(row.us);
    return {{"program", "warpsieve"},
            {"version", version},
            {"commit", commit},
            {"mode", "interactive"},
            {"engine", compaction::id_of(view.engine)},
            {"device", view.device.name},
            {"driver", view.device.driver},
            {"opengl",
             {{"renderer", view.gl.renderer}, {"version", view.gl.version}, {"software", view.gl.software}}},
            {"transfer", transfer_name(view.transfer)},
            {"slots", view.slots},
            {"live_fraction", settings.density},
            {"kept", view.num_kept},
            {"seed", settings.seed},
            {"algorithm", view.algorithm->id},
            {"options", options},
            {"iterations_per_frame", settings.iterations},
            {"timing_method", view.timing_method},
            {"timings_us", timings},
            {"frame_us", summary_json(view.frame_us)},
            {"dropped_runs", view.dropped_runs},
            {"useful_gb_s", view.throughput.useful_gb_s},
            {"copy_gb_s", view.throughput.copy_gb_s},
            {"share_of_copy", view.throughput.share_of_copy},
            {"check",
             {{"state", check_name(view.check.state)},
              {"checked", view.check.checked},
              {"wrong", view.check.wrong},
              {"first_failure", view.check.first_failure}}},
            {"settings", settings_to_json(in_force(view, settings))},
            {"command", repeating_command(view, settings)}};
}

std::string phase_table(const View& view) {
    std::string table;
    char line[160];
    const auto add = [&](const char* format, auto... values) {
        std::snprintf(line, sizeof line, format, values...);
        table += line;
    };
    add("%-12s %10s %10s %10s %10s %6s\n", "us", "median", "q1", "q3", "min", "n");
    for (const TimingRow& row : view.rows) {
        add("%-12s %10.2f %10.2f %10.2f %10.2f %6zu%s\n", row.name.c_str(), row.us.median, row.us.q1,
            row.us.q3, row.us.min, row.us.n, row.in_total ? "" : "   not in the total");
    }
    add("useful %.1f GB/s, copy %.1f GB/s, share of copy %.3f\n", view.throughput.useful_gb_s,
        view.throughput.copy_gb_s, view.throughput.share_of_copy);
    return table;
}

std::string frames_csv(std::span<const experiments::FrameSample> frames,
                       const compaction::Algorithm& algorithm) {
    std::ostringstream csv;
    csv << "frame,algorithm";
    for (const compaction::Phase& phase : algorithm.phases) csv << ',' << phase.name << "_us";
    csv << ",split,plain,total_us,interop_us,simulate_us,frame_us,kept\n";
    for (const experiments::FrameSample& sample : frames) {
        csv << sample.frame << ',' << sample.algorithm->id;
        for (const compaction::Phase& phase : algorithm.phases) {
            csv << ',';
            if (const auto us = phase_us(sample, phase.name)) csv << *us;
        }
        csv << ',' << sample.split << ',' << sample.plain << ',' << sample.total_us << ','
            << sample.interop_us << ',' << sample.simulate_us << ',' << sample.frame_us << ','
            << sample.num_kept << '\n';
    }
    return csv.str();
}

void write_text(const std::filesystem::path& file, const std::string& text) {
    const std::filesystem::path unfinished = file.string() + ".part";
    errno = 0;
    std::ofstream out(unfinished, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        const std::error_code why(errno ? errno : EIO, std::generic_category());
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        throw std::filesystem::filesystem_error("cannot write", file, why);
    }
    std::filesystem::rename(unfinished, file);
}

}  // namespace warpsieve::capture
