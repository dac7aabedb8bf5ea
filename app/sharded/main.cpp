// `warpsieve bench --gpus`, which warpsieve starts with its own arguments.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "app/cli/bench_arguments.hpp"
#include "app/cli/exit.hpp"
#include "app/cli/output_files.hpp"
#include "app/sharded/measure.hpp"
#include "app/version.hpp"
#include "compaction/engine.hpp"
#include "experiments/format/terminal.hpp"
#include "experiments/machine.hpp"
#include "platform/process.hpp"

namespace {

using namespace warpsieve;
using Rows = std::vector<experiments::ShardedRow>;

void notify(const std::string& sentence) {
    experiments::format::print_error_line("warpsieve bench: " + sentence);
}

int run(int argc, char** argv) {
    const ParsedBenchArguments parsed = parse_bench_arguments(argc, argv);
    if (parsed.exit_code) return *parsed.exit_code;
    const BenchArguments& arguments = parsed.arguments;
    const compaction::EngineStatus& status = compaction::status_of(compaction::EngineId::cuda);
    if (!status.available) throw compaction::Error(compaction::ErrorCode::unavailable, status.reason);

    OutputFiles<experiments::Machine, Rows> files(notify);
    files.add(arguments.csv, experiments::sharded_csv);
    files.add(arguments.markdown, [](const experiments::Machine&, const Rows& rows) {
        return to_markdown(experiments::sharded_table(rows));
    });
    const auto engine = compaction::open_engine(compaction::EngineId::cuda);
    const experiments::Machine machine = experiments::describe_machine(
        *engine, version, commit, "warpsieve " + experiments::command_text(argc, argv));

    Rows rows;
    const ShardedHooks hooks{
        .seconds_per_group = arguments.policy.time_limit_s,
        .report =
            [&](const std::string& text) {
                if (!arguments.quiet) experiments::format::print_error_line(text);
            },
        .row_done =
            [&](experiments::ShardedRow row) {
                rows.push_back(std::move(row));
                files.write(machine, rows);
            },
        .cancel = interrupted(),
    };
    const std::string failure = measure_sharded(
        experiments::expand({arguments.gpus, arguments.grid.num_items, arguments.grid.keep_fractions}),
        hooks);
    const bool written = rows.empty() || files.finish(machine, rows);
    if (!arguments.quiet && !rows.empty()) {
        const bool colour = platform::is_terminal(stdout) && !std::getenv("NO_COLOR");
        experiments::format::print(to_terminal(experiments::sharded_table(rows), colour));
    }
    if (!failure.empty()) notify(failure);
    if (interrupted()) notify(interruption(rows.size()));
    for (const experiments::ShardedRow& row : rows) {
        if (!row.fault.empty()) return exit_wrong_result;
    }
    if (!written) return exit_failure;
    if (interrupted()) return interrupt_exit_code();
    return failure.empty() && !rows.empty() ? exit_ok : exit_failure;
}

}  // namespace

int main(int argc, char** argv) try {
    catch_interrupts();
    return run(argc, argv);  // the first argument is "bench"
} catch (const compaction::Error& error) {
    notify(error.what());
    return exit_code_for(error);
} catch (const std::exception& error) {
    notify(error.what());
    return exit_failure;
}
