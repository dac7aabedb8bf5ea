#include <algorithm>

#include "experiments/published/answer_texts.hpp"
#include "experiments/published/figures.hpp"
#include "experiments/published/markup.hpp"
#include "experiments/published/plots.hpp"
#include "experiments/published/reports.hpp"

namespace published {
namespace {

/// "<td class="..." title="...">text</td>".
std::string cell(const std::string& kind, const std::string& text, const std::string& tip = "") {
    std::string html = "<td class=\"" + kind + "\"";
    if (!tip.empty()) html += " title=\"" + escaped(tip) + "\"";
    return html + ">" + escaped(text) + "</td>";
}

/// The runs that have a value in the table.
std::vector<std::size_t> runs_with_values(const Report& report, std::size_t index) {
    std::vector<std::size_t> runs;
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        if (report.has_values(run, index)) runs.push_back(run);
    }
    return runs;
}

std::string column_heads(const Report& report, const Table& table, const std::vector<std::size_t>& runs) {
    std::string first = "<tr><th rowspan=\"2\"></th>";
    std::string second = "<tr>";
    for (const Column& each : table.columns) {
        const bool unitless = each.quantity == Quantity::layout || each.unit == "1" ||
                              each.unit == "not printed" || each.unit == "as the row says";
        const std::string name = each.name + (unitless ? "" : " (" + each.unit + ")");
        const bool measured = is_measured(each.quantity) && !table.no_counterpart;
        first += "<th colspan=\"" + std::to_string(measured ? 1 + runs.size() : 1) + "\">" + escaped(name) +
                 "</th>";
        second += "<th class=\"sub\">published</th>";
        if (!measured) continue;
        for (const std::size_t run : runs) {
            const bool several = report.runs.size() > 1;
            second += "<th class=\"sub\" title=\"" + escaped(report.name_of(run)) + "\">" +
                      escaped(several ? report.name_of(run) : "here") + "</th>";
        }
    }
    return "<thead>" + first + "</tr>" + second + "</tr></thead>\n";
}

/// The cell of a measured figure: the median, and below it mean and ratio. Adds its remarks to `mark`.
std::string measured_cell(const Table& table, const Here& here, const std::string& mark) {
    std::string html = "<td class=\"" + std::string(here.value ? "here" : "here missing") + "\" title=\"" +
                       escaped(origin_of(here)) + "\">" + escaped(figure(here.value));
    if (!mark.empty()) html += " <sup>" + escaped(mark) + "</sup>";
    std::string below;
    if (here.mean && table.prints_means) below = "mean " + figure(*here.mean);
    if (here.ratio) below += (below.empty() ? "" : ", ") + factor(*here.ratio);
    if (!below.empty()) html += "<br><small>" + escaped(below) + "</small>";
    return html + "</td>";
}

std::string table_body(const Report& report, std::size_t index, const std::vector<std::size_t>& runs,
                       Remarks& remarks) {
    const Table& table = *report.tables[index].table;
    std::string html = "<tbody>\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        html += "<tr><th scope=\"row\">" + escaped(table.rows[row].name) + "</th>";
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const Printed& printed = table.rows[row].values[column];
            const bool measured = is_measured(table.columns[column].quantity) && !table.no_counterpart;
            std::string mark;
            if (measured && runs.empty()) {
                const auto of_row = remarks_on(table, row, column, Here{});
                mark = remarks.mark(of_row);
            }
            html += cell(printed.text ? "published" : "published missing",
                         printed.text.value_or("missing") + (mark.empty() ? "" : " " + mark));
            if (!measured) continue;
            for (const std::size_t run : runs) {
                const Here& here = report.here(run, index, row, column);
                html += measured_cell(table, here, remarks.mark(remarks_on(table, row, column, here)));
            }
        }
        html += "</tr>\n";
    }
    return html + "</tbody>";
}

std::string list_of(const std::string& kind, const std::vector<std::string>& texts,
                    const std::string& lead = "") {
    if (texts.empty()) return {};
    std::string html = "<ul class=\"" + kind + "\">";
    for (const std::string& text : texts) html += element("li", lead + text);
    return html + "</ul>\n";
}

/// Runs without a value in the table, with the reason.
std::string absent_runs(const Report& report, std::size_t index) {
    std::string html;
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        if (report.has_values(run, index)) continue;
        const std::string why = why_none(report, run, index);
        html +=
            element("p", "Not measured on " + report.name_of(run) + (why.empty() ? "." : ": " + why + "."));
    }
    return html.empty() ? html : "<div class=\"absent\">" + html + "</div>\n";
}

}  // namespace

std::string html_figure(const Report& report, std::size_t index) {
    const TableRef& ref = report.tables[index];
    const std::vector<std::string> plots = plot_table(report, index);
    if (plots.empty()) return {};
    std::string html = "<figure>\n<div class=\"panels\">\n";
    for (const std::string& plot : plots) html += plot;
    html += "</div>\n<figcaption>" + escaped(ref.table->title + ".");
    if (!has_printed_values(*ref.table)) {
        html += " " + escaped("The publication gives no numbers, so only the plot made here stands.");
    } else if (runs_with_values(report, index).empty()) {
        html += " " + escaped("Published figures only: nothing was measured here.");
    }
    return html + "<br>How to repeat: <code>" + escaped(repeat_command(ref.document->label_of(*ref.table))) +
           "</code></figcaption>\n</figure>\n";
}

std::string html_table(const Report& report, std::size_t index) {
    const TableRef& ref = report.tables[index];
    const Table& table = *ref.table;
    std::string html = "<section>\n" + element("h3", ref.document->label_of(table) + ": " + table.title) +
                       "\n<p class=\"source\">" + escaped("Section \"" + table.section + "\"") +
                       ". Published: " + escaped(table.gpu) + "; " + escaped(table.method) + ".";
    if (table.no_counterpart) {
        html += " <strong>No counterpart here:</strong> " + escaped(*table.no_counterpart) + ".";
    }
    html += "</p>\n" + html_figure(report, index);
    if (is_listed(table)) {
        Remarks remarks;
        const auto runs = runs_with_values(report, index);
        html += "<div class=\"scroll\"><table>" + column_heads(report, table, runs) +
                table_body(report, index, runs, remarks) + "</table></div>\n";
        if (!remarks.all().empty()) {
            html += "<ol class=\"remarks\">";
            for (const std::string& remark : remarks.all()) html += element("li", remark);
            html += "</ol>\n";
        }
    }
    if (!table.no_counterpart) html += absent_runs(report, index);
    html += list_of("notes", table.inferences, "Inferred: ") + list_of("notes", table.notes);
    return html + "</section>\n";
}

}  // namespace published
