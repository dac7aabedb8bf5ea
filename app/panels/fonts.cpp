#include "app/panels/fonts.hpp"

#include <imgui_freetype.h>

#include <array>

#include "embedded/typefaces.hpp"

namespace warpsieve::panels {
namespace {

// Latin with accents, for names of devices and authors, and the signs that the panels use.
constexpr std::array<ImWchar, 15> glyph_ranges{0x20,   0xFF,    // Latin-1
                                               0x0100, 0x017F,  // Latin Extended-A
                                               0x2010, 0x2026,  // dashes, quotes, ellipsis
                                               0x2070, 0x2079,  // superscripts
                                               0x2190, 0x2193,  // arrows
                                               0x2212, 0x2212,  // minus
                                               0x2264, 0x2265,  // at most, at least
                                               0};

ImFont* add_font(std::span<const std::byte> typeface, float line_height) {
    ImFontConfig config;
    // The bytes are embedded in the program; the atlas must not free them.
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = 1;
    config.PixelSnapH = true;
    void* bytes = const_cast<std::byte*>(typeface.data());
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(typeface.size()), line_height,
                                                      &config, glyph_ranges.data());
}

}  // namespace

plots::Fonts build_fonts(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    // Hinting in height only: stems stay evenly spaced and digits stay equally wide.
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    const auto pixels = [scale](float at_100_percent) { return std::round(at_100_percent * scale); };
    // FreeType takes line heights: 1.2 em in Inter and 1.3 em in JetBrains Mono. A line of 17 pixels thus has
    // an em of 14 or 13 pixels.
    plots::Fonts fonts;
    fonts.text = add_font(typefaces::inter_regular_otf_bytes(), pixels(17));
    fonts.heading = add_font(typefaces::inter_semibold_otf_bytes(), pixels(17));
    fonts.small = add_font(typefaces::inter_regular_otf_bytes(), pixels(15));
    fonts.figures = add_font(typefaces::jetbrainsmono_regular_ttf_bytes(), pixels(17));
    atlas.Build();
    ImGui::GetIO().FontDefault = fonts.text;
    return fonts;
}

}  // namespace warpsieve::panels
