#pragma once

#include "app/panels/panel_frame.hpp"

/// The groups of the controls panel, one for each question they answer.
namespace warpsieve::panels {

void draw_lens_controls(PanelFrame& frame);
void draw_stream_controls(PanelFrame& frame);
void draw_algorithm_controls(PanelFrame& frame);
void draw_option_controls(PanelFrame& frame);
void draw_timing_controls(PanelFrame& frame);
void draw_window_controls(PanelFrame& frame);

}  // namespace warpsieve::panels
