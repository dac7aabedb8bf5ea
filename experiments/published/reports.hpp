#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/published/answers.hpp"
#include "experiments/published/reproduction.hpp"

/// Reports of a reproduction. All have the same content; each is complete at any time and lists what was not
/// measured yet.
namespace published {

/// Tables and answers for a terminal, up to 110 columns.
std::string to_text(const Reproduction& reproduction, const Answers& answers);

/// Format "warpsieve-reproduce-1"; see assets/published/result.schema.json.
std::string to_json(const Reproduction& reproduction, const Answers& answers);

/// One self-contained page: style and plots (SVG) inline, no script. Light, for print.
std::string to_html(const Reproduction& reproduction, const Answers& answers);

/// The tables of the HTML page with their plots.
std::string html_tables(const Reproduction& reproduction);

/// The output of `--list`: id, GPU and title of each table.
std::string list_tables(std::span<const TableRef> tables);

/// Source of a cell's value, for a note: algorithm, layout if not automatic, caution.
std::string origin_of(const Here& here);

/// Remark on a cell's value: why it is missing, or why not to trust it. Usually empty.
std::string remark_on(const Here& here);

/// Numbered remarks on the cells of a table, without repeats.
class Remarks {
  public:
    /// The number of the remark, "[2]"; "" for an empty remark.
    std::string mark(const std::string& remark);
    const std::vector<std::string>& all() const { return all_; }

  private:
    std::vector<std::string> all_;
};

/// The citation: "Parallel Stream Compaction, part 2 (2018-03-05), section ...".
std::string citation_of(const TableRef& ref);

/// The names of the devices of a run, without repeats.
std::string devices_of(const Reproduction& reproduction);

}  // namespace published
