#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/arguments.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit.hpp"
#include "app/cli/output_files.hpp"
#include "app/cli/progress_bar.hpp"
#include "app/version.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"
#include "experiments/first_calls.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/terminal.hpp"
#include "experiments/format/text.hpp"
#include "experiments/machine.hpp"
#include "experiments/measure.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/published/reproduction.hpp"
#include "experiments/result_file.hpp"
#include "platform/files.hpp"
#include "platform/process.hpp"
#include "platform/signals.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;
using experiments::Setting;

void notify(const std::string& sentence) {
    experiments::format::print_error_line("warpsieve reproduce: " + sentence);
}

/// The command line.
struct ReproduceArguments {
    std::string engine;
    std::optional<std::uint64_t> max_items;
    std::vector<std::string> tables;
    std::filesystem::path html;
    std::filesystem::path json;
    std::optional<double> time_limit_s;
    std::vector<std::string> merge;
    bool quick = false;
    bool list = false;
    bool quiet = false;
};

constexpr int max_merged = 16;

/// Number of processes that time the first calls of a setting. 11 suffice for a confidence interval of 95 %;
/// a quick run has no interval.
constexpr std::size_t num_first_call_processes = 11;
constexpr std::size_t num_quick_first_call_processes = 3;

constexpr const char* footer = R"(Examples:
  warpsieve reproduce                                    all tables with times, on the GPU and the CPU
  warpsieve reproduce --table part_3 --html copies.html  the tables of one publication
  warpsieve reproduce --engine cpu --quick --max-n 2^16  a quick run without a GPU
  warpsieve reproduce --table "part 3, table 2"          one table, by the name that reports give it
  warpsieve reproduce --merge a.json b.json --html all.html  the results of several machines in one report
  warpsieve reproduce --list                             lists all tables

Exit codes: 0 done, 1 failure, 2 usage, 3 a wrong result, 77 no such engine, 128 + N after signal N, such as
130 for Ctrl-C (the results so far are kept).)";

/// Parses the command line into `arguments`. Returns an exit code if the program must end now.
std::optional<int> parse(int argc, char** argv, ReproduceArguments& arguments) {
    CLI::App app{"Measures published results again and shows them next to the published figures.",
                 "warpsieve reproduce"};
    app.footer(footer);
    app.add_option(
           "--engine", arguments.engine,
           "Use only this engine; 'simulated' is for the tables of counts, which need no GPU. Default: "
           "every available one that measures times")
        ->check(engine_name())
        ->type_name("ENGINE");
    app.add_option("--table", arguments.tables,
                   "Run only this table or the tables of this publication; repeatable")
        ->type_name("NAME");
    add_count(app, "--max-n", /*min=*/1, /*max=*/std::uint64_t{1} << 62, store_in(arguments.max_items),
              "Skip streams longer than this, such as 2^22");
    CLI::Option* const merge =
        app.add_option("--merge", arguments.merge,
                       "Measure nothing: put the results of these files, which --json wrote, into one report")
            ->expected(1, max_merged)
            ->type_name("FILE");
    app.add_flag("--quick", arguments.quick, "Measure briefly, and do not search for the best thread count");
    add_number(app, "--time-limit", /*min=*/0.001, /*max=*/3600, store_in(arguments.time_limit_s),
               "Maximum seconds per setting");
    add_file(app, "--html", arguments.html, "Write a page with tables, plots and answers to this file");
    add_file(app, "--json", arguments.json, "Write all results to this file");
    app.add_flag("--list", arguments.list, "List the tables and exit");
    app.add_flag("--quiet", arguments.quiet, "Print errors only");
    for (const char* measuring_flag : {"--engine", "--max-n", "--quick", "--time-limit"}) {
        merge->excludes(app.get_option(measuring_flag));
    }
    const auto exit_code = parse_arguments(app, argc, argv);
    std::vector<NamedFile> files{{"--html", arguments.html}, {"--json", arguments.json}};
    for (const std::string& file : arguments.merge) files.push_back({"--merge", file});
    require_distinct(files);
    return exit_code;
}

/// Opens the requested engine, or without a request all available ones that measure times. Throws
/// Error{unavailable} if the requested one is missing.
std::vector<std::unique_ptr<compaction::Engine>> open_engines(const std::string& requested) {
    std::vector<std::unique_ptr<compaction::Engine>> engines;
    for (const EngineId id : {EngineId::cuda, EngineId::cpu, EngineId::simulated}) {
        const bool is_chosen = requested.empty()
                                   ? id != EngineId::simulated && compaction::status_of(id).available
                                   : requested == compaction::id_of(id);
        if (is_chosen) engines.push_back(compaction::open_engine(id));
    }
    return engines;
}

published::Limits limits_of(const ReproduceArguments& arguments,
                            const std::vector<std::unique_ptr<compaction::Engine>>& engines) {
    published::Limits limits{.engines = {}, .quick = arguments.quick};
    for (const auto& engine : engines) limits.engines.push_back(engine->id());
    if (arguments.max_items) limits.max_items = *arguments.max_items;
    return limits;
}

experiments::Policy policy_of(const ReproduceArguments& arguments) {
    experiments::Policy policy;
    if (arguments.quick) policy = experiments::Policy::within(/*time_limit_s=*/0.05);
    if (arguments.time_limit_s) policy = experiments::Policy::within(*arguments.time_limit_s);
    policy.phases = experiments::PhaseMethod::subtraction;
    return policy;
}

using ReportFiles = OutputFiles<published::Report>;

std::string page_with_references(const published::Report& report) {
    return published::to_html(published::with_references(report));
}

/// Reads the results of the files. Throws Error{invalid_argument} with the name of a file that is not usable.
published::Report read_and_merge(const std::vector<published::TableRef>& tables,
                                 const std::vector<std::string>& names) {
    published::Report report{tables, {}};
    for (const std::string& name : names) {
        const platform::FileText file = platform::read_file(name, experiments::max_json_bytes);
        if (!file.problem.empty()) {
            throw Error(ErrorCode::invalid_argument,
                        name + " cannot be merged: " + file.problem +
                            ". Give files that 'warpsieve reproduce --json' wrote.");
        }
        for (published::Results& results : published::read_results(file.text, name, tables)) {
            report.runs.push_back(std::move(results));
        }
    }
    return report;
}

int run_merge(const ReproduceArguments& arguments, ReportFiles& files,
              const std::vector<published::TableRef>& tables) {
    const published::Report report = read_and_merge(tables, arguments.merge);
    const bool written = files.finish(report);
    if (!arguments.quiet) experiments::format::print(published::to_text(report));
    bool wrong = false;
    for (const published::Results& run : report.runs) {
        for (const std::string& what : run.wrong) notify("wrong: " + what + ".");
        wrong = wrong || !run.wrong.empty();
    }
    return wrong ? exit_wrong_result : written ? exit_ok : exit_failure;
}

/// Prints what went wrong. `written`: all files were written. Returns an ExitCode.
int report_outcome(const published::Reproduction& reproduction, const ReproduceArguments& arguments,
                   bool written) {
    bool wrong = false;
    for (const experiments::Result* result : reproduction.wrong_results()) {
        notify("wrong: " + describe(result->setting) + ": " + result->first_error + ".");
        wrong = true;
    }
    bool failed = !written;
    for (const published::EngineRun& run : reproduction.engines()) {
        if (run.failure.empty()) continue;
        notify("the device of engine " + run.machine.engine + " failed: " + run.failure);
        failed = true;
    }
    if (reproduction.interrupted()) {
        notify(interruption(reproduction.num_measured()));
        if (!wrong && !failed) return interrupt_exit_code();
    }
    if (wrong) return exit_wrong_result;
    if (!failed && reproduction.num_measured() == 0) {
        const bool names_files = !arguments.html.empty() || !arguments.json.empty();
        notify(std::string("nothing could be measured") + (names_files ? ", so no file was written" : "") +
               "; the tables give the reasons.");
        failed = true;
    }
    return failed ? exit_failure : exit_ok;
}

/// The output line with the times begins with this word.
constexpr std::string_view times_prefix = "first_calls_us";
/// Opening a GPU and filling the longest stream take seconds.
constexpr std::chrono::seconds first_call_timeout{120};

/// `warpsieve first-call ID LENGTH PATTERN KEEP_FRACTION [OPTION VALUE]...`
std::vector<std::string> first_call_arguments(const Setting& setting) {
    std::vector<std::string> arguments{"warpsieve",
                                       "first-call",
                                       setting.algorithm->id,
                                       std::to_string(setting.stream.num_items),
                                       std::string(workloads::info_of(setting.stream.pattern).name),
                                       experiments::format::shortest(setting.stream.keep_fraction,
                                                                     /*max_digits=*/17)};
    for (const compaction::LegalRange& range : setting.algorithm->options) {
        const std::uint32_t value = setting.options[range.option];
        if (value == compaction::automatic) continue;
        arguments.emplace_back(flag_of(range.option));
        arguments.push_back(range.text_of(value));
    }
    return arguments;
}

[[noreturn]] void refuse_arguments() {
    throw Error(ErrorCode::invalid_argument,
                "first-call is started by `warpsieve reproduce`: ID LENGTH PATTERN KEEP_FRACTION [OPTION "
                "VALUE]...");
}

Setting setting_of(const std::vector<std::string>& arguments) {
    using experiments::format::parse_number;
    constexpr std::size_t first_option = 4;  // pairs of an option and its value begin here
    if (arguments.size() < first_option || (arguments.size() - first_option) % 2 != 0) refuse_arguments();
    Setting setting;
    setting.algorithm = &compaction::find_algorithm(arguments[0]);
    const auto num_items = parse_number<std::uint64_t>(arguments[1]);
    const auto pattern = workloads::find_pattern(arguments[2]);
    const auto keep_fraction = parse_number<double>(arguments[3]);
    if (!num_items || *num_items == 0 || !pattern || !keep_fraction) refuse_arguments();
    if (!(*keep_fraction >= 0 && *keep_fraction <= 1)) refuse_arguments();
    setting.stream.num_items = *num_items;
    setting.stream.pattern = *pattern;
    setting.stream.keep_fraction = *keep_fraction;
    setting.stream.cache = experiments::Cache::hot;
    for (std::size_t i = first_option; i < arguments.size(); i += 2) {
        const auto option = std::ranges::find(compaction::all_options, arguments[i], compaction::flag_of);
        if (option == compaction::all_options.end()) refuse_arguments();
        setting.options[*option] = compaction::parse_option(*setting.algorithm, *option, arguments[i + 1]);
    }
    return setting;
}

/// The times in the output of a process; empty if there are none.
std::optional<experiments::FirstCalls> read_times(const std::string& output) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string prefix;
        experiments::FirstCalls calls;
        if (words >> prefix >> calls.first_us >> calls.second_us >> calls.later_us && prefix == times_prefix)
            return calls;
    }
    return std::nullopt;
}

/// Why a process gave no times: how it ended, and its last output line if it exited.
std::string failure_of(const platform::ChildResult& child) {
    switch (child.end) {
        case platform::ChildEnd::not_started:
            return "the system refused to start it";
        case platform::ChildEnd::timed_out:
            return "it took longer than " + std::to_string(first_call_timeout.count()) + " s";
        case platform::ChildEnd::killed:
            return "signal " + std::to_string(child.code) + " ended it";
        case platform::ChildEnd::cancelled:
            return {};
        case platform::ChildEnd::exited:
            break;
    }
    std::string last_line;
    std::istringstream lines(child.output);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) last_line = line;
    }
    const std::string ended = "it ended with exit code " + std::to_string(child.code);
    return last_line.empty() ? ended : ended + ": " + experiments::format::printable(last_line);
}

/// Times the first calls of a setting in a new process of this program.
published::ProcessResult time_first_calls_in_process(const Setting& setting) {
    const platform::ChildResult child = platform::run_and_read(/*program=*/{}, first_call_arguments(setting),
                                                               first_call_timeout, &interrupted());
    published::ProcessResult result;
    if (child.end == platform::ChildEnd::exited && child.code == exit_ok)
        result.calls = read_times(child.output);
    if (!result.calls && !interrupted()) result.failure = failure_of(child);
    return result;
}

}  // namespace

int run_reproduce(int argc, char** argv) {
    ReproduceArguments arguments;
    if (const auto code = parse(argc, argv, arguments)) return *code;
    const std::vector<published::Document> documents = published::built_in_documents();
    std::vector<published::TableRef> tables = published::choose_tables(documents, arguments.tables);
    if (arguments.list) {
        experiments::format::print(published::list_tables(tables));
        return exit_ok;
    }
    ReportFiles files(notify);
    // A merged page shows the results of the given files alone.
    files.add(arguments.html, arguments.merge.empty() ? page_with_references : published::to_html);
    files.add(arguments.json, published::to_json);
    if (!arguments.merge.empty()) return run_merge(arguments, files, tables);
    const auto engines = open_engines(arguments.engine);
    published::Reproduction reproduction(std::move(tables), limits_of(arguments, engines));

    ProgressBar bar(!arguments.quiet);
    experiments::Hooks hooks;
    hooks.progress = [&](const experiments::Progress& progress) { bar.show(progress); };
    hooks.cancel = &interrupted();
    for (const auto& engine : engines) {
        const experiments::Machine machine = experiments::describe_machine(
            *engine, version, commit, "warpsieve " + experiments::command_text(argc, argv));
        const auto write_if_due = [&] {
            // Without results, the files of an earlier run are kept.
            if (!files.due() || reproduction.num_measured() == 0) return;
            bar.clear();
            files.write(published::report_of(reproduction));
        };
        reproduction.run_counts(machine, hooks, write_if_due);
        reproduction.run(*engine, machine, policy_of(arguments), hooks, write_if_due);
        reproduction.run_first_calls(
            time_first_calls_in_process, machine,
            arguments.quick ? num_quick_first_call_processes : num_first_call_processes, hooks, write_if_due);
    }
    bar.clear();
    const published::Report report = published::report_of(reproduction);
    const bool written = reproduction.num_measured() == 0 || files.finish(report);
    if (!arguments.quiet) experiments::format::print(published::to_text(report));
    return report_outcome(reproduction, arguments, written);
}

int run_first_call(int argc, char** argv) {
    const Setting setting = setting_of({argv + 1, argv + argc});
    // This command has no results to write, so a signal may end it at once.
    platform::end_at_signals();
    const auto engine = compaction::open_engine(setting.algorithm->engine);
    const experiments::FirstCalls calls = experiments::time_first_calls(*engine, setting);
    std::string times(times_prefix);
    for (const double us : {calls.first_us, calls.second_us, calls.later_us})
        times += " " + experiments::format::fixed(us, 3);
    experiments::format::print_line(times);
    return exit_ok;
}

}  // namespace warpsieve
