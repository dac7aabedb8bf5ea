#include "app/panels/views/kernel_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using kernel_view::LineDots;
using kernel_view::none;
using kernel_view::SourceFunction;
using kernel_view::SourceRow;

// Pixels at 100 %.
constexpr float dot_pitch = 8;
constexpr float dot_group_gap = 2;  // after every eighth dot

bool is_line_left_out(const SourceRow& row, const kernel_view::Events& events,
                      const kernel_view::Notice& notice) {
    return row.number != 0 && row.number == notice.left_out_line &&
           events.functions[row.function].file == notice.left_out_file;
}

/// The distance of two dots in a source of that width. A dot is at least seven pixels wide.
float pitch_of_dots(const Ui& ui, float width) {
    constexpr float min_pitch = 8;
    constexpr float max_share = 0.3F;
    return std::clamp(std::floor(max_share * width / 32), min_pitch, std::max(min_pitch, ui.px(dot_pitch)));
}

float width_of_dots(const Ui& ui, float width) {
    return 32 * pitch_of_dots(ui, width) + 3 * ui.px(dot_group_gap);
}

float width_of_line_numbers(const Ui& ui) {
    return 5 * plots::text_width(ui.fonts().figures, "0");
}

void draw_dots(const Ui& ui, const LineDots& dots, ImVec2 at, float pitch) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const plots::Palette& palette = ui.palette();
    const float size = std::round(pitch * 7 / 8);
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned bit = 1U << lane;
        if (((dots.now | dots.off | dots.here | dots.was) & bit) == 0) continue;
        const ImVec2 low{
            at.x + static_cast<float>(lane) * pitch + static_cast<float>(lane / 8) * ui.px(dot_group_gap),
            at.y - std::floor(size / 2)};
        const ImVec2 high{low.x + size, low.y + size};
        const ImVec2 middle{low.x + size / 2, low.y + size / 2};
        if ((dots.now & bit) != 0)
            list.AddCircleFilled(middle, size / 2, palette.warning, 8);
        else if ((dots.off & bit) != 0)
            list.AddCircle(middle, size / 2 - 0.5F, palette.warning, 8);
        else if ((dots.here & bit) != 0)
            list.AddRectFilled(low, high, palette.accent);
        else
            list.AddRectFilled({low.x, middle.y - ui.px(1)}, {high.x, middle.y + ui.px(1)}, palette.muted);
    }
}

/// The line with half of its indentation, so that more of it fits beside its dots.
std::string_view with_half_indentation(std::string_view line) {
    return line.substr(std::min(line.find_first_not_of(' '), line.size()) / 2);
}

/// The text in lines of at most `letters` letters, broken at spaces where there are any. Further lines have a
/// deeper indentation.
std::vector<std::string> wrapped(std::string_view text, std::size_t letters) {
    constexpr std::size_t more_indentation = 2;
    constexpr std::size_t max_share = 2;  // of the letters that the indentation takes
    const std::size_t indentation = std::min(text.find_first_not_of(' '), text.size());
    std::vector<std::string> lines;
    std::string margin;
    while (true) {
        const std::size_t room = std::max<std::size_t>(letters - std::min(letters, margin.size()), 1);
        std::size_t end = text.size();
        if (end > room) {
            const std::size_t space = text.rfind(' ', room);
            end = space == std::string_view::npos || space <= indentation ? room : space;
        }
        lines.push_back(margin + std::string(text.substr(0, end)));
        text.remove_prefix(end);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        if (text.empty()) return lines;
        margin = std::string(std::min(indentation + more_indentation, letters / max_share), ' ');
    }
}

}  // namespace

void KernelSource::show_launch(const kernel_view::Events& events, std::uint32_t launch) {
    rows_ = kernel_view::source_rows(events, launch);
    row_begins_.clear();
    cursor_.reset();
}

bool KernelSource::has_line_left_out(const kernel_view::Events& events,
                                     const kernel_view::Notice& notice) const {
    return std::ranges::any_of(rows_,
                               [&](const SourceRow& row) { return is_line_left_out(row, events, notice); });
}

bool KernelSource::is_left_out(const SourceRow& row) const {
    return is_line_left_out(row, content_->events, content_->notice);
}

float KernelSource::draw_legend(const Ui& ui, ImVec2 low, float right) const {
    struct Entry {
        const char* text;
        LineDots dots;
    };
    constexpr std::array entries{Entry{"runs now", {.now = 1}}, Entry{"not in this step", {.off = 1}},
                                 Entry{"last step here", {.here = 1}}, Entry{"ran it earlier", {.was = 1}}};
    const ImFont* const font = ui.fonts().small;
    float x = low.x;
    for (const Entry& entry : entries) {
        const float width = ui.px(dot_pitch + 4) + plots::text_width(font, entry.text);
        if (x + width > right) break;
        draw_dots(ui, entry.dots, {x, low.y + std::round(font->FontSize / 2)}, ui.px(dot_pitch));
        plots::draw_text(*ImGui::GetWindowDrawList(), font, {x + ui.px(dot_pitch + 4), low.y},
                         ui.palette().muted, entry.text);
        x += width + ui.px(14);
    }
    return low.y + font->FontSize + ui.px(3);
}

/// The text of the row's line, as it is drawn.
std::vector<std::string> KernelSource::code_lines(const SourceRow& row, std::size_t letters) const {
    if (row.number == 0 || is_left_out(row)) return {""};
    const SourceFunction& function = content_->events.functions[row.function];
    return wrapped(with_half_indentation(function.lines[row.number - function.first_line]), letters);
}

/// Computes how many lines of the pane each row takes, unless nothing has changed.
void KernelSource::lay_out_source(std::size_t letters) {
    if (letters == letters_ && row_begins_.size() == rows_.size() + 1) return;
    letters_ = letters;
    if (scroll_target_ == ScrollTarget::none) scroll_target_ = ScrollTarget::line_of_step;
    row_begins_.assign(1, 0);
    for (const SourceRow& row : rows_)
        row_begins_.push_back(row_begins_.back() + code_lines(row, letters).size());
}

void KernelSource::draw_row(Ui& ui, const SourceRow& row, const Rect& box) const {
    const ImVec2 at = box.low;
    const float right = box.high.x;
    const plots::Fonts& fonts = ui.fonts();
    const plots::Palette& palette = ui.palette();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const SourceFunction& function = content_->events.functions[row.function];
    const float height = fonts.figures->FontSize;
    const bool is_title = row.number == 0;
    if (is_title) {
        list.AddRectFilled(at, {right, at.y + height}, palette.raised);
        const std::string title = function.name + ", " + function.file;
        plots::draw_text(list, fonts.small, {at.x + ui.px(4), at.y + ui.px(1)}, palette.label,
                         plots::elided(fonts.small, title, right - at.x - ui.px(8)));
        return;
    }
    const std::vector<std::uint32_t>& call_path = content_->warp.path;
    const bool runs = row.line != none;
    const bool is_now = runs && row.line == content_->warp.line();
    const bool is_caller = runs && !is_now && std::ranges::find(call_path, row.line) != call_path.end();
    if (is_now || is_caller)
        list.AddRectFilled(at, box.high,
                           plots::mix(palette.background, is_now ? palette.warning : palette.accent, 0.16F));
    const float numbers_width = width_of_line_numbers(ui);
    if (runs && content_->is_breakpoint(row.line)) {
        const float size = ui.px(8);
        const ImVec2 low{at.x, at.y + std::round((height - size) / 2)};
        list.AddRectFilled(low, {low.x + size, low.y + size}, palette.error);
        list.AddRect(low, {low.x + size, low.y + size}, palette.text);
    }
    const std::string number = std::to_string(row.number);
    plots::draw_text(list, fonts.figures,
                     {at.x + numbers_width - plots::text_width(fonts.figures, number) + ui.px(4), at.y},
                     is_now ? palette.warning_text : palette.muted, number);
    const float dots_left = at.x + numbers_width + ui.px(10);
    if (runs)
        draw_dots(ui, content_->dots[row.line], {dots_left, at.y + std::round(height / 2)},
                  pitch_of_dots(ui, right - at.x));
    const float code_left = dots_left + width_of_dots(ui, right - at.x) + ui.px(8);
    draw_code(ui, row, {code_left, at.y}, right);
}

/// Draws the text of a line. That of the planted fault is struck through and says so.
void KernelSource::draw_code(Ui& ui, const SourceRow& row, ImVec2 at, float right) const {
    if (at.x >= right) return;
    const plots::Palette& palette = ui.palette();
    const ImFont* const font = ui.fonts().figures;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const SourceFunction& function = content_->events.functions[row.function];
    if (!is_left_out(row)) {
        float line_y = at.y;
        for (const std::string& line : code_lines(row, letters_)) {
            plots::draw_text(list, font, {at.x, line_y}, row.line != none ? palette.text : palette.muted,
                             line);
            line_y += font->FontSize;
        }
        return;
    }
    std::string_view text = with_half_indentation(function.lines[row.number - function.first_line]);
    const std::string mark = " left out ";
    const float mark_right = at.x + plots::text_width(font, mark);
    list.AddRectFilled(at, {mark_right, at.y + font->FontSize}, palette.error);
    plots::draw_text(list, font, at, palette.on_error, mark);
    ui.controls.record("kernel: line left out", at, {right, at.y + font->FontSize});
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const float left = mark_right + ui.px(6);
    if (left >= right) return;
    const std::string shown = plots::elided(font, text, right - left);
    plots::draw_text(list, font, {left, at.y}, palette.text, shown);
    const float y = at.y + std::round(font->FontSize / 2);
    list.AddLine({left, y}, {left + plots::text_width(font, shown), y}, palette.error);
    if (shown != text) ui.tooltips.offer(ui.style, at, {right, at.y + font->FontSize}, text);
}

/// Moves the cursor by so many lines that lanes run, at first from the line of the step.
void KernelSource::move_cursor(int lines) {
    const auto runs = [](const SourceRow& row) { return row.line != none; };
    if (!cursor_) {
        const auto at_step = std::ranges::find_if(
            rows_, [&](const SourceRow& row) { return runs(row) && row.line == content_->warp.line(); });
        const auto first = at_step != rows_.end() ? at_step : std::ranges::find_if(rows_, runs);
        if (first == rows_.end()) return;
        cursor_ = first - rows_.begin();
        scroll_target_ = ScrollTarget::cursor;
    }
    for (; lines != 0; lines += lines > 0 ? -1 : 1) {
        std::size_t row = *cursor_;
        do {
            row += lines > 0 ? 1 : rows_.size() - 1;
            row %= rows_.size();
        } while (!runs(rows_[row]));
        cursor_ = row;
        scroll_target_ = ScrollTarget::cursor;
    }
}

/// Makes the row of the target visible, if there is one.
void KernelSource::scroll_to_target(const Ui& ui, const Rect& box) {
    const ScrollTarget target = std::exchange(scroll_target_, ScrollTarget::none);
    if (target == ScrollTarget::none) return;
    const float height = ui.fonts().figures->FontSize;
    const auto is_target = [&](const SourceRow& row) {
        if (target == ScrollTarget::line_left_out) return is_left_out(row);
        if (target == ScrollTarget::cursor) return cursor_ && &row == &rows_[*cursor_];
        return row.line != none && row.line == content_->warp.line();
    };
    const auto row_where = [&](auto is) {
        const auto found = std::ranges::find_if(rows_, is);
        return found == rows_.end()
                   ? std::optional<float>()
                   : static_cast<float>(row_begins_[static_cast<std::size_t>(found - rows_.begin())]) *
                         height;
    };
    if (const auto y = row_where(is_target)) {
        // A row of context stays visible above and below it.
        const bool is_in_sight =
            *y >= ImGui::GetScrollY() + height && *y <= ImGui::GetScrollY() + box.height() - 2 * height;
        float top = *y - box.height() / 3;
        // The line that is left out shows beside the line of the step if both fit.
        const auto left_out = row_where([&](const auto& row) { return is_left_out(row); });
        if (left_out && std::abs(*left_out - *y) < box.height() - 4 * height)
            top = std::min(*left_out, *y) - 2 * height;
        if (!is_in_sight) ImGui::SetScrollY(std::max(0.0F, std::round(top)));
    }
}

std::optional<std::uint32_t> KernelSource::draw(Ui& ui, const Content& content, const Rect& box) {
    content_ = &content;
    clicked_.reset();
    constexpr float min_letters = 14;
    const float min_width = width_of_line_numbers(ui) + width_of_dots(ui, box.width()) + ui.px(18) +
                            min_letters * plots::text_width(ui.fonts().figures, "0");
    if (box.height() < 3 * ui.fonts().figures->FontSize || box.width() < min_width) {
        say_too_small(ui, box.low, box.high, "the source");
        return std::nullopt;
    }
    const bool has_focus = ui.focus->add_control("kernel: source");
    if (has_focus) {
        move_cursor(ui.focus->steps());
        if (cursor_ && ui.focus->pressed()) clicked_ = rows_[*cursor_].line;
        ui.focus->show(ui, box.low, box.high);
    }
    ImGui::SetCursorScreenPos(box.low);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("source", {box.width(), box.height()});
    ImGui::PopStyleVar();
    const float height = ui.fonts().figures->FontSize;
    const float code_width = ImGui::GetContentRegionAvail().x - width_of_line_numbers(ui) -
                             width_of_dots(ui, ImGui::GetContentRegionAvail().x) - ui.px(18);
    lay_out_source(
        static_cast<std::size_t>(std::max(1.0F, code_width / plots::text_width(ui.fonts().figures, "0"))));
    scroll_to_target(ui, box);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float right = origin.x + ImGui::GetContentRegionAvail().x;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Rect area{{origin.x, origin.y + static_cast<float>(row_begins_[i]) * height},
                        {right, origin.y + static_cast<float>(row_begins_[i + 1]) * height}};
        if (area.high.y <= box.low.y) continue;
        if (area.low.y >= box.high.y) break;
        draw_row(ui, rows_[i], area);
        if (has_focus && cursor_ == i)
            ImGui::GetWindowDrawList()->AddRect(area.low, area.high, ui.palette().accent);
        const SourceRow& row = rows_[i];
        if (row.line == none) continue;
        if (area.low.y >= box.low.y && area.high.y <= box.high.y)
            ui.controls.record("kernel: line " + std::to_string(row.number), area.low, area.high);
        if (is_clicked(area.low, area.high)) clicked_ = row.line;
    }
    ImGui::Dummy({1, static_cast<float>(row_begins_.back()) * height});
    ImGui::EndChild();
    ui.controls.record("kernel: source", box.low, box.high);
    return clicked_;
}

}  // namespace warpsieve::panels
