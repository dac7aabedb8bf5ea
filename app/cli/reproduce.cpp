#include "app/cli/reproduce.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/arguments.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/first_call.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/output_files.hpp"
#include "app/cli/progress_bar.hpp"
#include "app/version.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"
#include "experiments/format/printable.hpp"
#include "experiments/json_text.hpp"
#include "experiments/machine.hpp"
#include "experiments/measure.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/published/reproduction.hpp"
#include "platform/files.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;

void notify(const std::string& sentence) {
    std::fprintf(stderr, "warpsieve reproduce: %s\n", experiments::format::printable(sentence).c_str());
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

constexpr int most_merged = 16;

/// Processes that time first calls, for each setting: enough for an interval of 95 %. A quick run has none.
constexpr std::size_t num_processes = 11;
constexpr std::size_t num_quick_processes = 3;

constexpr const char* footer = R"(Examples:
  warpsieve reproduce                                    everything, on every available engine
  warpsieve reproduce --table part_3 --html copies.html  the tables of one publication
  warpsieve reproduce --engine cpu --quick --max-n 2^16  a quick run without a GPU
  warpsieve reproduce --table "part 3, table 2"          one table, by the name that reports give it
  warpsieve reproduce --merge a.json b.json --html all.html  the results of several machines in one report
  warpsieve reproduce --list                             lists all tables

Exit codes: 0 done, 1 failure, 2 usage, 3 a wrong result, 77 no such engine, 129 SIGHUP, 130 Ctrl-C,
143 SIGTERM (the results so far are kept).)";

/// Parses the command line. Returns an exit code if the program is to end now.
std::optional<int> parse(int argc, char** argv, ReproduceArguments& arguments) {
    CLI::App app{"Measures published results again and shows them next to the published figures.",
                 "warpsieve reproduce"};
    app.footer(footer);
    app.add_option("--engine", arguments.engine, "Use only this engine. Default: every available one")
        ->check(engine_that_measures())
        ->type_name("ENGINE");
    app.add_option("--table", arguments.tables,
                   "Run only this table or the tables of this publication; repeatable")
        ->type_name("NAME");
    add_count(app, "--max-n", 1, std::uint64_t{1} << 62, store_in(arguments.max_items),
              "Skip streams longer than this, such as 2^22");
    CLI::Option* const merge =
        app.add_option("--merge", arguments.merge,
                       "Measure nothing: put the results of these files, which --json wrote, into one report")
            ->expected(1, most_merged)
            ->type_name("FILE");
    app.add_flag("--quick", arguments.quick, "Measure briefly, and do not search for the best thread count");
    add_number(app, "--time-limit", 0.001, 3600, store_in(arguments.time_limit_s),
               "Maximum seconds per setting");
    add_file(app, "--html", arguments.html, "Write a page with tables, plots and answers to this file");
    add_file(app, "--json", arguments.json, "Write all results to this file");
    app.add_flag("--list", arguments.list, "List the tables and exit");
    app.add_flag("--quiet", arguments.quiet, "Print errors only");
    for (const char* measuring : {"--engine", "--max-n", "--quick", "--time-limit"}) {
        merge->excludes(app.get_option(measuring));
    }
    const auto exit_code = parse_arguments(app, argc, argv);
    std::vector<std::pair<std::string, std::filesystem::path>> files{{"--html", arguments.html},
                                                                     {"--json", arguments.json}};
    for (const std::string& file : arguments.merge) files.emplace_back("--merge", file);
    require_distinct(files);
    return exit_code;
}

/// The engines to use. Throws Error{unavailable} if the requested one is missing.
std::vector<std::unique_ptr<compaction::Engine>> open_engines(const std::string& wanted) {
    std::vector<std::unique_ptr<compaction::Engine>> engines;
    for (const EngineId id : {EngineId::cuda, EngineId::cpu}) {
        if (!wanted.empty() && wanted != compaction::id_of(id)) continue;
        if (!wanted.empty() || compaction::status_of(id).available)
            engines.push_back(compaction::open_engine(id));
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
    if (arguments.quick) policy = experiments::Policy::within(0.05);
    if (arguments.time_limit_s) policy = experiments::Policy::within(*arguments.time_limit_s);
    policy.phases = experiments::PhaseMethod::subtraction;
    return policy;
}

using ReportFiles = OutputFiles<published::Report>;

/// Reads the results of the files. Throws Error{invalid_argument} that names the file.
published::Report merged(const std::vector<published::TableRef>& tables,
                         const std::vector<std::string>& names) {
    published::Report report{tables, {}};
    for (const std::string& name : names) {
        const platform::FileText file = platform::read_file(name, experiments::most_json_bytes);
        if (!file.problem.empty()) {
            throw compaction::Error(compaction::ErrorCode::invalid_argument,
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
    const published::Report report = merged(tables, arguments.merge);
    const bool written = files.finish(report);
    if (!arguments.quiet) std::printf("%s", published::to_text(report).c_str());
    bool wrong = false;
    for (const published::Results& run : report.runs) {
        for (const std::string& what : run.wrong) notify("wrong: " + what + ".");
        wrong = wrong || !run.wrong.empty();
    }
    return wrong ? exit_wrong_result : written ? exit_ok : exit_failure;
}

int exit_code_of(const published::Reproduction& reproduction, const ReproduceArguments& arguments,
                 bool written) {
    bool wrong = false;
    for (const experiments::Result* result : reproduction.wrong_results()) {
        notify("wrong: " + describe(result->setting) + ": " + result->wrong + ".");
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
        const bool files = !arguments.html.empty() || !arguments.json.empty();
        notify(std::string("nothing could be measured") + (files ? ", so no file was written" : "") +
               "; the tables give the reasons.");
        failed = true;
    }
    return failed ? exit_failure : exit_ok;
}

}  // namespace

int run_reproduce(int argc, char** argv) {
    ReproduceArguments arguments;
    if (const auto code = parse(argc, argv, arguments)) return *code;
    const std::vector<published::Document> documents = published::built_in_documents();
    std::vector<published::TableRef> tables = published::choose_tables(documents, arguments.tables);
    if (arguments.list) {
        std::printf("%s", published::list_tables(tables).c_str());
        return exit_ok;
    }
    ReportFiles files(notify);
    files.add(arguments.html, published::to_html);
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
        const auto changed = [&] {
            bar.clear();
            // Until there is a result, the files of an earlier run are kept.
            if (reproduction.num_measured() > 0) files.write(published::report_of(reproduction));
        };
        reproduction.run(*engine, machine, policy_of(arguments), hooks, changed);
        reproduction.run_first_calls(start_first_call, machine,
                                     arguments.quick ? num_quick_processes : num_processes, hooks, changed);
    }
    bar.clear();
    const published::Report report = published::report_of(reproduction);
    const bool written = reproduction.num_measured() == 0 || files.finish(report);
    if (!arguments.quiet) std::printf("%s", published::to_text(report).c_str());
    return exit_code_of(reproduction, arguments, written);
}

}  // namespace warpsieve
