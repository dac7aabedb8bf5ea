#pragma once

#include <imgui.h>

#include <string>

#include "app/plots/style.hpp"

namespace warpsieve::plots {

/// The elements of an SVG that draw what Dear ImGui drew from `low` to `high` in its last frame, moved to
/// (0, `top`): filled shapes as paths, text as text in the same typefaces. Leaves out pictures. Build the
/// frame with Style::plain, because edges that are smoothed by fading are no shapes.
std::string svg_elements(const ImDrawData& data, const Fonts& fonts, ImVec2 low, ImVec2 high, float top);

/// An SVG document with these elements. `size`: in the unit of the elements; `scale`: units per pixel of the
/// document.
std::string svg_document(const std::string& elements, ImVec2 size, float scale, ImU32 ground);

}  // namespace warpsieve::plots
