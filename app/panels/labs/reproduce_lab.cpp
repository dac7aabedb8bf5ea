#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "app/format/figures.hpp"
#include "app/labs/reproduce.hpp"
#include "app/labs/sweep.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/labs/plot_view.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/published/text.hpp"

namespace warpsieve::panels {
namespace {

using labs::ReproduceScope;
using labs::TableSummary;
using published::MeasuredFigure;

/// Width of a column, in pixels at 100 %.
constexpr float heading_width = 112;

/// "Part 1, table 1: Six implementations, structured and random data".
std::string entry_of(const TableSummary& table) {
    return table.label + ": " + format::with_powers(table.title);
}

void draw_table_menu(Ui& ui, labs::Reproduce& model) {
    std::vector<MenuEntry> entries;
    for (const TableSummary& table : model.tables()) {
        const std::string state = table.verdict().empty() ? std::string() : "\n" + table.verdict();
        entries.push_back({entry_of(table), table.citation + "." + state, {}});
    }
    const std::size_t shown = model.index_of(ui.settings.labs.reproduce.table);
    const float wanted = plots::text_width(ui.fonts().text, entries[shown].label) + ui.px(40);
    const float width = std::min(wanted, ImGui::GetContentRegionAvail().x);
    const auto clicked =
        menu(ui, "table", width, entries, shown,
             "A published table with the figures measured here. " + model.tables()[shown].citation + ".");
    if (clicked) ui.settings.labs.reproduce.table = model.tables()[*clicked].id;
}

void draw_scope_menu(Ui& ui) {
    ReproduceScope& scope = ui.settings.labs.reproduce.scope;
    const std::vector<MenuEntry> entries{
        {"this table", "The settings of the current table.", {}},
        {"its publication", "All tables of the same publication.", {}},
        {"everything", "Every published table that can be measured here.", {}}};
    const auto clicked = menu(ui, "run", ui.px(120), entries, static_cast<std::size_t>(scope),
                              "The tables to run at once. Earlier results stay.");
    if (clicked) scope = static_cast<ReproduceScope>(*clicked);
}

void draw_export(Ui& ui, labs::Reproduce& model) {
    const bool measured = model.reproduction().num_measured() > 0;
    const bool pressed =
        action(ui, "export page", ui.px(100),
               "Writes a page with all tables, plots and answers into the capture folder. It is one "
               "self-contained file for print.",
               {}, measured ? std::string() : std::string("Measure a table first: the page would be empty."));
    if (pressed) ui.requests.save_file = SaveFile{"reproduction", ".html", model.html()};
}

/// Writes a ratio as "×0.71".
std::string factor(double value) {
    return "×" + published::figure(value);
}

/// A summary of the table in one or two sentences.
std::string summary_of(const TableSummary& table) {
    if (!table.can_run) return "This table cannot be measured here: " + table.why_not + ".";
    std::string text =
        format::grouped(table.measured) + " of " + format::grouped(table.cells) + " figures measured.";
    if (const std::string verdict = table.verdict(); !verdict.empty()) text += " " + verdict;
    if (table.ratio) {
        text += " Speed here over published speed: " + factor(table.ratio->mean) +
                " on average, standard deviation " + published::figure(table.ratio->sd) + " over " +
                format::grouped(table.ratio->n) + " figures.";
    }
    return text;
}

/// "H200" of "NVIDIA H200 (built in)".
std::string short_name(std::string name) {
    name = name.substr(0, name.find(" (built in)"));
    return name.substr(name.rfind(' ') + 1);
}

/// Draws a published figure, and below it the figure measured here.
void draw_cell(Ui& ui, labs::Reproduce& model, std::size_t table, std::size_t row, std::size_t column) {
    const published::Report& report = model.report();
    const published::Table& shown = *report.tables[table].table;
    const plots::Palette& palette = ui.palette();
    const ImFont* font = ui.fonts().figures;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = font->FontSize + ui.px(2);
    const std::string published_text = shown.rows[row].values[column].text.value_or("–");
    const std::string fitting = plots::elided(font, published_text, ui.px(heading_width));
    plots::draw_text(list, font, at, palette.muted, fitting);
    std::string tooltip;
    const auto add_line = [&tooltip](const std::string& text) {
        tooltip += (tooltip.empty() ? "" : "\n") + text;
    };
    if (fitting != published_text) add_line("Published: " + published_text);
    if (published::is_measured(shown.quantity_of(row, column))) {
        const MeasuredFigure& measured = report.measured(0, table, row, column);
        const float end = measured.value ? plots::text_width(font, published::figure(measured.value)) : 0;
        const ImVec2 below{at.x, at.y + line};
        if (measured.value) {
            plots::draw_text(list, font, below, palette.text, published::figure(measured.value));
            add_line(published::origin_of(measured));
        } else {
            plots::draw_text(list, ui.fonts().small, below, palette.muted,
                             measured.why_not == published::not_measured_yet ? "not yet" : "not here");
        }
        if (measured.ratio) {
            plots::draw_text(list, ui.fonts().small, {below.x + end + ui.px(6), below.y}, palette.muted,
                             factor(*measured.ratio));
        }
        for (const std::string& remark : published::remarks_on(shown, row, column, measured)) {
            if (tooltip.find(remark) == std::string::npos) add_line(remark);
        }
    }
    std::size_t lines = 2;
    for (std::size_t run = 1; run < report.runs.size(); ++run) {
        const auto& value = report.measured(run, table, row, column).value;
        if (!value) continue;
        const float y = at.y + static_cast<float>(lines++) * line;
        const std::string text = published::figure(value);
        plots::draw_text(list, font, {at.x, y}, palette.label, text);
        const std::string name = short_name(report.name_of(run));
        const float left = plots::text_width(font, text) + ui.px(6);
        if (left + plots::text_width(ui.fonts().small, name) <= ui.px(heading_width))
            plots::draw_text(list, ui.fonts().small, {at.x + left, y}, palette.muted, name);
        add_line(report.name_of(run) + ": " + text);
    }
    const ImVec2 size{ui.px(heading_width), static_cast<float>(lines) * line};
    ImGui::Dummy(size);
    if (!tooltip.empty()) ui.tooltips.offer(ui.style, at, {at.x + size.x, at.y + size.y}, tooltip);
}

/// "Time, ms"; only "Threads" if the unit repeats the name.
std::string heading_of(const published::Column& column) {
    const bool says_more =
        !column.unit.empty() && column.unit != "1" &&
        !std::ranges::equal(column.name, column.unit, [](unsigned char a, unsigned char b) {
            return std::tolower(a) == std::tolower(b);
        });
    return format::with_powers(column.name) + (says_more ? ", " + column.unit : std::string());
}

void draw_headings(Ui& ui, const published::Table& table) {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, ui.palette().muted);
    ImGui::TextUnformatted("published,\nand here");
    for (const published::Column& column : table.columns) {
        ImGui::TableNextColumn();
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ui.px(heading_width));
        ImGui::TextUnformatted(heading_of(column).c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::PopStyleColor();
}

/// Loads the setting of a row into the live view if its name, the last item, is clicked.
void load_on_click(Ui& ui, labs::Reproduce& model, std::size_t table, std::size_t row) {
    const experiments::Setting* setting = model.setting_of(table, row);
    if (!setting || !ImGui::IsItemHovered()) return;
    RunConfig run = ui.settings.run;
    const std::string why_not = labs::load_into_window(run, *setting);
    ui.tooltips.offer(ui.style, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                      why_not.empty() ? "Click to load this row into the live view." : why_not);
    if (why_not.empty() && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ui.settings.run = run;
}

void draw_table(Ui& ui, labs::Reproduce& model, std::size_t index, const LabArea& area) {
    const published::Table& table = *model.reproduction().tables()[index].table;
    const int columns = static_cast<int>(table.columns.size()) + 1;
    ImGui::SetCursorScreenPos(area.low);
    const ImVec2 size{area.high.x - area.low.x, area.high.y - area.low.y};
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                      ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit |
                                      ImGuiTableFlags_NoSavedSettings;
    ImGui::PushID(table.id.c_str());
    if (size.x > 1 && size.y > 1 && ImGui::BeginTable("##published", columns, flags, size)) {
        ImGui::TableSetupScrollFreeze(1, 1);
        draw_headings(ui, table);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ui.px(190));
            ImGui::TextUnformatted(format::with_powers(table.rows[row].name).c_str());
            ImGui::PopTextWrapPos();
            load_on_click(ui, model, index, row);
            // Headings do not widen a column of an ImGui table, so an empty item does.
            ImGui::Dummy({ui.px(84), 0});
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                ImGui::TableNextColumn();
                draw_cell(ui, model, index, row, column);
            }
        }
        ImGui::EndTable();
    }
    ImGui::PopID();
    ui.controls.record("published table", area.low, area.high);
}

/// Published tables, measured on this machine.
class ReproduceLab : public LabPanel {
  public:
    LabPlan plan(const Ui& ui) override;
    void draw(Ui& ui, const labs::Report* report, const LabArea& area) override;

  private:
    labs::Reproduce model_;
};

LabPlan ReproduceLab::plan(const Ui& ui) {
    LabPlan plan{model_.job(ui.settings.run, ui.settings.labs), {}};
    if (plan.job.settings.empty()) {
        plan.disabled_reason = "Nothing on the " + std::string(id_of(ui.settings.run.engine)) +
                               " engine can be compared with this table; choose another table or engine.";
    }
    return plan;
}

void ReproduceLab::draw(Ui& ui, const labs::Report* report, const LabArea& area) {
    if (report) model_.add(*report);
    ImGui::SetCursorScreenPos(area.low);
    draw_table_menu(ui, model_);
    continue_line(ui, ui.px(120));
    draw_scope_menu(ui);
    continue_line(ui, ui.px(100));
    draw_export(ui, model_);
    const std::size_t index = model_.index_of(ui.settings.labs.reproduce.table);
    LabArea room = draw_sentence(ui, summary_of(model_.tables()[index]), below_controls(ui, area));
    if (const std::string& answers = model_.answers(index); !answers.empty())
        room = draw_sentence(ui, format::with_powers(answers), room);
    draw_table(ui, model_, index, room);
}

}  // namespace

LabType reproduce_lab() {
    return {
        .name = "Reproduce",
        .meaning =
            "Published tables of ten years, measured on this machine beside the printed figures. They show "
            "whether the ranking holds, and how much faster this machine is.",
        .brings_its_streams = true,
        .make = make_lab<ReproduceLab>};
}

}  // namespace warpsieve::panels
