#include "app/panels/query.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "app/panels/ui.hpp"

// Included for the key codes.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warpsieve::panels {
namespace {

constexpr std::size_t max_query_bytes = 100;

void append_utf8(std::string& text, unsigned character) {
    std::array<char, 5> utf8{};
    text += ImTextCharToUtf8(utf8.data(), character);
}

void remove_last_character(std::string& text) {
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
    if (!text.empty()) text.pop_back();
}

}  // namespace

bool edit_query(std::string& query, const gl::KeyEvent& event) {
    if (event.kind == gl::KeyEvent::Kind::character) {
        if (query.size() < max_query_bytes) append_utf8(query, event.character);
        return true;
    }
    if (!event.is_down() || event.key != GLFW_KEY_BACKSPACE) return false;
    remove_last_character(query);
    return true;
}

void draw_query(const Ui& ui, ImVec2 at, float width, std::string_view query, std::string_view hint) {
    const plots::Palette& palette = ui.palette();
    const plots::Fonts& fonts = ui.fonts();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float baseline = at.y + std::round(fonts.text->Ascent);
    float x = at.x;
    if (query.empty()) {
        plots::draw_on_baseline(list, fonts.text, {x + ui.px(5), baseline}, palette.muted,
                                plots::elided(fonts.text, hint, width));
    } else {
        x = plots::draw_on_baseline(list, fonts.text, {x, baseline}, palette.text, query);
    }
    list.AddRectFilled({x + ui.px(2), at.y}, {x + ui.px(3.5F), at.y + fonts.text->FontSize}, palette.accent);
}

std::string lower(std::string_view text) {
    std::string lowered(text);
    std::ranges::transform(lowered, lowered.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lowered;
}

std::vector<std::string> lower_words(std::string_view text) {
    std::vector<std::string> words;
    const std::string whole = lower(text);
    for (std::size_t at = 0; at < whole.size();) {
        const std::size_t end = std::min(whole.find(' ', at), whole.size());
        if (end > at) words.push_back(whole.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

bool has_every_word(std::string_view text, std::string_view query) {
    const std::string lowered = lower(text);
    return std::ranges::all_of(
        lower_words(query), [&](const std::string& word) { return lowered.find(word) != std::string::npos; });
}

}  // namespace warpsieve::panels
