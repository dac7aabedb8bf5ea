#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/first_calls.hpp"
#include "experiments/machine.hpp"
#include "experiments/measure.hpp"
#include "experiments/published/documents.hpp"
#include "experiments/published/plan.hpp"
#include "experiments/published/results.hpp"

namespace published {

/// MeasuredFigure::why_not of a cell that can be measured but was not.
inline constexpr std::string_view not_measured_yet = "not measured yet";

/// MeasuredFigure::why_not of a cell that needs fresh processes, before they ran.
inline constexpr std::string_view needs_fresh_processes = "needs processes of its own: `warpsieve reproduce`";

/// The first calls of one process, or why it gave none.
struct ProcessResult {
    std::optional<experiments::FirstCalls> calls;
    std::string failure;  ///< a clause: "it ended with exit code 1: the GPU is lost"
};

/// Times the first calls of a setting in a process of its own. Both members of the result are empty if it was
/// interrupted.
using StartProcess = std::function<ProcessResult(const experiments::Setting& setting)>;

/// Published tables and the measurements for them so far.
class Reproduction {
  public:
    Reproduction(std::vector<TableRef> tables, const Limits& limits);

    std::span<const TableRef> tables() const { return tables_; }
    const Limits& limits() const { return limits_; }
    const Plan& plan() const { return plan_; }
    std::span<const EngineRun> engines() const { return engines_; }
    bool interrupted() const { return interrupted_; }
    /// Results with a wrong output.
    std::vector<const experiments::Result*> wrong_results() const;
    std::size_t num_measured() const;

    /// Runs the settings of the engine. Takes the results and calls `changed` after each stream and at the
    /// end. Throws like experiments::measure.
    void run(compaction::Engine& engine, const experiments::Machine& machine,
             const experiments::Policy& policy, experiments::Hooks hooks,
             const std::function<void()>& changed);

    /// Times the plan's first calls on the engine of `machine`, in `num_processes` processes for each
    /// setting. The settings take turns, and one process runs at a time. A setting whose process fails is
    /// left out from then on. Uses the hooks for progress and cancel. Calls `changed` after each process.
    void run_first_calls(const StartProcess& start, const experiments::Machine& machine,
                         std::size_t num_processes, const experiments::Hooks& hooks,
                         const std::function<void()>& changed);

    /// Counts the plan's runs on a simulated GPU; `machine` describes its engine. Uses the hooks for progress
    /// and cancel. Calls `changed` after each count.
    void run_counts(const experiments::Machine& machine, const experiments::Hooks& hooks,
                    const std::function<void()>& changed);

    /// Adds measurements of the plan's settings on one engine; replaces earlier ones.
    void add(const experiments::Machine& machine, const experiments::Measurement& measurement);

    /// All figures so far.
    Results results() const;

    /// The fastest correct result of a cell, or null.
    const experiments::Result* best_result(std::size_t table, std::size_t row, std::size_t column) const;

  private:
    EngineRun& find_or_add_run(const experiments::Machine& machine);
    std::string why_not_measured(const PlannedCell& cell) const;
    MeasuredFigure measured(std::size_t table, std::size_t row, std::size_t column) const;

    std::vector<TableRef> tables_;
    Limits limits_;
    Plan plan_;
    std::vector<std::optional<experiments::Result>> results_;  ///< one per setting of the plan
    std::vector<std::string> skipped_;                         ///< why a setting was skipped
    std::vector<experiments::FirstCallSamples> first_calls_;   ///< one per entry of Plan::first_calls
    std::vector<std::optional<double>> counts_;                ///< one per entry of Plan::counts
    std::vector<EngineRun> engines_;
    bool interrupted_ = false;
};

/// The reproduction as a report of one run.
Report report_of(const Reproduction& reproduction);

/// "Orange Owls, after Spataro: threads per block 1024": algorithm and options for readers.
std::string origin_of(const experiments::Setting& setting);

/// Warnings about a result: wrong, noisy, throttled. Empty if there are none.
std::string caution_of(const experiments::Result& result);

}  // namespace published
