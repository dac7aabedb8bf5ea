#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/machine.hpp"
#include "experiments/measure.hpp"
#include "experiments/published/documents.hpp"
#include "experiments/published/plan.hpp"

namespace published {

/// The measurements on one engine.
struct EngineRun {
    experiments::Machine machine;
    std::vector<experiments::CopyResult> copies;
    std::string failure;  ///< why the device failed; empty if it did not
};

/// Here::why_not of a cell that can be measured but was not.
inline constexpr std::string_view not_measured_yet = "not measured yet";

/// The counterpart of a published figure on this machine, in the unit of the cell's column.
struct Here {
    std::optional<double> value;
    experiments::Interval interval;               ///< of the value; coverage 0 if unknown
    const experiments::Result* result = nullptr;  ///< source of the value; null for ratios
    std::string why_not;                          ///< why there is no value; empty if none is expected
    /// Speed-up here: published over here for times, here over published for bandwidths and ratios. Empty
    /// unless both are known.
    std::optional<double> ratio;
};

/// Microseconds per unit of time: "s", "ms" or "us".
double microseconds_in(const std::string& unit);

/// Mean and standard deviation over n values.
struct Spread {
    double mean = 0;
    double sd = 0;  ///< sample standard deviation, over n - 1
    std::size_t n = 0;
};
/// Empty for fewer than 2 values.
std::optional<Spread> spread_of(std::span<const double> values);

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

    /// Adds measurements of the plan's settings on one engine; replaces earlier ones.
    void take(const experiments::Machine& machine, const experiments::Measurement& measurement);

    Here here(std::size_t table, std::size_t row, std::size_t column) const;

    /// The fastest correct result of a cell, or null.
    const experiments::Result* best_result(std::size_t table, std::size_t row, std::size_t column) const;

    /// The ratio of the two algorithms' times for each length of the source's table that has both.
    struct RatioPoint {
        std::uint64_t num_items = 0;
        double ratio = 0;
        experiments::Interval interval;
    };
    std::vector<RatioPoint> ratios(const RatioSource& source) const;

  private:
    std::string why_not_measured(const PlannedCell& cell) const;
    Here ratio_here(const Table& table, Quantity quantity) const;

    std::vector<TableRef> tables_;
    Limits limits_;
    Plan plan_;
    std::vector<std::optional<experiments::Result>> results_;  ///< of the plan's settings
    std::vector<std::string> skipped_;                         ///< why a setting was skipped
    std::vector<EngineRun> engines_;
    bool interrupted_ = false;
};

/// Warnings about a result: wrong, noisy, throttled. Empty if there are none.
std::string caution_of(const experiments::Result& result);

}  // namespace published
