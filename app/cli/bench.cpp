#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/bench_arguments.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit.hpp"
#include "app/cli/output_files.hpp"
#include "app/cli/progress_bar.hpp"
#include "app/version.hpp"
#include "compaction/error.hpp"
#include "experiments/baseline.hpp"
#include "experiments/export.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/text.hpp"
#include "experiments/machine.hpp"
#include "experiments/measure.hpp"
#include "experiments/table.hpp"
#include "platform/process.hpp"

namespace warpsieve {
namespace {

using experiments::Measurement;
using experiments::Report;
using experiments::Result;

/// Separate program, because only it needs NCCL. See app/sharded.
constexpr const char* multi_gpu_program = "warpsieve-gpus";

void notify(const std::string& sentence) {
    std::fprintf(stderr, "warpsieve bench: %s\n", experiments::format::printable(sentence).c_str());
}

/// A sentence that names the first settings that the baseline lacks.
std::string missing_in_baseline(const std::vector<std::string>& settings) {
    constexpr std::size_t max_named = 3;
    const std::size_t named = std::min(settings.size(), max_named);
    std::string text = "the baseline lacks " + std::to_string(settings.size()) +
                       " of the settings, which --max-regress does not judge: " + settings[0];
    for (std::size_t i = 1; i < named; ++i) text += "; " + settings[i];
    return text + (named < settings.size() ? "; and others." : ".");
}

/// The requested baseline, if any. Throws Error{invalid_argument} if it contains none of the settings,
/// because the comparison could then never fail.
std::optional<experiments::Baseline> open_baseline(const BenchArguments& arguments,
                                                   const std::vector<experiments::Setting>& settings) {
    if (arguments.baseline.empty()) return std::nullopt;
    auto baseline = experiments::Baseline::read(arguments.baseline);
    std::vector<std::string> unknown;
    for (const experiments::Setting& setting : settings)
        if (!baseline.find(setting)) unknown.push_back(describe(setting));
    if (unknown.size() == settings.size()) {
        throw compaction::Error(
            compaction::ErrorCode::invalid_argument,
            "the baseline " + arguments.baseline.string() +
                " contains none of the requested settings. Measure the settings of the baseline.");
    }
    if (!unknown.empty()) notify(missing_in_baseline(unknown));
    return baseline;
}

void print_tables(const Report& report) {
    const bool colour = platform::is_terminal(stdout) && !std::getenv("NO_COLOR");
    if (!report.measurement.results.empty())
        std::fputs(to_terminal(results_table(report), colour).c_str(), stdout);
    const experiments::Table phases = phases_table(report);
    if (!phases.rows.empty()) std::printf("\n%s", to_terminal(phases, colour).c_str());
    for (const std::string& remark : phase_remarks(report.measurement))
        std::printf("%s\n", experiments::format::printable(remark).c_str());
}

void report_missing_results(const Measurement& measurement) {
    std::vector<std::string> reported;
    for (const experiments::Skipped& skipped : measurement.skipped) {
        if (std::ranges::find(reported, skipped.reason) != reported.end()) continue;
        notify("not measured: " + skipped.reason);
        reported.push_back(skipped.reason);
    }
    if (!measurement.failure.empty()) notify(measurement.failure);
    if (measurement.interrupted) notify(interruption(measurement.results.size()));
}

/// Reports settings that exceed the allowed regression. Returns whether there are any.
bool report_regressions(const Report& report, double percent) {
    bool any = false;
    for (const Result& result : report.measurement.results) {
        if (!report.baseline->regressed(result, percent)) continue;
        notify("slower than the baseline allows: " + describe(result.setting) + ": " +
               experiments::format::significant(result.us.median, 3) + " µs, " +
               report.baseline->change_in_words(result) + ".");
        any = true;
    }
    return any;
}

bool report_wrong_results(const Measurement& measurement) {
    bool any = false;
    for (const Result& result : measurement.results) {
        if (result.correct()) continue;
        notify("wrong: " + describe(result.setting) + ": " + result.first_error + ".");
        any = true;
    }
    for (const experiments::CopyResult& copy : measurement.copies) {
        if (copy.first_error.empty()) continue;
        notify("wrong: the copy of " + experiments::format::count_text(copy.stream.num_items) +
               " items: " + copy.first_error + ".");
        any = true;
    }
    return any;
}

int exit_code_of(const Report& report, const BenchArguments& arguments, bool written) {
    const Measurement& measurement = report.measurement;
    const bool wrong = report_wrong_results(measurement);
    const bool regressed = arguments.max_regress && report_regressions(report, *arguments.max_regress);
    if (wrong) return exit_wrong_result;
    if (!written) return exit_failure;
    if (measurement.interrupted) return interrupt_exit_code();
    if (!measurement.failure.empty() || measurement.results.empty()) return exit_failure;
    return regressed ? exit_regression : exit_ok;
}

/// Replaces this process by the program that measures several GPUs. Throws if it cannot.
[[noreturn]] void start_multi_gpu_bench(char** argv) {
    const std::filesystem::path folder = platform::program_file().parent_path();
    for (const std::filesystem::path& directory : {folder, folder / "../libexec/warpsieve"}) {
        platform::replace_program(directory / multi_gpu_program, argv);
    }
    throw compaction::Error(
        compaction::ErrorCode::unavailable,
        "--gpus needs the program " + std::string(multi_gpu_program) +
            ", which is not here. It is built where CUDA and NCCL 2.28 or later are installed: "
            "scripts/build build -- warpsieve-gpus.");
}

}  // namespace

int run_bench(int argc, char** argv) {
    const ParsedBenchArguments parsed = parse_bench_arguments(argc, argv);
    if (parsed.exit_code) return *parsed.exit_code;
    const BenchArguments& arguments = parsed.arguments;
    if (!arguments.gpus.empty()) start_multi_gpu_bench(argv);
    // Expanding the grid needs the algorithms of the engine, which are unknown if it is missing.
    const compaction::EngineStatus& status = compaction::status_of(arguments.engine);
    if (!status.available) throw compaction::Error(compaction::ErrorCode::unavailable, status.reason);
    const experiments::Expansion expansion = expand(arguments.grid, arguments.engine);
    for (const std::string& reason : expansion.left_out) notify("left out: " + reason);
    const auto baseline = open_baseline(arguments, expansion.settings);
    OutputFiles<Report> files(notify);
    files.add(arguments.csv, experiments::to_csv);
    files.add(arguments.json, experiments::to_json);
    files.add(arguments.markdown, [](const Report& each) { return experiments::to_markdown(each); });

    const auto engine = compaction::open_engine(arguments.engine);
    const experiments::Machine machine = experiments::describe_machine(
        *engine, version, commit, "warpsieve " + experiments::command_text(argc, argv));
    const auto report_of = [&](const Measurement& measurement) {
        return Report{machine, measurement, baseline ? &*baseline : nullptr};
    };
    if (baseline && baseline->device() != machine.device)
        notify("the baseline was measured on " + baseline->device() + "; this device is " + machine.device +
               ".");

    ProgressBar bar(!arguments.quiet);
    experiments::Hooks hooks;
    hooks.progress = [&](const experiments::Progress& progress) { bar.show(progress); };
    hooks.stream_done = [&](const Measurement& measurement) {
        bar.clear();
        // Without results, the files of an earlier run are kept.
        if (!measurement.results.empty()) files.write(report_of(measurement));
    };
    hooks.cancel = &interrupted();
    const Measurement measurement = measure(*engine, expansion.settings, arguments.policy, hooks);
    bar.clear();

    const Report report = report_of(measurement);
    const bool written = measurement.results.empty() || files.finish(report);
    if (!arguments.quiet) print_tables(report);
    report_missing_results(measurement);
    return exit_code_of(report, arguments, written);
}

}  // namespace warpsieve
