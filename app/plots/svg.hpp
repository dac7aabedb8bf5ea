#pragma once

#include <imgui.h>

#include <string>

#include "app/plots/style.hpp"

namespace warpsieve::plots {

/// The elements of an SVG that draw what Dear ImGui drew from `low` to `high` in its last frame, moved to
/// (0, `top`): filled shapes as paths, text as text in the same typefaces. Leaves out textures. Build the
/// frame with Style::plain: Dear ImGui smooths edges with thin triangles that fade out, which are not shapes.
std::string svg_elements(const ImDrawData& data, const Fonts& fonts, ImVec2 low, ImVec2 high, float top);

/// An SVG document with the elements from svg_elements(). `size`: in the unit of the elements; `scale`: units
/// per pixel of the document.
std::string svg_document(const std::string& elements, ImVec2 size, float scale, ImU32 ground);

}  // namespace warpsieve::plots
