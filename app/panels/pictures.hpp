#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/diagnostics/provenance.hpp"
#include "experiments/table.hpp"

namespace warpsieve::panels {

struct PanelFrame;

/// A part of the window that can be taken as a picture of its own.
struct PlotPlace {
    std::string name;  ///< "timings": becomes part of the file's name
    ImVec2 low;
    ImVec2 high;
    std::optional<Provenance> provenance;  ///< of figures that are not the live run's
};

/// The plots of the frame, and which of them a picture is taken of: the one the mouse was over last, as long
/// as it is shown, else the largest.
class Pictures {
  public:
    void begin_frame() { plots_.clear(); }
    void record(PlotPlace plot, bool under_mouse);
    /// Null where the window shows no plot.
    const PlotPlace* focused() const;

  private:
    std::vector<PlotPlace> plots_;
    std::string focused_;
};

/// Says that a plot was drawn there, by the provenance of the live run unless it brings its own.
void record_plot(PanelFrame& frame, std::string_view name, ImVec2 low, ImVec2 high,
                 std::optional<Provenance> provenance = {});

/// Offers what is drawn there as text: a right click opens a menu, Ctrl+C copies Markdown and Ctrl+Shift+C
/// CSV while the mouse is over it. `make` is called only when something is copied. Puts a note of it into the
/// messages.
template <typename Make>
void offer_table(PanelFrame& frame, const char* name, ImVec2 low, ImVec2 high, Make make);

/// How a table is to be copied in this frame; nothing mostly.
enum class TableForm { markdown, csv };
std::optional<TableForm> table_wanted(PanelFrame& frame, const char* name, ImVec2 low, ImVec2 high);
void copy_table(PanelFrame& frame, const char* name, const experiments::Table& table, TableForm form);

template <typename Make>
void offer_table(PanelFrame& frame, const char* name, ImVec2 low, ImVec2 high, Make make) {
    if (const auto form = table_wanted(frame, name, low, high)) copy_table(frame, name, make(), *form);
}

}  // namespace warpsieve::panels
