#include <algorithm>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

constexpr const char* style = R"(
:root { color: #1B1F26; background: #FFFFFF; font: 15px/1.5 Inter, Helvetica, Arial, sans-serif; }
body { max-width: 1020px; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.7rem; margin-bottom: 0.2rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 0.4rem; border-bottom: 2px solid #0072B2; padding-bottom: 0.2rem; }
h3 { font-size: 1.05rem; margin: 1.8rem 0 0.2rem; }
h4 { font-size: 1rem; margin: 1.4rem 0 0.2rem; }
nav { margin: 0.8rem 0; font-size: 0.93rem; }
nav a { color: #0072B2; margin-right: 1rem; white-space: nowrap; }
p.source, ul.notes, ol.remarks, .absent p { color: #454E5A; font-size: 0.87rem; margin: 0.3rem 0 0.6rem; }
p.said { margin: 0.3rem 0; }
p.then { color: #454E5A; margin: 0.2rem 0; }
table { border-collapse: collapse; font-size: 0.87rem; font-variant-numeric: tabular-nums; margin: 0.4rem 0; }
.scroll { overflow-x: auto; }
th, td { border-bottom: 1px solid #D9DDE3; padding: 0.25rem 0.6rem; text-align: right; vertical-align: top; }
th { font-weight: 600; text-align: left; }
thead th { border-bottom: 1px solid #8A94A2; text-align: center; }
th.sub { font-weight: 400; color: #454E5A; text-align: right; }
tbody th { max-width: 22rem; }
td.here { font-weight: 600; border-right: 1px solid #D9DDE3; }
td small { font-weight: 400; color: #454E5A; white-space: nowrap; }
td.missing { color: #6B7482; font-weight: 400; font-style: italic; }
table.words th, table.words td { text-align: left; }
table.words thead th { color: #454E5A; font-weight: 600; }
figure { margin: 0.8rem 0 1.2rem; }
figcaption { color: #454E5A; font-size: 0.87rem; }
.panels { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: flex-start; }
.panels svg { max-width: 100%; height: auto; }
code { font: 0.93em "JetBrains Mono", Menlo, Consolas, monospace; background: #F1F3F6; padding: 0.05rem 0.3rem; }
.verdict { display: inline-block; font-size: 0.8rem; font-weight: 600; padding: 0 0.45rem; border: 1px solid;
  border-radius: 0.7rem; margin-right: 0.4rem; white-space: nowrap; }
.holds { color: #00694D; } .differs { color: #A64500; } .too-close-to-call, .answered, .measured-in-part { color: #0060A0; }
.not-measured { color: #6B7482; }
.warning { border-left: 5px solid #D55E00; background: #FFF4EC; padding: 0.5rem 0.9rem; margin: 0.8rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; font-size: 0.9rem; }
dt { color: #454E5A; } dd { margin: 0; overflow-wrap: anywhere; }
@page { margin: 14mm; }
@media print {
  body { max-width: none; margin: 0; padding: 0; font-size: 10pt; }
  nav { display: none; }
  article { break-before: page; }
  figure, tr, .answer { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .scroll { overflow: visible; }
  table { font-size: 8pt; }
  th, td { padding: 0.15rem 0.3rem; }
  .panels { flex-wrap: nowrap; }
  .panels svg { min-width: 0; flex: 0 1 50%; }
}
)";

/// The widths of a plot alone and of plots side by side, in pixels.
constexpr double full_width = 980;
constexpr double half_width = 480;

/// "<td class="..." title="...">text</td>".
std::string cell(const std::string& kind, const std::string& text, const std::string& tip = "") {
    std::string html = "<td class=\"" + kind + "\"";
    if (!tip.empty()) html += " title=\"" + escaped(tip) + "\"";
    return html + ">" + escaped(text) + "</td>";
}

std::string column_heads(const Report& report, const Table& table, const std::vector<std::size_t>& runs) {
    std::string names = "<tr><th rowspan=\"2\"></th>";
    std::string sources = "<tr>";
    for (const Column& each : table.columns) {
        const bool unitless = each.quantity == Quantity::launch_configuration || each.unit == "1" ||
                              each.unit == "not printed" || each.unit == "as the row says";
        const std::string name = each.name + (unitless ? "" : " (" + unit_text(each.unit) + ")");
        const bool is_measurable = is_measured(each.quantity) && !table.no_counterpart;
        names += "<th colspan=\"" + std::to_string(is_measurable ? 1 + runs.size() : 1) + "\">" +
                 escaped(name) + "</th>";
        sources += "<th class=\"sub\">published</th>";
        if (!is_measurable) continue;
        for (const std::size_t run : runs) {
            const bool several = report.runs.size() > 1;
            sources += "<th class=\"sub\" title=\"" + escaped(report.name_of(run)) + "\">" +
                       escaped(several ? report.name_of(run) : "here") + "</th>";
        }
    }
    return "<thead>" + names + "</tr>" + sources + "</tr></thead>\n";
}

/// The cell of a measured figure: the median, and below it mean and ratio. Adds its remarks to `mark`.
std::string measured_cell(const Table& table, const MeasuredFigure& measured, const std::string& mark) {
    std::string html = "<td class=\"" + std::string(measured.value ? "here" : "here missing") +
                       "\" title=\"" + escaped(origin_of(measured)) + "\">" + escaped(figure(measured.value));
    if (!mark.empty()) html += " <sup>" + escaped(mark) + "</sup>";
    std::string below;
    if (measured.mean && table.prints_means) below = "mean " + figure(*measured.mean);
    if (measured.ratio) below += (below.empty() ? "" : ", ") + factor(*measured.ratio);
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
            const bool is_measurable = is_measured(table.columns[column].quantity) && !table.no_counterpart;
            std::string mark;
            if (is_measurable && runs.empty()) {
                const auto of_row = remarks_on(table, row, column, MeasuredFigure{});
                mark = remarks.mark(of_row);
            }
            html += cell(printed.text ? "published" : "published missing",
                         printed.text.value_or("missing") + (mark.empty() ? "" : " " + mark));
            if (!is_measurable) continue;
            for (const std::size_t run : runs) {
                const MeasuredFigure& measured = report.measured(run, index, row, column);
                html +=
                    measured_cell(table, measured, remarks.mark(remarks_on(table, row, column, measured)));
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
        const std::string why = report.why_no_values(run, index);
        html +=
            element("p", "Not measured on " + report.name_of(run) + (why.empty() ? "." : ": " + why + "."));
    }
    return html.empty() ? html : "<div class=\"absent\">" + html + "</div>\n";
}

/// The figure of a table in HTML: published and here side by side, with a caption that contains the command
/// to repeat it. Empty without any value.
std::string html_figure(const Report& report, std::size_t index) {
    const TableRef& ref = report.tables[index];
    const std::vector<Plot> plots = plots_of(report, index);
    if (plots.empty()) return {};
    std::string html = "<figure>\n<div class=\"panels\">\n";
    for (const Plot& plot : plots) html += to_svg(plot, plots.size() == 1 ? full_width : half_width);
    html += "</div>\n<figcaption>" + escaped(ref.table->title + ".");
    if (!has_printed_values(*ref.table)) {
        html += " " + escaped("The publication gives no numbers, so only the plot made here stands.");
    } else if (report.runs_with_values(index).empty()) {
        html += " " + escaped("Published figures only: nothing was measured here.");
    }
    return html + "<br>How to repeat: <code>" + escaped(repeat_command(ref.document->label_of(*ref.table))) +
           "</code></figcaption>\n</figure>\n";
}

/// A table in HTML with its figure, remarks and notes.
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
    if (!table.swept) {
        Remarks remarks;
        const auto runs = report.runs_with_values(index);
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

std::string item(const std::string& name, const std::string& value) {
    return value.empty() ? "" : element("dt", name) + element("dd", value) + "\n";
}

/// Empty if the size is unknown.
std::string size_text(std::uint64_t bytes) {
    return bytes == 0 ? "" : experiments::format::memory_size(bytes);
}

std::string machine_section(const EngineRun& run) {
    const experiments::Machine& machine = run.machine;
    std::string html = element("h3", machine.device) + "<dl>\n";
    html += item("Engine", machine.engine) + item("Driver", machine.driver);
    html += item("Memory", size_text(machine.memory_bytes)) +
            item("Last-level cache", size_text(machine.cache_bytes));
    html +=
        item("Highest clock", machine.max_clock_hz > 0 ? figure(machine.max_clock_hz / 1e6) + " MHz" : "");
    if (run.copy_gb_s > 0) {
        html += item("Copy on the device", figure(run.copy_gb_s) + " GB/s at " +
                                               experiments::format::count_text(run.copy_items) + " items");
    }
    html += item("Warpsieve", machine.version + ", commit " + machine.commit);
    html += item("Command", machine.command) + item("Date (UTC)", machine.date);
    return html + "</dl>\n";
}

std::string warning(const std::string& text) {
    return "<p class=\"warning\">" + escaped(text) + "</p>\n";
}

std::string warnings_of(const Report& report) {
    std::string html;
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        const Results& results = report.runs[run];
        const std::string name = report.name_of(run);
        if (results.quick) {
            html += warning(
                name +
                ": a quick run, with short measurements, searches reduced to one value and few points "
                "of the long plots.");
        }
        if (results.interrupted) html += warning(name + ": interrupted; what was not measured is marked.");
        for (const EngineRun& engine : results.engines) {
            if (!engine.failure.empty()) html += warning(name + ": the device failed: " + engine.failure);
        }
        for (const std::string& wrong : results.wrong) html += warning("WRONG result: " + wrong);
    }
    return html;
}

/// The verdict in a frame; its class is its name with hyphens.
std::string badge(Verdict verdict) {
    const std::string name(name_of(verdict));
    std::string kind = name;
    std::ranges::replace(kind, ' ', '-');
    return "<span class=\"verdict " + kind + "\">" + name + "</span>";
}

std::string words_table(const SmallTable& table) {
    if (table.rows.empty()) return {};
    std::string html = "<div class=\"scroll\"><table class=\"words\"><thead><tr>";
    for (const std::string& header : table.headers) html += element("th", header);
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (const std::string& text : row) html += element("td", text);
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string answer_section(const AnswerText& answer) {
    std::string html = "<div class=\"answer\">\n" + element("h4", answer.question->text) + "\n";
    for (const RunAnswer& run : answer.runs) {
        html += "<p class=\"said\">" + badge(run.verdict) + "<strong>" + escaped(run.devices) +
                ":</strong> " + escaped(run.sentence) + "</p>\n";
    }
    html += "<p class=\"then\">Published: " + escaped(answer.question->published) + "</p>\n" +
            words_table(answer.table);
    return html + list_of("notes", answer.remarks) + "</div>\n";
}

std::string page_id(std::size_t page) {
    return "page-" + std::to_string(page + 1);
}

/// " <a href="url">url</a>"; empty without a URL.
std::string link_to(const std::optional<std::string>& url) {
    return url ? " <a href=\"" + escaped(*url) + "\">" + escaped(*url) + "</a>" : "";
}

std::string document_page(const Report& report, const AnswerInputs& inputs, const Document& document,
                          std::size_t page) {
    std::string html = "<article id=\"" + page_id(page) + "\">\n" +
                       element("h2", document.label + ": " + document.title) + "\n";
    std::string source = document.author.value_or("");
    if (document.date) source += (source.empty() ? "" : ", ") + *document.date;
    html += "<p class=\"source\">" + escaped(source) + link_to(document.url) + "</p>\n";
    for (const Credit& credit : document.credits)
        html += "<p class=\"source\">" + escaped(credit.what) + link_to(credit.url) + "</p>\n";
    const std::vector<AnswerText> answers = answer_questions(inputs, document);
    if (!answers.empty()) html += element("h3", "What still holds, and what does not") + "\n";
    for (const AnswerText& answer : answers) html += answer_section(answer);
    for (std::size_t table = 0; table < report.tables.size(); ++table) {
        if (report.tables[table].document == &document) html += html_table(report, table);
    }
    return html + "</article>\n";
}

/// One line per question: the answer of each run in a word, and its sentence where there is one run.
std::string overview(const Report& report, const AnswerInputs& inputs) {
    std::string html = element("h2", "In short") +
                       "<div class=\"scroll\"><table class=\"words\"><thead><tr><th></th>" +
                       element("th", "question");
    for (std::size_t run = 0; run < report.runs.size(); ++run) html += element("th", report.name_of(run));
    html += "</tr></thead>\n<tbody>\n";
    for (const Document* document : documents_of(report)) {
        for (const AnswerText& answer : answer_questions(inputs, *document)) {
            html += "<tr>" + element("td", document->label) + element("td", answer.question->text);
            for (const RunAnswer& run : answer.runs) {
                html += "<td>" + badge(run.verdict) +
                        escaped(run.verdict == Verdict::not_measured ? "" : run.sentence) + "</td>";
            }
            html += "</tr>\n";
        }
    }
    return html + "</tbody></table></div>\n";
}

std::string contents(const Report& report) {
    std::string html = "<nav>";
    const auto documents = documents_of(report);
    for (std::size_t page = 0; page < documents.size(); ++page) {
        html += "<a href=\"#" + page_id(page) + "\">" + escaped(documents[page]->label) + "</a> ";
    }
    return html + "<a href=\"#machines\">Machines</a></nav>\n";
}

constexpr const char* how_to_read = R"(<ul class="notes">
<li>Here: the median of calls timed in a row on the same buffers, as in the publications; where a publication prints a
mean, the mean stands below it. Outputs are compared with a reference after every sample. Figures have three significant
digits; published ones are as printed.</li>
<li>x1.26 below a figure is the speed here: published over here for times, here over published for bandwidths. Above 1 is
faster here. Where the published program left part of the array out, its time is scaled to the whole array.</li>
<li>Holds and differs are claimed only if 95 % intervals do not overlap; ± and the bars in plots show them. Phases are
timed by stamps of the device's clock, and by subtraction where that is possible.</li>
<li>Below 2^18 items a loop of GPU calls measures launches. A stream that fits into the last-level cache is read from
there after the first call, here and on the published GPUs; the caches differ in size.</li>
</ul>
)";

}  // namespace

std::string to_html(const Report& report) {
    const AnswerInputs inputs = answer_inputs_of(report);
    std::size_t num_values = 0;
    for (const Results& run : report.runs) {
        if (!run.devices().ends_with(built_in_ending)) num_values += run.num_values();
    }
    const std::string devices = devices_of(report);
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
        element("title", "Warpsieve: published results, measured again on " + devices) + "\n<style>" + style +
        "</style>\n</head>\n<body>\n" + element("h1", "Published results, measured again") + "\n" +
        element("p", "Stream compaction as published, and the same on " + devices + ": " +
                         std::to_string(num_values) + " figures measured here.") +
        "\n" + contents(report) + warnings_of(report) + overview(report, inputs);
    const std::string all_times = to_svg(plot_of_all_times(report), full_width);
    if (!all_times.empty()) {
        html += "<figure>" + all_times +
                "<figcaption>On the dotted line both take the same time; below it, here is faster.<br>How to "
                "repeat: "
                "<code>warpsieve reproduce --html report.html</code></figcaption></figure>\n";
    }
    html += element("h2", "How to read this") + how_to_read;
    const auto documents = documents_of(report);
    for (std::size_t page = 0; page < documents.size(); ++page) {
        html += document_page(report, inputs, *documents[page], page);
    }
    html +=
        "<article id=\"machines\">\n" + element("h2", report.runs.size() > 1 ? "Machines" : "Machine") + "\n";
    for (const Results& run : report.runs) {
        for (const EngineRun& engine : run.engines) html += machine_section(engine);
    }
    return html + "</article>\n</body>\n</html>\n";
}

}  // namespace published
