#include "app/panels/provenance_strip.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace warpsieve::panels {
namespace {

/// An item with its position within the strip.
struct PlacedItem {
    const ProvenanceItem* item;
    float x;
    std::size_t line;
};

struct StripLayout {
    std::vector<PlacedItem> items;
    std::size_t num_lines = 0;
};

float name_width(const plots::Style& style, const ProvenanceItem& item) {
    return plots::text_width(style.fonts.small, item.name) + style.px(5);
}

float margin(const plots::Style& style) {
    return style.px(12);
}

float line_height(const plots::Style& style) {
    return std::round(style.fonts.text->FontSize * 1.3F);
}

/// Places items one after another. Starts a new line if the next item does not fit.
StripLayout lay_out_items(const plots::Style& style, float width, const Provenance& provenance) {
    StripLayout layout;
    const float right = width - margin(style);
    float x = margin(style);
    for (const ProvenanceItem& item : provenance.items) {
        const float item_width = name_width(style, item) + plots::text_width(style.fonts.text, item.value);
        if (x > margin(style) && x + item_width > right) {
            x = margin(style);
            ++layout.num_lines;
        }
        layout.items.push_back({&item, x, layout.num_lines});
        x += item_width + style.px(18);
    }
    ++layout.num_lines;
    return layout;
}

/// The command, wrapped between words.
std::vector<std::string> wrapped(const plots::Style& style, float width, const std::string& command) {
    const float room = width - 2 * margin(style);
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t begin = 0; begin < command.size();) {
        const std::size_t end = std::min(command.find(' ', begin), command.size());
        const std::string word = command.substr(begin, end - begin);
        const std::string longer = line.empty() ? word : line + " " + word;
        if (!line.empty() && plots::text_width(style.fonts.figures, longer) > room) {
            lines.push_back(std::exchange(line, word));
        } else {
            line = longer;
        }
        begin = end + 1;
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
}

}  // namespace

float provenance_strip_height(const plots::Style& style, float width, const Provenance& provenance) {
    const std::size_t lines =
        lay_out_items(style, width, provenance).num_lines + wrapped(style, width, provenance.command).size();
    return static_cast<float>(lines) * line_height(style) + style.px(14);
}

void draw_provenance_strip(ImDrawList& list, const plots::Style& style, ImVec2 low, float width,
                           const Provenance& provenance) {
    const plots::Palette& palette = style.palette;
    const float height = provenance_strip_height(style, width, provenance);
    list.AddRectFilled(low, {low.x + width, low.y + height}, palette.panel);
    list.AddRectFilled(low, {low.x + width, low.y + std::max(1.0F, style.px(1))}, palette.outline);
    const auto baseline = [&](std::size_t line) {
        return low.y + style.px(7) + static_cast<float>(line) * line_height(style) +
               std::round(style.fonts.text->Ascent);
    };
    const StripLayout layout = lay_out_items(style, width, provenance);
    for (const PlacedItem& each : layout.items) {
        const float y = baseline(each.line);
        plots::draw_on_baseline(list, style.fonts.small, {low.x + each.x, y}, palette.muted, each.item->name);
        plots::draw_on_baseline(
            list, style.fonts.text, {low.x + each.x + name_width(style, *each.item), y}, palette.text,
            plots::elided(style.fonts.text, each.item->value,
                          width - margin(style) - each.x - name_width(style, *each.item)));
    }
    std::size_t line = layout.num_lines;
    for (const std::string& text : wrapped(style, width, provenance.command)) {
        plots::draw_on_baseline(list, style.fonts.figures, {low.x + margin(style), baseline(line++)},
                                palette.label, text);
    }
}

}  // namespace warpsieve::panels
