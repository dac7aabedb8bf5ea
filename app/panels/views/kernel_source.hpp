#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/kernel_view/page.hpp"
#include "app/kernel_view/warp_view.hpp"
#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// The functions that lanes of a launch run, line by line, with the lanes of a warp beside them.
class KernelSource {
  public:
    struct Content {
        const kernel_view::Events& events;
        const kernel_view::WarpView& warp;
        const std::vector<kernel_view::LineDots>& dots;  ///< [events.lines]
        const kernel_view::Notice& notice;
        std::function<bool(std::uint32_t line)> is_breakpoint;
    };

    /// Takes the functions of a launch.
    void show_launch(const kernel_view::Events& events, std::uint32_t launch);
    /// Makes the line of the step visible when it is drawn next.
    void scroll_to_step() { scroll_target_ = ScrollTarget::line_of_step; }
    void scroll_to_line_left_out() { scroll_target_ = ScrollTarget::line_left_out; }
    /// Whether the launch runs the line that the notice names.
    bool has_line_left_out(const kernel_view::Events& events, const kernel_view::Notice& notice) const;

    /// Returns the bottom of the legend.
    float draw_legend(const Ui& ui, ImVec2 low, float right) const;
    /// Draws the source. Returns the line that is clicked, or at which a key is pressed.
    std::optional<std::uint32_t> draw(Ui& ui, const Content& content, const Rect& box);

  private:
    enum class ScrollTarget : std::uint8_t { none, line_of_step, line_left_out, cursor };

    bool is_left_out(const kernel_view::SourceRow& row) const;
    std::vector<std::string> code_lines(const kernel_view::SourceRow& row, std::size_t letters) const;
    void lay_out_source(std::size_t letters);
    void draw_row(Ui& ui, const kernel_view::SourceRow& row, const Rect& box) const;
    void draw_code(Ui& ui, const kernel_view::SourceRow& row, ImVec2 at, float right) const;
    void move_cursor(int lines);
    void scroll_to_target(const Ui& ui, const Rect& box);

    std::vector<kernel_view::SourceRow> rows_;
    std::vector<std::size_t> row_begins_;  ///< [rows_ + 1] first line of each row
    std::size_t letters_ = 0;              ///< of a line of code
    std::optional<std::size_t> cursor_;    ///< row of `rows_` that the keys choose
    ScrollTarget scroll_target_ = ScrollTarget::none;
    const Content* content_ = nullptr;      ///< in this frame
    std::optional<std::uint32_t> clicked_;  ///< in this frame
};

}  // namespace warpsieve::panels
