#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/bench_arguments.hpp"
#include "app/cli/bench_processes.hpp"
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
#include "experiments/format/terminal.hpp"
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

constexpr std::size_t default_num_processes = 6;

/// Reads the results to compare with, if --against names a file, and sets arguments.num_processes: a
/// comparison measures in several processes, unless the file has the results of only one. Throws
/// Error{invalid_argument} for results of one process where several are needed.
std::optional<experiments::Baseline> prepare_comparison(BenchArguments& arguments) {
    if (arguments.against.empty()) return std::nullopt;
    const bool processes_given = arguments.num_processes > 0;
    if (!processes_given) arguments.num_processes = default_num_processes;
    if (arguments.against_is_program) return std::nullopt;
    auto recorded = experiments::Baseline::read(arguments.against);
    if (recorded.num_processes() > 1) return recorded;
    if (processes_given || arguments.max_regress) {
        throw compaction::Error(
            compaction::ErrorCode::invalid_argument,
            arguments.against.string() + " has the results of one process, and " +
                (processes_given ? "--processes" : "--max-regress") +
                " needs several: processes of one program differ. Give --against the program itself, or a "
                "file that its 'bench --processes 6 --csv' wrote.");
    }
    arguments.num_processes = 0;  // measures in this process, as the file was measured in one
    return recorded;
}

/// Throws Error{invalid_argument} if the recorded results contain none of the requested settings, because
/// nothing can then be compared. If they lack only some, names the first of these.
void require_common_settings(const experiments::Baseline& recorded, const BenchArguments& arguments,
                             const experiments::Expansion& expansion) {
    std::size_t num_unknown = 0;
    std::vector<std::string> named;
    expansion.settings().give([&](std::span<const experiments::Setting> settings) {
        for (const experiments::Setting& setting : settings) {
            if (recorded.find(setting)) continue;
            ++num_unknown;
            if (named.size() < max_named_settings) named.push_back(describe(setting));
        }
        return !interrupted();
    });
    if (num_unknown == expansion.num_settings) {
        throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                arguments.against.string() +
                                    " contains none of the requested settings. Measure the settings of that "
                                    "file, with the same seeds.");
    }
    if (num_unknown > 0) notify_of_bench(missing_settings(num_unknown, named));
}

/// Says how long the measurement of many settings can take.
void announce(const experiments::Expansion& expansion, const experiments::Policy& policy) {
    constexpr std::size_t min_announced_settings = 1000;
    if (expansion.num_settings < min_announced_settings) return;
    const double seconds = static_cast<double>(expansion.num_settings) * policy.time_limit_s;
    notify_of_bench(experiments::format::grouped(expansion.num_settings) +
                    " settings are measured, which takes up to " +
                    experiments::format::rough_duration(seconds) + ". A signal keeps the results so far.");
}

void print_tables(const Report& report) {
    const bool colour = platform::is_terminal(stdout) && !std::getenv("NO_COLOR");
    if (!report.measurement.results.empty()) print(to_terminal(results_table(report), colour));
    const experiments::Table phases = phases_table(report);
    if (!phases.rows.empty()) {
        experiments::format::print_line("");
        print(to_terminal(phases, colour));
    }
    for (const std::string& remark : phase_remarks(report.measurement))
        experiments::format::print_line(remark);
    const std::string advice = experiments::clock_advice(report);
    if (!advice.empty()) experiments::format::print_line(advice);
}

void report_missing_results(const Measurement& measurement) {
    constexpr std::size_t max_reported = 20;
    std::set<std::string> reported;
    for (const experiments::Skipped& skipped : measurement.skipped) {
        if (!reported.insert(skipped.reason).second) continue;
        if (reported.size() > max_reported) {
            notify_of_bench("others are not measured either, for reasons like these.");
            break;
        }
        notify_of_bench("not measured: " + skipped.reason);
    }
    if (!measurement.failure.empty()) notify_of_bench(measurement.failure);
    if (measurement.interrupted) notify_of_bench(interruption(measurement.results.size()));
}

/// Returns whether there are any.
bool report_wrong_results(const Measurement& measurement) {
    bool any = false;
    for (const Result& result : measurement.results) {
        if (result.correct()) continue;
        notify_of_bench("wrong: " + describe(result.setting) + ": " + result.first_error + ".");
        any = true;
    }
    for (const experiments::CopyResult& copy : measurement.copies) {
        if (copy.first_error.empty()) continue;
        notify_of_bench("wrong: the copy of " + experiments::format::count_text(copy.stream.num_items) +
                        " items: " + copy.first_error + ".");
        any = true;
    }
    return any;
}

int exit_code_of(const Measurement& measurement, bool any_wrong, bool all_written) {
    if (any_wrong) return exit_wrong_result;
    if (!all_written) return exit_failure;
    if (measurement.interrupted) return interrupt_exit_code();
    if (!measurement.failure.empty() || measurement.results.empty()) return exit_failure;
    return exit_ok;
}

/// What a file may hold of a measurement in progress: the results that a signal would leave, and the copies
/// of their streams.
Measurement lasting_part(Measurement so_far) {
    // Samples of the warm-up are dropped later.
    std::erase_if(so_far.results, [](const Result& result) { return result.is_of_warm_up; });
    if (so_far.results.empty()) return so_far;
    const experiments::StreamSpec& last_stream = so_far.results.back().setting.stream;
    if (!so_far.copies.empty() && so_far.copies.back().stream != last_stream) so_far.copies.pop_back();
    so_far.interrupted = true;  // true of the file unless a later write replaces it
    return so_far;
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
    ParsedBenchArguments parsed = parse_bench_arguments(argc, argv);
    if (parsed.exit_code) return *parsed.exit_code;
    BenchArguments& arguments = parsed.arguments;
    if (!arguments.gpus.empty()) start_multi_gpu_bench(argv);
    // Expanding the grid needs the algorithms of the engine, which are unknown if it is missing.
    const compaction::EngineStatus& status = compaction::status_of(arguments.engine);
    if (!status.available) throw compaction::Error(compaction::ErrorCode::unavailable, status.reason);
    const experiments::Expansion expansion = expand(arguments.grid, arguments.engine, &interrupted());
    const auto recorded = prepare_comparison(arguments);
    if (recorded && !interrupted()) require_common_settings(*recorded, arguments, expansion);
    if (interrupted()) {
        notify_of_bench(interruption(/*num_results=*/0));
        return interrupt_exit_code();
    }
    if (!arguments.quiet) announce(expansion, arguments.policy);
    if (arguments.num_processes > 0) return run_bench_processes(arguments, argc, argv, recorded);
    for (const std::string& reason : expansion.left_out) notify_of_bench("left out: " + reason);
    OutputFiles<Report> files(notify_of_bench);
    files.add(arguments.csv, experiments::to_csv);
    files.add(arguments.json, experiments::to_json);
    files.add(arguments.markdown, [](const Report& each) { return experiments::to_markdown(each); });

    const auto engine = compaction::open_engine(arguments.engine);
    const experiments::Machine machine = experiments::describe_machine(
        *engine, version, commit, "warpsieve " + experiments::command_text(argc, argv));
    const auto report_of = [&](const Measurement& measurement) {
        return Report{machine, measurement, recorded ? &*recorded : nullptr};
    };
    if (recorded) {
        const std::string why = why_not_judged(*recorded, machine.device, machine.engine, machine.version);
        if (!why.empty()) notify_of_bench(arguments.against.string() + " was " + why + ".");
    }

    ProgressBar bar(!arguments.quiet);
    bar.show({.settings_total = expansion.num_settings, .activity = "preparing the first stream"});
    experiments::Hooks hooks;
    hooks.progress = [&](const experiments::Progress& progress) { bar.show(progress); };
    hooks.so_far_due = [&] { return files.due(); };
    hooks.so_far = [&](Measurement so_far) {
        const Measurement lasting = lasting_part(std::move(so_far));
        // Without results, the files of an earlier run are kept.
        if (lasting.results.empty()) return;
        bar.clear();
        files.write(report_of(lasting));
    };
    hooks.stream_done = [&](const Measurement& measurement) {
        if (files.due()) hooks.so_far(measurement);
    };
    hooks.cancel = &interrupted();
    const Measurement measurement = measure(*engine, expansion.settings(), arguments.policy, hooks);
    bar.clear();

    const Report report = report_of(measurement);
    const bool all_written = measurement.results.empty() || files.finish(report);
    if (!arguments.quiet) print_tables(report);
    report_missing_results(measurement);
    const bool any_wrong = report_wrong_results(measurement);
    return exit_code_of(measurement, any_wrong, all_written);
}

}  // namespace warpsieve
