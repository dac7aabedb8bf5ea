#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/format/figures.hpp"
#include "app/labs/reproduce.hpp"
#include "app/labs/sweep.hpp"
#include "app/panels/labs/lab_widgets.hpp"
#include "app/panels/labs/plot_view.hpp"
#include "app/panels/labs/published_plot.hpp"
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
std::string menu_text(const TableSummary& table) {
    return table.label + ": " + format::with_powers(table.title);
}

void draw_table_menu(Ui& ui, labs::ReproduceModel& model) {
    std::vector<MenuEntry> entries;
    for (const TableSummary& table : model.tables())
        entries.push_back({menu_text(table), table.citation + ".", {}});
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

void draw_export(Ui& ui, labs::ReproduceModel& model) {
    const bool measured = model.reproduction().num_measured() > 0;
    const bool pressed =
        action(ui, "export page", ui.px(100),
               "Writes a page with all tables, plots and answers into the capture folder. It is one "
               "self-contained file for print.",
               {}, measured ? std::string() : std::string("Measure a table first: the page would be empty."));
    if (pressed) ui.requests.save_file = SaveFile{"reproduction", ".html", model.html()};
}

/// Writes a ratio as "×0.71".
std::string ratio_text(double value) {
    return "×" + published::figure(value);
}

/// How many figures of the table were measured here, or why none can be.
std::string summary_of(const TableSummary& table) {
    if (!table.can_run) return "This table cannot be measured here: " + table.why_not + ".";
    return format::grouped(table.num_measured) + " of " + format::grouped(table.num_cells) +
           " figures measured here.";
}

/// Draws text over the width of the window, in as many lines as it needs.
void paragraph(const ImFont* font, ImU32 colour, const std::string& text) {
    const std::string shown = format::with_powers(text);
    const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
    plots::draw_paragraph(*ImGui::GetWindowDrawList(), font, ImGui::GetCursorScreenPos(), width, colour,
                          shown);
    ImGui::Dummy({width, plots::paragraph_height(font, shown, width)});
}

ImU32 colour_of(published::Verdict verdict, const plots::Palette& palette) {
    switch (verdict) {
        case published::Verdict::holds:
            return palette.good;
        case published::Verdict::differs:
            return palette.warning_text;
        case published::Verdict::unclear:
        case published::Verdict::answered:
        case published::Verdict::in_part:
            return palette.accent;
        case published::Verdict::not_measured:
            break;
    }
    return palette.muted;
}

/// Draws a verdict in a frame, the name of its run, and the sentence: beside the name if it fits, else below.
void draw_run(Ui& ui, const published::RunAnswer& answer, const std::string& run) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts().small;
    const ImU32 colour = colour_of(answer.verdict, ui.palette());
    const std::string name(name_of(answer.verdict));
    const std::string sentence = format::with_powers(answer.sentence);
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 high{low.x + plots::text_width(font, name) + ui.px(14), low.y + font->FontSize + ui.px(4)};
    const float right = low.x + ImGui::GetContentRegionAvail().x;
    const float text_y = low.y + ui.px(2);
    list.AddRect(low, high, colour, ui.px(7));
    plots::draw_text(list, font, {low.x + ui.px(7), text_y}, colour, name);
    const float run_x = high.x + ui.px(8);
    const std::string shown = plots::elided(font, run, right - run_x);
    plots::draw_text(list, font, {run_x, text_y}, ui.palette().text, shown);
    const float sentence_x = run_x + plots::text_width(font, shown) + ui.px(8);
    const bool fits = sentence_x + plots::text_width(font, sentence) <= right;
    if (fits) plots::draw_text(list, font, {sentence_x, text_y}, ui.palette().label, sentence);
    ImGui::Dummy({1, high.y - low.y});
    if (!fits) paragraph(font, ui.palette().label, sentence);
}

/// Draws a question with what was published and the answer of each run.
void draw_answer(Ui& ui, const published::AnswerText& answer) {
    paragraph(ui.fonts().heading, ui.palette().text, answer.question->text);
    paragraph(ui.fonts().small, ui.palette().muted, "Published: " + answer.question->published);
    for (const published::RunAnswer& run : answer.runs)
        draw_run(ui, run, &run == answer.runs.data() ? "here" : run.devices);
    ImGui::Dummy({0, ui.px(8)});
}

/// Draws as many plots side by side as fit.
void draw_plots(Ui& ui, const std::vector<published::Plot>& plots) {
    if (plots.empty()) return;
    constexpr float min_width = 380;
    constexpr float max_width = 760;
    const float scale = ui.style.scale;
    const float available = ImGui::GetContentRegionAvail().x / scale;
    const float num_columns =
        std::clamp(std::floor(available / min_width), 1.0F, static_cast<float>(plots.size()));
    const float width = std::floor(std::clamp(available / num_columns, min_width, max_width));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const auto columns = static_cast<std::size_t>(num_columns);
    float y = start.y;
    float row_height = 0;
    for (std::size_t i = 0; i < plots.size(); ++i) {
        if (i % columns == 0) {
            y += row_height;
            row_height = 0;
        }
        const ImVec2 low{start.x + static_cast<float>(i % columns) * width * scale, y};
        const ImVec2 high{low.x + width * scale,
                          low.y + static_cast<float>(height_of(plots[i], width)) * scale + ui.px(12)};
        row_height = std::max(row_height, high.y - low.y);
        if (!ImGui::IsRectVisible(low, high)) continue;
        const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high);
        ImGui::PushClipRect(low, high, true);
        const std::string tip =
            draw_published_plot(*ImGui::GetWindowDrawList(), low, plots[i], width, ui.style,
                                hovered ? std::optional(ImGui::GetIO().MousePos) : std::nullopt);
        ImGui::PopClipRect();
        if (!tip.empty()) ui.tooltips.offer(ui.style, low, high, tip);
    }
    ImGui::Dummy({num_columns * width * scale, y + row_height - start.y});
}

/// "H200" of "NVIDIA H200 (built in)".
std::string short_name(std::string name) {
    name = name.substr(0, name.find(" (built in)"));
    return name.substr(name.rfind(' ') + 1);
}

/// Draws a published figure, and below it the figure measured here.
void draw_cell(Ui& ui, labs::ReproduceModel& model, std::size_t table, std::size_t row, std::size_t column) {
    const published::Report& report = model.report();
    const published::Table& shown = *report.tables[table].table;
    const plots::Palette& palette = ui.palette();
    const ImFont* font = ui.fonts().figures;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = font->FontSize + ui.px(2);
    const std::string published_text = shown.rows[row].values[column].text.value_or("–");
    const std::string shown_text = plots::elided(font, published_text, ui.px(heading_width));
    plots::draw_text(list, font, at, palette.muted, shown_text);
    std::string tooltip;
    const auto add_line = [&tooltip](const std::string& text) {
        tooltip += (tooltip.empty() ? "" : "\n") + text;
    };
    if (shown_text != published_text) add_line("Published: " + published_text);
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
                             ratio_text(*measured.ratio));
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
    const bool shows_unit = !column.unit.empty() && column.unit != "1" &&
                            !published::equal_ignoring_case(column.name, column.unit);
    return format::with_powers(column.name) + (shows_unit ? ", " + column.unit : std::string());
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

/// Draws the name of a row. If the row can run here, it is a control that loads the row's setting into the
/// live view.
void draw_row_name(Ui& ui, labs::ReproduceModel& model, std::size_t table, std::size_t row) {
    const std::string& name = model.report().tables[table].table->rows[row].name;
    const std::string shown = format::with_powers(name);
    const float width = ui.px(190);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (const experiments::Setting* setting = model.setting_of(table, row)) {
        const ImVec2 size = ImGui::CalcTextSize(shown.c_str(), nullptr, false, width);
        bool pressed = ImGui::Selectable(("##" + name).c_str(), false, ImGuiSelectableFlags_None, size);
        ui.controls.record_item("row: " + name);
        if (ui.focus->presses_item(ui, "row: " + name)) pressed = true;
        RunConfig run = ui.settings.run;
        const std::string why_not = labs::load_into_window(run, *setting);
        ui.tooltips.offer(ui.style, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                          why_not.empty() ? "Press to load this row into the live view." : why_not);
        if (pressed && why_not.empty()) ui.settings.run = run;
        ImGui::SetCursorScreenPos(at);
    }
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::TextUnformatted(shown.c_str());
    ImGui::PopTextWrapPos();
}

/// Draws the table over the width of the window. `height`: the height of the table, which is known only after
/// it was drawn; the value of the last frame goes in, that of this frame comes out.
void draw_table(Ui& ui, labs::ReproduceModel& model, std::size_t index, float& height) {
    const published::Table& table = *model.reproduction().tables()[index].table;
    const int columns = static_cast<int>(table.columns.size()) + 1;
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_BordersInnerH |
                                      ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    ImGui::PushID(table.id.c_str());
    if (ImGui::BeginTable("##published", columns, flags, {0, std::max(1.0F, height)})) {
        ImGui::TableSetupScrollFreeze(1, 0);
        draw_headings(ui, table);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            draw_row_name(ui, model, index, row);
            // Headings do not widen a column of an ImGui table, so an empty item does.
            ImGui::Dummy({ui.px(84), 0});
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                ImGui::TableNextColumn();
                draw_cell(ui, model, index, row, column);
            }
        }
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        height = ImGui::GetCursorPosY() + ImGui::GetScrollY() + ImGui::GetStyle().ScrollbarSize;
        ImGui::EndTable();
    }
    ImGui::PopID();
}

/// Draws remarks of the answers and the document about the figures, and what was inferred.
void draw_notes(Ui& ui, labs::ReproduceModel& model, std::size_t index) {
    const published::Table& table = *model.report().tables[index].table;
    std::vector<std::string> notes{"Published: " + table.gpu + "; " + table.method + "."};
    for (const published::AnswerText* answer : model.answers(index))
        notes.insert(notes.end(), answer->remarks.begin(), answer->remarks.end());
    for (const std::string& inference : table.inferences) notes.push_back("Inferred: " + inference);
    notes.insert(notes.end(), table.notes.begin(), table.notes.end());
    for (auto note = notes.begin(); note != notes.end(); ++note) {
        if (std::find(notes.begin(), note, *note) == note)
            paragraph(ui.fonts().small, ui.palette().muted, *note);
    }
}

/// Published tables, measured on this machine.
class ReproduceLab : public LabPanel {
  public:
    LabPlan plan(const Ui& ui) override;
    void draw(Ui& ui, const labs::Report* report, const LabArea& area) override;

  private:
    labs::ReproduceModel model_;
    std::size_t shown_index_ = 0;  ///< index of the table in the last frame
    float table_height_ = 0;       ///< in the last frame
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
    const LabArea room = draw_sentence(ui, summary_of(model_.tables()[index]), below_controls(ui, area));
    const ImVec2 size{room.high.x - room.low.x, room.high.y - room.low.y};
    if (size.x < 1 || size.y < 1) return;
    ImGui::SetCursorScreenPos(room.low);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("published", size, false, ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PopStyleVar();
    if (index != shown_index_) ImGui::SetScrollY(0);
    shown_index_ = index;
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    ImVec2 low = ImGui::GetCursorScreenPos();
    // Records the part from `low` to the cursor. The next part begins at the cursor.
    const auto record = [&](const char* part) {
        ui.controls.record(part, low, {right, ImGui::GetCursorScreenPos().y});
        low = ImGui::GetCursorScreenPos();
    };
    for (const published::AnswerText* answer : model_.answers(index)) draw_answer(ui, *answer);
    record("published answers");
    draw_plots(ui, model_.plots(index));
    record("published plots");
    draw_table(ui, model_, index, table_height_);
    record("published table");
    draw_notes(ui, model_, index);
    record("published notes");
    ImGui::EndChild();
}

}  // namespace

LabType reproduce_lab() {
    return {.name = "Reproduce",
            .meaning =
                "Published tables of ten years, measured on this machine beside the printed figures: their "
                "questions with the answers, the plots, and the figures.",
            .brings_its_streams = true,
            .make = make_lab<ReproduceLab>};
}

}  // namespace warpsieve::panels
