#include "app/panels/controls.hpp"

namespace warpsieve::panels {

void draw_controls(Ui& ui) {
    begin_zone("controls", ui.zones.controls);
    // A choice in one group can change what another offers, so every group reads the settings again.
    if (ui.settings.compares()) draw_lens_controls(ui);
    draw_stream_controls(ui);
    draw_algorithm_controls(ui);
    draw_option_controls(ui);
    draw_timing_controls(ui);
    draw_window_controls(ui);
    ImGui::End();
}

}  // namespace warpsieve::panels
