#pragma once

#include <string>

#include "app/panels/ui.hpp"

/// Text, colour and icon of a check's state.
namespace warpsieve::panels {

/// "157 correct", "3 of 160 wrong", "off", "waiting". Later successes never hide a failure.
std::string check_words(const CheckResult& check);
ImU32 check_colour(const plots::Palette& palette, const CheckResult& check);

/// Draws an icon, 8 pixels wide at 100 %; its shape and its colour show the state of the check.
void draw_check_icon(const Ui& ui, const CheckResult& check, ImVec2 centre);

}  // namespace warpsieve::panels
