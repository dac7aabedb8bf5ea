#include "app/panels/fonts.hpp"

#include <imgui_freetype.h>

#include <array>

#include "embedded/typefaces.hpp"

namespace warpsieve::panels {
namespace {

// Latin with accents, for names of devices and authors, and the signs that the panels use.
constexpr std::array<ImWchar, 15> glyphs{0x20,   0xFF,    // Latin-1
                                         0x0100, 0x017F,  // Latin Extended-A
                                         0x2010, 0x2026,  // dashes, quotes, ellipsis
                                         0x2070, 0x2079,  // superscripts
                                         0x2190, 0x2193,  // arrows
                                         0x2212, 0x2212,  // minus
                                         0x2264, 0x2265,  // at most, at least
                                         0};

ImFont* add(std::span<const std::byte> typeface, float pixels) {
    ImFontConfig config;
    // The bytes are embedded in the program; the atlas must not free them.
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = 1;
    config.PixelSnapH = true;
    void* bytes = const_cast<std::byte*>(typeface.data());
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(typeface.size()), pixels,
                                                      &config, glyphs.data());
}

}  // namespace

plots::Fonts build_fonts(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    // Hinting in height only: stems stay evenly spaced and digits stay equally wide.
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    const auto pixels = [scale](float at_100_percent) { return std::round(at_100_percent * scale); };
    // FreeType takes line heights, 1.2 em for Inter and 1.3 em for JetBrains Mono; the letters are 14 pixels
    // high.
    plots::Fonts fonts;
    fonts.text = add(typefaces::inter_regular_otf_bytes(), pixels(17));
    fonts.heading = add(typefaces::inter_semibold_otf_bytes(), pixels(17));
    fonts.small = add(typefaces::inter_regular_otf_bytes(), pixels(15));
    fonts.figures = add(typefaces::jetbrainsmono_regular_ttf_bytes(), pixels(17));
    atlas.Build();
    ImGui::GetIO().FontDefault = fonts.text;
    return fonts;
}

}  // namespace warpsieve::panels
