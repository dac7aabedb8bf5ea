#include "app/panels/evidence_strip.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace warpsieve::panels {
namespace {

/// An item with its place within the strip.
struct Placed {
    const EvidenceItem* item;
    float x;
    std::size_t line;
};

struct Flow {
    std::vector<Placed> items;
    std::size_t lines = 0;
};

float name_width(const plots::Look& look, const EvidenceItem& item) {
    return plots::text_width(look.fonts.small, item.name) + look.px(5);
}

float margin(const plots::Look& look) {
    return look.px(12);
}

float line_height(const plots::Look& look) {
    return std::round(look.fonts.text->FontSize * 1.3F);
}

/// Items one after another, a new line where the next one does not fit.
Flow flow(const plots::Look& look, float width, const Evidence& evidence) {
    Flow placed;
    const float right = width - margin(look);
    float x = margin(look);
    for (const EvidenceItem& item : evidence.items) {
        const float item_width = name_width(look, item) + plots::text_width(look.fonts.text, item.value);
        if (x > margin(look) && x + item_width > right) {
            x = margin(look);
            ++placed.lines;
        }
        placed.items.push_back({&item, x, placed.lines});
        x += item_width + look.px(18);
    }
    ++placed.lines;
    return placed;
}

/// The command, broken between words where the strip is too narrow for it.
std::vector<std::string> wrapped(const plots::Look& look, float width, const std::string& command) {
    const float room = width - 2 * margin(look);
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t begin = 0; begin < command.size();) {
        const std::size_t end = std::min(command.find(' ', begin), command.size());
        const std::string word = command.substr(begin, end - begin);
        const std::string longer = line.empty() ? word : line + " " + word;
        if (!line.empty() && plots::text_width(look.fonts.figures, longer) > room) {
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

float evidence_strip_height(const plots::Look& look, float width, const Evidence& evidence) {
    const std::size_t lines =
        flow(look, width, evidence).lines + wrapped(look, width, evidence.command).size();
    return static_cast<float>(lines) * line_height(look) + look.px(14);
}

void draw_evidence_strip(ImDrawList& list, const plots::Look& look, ImVec2 low, float width,
                         const Evidence& evidence) {
    const plots::Palette& palette = look.palette;
    const float height = evidence_strip_height(look, width, evidence);
    list.AddRectFilled(low, {low.x + width, low.y + height}, palette.panel);
    list.AddRectFilled(low, {low.x + width, low.y + std::max(1.0F, look.px(1))}, palette.outline);
    const auto baseline = [&](std::size_t line) {
        return low.y + look.px(7) + static_cast<float>(line) * line_height(look) +
               std::round(look.fonts.text->Ascent);
    };
    const Flow placed = flow(look, width, evidence);
    for (const Placed& each : placed.items) {
        const float y = baseline(each.line);
        plots::draw_on_baseline(list, look.fonts.small, {low.x + each.x, y}, palette.muted, each.item->name);
        plots::draw_on_baseline(list, look.fonts.text, {low.x + each.x + name_width(look, *each.item), y},
                                palette.text,
                                plots::elided(look.fonts.text, each.item->value,
                                              width - margin(look) - each.x - name_width(look, *each.item)));
    }
    std::size_t line = placed.lines;
    for (const std::string& words : wrapped(look, width, evidence.command)) {
        plots::draw_on_baseline(list, look.fonts.figures, {low.x + margin(look), baseline(line++)},
                                palette.label, words);
    }
}

}  // namespace warpsieve::panels
