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

std::string column_heads(const Table& table, const std::string& device) {
    std::string first = "<tr><th rowspan=\"2\"></th>";
    std::string second = "<tr>";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const Column& each = table.columns[column];
        const bool unitless = each.quantity == Quantity::layout || each.unit == "1" ||
                              each.unit == "not printed" || each.unit == "as the row says";
        const std::string name = each.name + (unitless ? "" : " (" + each.unit + ")");
        const bool measured = is_measured(each.quantity) && !table.no_counterpart;
        first += "<th colspan=\"" + std::string(measured ? "3" : "1") + "\">" + escaped(name) + "</th>";
        second += "<th class=\"sub\">published</th>";
        if (measured) {
            second +=
                "<th class=\"sub\" title=\"" + escaped(device) + "\">here</th><th class=\"sub\">ratio</th>";
        }
    }
    return "<thead>" + first + "</tr>" + second + "</tr></thead>\n";
}

/// The three cells of a measured figure. Adds its remark to `remarks`.
std::string measured_cells(const Here& here, const Printed& printed, Remarks& remarks) {
    std::string html =
        cell(printed.text ? "published" : "published missing", printed.text.value_or("missing"));
    const std::string mark = remarks.mark(remark_on(here));
    html += cell(here.value ? "here" : "here missing", figure(here.value) + (mark.empty() ? "" : " " + mark),
                 origin_of(here));
    return html + cell("ratio", here.ratio ? factor(*here.ratio) : "-");
}

std::string table_body(const Reproduction& reproduction, std::size_t index, Remarks& remarks) {
    const Table& table = *reproduction.tables()[index].table;
    std::string html = "<tbody>\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        html += "<tr><th scope=\"row\">" + escaped(table.rows[row].name) + "</th>";
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const Printed& printed = table.rows[row].values[column];
            const bool measured = is_measured(table.columns[column].quantity) && !table.no_counterpart;
            if (measured) {
                html += measured_cells(reproduction.here(index, row, column), printed, remarks);
            } else {
                html +=
                    cell(printed.text ? "published" : "published missing", printed.text.value_or("missing"));
            }
        }
        html += "</tr>\n";
    }
    return html + "</tbody>";
}

std::string one_table(const Reproduction& reproduction, std::size_t index) {
    const TableRef& ref = reproduction.tables()[index];
    const Table& table = *ref.table;
    const std::string device = devices_of(reproduction);
    std::string html = "<section id=\"" + escaped(table.id) + "\">\n" + element("h3", table.title) +
                       "\n<p class=\"source\">" + escaped(citation_of(ref)) +
                       ". Published: " + escaped(table.gpu) + "; " + escaped(table.method) + ".";
    html += table.no_counterpart
                ? " <strong>No counterpart here:</strong> " + escaped(*table.no_counterpart) + ".</p>\n"
                : " Here on " + escaped(device) + ".</p>\n";
    Remarks remarks;
    html += "<table>" + column_heads(table, device) + table_body(reproduction, index, remarks) + "</table>\n";
    if (!remarks.all().empty()) {
        html += "<ol class=\"remarks\">";
        for (const std::string& remark : remarks.all()) html += element("li", remark);
        html += "</ol>\n";
    }
    if (!table.notes.empty()) {
        html += "<ul class=\"notes\">";
        for (const std::string& note : table.notes) html += element("li", note);
        html += "</ul>\n";
    }
    const std::string plot = plot_table(reproduction, index);
    if (!plot.empty()) html += "<figure>" + plot + "</figure>\n";
    return html + "</section>\n";
}

}  // namespace

std::string html_tables(const Reproduction& reproduction) {
    std::string html;
    const Document* document = nullptr;
    for (std::size_t i = 0; i < reproduction.tables().size(); ++i) {
        if (reproduction.tables()[i].document != document) {
            document = reproduction.tables()[i].document;
            html +=
                element("h2", document->title + (document->author ? " - " + *document->author : "")) + "\n";
        }
        html += one_table(reproduction, i);
    }
    return html;
}

}  // namespace published
