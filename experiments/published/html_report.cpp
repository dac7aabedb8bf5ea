#include <algorithm>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/published/figures.hpp"
#include "experiments/published/markup.hpp"
#include "experiments/published/plots.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/setting.hpp"

namespace published {
namespace {

constexpr const char* style = R"(
:root { color: #1B1F26; background: #FFFFFF; font: 15px/1.5 Inter, Helvetica, Arial, sans-serif; }
body { max-width: 1080px; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.7rem; margin-bottom: 0.2rem; }
h2 { font-size: 1.3rem; margin: 2.4rem 0 0.4rem; border-bottom: 2px solid #0072B2; padding-bottom: 0.2rem; }
h3 { font-size: 1.05rem; margin: 1.8rem 0 0.2rem; }
p.source, ul.notes, ol.remarks { color: #454E5A; font-size: 0.87rem; margin: 0.3rem 0 0.6rem; }
table { border-collapse: collapse; font-size: 0.87rem; font-variant-numeric: tabular-nums; margin: 0.4rem 0; }
th, td { border-bottom: 1px solid #D9DDE3; padding: 0.25rem 0.6rem; text-align: right; vertical-align: top; }
th { font-weight: 600; text-align: left; }
thead th { border-bottom: 1px solid #8A94A2; text-align: center; }
th.sub { font-weight: 400; color: #454E5A; text-align: right; }
tbody th { max-width: 22rem; }
td.here { font-weight: 600; }
td.ratio { color: #454E5A; border-right: 1px solid #D9DDE3; }
td.missing { color: #6B7482; font-weight: 400; font-style: italic; }
figure { margin: 0.8rem 0 1.2rem; }
figure svg { max-width: 100%; height: auto; }
.answers li { margin: 0.25rem 0; overflow-wrap: anywhere; }
.warning { border-left: 5px solid #D55E00; background: #FFF4EC; padding: 0.5rem 0.9rem; margin: 0.8rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; font-size: 0.9rem; }
dt { color: #454E5A; } dd { margin: 0; overflow-wrap: anywhere; }
@media print {
  body { max-width: none; margin: 0; font-size: 10pt; }
  section, figure, table { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
)";

std::string item(const std::string& name, const std::string& value) {
    return value.empty() ? "" : element("dt", name) + element("dd", value) + "\n";
}

/// Empty if the size is unknown.
std::string size_text(std::uint64_t bytes) {
    return bytes == 0 ? "" : experiments::format::memory_size(bytes);
}

std::string machine_section(const EngineRun& run) {
    const experiments::Machine& machine = run.machine;
    std::string html = element("h3", "Engine " + machine.engine) + "<dl>\n";
    html += item("Device", machine.device) + item("Driver", machine.driver);
    html += item("Memory", size_text(machine.memory_bytes)) +
            item("Last-level cache", size_text(machine.cache_bytes));
    html +=
        item("Highest clock", machine.max_clock_hz > 0 ? figure(machine.max_clock_hz / 1e6) + " MHz" : "");
    // The cache helps the copy of the longest stream least.
    const auto longest = std::ranges::max_element(
        run.copies, {}, [](const experiments::CopyResult& copy) { return copy.stream.num_items; });
    if (longest != run.copies.end()) {
        html += item("Copy on the device", figure(longest->gb_s) + " GB/s at " +
                                               experiments::format::count_text(longest->stream.num_items) +
                                               " items");
    }
    html += item("Warpsieve", machine.version + ", commit " + machine.commit);
    html += item("Command", machine.command) + item("Date (UTC)", machine.date);
    return html + "</dl>\n";
}

std::string warning(const std::string& text) {
    return "<p class=\"warning\">" + escaped(text) + "</p>\n";
}

std::string warnings_of(const Reproduction& reproduction) {
    std::string html;
    if (reproduction.limits().quick) {
        html +=
            warning("A quick run: short measurements, and searches over thread counts reduced to one value.");
    }
    if (reproduction.interrupted()) {
        html += warning("Interrupted: settings that were not measured are marked.");
    }
    for (const EngineRun& run : reproduction.engines()) {
        if (!run.failure.empty())
            html += warning("The device of engine " + run.machine.engine + " failed: " + run.failure);
    }
    for (const experiments::Result* wrong : reproduction.wrong_results()) {
        html += warning("WRONG result: " + experiments::describe(wrong->setting) + ": " + wrong->wrong);
    }
    return html;
}

std::string answers_section(const Answers& answers) {
    std::string html = "<section class=\"answers\">\n" + element("h2", "The questions, answered") + "\n";
    for (const AnswerText& each : describe(answers)) {
        html += element("h3", each.question) + "<ul>";
        for (const std::string& sentence : each.sentences) html += element("li", sentence);
        html += "</ul>\n";
    }
    for (const RatioAnswer& ratio : answers.ratios) {
        const std::string plot = plot_ratio(ratio);
        if (!plot.empty()) html += "<figure>" + plot + "</figure>\n";
    }
    return html + "</section>\n";
}

constexpr const char* reading = R"(<ul class="notes">
<li>Here: the median of calls timed in a row on the same buffers, as in the publications. Outputs are compared with a
reference after every sample. Figures have three significant digits; published ones are as printed.</li>
<li>Ratio: above 1 means faster here (published over here for times, here over published for bandwidths). Ratios of
times are here over published.</li>
<li>A swap in a ranking is certain if the 95 % intervals of the two medians do not overlap. Phases are timed by events,
which lengthen a short call, so their sum may exceed the total.</li>
<li>A stream that fits into the last-level cache is read from there after the first call, here and on the published GPUs.
The caches differ in size.</li>
</ul>
)";

}  // namespace

std::string to_html(const Reproduction& reproduction, const Answers& answers) {
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
        element("title", "Warpsieve: published results, measured again on " + devices_of(reproduction)) +
        "\n<style>" + style + "</style>\n</head>\n<body>\n" +
        element("h1", "Published results, measured again") + "\n" +
        element("p", "Stream compaction as published, and the same here on " + devices_of(reproduction) +
                         ": " + std::to_string(reproduction.num_measured()) + " of " +
                         std::to_string(reproduction.plan().settings.size()) + " settings measured.") +
        "\n" + warnings_of(reproduction) + answers_section(answers);
    const std::string overview = plot_all_times(reproduction);
    if (!overview.empty()) html += "<figure>" + overview + "</figure>\n";
    html += element("h2", "How to read this") + reading + element("h2", "Machine") + "\n";
    for (const EngineRun& run : reproduction.engines()) html += machine_section(run);
    return html + html_tables(reproduction) + "</body>\n</html>\n";
}

}  // namespace published
