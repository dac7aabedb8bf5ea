#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/published/answers.hpp"
#include "experiments/published/reproduction.hpp"

/// A reproduction as people and programs read it. All say the same; each is whole at any time, and says what
/// was not measured yet.
namespace published {

/// Tables and answers for a terminal, up to 110 columns.
std::string to_text(const Reproduction& reproduction, const Answers& answers);

/// Format "warpsieve-reproduce-1"; see docs/how-to/reproduce_published_results.md and assets/published/result.schema.json.
std::string to_json(const Reproduction& reproduction, const Answers& answers);

/// One page with everything in it: style and plots (SVG) inside, no script, nothing fetched. Light, for
/// print.
std::string to_html(const Reproduction& reproduction, const Answers& answers);

/// The tables of the HTML page, each with its plot where it has one.
std::string html_tables(const Reproduction& reproduction);

/// What `--list` prints: each table's id, form, card and title.
std::string list_tables(std::span<const TableRef> tables);

/// Where a cell's value comes from, for a note beside it: algorithm, layout where it is not automatic,
/// caution.
std::string origin_of(const Here& here);

/// What is to be said beside a cell's value: why there is none, or why not to trust it; mostly nothing.
std::string remark_on(const Here& here);

/// Remarks on a table's cells, each told once and referred to by number.
class Remarks {
  public:
    /// "[2]", or "" for no remark.
    std::string mark(const std::string& remark);
    const std::vector<std::string>& all() const { return all_; }

  private:
    std::vector<std::string> all_;
};

/// "Parallel Stream Compaction, part 2 (2018-03-05), Section": what is cited.
std::string citation_of(const TableRef& ref);

/// The names of the devices of a run, each once.
std::string devices_of(const Reproduction& reproduction);

}  // namespace published
