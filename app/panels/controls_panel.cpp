#include "app/panels/controls.hpp"

namespace warpsieve::panels {

void draw_controls(ControlsFrame& frame) {
    begin_zone("controls", frame.zones.controls);
    // A choice in one group can change what another offers, so every group reads the settings again.
    if (frame.settings.compares()) draw_lens_controls(frame);
    draw_stream_controls(frame);
    draw_algorithm_controls(frame);
    draw_option_controls(frame);
    draw_timing_controls(frame);
    draw_window_controls(frame);
    ImGui::End();
}

}  // namespace warpsieve::panels
