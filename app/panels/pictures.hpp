#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/diagnostics/provenance.hpp"
#include "experiments/table.hpp"

namespace warpsieve::panels {

struct Ui;

/// A part of the window that can be captured alone.
struct PlotArea {
    std::string name;  ///< "timings": becomes part of the file's name
    ImVec2 low;
    ImVec2 high;
    std::optional<Provenance> provenance;  ///< set for figures that are not the live run's
};

/// The plots of the frame. The focused one is captured: the last one under the mouse while it is shown, else
/// the largest.
class Pictures {
  public:
    void begin_frame() { plots_.clear(); }
    void record(PlotArea plot, bool under_mouse);
    /// Null if the window shows no plot.
    const PlotArea* focused() const;

  private:
    std::vector<PlotArea> plots_;
    std::string focused_name_;  ///< of the plot that was last under the mouse
};

/// Records a plot that was drawn in that rectangle. `provenance`: for figures that are not the live run's.
void record_plot(Ui& ui, std::string_view name, ImVec2 low, ImVec2 high,
                 std::optional<Provenance> provenance = {});

/// Offers the content of that rectangle as text while the mouse is over it: a right click opens a menu,
/// Ctrl+C copies Markdown, Ctrl+Shift+C copies CSV. Calls `make` only to copy, and adds a message.
template <typename Make>
void offer_table(Ui& ui, const char* name, ImVec2 low, ImVec2 high, Make make);

/// The format in which the user copies a table.
enum class TableFormat { markdown, csv };
/// The format that a key or the menu of the table requests in this frame; nullopt without a request.
std::optional<TableFormat> requested_format(Ui& ui, const char* name, ImVec2 low, ImVec2 high);
void copy_table(Ui& ui, const char* name, const experiments::Table& table, TableFormat format);

template <typename Make>
void offer_table(Ui& ui, const char* name, ImVec2 low, ImVec2 high, Make make) {
    if (const auto format = requested_format(ui, name, low, high)) copy_table(ui, name, make(), *format);
}

}  // namespace warpsieve::panels
