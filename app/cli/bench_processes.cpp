#include "app/cli/bench_processes.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/exit.hpp"
#include "app/cli/output_files.hpp"
#include "app/cli/progress_bar.hpp"
#include "compaction/error.hpp"
#include "experiments/csv.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/terminal.hpp"
#include "experiments/machine.hpp"
#include "experiments/process_results.hpp"
#include "experiments/result_file.hpp"
#include "experiments/table.hpp"
#include "platform/files.hpp"
#include "platform/process.hpp"

namespace warpsieve {
namespace {

using experiments::Baseline;
using experiments::ComparedSetting;
using experiments::ProcessCsv;
using experiments::ProcessResults;
using experiments::Program;

/// A child process may run as long as the parent.
constexpr std::chrono::hours no_time_limit(24 * 365);

/// The arguments of a child process: those of this one without what the parent does itself.
std::vector<std::string> arguments_of_child(int argc, char** argv) {
    constexpr std::string_view parent_flags[] = {"--against",     "--baseline", "--processes",
                                                 "--max-regress", "--csv",      "--markdown"};
    std::vector<std::string> arguments{"warpsieve", "bench", "--quiet"};
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const std::string_view flag = argument.substr(0, argument.find('='));
        if (std::ranges::find(parent_flags, flag) != std::end(parent_flags)) {
            if (flag == argument) ++i;  // skips its value
        } else if (argument != "--quiet") {
            arguments.emplace_back(argument);
        }
    }
    return arguments;
}

/// The state of a run with several processes, and what its output files show.
class ProcessRun {
  public:
    ProcessRun(const BenchArguments& arguments, int argc, char** argv,
               const std::optional<Baseline>& recorded)
        : arguments_(arguments),
          command_("warpsieve " + experiments::command_text(argc, argv)),
          child_arguments_(arguments_of_child(argc, argv)),
          recorded_(recorded) {}

    /// Runs all processes, one after another. With two programs, each round runs both, in the opposite order
    /// of the round before, so that neither a drift nor an effect of the order favours one: A B, B A, A B.
    void measure(const std::function<void(const ProcessRun&)>& round_done) {
        ProgressBar bar(!arguments_.quiet);
        const auto started = std::chrono::steady_clock::now();
        const std::size_t total = arguments_.num_processes * (has_other_program() ? 2 : 1);
        for (std::size_t round = 1; round <= arguments_.num_processes; ++round) {
            std::vector<Program> programs{Program::writer};
            const bool other_is_first = round % 2 == 1;
            if (has_other_program())
                programs.insert(other_is_first ? programs.begin() : programs.end(), Program::other);
            for (const Program program : programs) {
                const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
                const std::size_t done = processes_.size();
                bar.show({.settings_done = done,
                          .settings_total = total,
                          .seconds_left = done == 0 ? 0
                                                    : spent.count() / static_cast<double>(done) *
                                                          static_cast<double>(total - done),
                          .activity = "process " + std::to_string(round) + " of " +
                                      (program == Program::writer ? "this program" : "the other program")});
                if (!run_child(program, round, bar)) return;
            }
            round_done(*this);
        }
    }

    /// The results so far. Empty before the first process of this program.
    std::optional<ProcessResults> results() const {
        const std::optional<Baseline> own = results_of(Program::writer);
        if (!own) return std::nullopt;
        const std::optional<Baseline> other = has_other_program() ? results_of(Program::other) : recorded_;
        const auto max_regress = arguments_.max_regress;
        return compare_results(*own, other ? &*other : nullptr, /*interleaved=*/has_other_program(),
                               max_regress ? std::optional(*max_regress / 100) : std::nullopt);
    }

    std::string csv() const {
        return merge_csv(processes_, command_, interrupted(), results().value_or(ProcessResults{}));
    }

    /// Call after the first process.
    experiments::Table table() const {
        const experiments::CsvText head = experiments::split_csv(processes_.back().text);
        return results_table(results().value_or(ProcessResults{}),
                             head.comment("device") + ", " + head.comment("driver"));
    }

    std::string markdown() const {
        std::string text = "`" + command_ + "`\n\n" + to_markdown(table());
        for (const std::string& remark : comparison_remarks(results().value_or(ProcessResults{})))
            text += "\n" + remark + "\n";
        return text;
    }

    /// The exit code of the child that ended the run early; else exit_wrong_result if a child had a wrong
    /// result, or exit_ok.
    int child_exit_code() const { return child_exit_code_; }

  private:
    bool has_other_program() const { return arguments_.against_is_program; }

    /// The results of all processes of one program, as if that program alone had written a CSV file.
    std::optional<Baseline> results_of(Program program) const {
        if (std::ranges::find(processes_, program, &ProcessCsv::program) == processes_.end())
            return std::nullopt;
        std::vector<ProcessCsv> selected;
        std::ranges::copy_if(processes_, std::back_inserter(selected),
                             [&](const ProcessCsv& each) { return each.program == program; });
        for (ProcessCsv& each : selected) each.program = Program::writer;
        return Baseline::parse(
            experiments::merge_csv(selected, command_, /*interrupted=*/false, /*results=*/{}),
            "of the child processes");
    }

    /// Runs one process and keeps its results. Returns whether the next one can start.
    bool run_child(Program program, std::size_t round, ProgressBar& bar) {
        const platform::TemporaryFolder folder;
        const std::filesystem::path csv = folder.path() / "results.csv";
        std::vector<std::string> command = child_arguments_;
        command.insert(command.end(), {"--csv", csv.string()});
        const platform::ChildResult child =
            platform::run_and_read(program == Program::other ? std::filesystem::absolute(arguments_.against)
                                                             : std::filesystem::path(),
                                   command, no_time_limit, &interrupted());
        if (interrupted()) return false;
        print_new_lines(child.output, bar);
        if (child.end != platform::ChildEnd::exited)
            return stop(program, exit_failure, "did not end by itself");
        if (child.code == exit_wrong_result) child_exit_code_ = exit_wrong_result;
        if (child.code != exit_ok && child.code != exit_wrong_result)
            return stop(program, child.code, "ended with exit code " + std::to_string(child.code));
        const platform::FileText file = platform::read_file(csv, experiments::max_result_bytes);
        if (!file.problem.empty() || !experiments::split_csv(file.text).complete())
            return stop(program, exit_failure, "wrote no results");
        processes_.push_back({.program = program, .process = round, .text = file.text});
        return true;
    }

    /// Reports why no more processes are started. Returns false.
    bool stop(Program program, int exit_code, const std::string& what) {
        const std::string whose = program == Program::other ? arguments_.against.string() : "this program";
        notify_of_bench("a process of " + whose + " " + what + "; no more are started.");
        child_exit_code_ = exit_code;
        return false;
    }

    /// Prints the lines of a child's output that no child has written before.
    void print_new_lines(const std::string& output, ProgressBar& bar) {
        std::istringstream lines(output);
        for (std::string line; std::getline(lines, line);) {
            if (!printed_lines_.insert(line).second) continue;
            bar.clear();
            experiments::format::print_error_line(line);
        }
    }

    const BenchArguments& arguments_;
    std::string command_;
    std::vector<std::string> child_arguments_;
    const std::optional<Baseline>& recorded_;
    std::vector<ProcessCsv> processes_;
    std::set<std::string> printed_lines_;
    int child_exit_code_ = exit_ok;
};

void print(const ProcessRun& run, const ProcessResults& results) {
    experiments::format::print(to_terminal(run.table(), /*colour=*/false));
    for (const std::string& remark : comparison_remarks(results)) experiments::format::print_line(remark);
}

/// Names the settings that are slower than allowed. Returns whether there are any.
bool report_regressions(const ProcessResults& results) {
    bool any = false;
    for (const ComparedSetting& setting : results.settings) {
        if (!results.regressed(setting)) continue;
        const auto four_digits = [](double value) { return experiments::format::significant(value, 4); };
        const experiments::ProcessComparison& comparison = setting.comparison;
        notify_of_bench("slower than allowed: " + describe(setting.fields) + ": " +
                        four_digits(comparison.ratio) + " (" + four_digits(comparison.ratio_interval.low) +
                        " to " + four_digits(comparison.ratio_interval.high) +
                        ") times the time of the other.");
        any = true;
    }
    return any;
}

}  // namespace

void notify_of_bench(const std::string& sentence) {
    experiments::format::print_error_line("warpsieve bench: " + sentence);
}

std::string missing_settings(std::size_t count, const std::vector<std::string>& settings) {
    std::string text = "the other results lack " + std::to_string(count) + " of the settings: " + settings[0];
    for (std::size_t i = 1; i < std::min(settings.size(), max_named_settings); ++i)
        text += "; " + settings[i];
    return text + (count > max_named_settings ? "; and others." : ".");
}

int run_bench_processes(const BenchArguments& arguments, int argc, char** argv,
                        const std::optional<Baseline>& recorded) {
    if (!arguments.json.empty()) {
        throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                "--json holds the results of one process. Write those of several to --csv.");
    }
    OutputFiles<ProcessRun> files(notify_of_bench);
    files.add(arguments.csv, [](const ProcessRun& run) { return run.csv(); });
    files.add(arguments.markdown, [](const ProcessRun& run) { return run.markdown(); });
    ProcessRun run(arguments, argc, argv, recorded);
    run.measure([&](const ProcessRun& so_far) {
        if (so_far.results()) files.write(so_far);
    });
    const std::optional<ProcessResults> results = run.results();
    const bool written = !results || files.finish(run);
    bool regressed = false;
    if (results) {
        if (!arguments.quiet) print(run, *results);
        if (!recorded && !results->missing.empty())
            notify_of_bench(missing_settings(results->missing.size(), results->missing));
        regressed = report_regressions(*results);
    }
    if (interrupted()) {
        notify_of_bench(interruption(results ? results->settings.size() : 0));
        return interrupt_exit_code();
    }
    if (run.child_exit_code() != exit_ok) return run.child_exit_code();
    if (!written || !results) return exit_failure;
    return regressed ? exit_regression : exit_ok;
}

}  // namespace warpsieve
