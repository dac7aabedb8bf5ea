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

/// What was measured on one engine.
struct EngineRun {
    experiments::Machine machine;
    std::vector<experiments::CopyResult> copies;
    std::string failure;  ///< why the device failed, where it did
};

/// Of what is to be measured and was not: a Here::why_not.
inline constexpr std::string_view not_measured_yet = "not measured yet";

/// What stands beside a published figure. Values are in the unit of the cell's column.
struct Here {
    std::optional<double> value;
    experiments::Interval interval;               ///< of the value; coverage 0 where none is known
    const experiments::Result* result = nullptr;  ///< that the value is from; null for ratios
    std::string why_not;                          ///< where there is no value; empty where none was to be
    /// How many times faster here: published over here for times, here over published for bandwidths. For
    /// ratios here over published. Nothing unless both are known.
    std::optional<double> ratio;
};

/// Microseconds in one unit of time: "s", "ms" or "us".
double microseconds_in(const std::string& unit);

/// Mean and standard deviation over n lengths; nothing under 2.
struct Spread {
    double mean = 0;
    double sd = 0;  ///< of a sample: over n - 1
    std::size_t n = 0;
};
std::optional<Spread> spread_of(std::span<const double> values);

/// Published tables and what was measured for them so far.
class Reproduction {
  public:
    Reproduction(std::vector<TableRef> tables, const Limits& limits);

    std::span<const TableRef> tables() const { return tables_; }
    const Limits& limits() const { return limits_; }
    const Plan& plan() const { return plan_; }
    std::span<const EngineRun> engines() const { return engines_; }
    bool interrupted() const { return interrupted_; }
    /// Results whose output was wrong.
    std::vector<const experiments::Result*> wrong_results() const;
    std::size_t num_measured() const;

    /// Runs what belongs to the engine. After each stream, and at the end, what was measured stands here and
    /// `changed` is called. Throws like experiments::measure.
    void run(compaction::Engine& engine, const experiments::Machine& machine,
             const experiments::Policy& policy, experiments::Hooks hooks,
             const std::function<void()>& changed);

    /// Takes in what was measured of this plan's settings on one engine; what came before of it is replaced.
    void take(const experiments::Machine& machine, const experiments::Measurement& measurement);

    Here here(std::size_t table, std::size_t row, std::size_t column) const;

    /// The fastest correct result of a cell, or null.
    const experiments::Result* best_result(std::size_t table, std::size_t row, std::size_t column) const;

    /// For each length of the source's table with both, the time of one algorithm over the other's.
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
    std::vector<std::string> skipped_;                         ///< why, of the plan's settings
    std::vector<EngineRun> engines_;
    bool interrupted_ = false;
};

/// A word on how far to trust a result: noisy, throttled, wrong; empty where nothing is to be said.
std::string caution_of(const experiments::Result& result);

}  // namespace published
