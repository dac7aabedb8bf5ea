#include "app/cli/reproduce.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_code.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/output_files.hpp"
#include "app/cli/progress_bar.hpp"
#include "app/version.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/machine.hpp"
#include "experiments/measure.hpp"
#include "experiments/published/reports.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;

void notify(const std::string& sentence) {
    std::fprintf(stderr, "warpsieve reproduce: %s\n", sentence.c_str());
}

/// What the command line asks for.
struct Wish {
    std::string engine;
    std::string max_items;
    std::vector<std::string> tables;
    std::filesystem::path html;
    std::filesystem::path json;
    std::optional<double> time_limit_s;
    bool quick = false;
    bool list = false;
    bool quiet = false;
};

constexpr const char* footer = R"(Examples:
  warpsieve reproduce                                    everything, on every engine there is
  warpsieve reproduce --table part_3 --html copies.html  the tables of one publication
  warpsieve reproduce --engine cpu --quick --max-n 2^16  what a processor alone can, in seconds
  warpsieve reproduce --list                             the tables there are

Exit code: 0; 1 a failure; 2 a usage error; 3 a wrong result; 77 the engine is not there; 130 interrupted, what was
measured until then is kept.)";

/// The code to exit with at once, or nothing.
std::optional<int> parse(int argc, char** argv, Wish& wish) {
    CLI::App app{"Runs what others published and puts it beside their figures.", "warpsieve reproduce"};
    app.footer(footer);
    app.add_option("--engine", wish.engine, "Only this engine; otherwise every one that is available")
        ->check(CLI::IsMember({"cuda", "cpu"}));
    app.add_option("--table", wish.tables, "Only this table, or the tables of this publication; repeatable");
    app.add_option("--max-n", wish.max_items, "Leave out longer streams, such as 2^22");
    app.add_flag("--quick", wish.quick, "Short measurements, and no search for the best thread count");
    app.add_option("--time-limit", wish.time_limit_s, "Seconds for a setting, at the most")
        ->check(CLI::Range(0.001, 3600.0));
    app.add_option("--html", wish.html, "Write a page with tables, plots and answers");
    app.add_option("--json", wish.json, "Write everything as data");
    app.add_flag("--list", wish.list, "Name the tables and end");
    app.add_flag("--quiet", wish.quiet, "No tables and no progress, only files and the exit code");
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        notify(std::string(error.what()) + ". See `warpsieve reproduce --help`.");
        return exit_usage;
    }
    return std::nullopt;
}

/// The engines to use. Throws Error{unavailable} where the one that was asked for is not there.
std::vector<std::unique_ptr<compaction::Engine>> open_engines(const std::string& wanted) {
    std::vector<std::unique_ptr<compaction::Engine>> engines;
    for (const EngineId id : {EngineId::cuda, EngineId::cpu}) {
        if (!wanted.empty() && wanted != compaction::id_of(id)) continue;
        if (!wanted.empty() || compaction::status_of(id).available)
            engines.push_back(compaction::open_engine(id));
    }
    return engines;
}

published::Limits limits_of(const Wish& wish,
                            const std::vector<std::unique_ptr<compaction::Engine>>& engines) {
    published::Limits limits{.engines = {}, .quick = wish.quick};
    for (const auto& engine : engines) limits.engines.push_back(engine->id());
    if (!wish.max_items.empty()) {
        const auto length = experiments::format::parse_count(wish.max_items);
        if (!length) {
            throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                    "--max-n '" + wish.max_items + "' is not a length. Write 4096 or 2^22.");
        }
        limits.max_items = *length;
    }
    return limits;
}

experiments::Policy policy_of(const Wish& wish) {
    experiments::Policy policy;
    if (wish.quick) policy = experiments::Policy::within(0.05);
    if (wish.time_limit_s) policy = experiments::Policy::within(*wish.time_limit_s);
    policy.phases = true;
    return policy;
}

using ReportFiles = OutputFiles<published::Reproduction, published::Answers>;

/// Nothing takes the place of what an earlier run left until something is measured.
bool write(ReportFiles& files, const published::Reproduction& reproduction) {
    return reproduction.num_measured() == 0 || files.write(reproduction, published::answer(reproduction));
}

int exit_code_of(const published::Reproduction& reproduction, bool written) {
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
        notify("interrupted; what was measured until then is kept.");
        return exit_interrupted;
    }
    if (wrong) return exit_wrong_result;
    if (!failed && reproduction.num_measured() == 0) {
        notify("nothing could be measured; the tables say why.");
        failed = true;
    }
    return failed ? exit_failure : exit_ok;
}

}  // namespace

int run_reproduce(int argc, char** argv) {
    Wish wish;
    if (const auto code = parse(argc, argv, wish)) return *code;
    const std::vector<published::Document> documents = published::built_in_documents();
    std::vector<published::TableRef> tables = published::choose_tables(documents, wish.tables);
    if (wish.list) {
        std::printf("%s", published::list_tables(tables).c_str());
        return exit_ok;
    }
    const auto engines = open_engines(wish.engine);
    published::Reproduction reproduction(std::move(tables), limits_of(wish, engines));
    ReportFiles files(notify);
    files.add(wish.html, published::to_html);
    files.add(wish.json, published::to_json);

    const InterruptGuard interrupt;
    ProgressBar bar(!wish.quiet);
    experiments::Hooks hooks;
    hooks.progress = [&](const experiments::Progress& progress) { bar.show(progress); };
    hooks.cancel = interrupt.flag();
    for (const auto& engine : engines) {
        const experiments::Machine machine = experiments::describe_machine(
            *engine, version, commit, "warpsieve " + experiments::command_text(argc, argv));
        reproduction.run(*engine, machine, policy_of(wish), hooks, [&] {
            bar.clear();
            write(files, reproduction);
        });
    }
    bar.clear();
    const bool written = write(files, reproduction);
    if (!wish.quiet)
        std::printf("%s", published::to_text(reproduction, published::answer(reproduction)).c_str());
    return exit_code_of(reproduction, written);
}

}  // namespace warpsieve
