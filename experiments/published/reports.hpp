#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/format/terminal.hpp"
#include "experiments/published/plot.hpp"
#include "experiments/published/results.hpp"

/// Reports of one or more runs. All have the same content; each is complete at any time and lists what was
/// not measured. Ids of tables and algorithms appear in JSON only.
namespace published {

/// Tables and answers for a terminal.
experiments::format::TerminalText to_text(const Report& report);

/// Format "warpsieve-reproduce-1" for one run, "warpsieve-reproduce-merged-1" for several; see
/// assets/published/result.schema.json.
std::string to_json(const Report& report);

/// One self-contained page: style and plots (SVG) inline, no script. Light, for print; a page for each
/// publication.
std::string to_html(const Report& report);

/// The output of `--list`: label, id, GPU and title of each table.
experiments::format::TerminalText list_tables(std::span<const TableRef> tables);

/// Source of a cell's value, for a note: algorithm, layout if not automatic, caution.
std::string origin_of(const MeasuredFigure& measured);

/// Remarks on a cell: why its value is missing or not to be trusted, and which share of the array the
/// published program covered. Usually empty.
std::vector<std::string> remarks_on(const Table& table, std::size_t row, std::size_t column,
                                    const MeasuredFigure& measured);

/// Numbered remarks on the cells of a table, without repeats.
class Remarks {
  public:
    /// The numbers of the remarks, "[2]" or "[1, 3]"; "" if there are none.
    std::string mark(const std::vector<std::string>& remarks);
    const std::vector<std::string>& all() const { return all_; }

  private:
    std::vector<std::string> all_;
};

/// The citation: "Parallel Stream Compaction, part 2 (2018-03-05), section ...".
std::string citation_of(const TableRef& ref);

/// The names of all devices of the report.
std::string devices_of(const Report& report);

/// The command that repeats a table or publication: `warpsieve reproduce --table "Part 3, table 2"`.
std::string repeat_command(const std::string& label);

/// Whether the publication prints a value in the table.
bool has_printed_values(const Table& table);

/// The plots of one table, with the same y axis, to stand side by side: the published one and those of the
/// runs. Leaves out those without values.
std::vector<Plot> plots_of(const Report& report, std::size_t table);

/// Every published time against the time here.
LinePlot plot_of_all_times(const Report& report);

}  // namespace published
