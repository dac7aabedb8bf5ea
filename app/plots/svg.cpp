#include "app/plots/svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include <imgui_internal.h>

namespace warpsieve::plots {
namespace {

/// SVG's font size over Dear ImGui's. Dear ImGui's size is the distance from ascender to descender; that of
/// SVG is the em. Source: the tables `hhea` of Inter and JetBrains Mono.
constexpr float inter_em = 1 / 1.21F;
constexpr float jetbrains_mono_em = 1 / 1.32F;

std::string number(float value) {
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.2f", static_cast<double>(value));
    std::string shortened = text.data();
    while (shortened.back() == '0') shortened.pop_back();
    if (shortened.back() == '.') shortened.pop_back();
    return shortened == "-0" ? "0" : shortened;
}

std::string fill_attributes(ImU32 colour) {
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), "fill=\"#%02x%02x%02x\"", colour >> IM_COL32_R_SHIFT & 0xFF,
                  colour >> IM_COL32_G_SHIFT & 0xFF, colour >> IM_COL32_B_SHIFT & 0xFF);
    const unsigned alpha = colour >> IM_COL32_A_SHIFT & 0xFF;
    std::string attributes = text.data();
    if (alpha < 0xFF) attributes += " fill-opacity=\"" + number(static_cast<float>(alpha) / 255) + "\"";
    return attributes;
}

std::string escaped(unsigned codepoint) {
    switch (codepoint) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        default:
            break;
    }
    std::array<char, 5> utf8{};
    return ImTextCharToUtf8(utf8.data(), codepoint);
}

/// Writes the elements; neighbours of one kind and colour become one element.
class Writer {
  public:
    Writer(const Fonts& fonts, ImVec2 low, ImVec2 high, float top)
        : fonts_(fonts), low_(low), high_(high), top_(top) {
        const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
        white_ = atlas.TexUvWhitePixel;
        for (const ImFont* font : atlas.Fonts) {
            for (const ImFontGlyph& glyph : font->Glyphs) glyphs_[{glyph.U0, glyph.V0}] = {font, &glyph};
        }
    }

    void begin_clip(const ImVec4& clip) {
        flush();
        const ImVec2 from = in_document({std::max(clip.x, low_.x), std::max(clip.y, low_.y)});
        const ImVec2 to = in_document({std::min(clip.z, high_.x), std::min(clip.w, high_.y)});
        // The names are unique in a document of several parts.
        const std::string id = "c" + number(top_) + "-" + std::to_string(clips_++);
        out_ += "<clipPath id=\"" + id + "\"><rect x=\"" + number(from.x) + "\" y=\"" + number(from.y) +
                "\" width=\"" + number(std::max(to.x - from.x, 0.0F)) + "\" height=\"" +
                number(std::max(to.y - from.y, 0.0F)) + "\"/></clipPath><g clip-path=\"url(#" + id + ")\">\n";
    }
    void end_clip() {
        flush();
        out_ += "</g>\n";
    }

    void add_triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
        if ((a.col & IM_COL32_A_MASK) == 0 || is_outside(a, b, c)) return;
        if (!text_.empty() || a.col != colour_) flush();
        colour_ = a.col;
        path_ += "M" + point(a.pos) + "L" + point(b.pos) + "L" + point(c.pos) + "Z";
    }

    /// Adds a quad if it shows a glyph, and returns whether it does.
    bool add_glyph(const ImDrawVert& upper_left, const ImDrawVert& lower_right) {
        const auto found = glyphs_.find({upper_left.uv.x, upper_left.uv.y});
        if (found == glyphs_.end()) return false;
        if (is_outside(upper_left, upper_left, lower_right)) return true;
        const auto [font, glyph] = found->second;
        const float scale = (lower_right.pos.y - upper_left.pos.y) / (glyph->Y1 - glyph->Y0);
        const ImVec2 pen =
            in_document({upper_left.pos.x - glyph->X0 * scale,
                         upper_left.pos.y - glyph->Y0 * scale + std::round(font->Ascent) * scale});
        const bool continues = !text_.empty() && font == font_ && upper_left.col == colour_ &&
                               std::abs(pen.y - baseline_) < 0.5F;
        if (!continues) flush();
        font_ = font;
        colour_ = upper_left.col;
        font_size_ = font->FontSize * scale;
        baseline_ = continues ? baseline_ : pen.y;
        glyph_xs_ += (text_.empty() ? "" : " ") + number(pen.x);
        text_ += escaped(glyph->Codepoint);
        return true;
    }

    bool is_white(const ImDrawVert& vertex) const {
        return vertex.uv.x == white_.x && vertex.uv.y == white_.y;
    }

    std::string take() {
        flush();
        return std::move(out_);
    }

  private:
    ImVec2 in_document(ImVec2 at) const { return {at.x - low_.x, at.y - low_.y + top_}; }
    std::string point(ImVec2 at) const {
        const ImVec2 to = in_document(at);
        return number(to.x) + " " + number(to.y);
    }
    bool is_outside(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) const {
        return std::max({a.pos.x, b.pos.x, c.pos.x}) < low_.x ||
               std::min({a.pos.x, b.pos.x, c.pos.x}) > high_.x ||
               std::max({a.pos.y, b.pos.y, c.pos.y}) < low_.y ||
               std::min({a.pos.y, b.pos.y, c.pos.y}) > high_.y;
    }

    void flush() {
        if (!path_.empty()) out_ += "<path " + fill_attributes(colour_) + " d=\"" + path_ + "\"/>\n";
        if (!text_.empty()) {
            const bool mono = font_ == fonts_.figures;
            out_ += "<text " + fill_attributes(colour_) + " font-family=\"" +
                    (mono ? "JetBrains Mono, monospace" : "Inter, sans-serif") + "\" font-size=\"" +
                    number(font_size_ * (mono ? jetbrains_mono_em : inter_em)) + "\"" +
                    (font_ == fonts_.heading ? " font-weight=\"600\"" : "") + " y=\"" + number(baseline_) +
                    "\" x=\"" + glyph_xs_ + "\">" + text_ + "</text>\n";
        }
        path_.clear();
        text_.clear();
        glyph_xs_.clear();
    }

    const Fonts& fonts_;
    ImVec2 low_;
    ImVec2 high_;
    float top_;
    ImVec2 white_;
    std::map<std::pair<float, float>, std::pair<const ImFont*, const ImFontGlyph*>> glyphs_;
    std::string out_;
    int clips_ = 0;
    ImU32 colour_ = 0;
    std::string path_;
    std::string text_;
    std::string glyph_xs_;
    const ImFont* font_ = nullptr;
    float font_size_ = 0;
    float baseline_ = 0;
};

void write_command(Writer& writer, const ImDrawList& list, const ImDrawCmd& command) {
    const auto vertex = [&](unsigned index) -> const ImDrawVert& {
        return list.VtxBuffer[static_cast<int>(command.VtxOffset +
                                               list.IdxBuffer[static_cast<int>(command.IdxOffset + index)])];
    };
    for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        if (writer.is_white(vertex(i))) {
            writer.add_triangle(vertex(i), vertex(i + 1), vertex(i + 2));
        } else if (i + 5 < command.ElemCount && writer.add_glyph(vertex(i), vertex(i + 2))) {
            i += 3;  // the second triangle of the quad
        }
    }
}

}  // namespace

std::string svg_elements(const ImDrawData& data, const Fonts& fonts, ImVec2 low, ImVec2 high, float top) {
    Writer writer(fonts, low, high, top);
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const ImDrawList& list = *data.CmdLists[i];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const ImVec4& clip = command.ClipRect;
            const bool seen = clip.x < high.x && clip.z > low.x && clip.y < high.y && clip.w > low.y;
            const bool has_other_texture = command.TextureId != ImGui::GetIO().Fonts->TexID;
            if (!seen || has_other_texture || command.ElemCount == 0) continue;
            writer.begin_clip(clip);
            write_command(writer, list, command);
            writer.end_clip();
        }
    }
    return writer.take();
}

std::string svg_document(const std::string& elements, ImVec2 size, float scale, ImU32 ground) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(size.x / scale) + "\" height=\"" +
           number(size.y / scale) + "\" viewBox=\"0 0 " + number(size.x) + " " + number(size.y) +
           "\" shape-rendering=\"crispEdges\" xml:space=\"preserve\">\n<rect width=\"100%\" "
           "height=\"100%\" " +
           fill_attributes(ground) + "/>\n" + elements + "</svg>\n";
}

}  // namespace warpsieve::plots
