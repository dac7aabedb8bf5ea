// The cells in the algorithm menu: one for each pass of an algorithm, in the colour of its phase.
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/plots/style.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

struct Cell {
    float left;
    ImU32 colour;
};

/// Filled squares between these corners, from left to right, of what the last frame drew.
std::vector<Cell> squares_within(ImVec2 low, ImVec2 high) {
    std::vector<Cell> cells;
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        if (!window->Active || window->Hidden || !(window->Flags & ImGuiWindowFlags_Popup)) continue;
        const ImVector<ImDrawVert>& vertices = window->DrawList->VtxBuffer;
        for (int i = 0; i + 4 <= vertices.Size; ++i) {
            const ImDrawVert& a = vertices[i];
            const ImDrawVert& b = vertices[i + 2];
            const bool plain = a.uv.x == white.x && a.uv.y == white.y && b.uv.x == white.x;
            const bool square = b.pos.x - a.pos.x > 4 && b.pos.x - a.pos.x == b.pos.y - a.pos.y;
            const bool aligned = vertices[i + 1].pos.y == a.pos.y && vertices[i + 3].pos.x == a.pos.x;
            if (plain && square && aligned && a.pos.x >= low.x && b.pos.x <= high.x && a.pos.y >= low.y &&
                b.pos.y <= high.y)
                cells.push_back({a.pos.x, a.col});
        }
    }
    std::ranges::sort(cells, {}, &Cell::left);
    return cells;
}

TEST_F(InterfaceTest, TheAlgorithmMenuHasACellForEachPass) {
    const plots::Palette palette = plots::palette_of(plots::PaletteId::dark);
    frame();
    click(point_of("algorithm"));
    frame();
    std::size_t entries = 0;
    for (const compaction::Algorithm& algorithm : machine_.catalogue) {
        if (algorithm.engine != machine_.settings.run.engine) continue;
        SCOPED_TRACE(algorithm.id);
        ++entries;
        const auto [low, high] = corners("algorithm: " + algorithm.id);
        const std::vector<Cell> cells = squares_within(low, high);
        ASSERT_EQ(cells.size(), algorithm.phases.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const plots::SeriesStyle style = plots::style_of(algorithm.phases[i].role);
            const ImU32 colour =
                style.hatched ? plots::mix(palette.panel, style.colour, 0.35F) : style.colour;
            EXPECT_EQ(cells[i].colour, colour) << algorithm.phases[i].name;
            EXPECT_GT(cells[i].left, (low.x + high.x) / 2) << "the name stands on the left";
        }
    }
    EXPECT_GE(entries, 2U);
}

}  // namespace
}  // namespace warpsieve
