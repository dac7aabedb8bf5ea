#pragma once

#include <string>

#include "app/panels/panel_frame.hpp"

/// How the state of a check is shown, wherever it is.
namespace warpsieve::panels {

/// "157 correct", "3 of 160 wrong", "off", "waiting". A failure is never hidden by later successes.
std::string check_words(const CheckView& check);
ImU32 check_colour(const plots::Palette& palette, const CheckView& check);

/// A sign 8 pixels wide whose shape, not its colour alone, says how the check stands.
void draw_check_sign(const PanelFrame& frame, const CheckView& check, ImVec2 centre);

}  // namespace warpsieve::panels
