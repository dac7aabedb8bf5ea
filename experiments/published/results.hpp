#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/machine.hpp"
#include "experiments/published/plan.hpp"
#include "experiments/statistics.hpp"

/// Measured figures beside the published ones, as data: from this run, or from the file of another run.
namespace published {

/// The counterpart of a published figure, measured here, in the unit of the cell's column.
struct MeasuredFigure {
    std::optional<double> value;          ///< a median; the mean or deviation of a ratio
    experiments::Interval interval = {};  ///< of the value; coverage 0 if unknown
    std::optional<double> mean = {};      ///< the mean of the same samples
    experiments::Interval mean_interval = {};
    std::optional<double> by_subtraction = {};  ///< second time of a phase, by subtraction
    experiments::Interval by_subtraction_interval = {};
    /// Speed-up here: published over here for times, here over published for bandwidths and ratios. The
    /// published figure is that for the whole array. Empty unless both are known.
    std::optional<double> ratio = {};
    std::string setting = {};  ///< from experiments::describe(); empty for ratios
    std::string origin = {};   ///< the setting for readers
    std::string caution = {};  ///< see caution_of()
    std::size_t samples = 0;
    std::string why_not = {};  ///< why there is no value; empty if none is expected
};

/// A time in microseconds, measured here, with its interval.
struct MeasuredTime {
    double us = 0;
    experiments::Interval interval = {};
};
/// The time of a figure in the unit; empty if it has no value above 0.
std::optional<MeasuredTime> time_of(const MeasuredFigure& measured, const std::string& unit);

/// An interval in another unit.
inline experiments::Interval scaled(const experiments::Interval& interval, double factor) {
    return {interval.low * factor, interval.high * factor, interval.coverage};
}

/// A quotient of two times, with its interval if both are known.
struct Factor {
    double value = 0;
    experiments::Interval interval = {};
};
Factor quotient(const MeasuredTime& numerator, const MeasuredTime& denominator);

/// An engine with its machine.
struct EngineRun {
    experiments::Machine machine;
    double copy_gb_s = 0;  ///< copy on the device, of the longest stream; 0 if unknown
    std::uint64_t copy_items = 0;
    std::string failure = {};  ///< why the device failed; empty if it did not
};

/// All figures of one run.
struct Results {
    std::vector<EngineRun> engines;
    bool quick = false;
    bool interrupted = false;
    std::vector<std::string> wrong;                  ///< setting and error of each wrong result
    std::vector<std::vector<MeasuredFigure>> cells;  ///< for each table: [row * columns + column]

    /// The names of the devices, without repeats; "nothing measured" if there are none.
    std::string devices() const;
    /// The number of cells with a value.
    std::size_t num_values() const;
};

/// Results of one or more runs beside the same tables.
struct Report {
    std::vector<TableRef> tables;
    std::vector<Results> runs;

    const MeasuredFigure& measured(std::size_t run, std::size_t table, std::size_t row,
                                   std::size_t column) const {
        return runs[run].cells[table][row * tables[table].table->columns.size() + column];
    }
    /// The devices of a run; numbered if several runs have the same.
    std::string name_of(std::size_t run) const;
    /// The index of the table with that id; empty if the report does not have it.
    std::optional<std::size_t> index_of(const std::string& id) const;
    /// Whether the run has a value in the table.
    bool has_values(std::size_t run, std::size_t table) const;
    /// The indices of the runs that have a value in the table.
    std::vector<std::size_t> runs_with_values(std::size_t table) const;
    /// The first reason why the run lacks a value in the table; empty if there is none.
    std::string why_no_values(std::size_t run, std::size_t table) const;
};

/// The ratio of two algorithms at one length.
struct RatioPoint {
    std::uint64_t num_items = 0;
    Factor ratio;
};

/// The ratio of the two algorithms' times for each length of the source's table that has both, rising.
std::vector<RatioPoint> ratios_of(std::span<const TableRef> tables, const Results& results,
                                  const RatioSource& source);

/// Fills in the cells that are ratios, and MeasuredFigure::ratio of all cells.
void fill_in_ratios(std::span<const TableRef> tables, Results& results);

/// Below this length a loop of GPU calls measures launches rather than work.
inline constexpr std::uint64_t launch_bound_below = std::uint64_t{1} << 18;
/// Whether a measured time of the cell is mostly that of launches.
bool measures_launches(const Table& table, std::size_t row, std::size_t column);

/// Reads what to_json() wrote: a single run or a merged file. Cells of tables that the file does not have
/// stay empty, with a reason. Throws compaction::Error{invalid_argument} that names the file as `file`, and
/// the error.
std::vector<Results> read_results(std::string_view text, const std::string& file,
                                  std::span<const TableRef> tables);

/// How the names of devices end whose results are built into the program.
inline constexpr std::string_view built_in_ending = " (built in)";

/// The results of GPUs that are built into the program, for machines without them. The names of their devices
/// end in built_in_ending. Throws like read_results.
std::vector<Results> built_in_references(std::span<const TableRef> tables);

/// The report with the built-in references of devices that it lacks.
Report with_references(Report report);

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

}  // namespace published
