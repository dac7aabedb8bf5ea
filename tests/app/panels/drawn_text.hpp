#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/// The text of a frame, read back from what Dear ImGui drew: where each glyph is, and whether all of it can
/// be seen.
namespace warpsieve::drawn {

struct Glyph {
    std::uint32_t codepoint;
    ImVec2 low;
    ImVec2 high;
    ImVec4 clip;  ///< clip rectangle of its parent
    bool cut;     ///< cut by its own window
};

/// The glyphs of a window, in the order in which they were drawn.
struct WindowText {
    std::string name;
    bool scrolls = false;  ///< its lower end may be out of sight
    std::vector<Glyph> glyphs;

    /// Without spaces, which have no pixels.
    std::string text() const {
        std::string all;
        for (const Glyph& glyph : glyphs) {
            char utf8[5];
            all += ImTextCharToUtf8(utf8, glyph.codepoint);
        }
        return all;
    }
};

/// Finds glyphs by their position in the font texture. Valid until the fonts change.
class GlyphFinder {
  public:
    GlyphFinder() {
        const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
        width_ = atlas.TexWidth;
        height_ = atlas.TexHeight;
        owners_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), nullptr);
        for (const ImFont* font : atlas.Fonts) {
            for (const ImFontGlyph& glyph : font->Glyphs) {
                for (int y = texel(glyph.V0, height_); y < texel(glyph.V1, height_); ++y) {
                    for (int x = texel(glyph.U0, width_); x < texel(glyph.U1, width_); ++x)
                        owner(x, y) = &glyph;
                }
            }
        }
    }

    /// The glyph of a rectangle of the texture; null for lines and areas.
    const ImFontGlyph* find(ImVec2 low, ImVec2 high) {
        const int x = static_cast<int>((low.x + high.x) / 2 * static_cast<float>(width_));
        const int y = static_cast<int>((low.y + high.y) / 2 * static_cast<float>(height_));
        if (high.x <= low.x || high.y <= low.y || x < 0 || y < 0 || x >= width_ || y >= height_)
            return nullptr;
        return owner(x, y);
    }

  private:
    static int texel(float share, int size) {
        return static_cast<int>(std::lround(share * static_cast<float>(size)));
    }
    const ImFontGlyph*& owner(int x, int y) {
        return owners_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                       static_cast<std::size_t>(x)];
    }

    int width_ = 0;
    int height_ = 0;
    std::vector<const ImFontGlyph*> owners_;
};

/// The glyphs of a draw list, as quads of two triangles.
inline std::vector<Glyph> glyphs_of(const ImDrawList& list, GlyphFinder& finder) {
    std::vector<Glyph> glyphs;
    for (const ImDrawCmd& command : list.CmdBuffer) {
        const int end = static_cast<int>(command.IdxOffset + command.ElemCount);
        for (int i = static_cast<int>(command.IdxOffset); i + 6 <= end;) {
            const ImDrawIdx* const index = &list.IdxBuffer[i];
            const bool quad = index[1] == index[0] + 1 && index[2] == index[0] + 2 && index[3] == index[0] &&
                              index[4] == index[2] && index[5] == index[0] + 3;
            if (!quad) {
                i += 3;
                continue;
            }
            i += 6;
            const int first = static_cast<int>(command.VtxOffset) + index[0];
            const ImDrawVert& low = list.VtxBuffer[first];
            const ImDrawVert& high = list.VtxBuffer[first + 2];
            const ImFontGlyph* const glyph = finder.find(low.uv, high.uv);
            if (!glyph || (low.col & IM_COL32_A_MASK) == 0) continue;
            constexpr float nearly = 0.96F;
            const bool cut = high.uv.x - low.uv.x < nearly * (glyph->U1 - glyph->U0) ||
                             high.uv.y - low.uv.y < nearly * (glyph->V1 - glyph->V0);
            glyphs.push_back({glyph->Codepoint, low.pos, high.pos, command.ClipRect, cut});
        }
    }
    return glyphs;
}

/// Whether the window or one that contains it scrolls down.
inline bool scrolls_down(const ImGuiWindow* window) {
    while (window && window->ScrollMax.y <= 0)
        window = window->Flags & ImGuiWindowFlags_ChildWindow ? window->ParentWindow : nullptr;
    return window != nullptr;
}

/// The text of every visible window, after ImGui::Render.
inline std::vector<WindowText> texts(GlyphFinder& finder) {
    std::vector<WindowText> all;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        if (!window->Active || window->Hidden) continue;
        all.push_back({window->Name, scrolls_down(window), glyphs_of(*window->DrawList, finder)});
    }
    return all;
}

/// Without spaces, which have no pixels.
inline std::string all_text() {
    GlyphFinder finder;
    std::string text;
    for (const WindowText& window : texts(finder)) text += window.text() + "\n";
    return text;
}

/// The text of all windows within a rectangle, without spaces.
inline std::string text_within(ImVec2 low, ImVec2 high) {
    GlyphFinder finder;
    WindowText inside;
    for (const WindowText& window : texts(finder)) {
        for (const Glyph& glyph : window.glyphs) {
            const ImVec2 middle{(glyph.low.x + glyph.high.x) / 2, (glyph.low.y + glyph.high.y) / 2};
            if (middle.x >= low.x && middle.x < high.x && middle.y >= low.y && middle.y < high.y)
                inside.glyphs.push_back(glyph);
        }
    }
    return inside.text();
}

/// The text of a window that leaves its parent or the screen; empty if all of it is visible.
inline std::string cut_text(const WindowText& window, ImVec2 screen) {
    constexpr float slack = 1;
    std::string cut;
    for (const Glyph& glyph : window.glyphs) {
        const ImVec4& clip = glyph.clip;
        const bool above_or_below = glyph.low.y < clip.y - slack || glyph.high.y > clip.w + slack;
        if (above_or_below && window.scrolls) continue;
        const bool outside = glyph.low.x < std::max(clip.x, 0.0F) - slack ||
                             glyph.high.x > std::min(clip.z, screen.x) + slack || glyph.low.y < -slack ||
                             glyph.high.y > screen.y + slack;
        char utf8[5];
        if (outside || above_or_below || (glyph.cut && !window.scrolls))
            cut += ImTextCharToUtf8(utf8, glyph.codepoint);
    }
    return cut;
}

/// Glyphs of a window that cover each other, as "a|b at x, y"; empty where none do.
inline std::string overlapping_text(const WindowText& window) {
    constexpr float max_fraction = 0.3F;
    std::vector<const Glyph*> sorted;
    for (const Glyph& glyph : window.glyphs) sorted.push_back(&glyph);
    std::ranges::sort(sorted, {}, [](const Glyph* glyph) { return glyph->low.x; });
    std::string found;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const Glyph& a = *sorted[i];
        for (std::size_t k = i + 1; k < sorted.size() && sorted[k]->low.x < a.high.x; ++k) {
            const Glyph& b = *sorted[k];
            // Neighbours in a word, such as "fi".
            if (std::abs(&a - &b) == 1 && b.high.x > a.high.x) continue;
            const float width = std::min(a.high.x, b.high.x) - b.low.x;
            const float height = std::min(a.high.y, b.high.y) - std::max(a.low.y, b.low.y);
            const float a_area = (a.high.x - a.low.x) * (a.high.y - a.low.y);
            const float b_area = (b.high.x - b.low.x) * (b.high.y - b.low.y);
            if (height <= 0 || width * height < max_fraction * std::min(a_area, b_area)) continue;
            char utf8[5];
            found += std::string(ImTextCharToUtf8(utf8, a.codepoint)) + "|";
            found += std::string(ImTextCharToUtf8(utf8, b.codepoint)) + " at " +
                     std::to_string(static_cast<int>(b.low.x)) + ", " +
                     std::to_string(static_cast<int>(b.low.y)) + "; ";
        }
    }
    return found;
}

}  // namespace warpsieve::drawn
