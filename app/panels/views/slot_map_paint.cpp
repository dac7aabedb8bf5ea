#include "app/panels/views/slot_map_paint.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/scene/slot_colours.hpp"

namespace warpsieve::panels {
namespace {

struct Rgb {
    float red, green, blue;
};

constexpr Rgb rgb(std::uint32_t hex) {
    return {static_cast<float>(hex >> 16 & 0xFF), static_cast<float>(hex >> 8 & 0xFF),
            static_cast<float>(hex & 0xFF)};
}

constexpr std::uint32_t packed(const Rgb& colour) {
    const auto byte = [](float value) { return static_cast<std::uint32_t>(value + 0.5F); };
    return 0xFF000000U | byte(colour.blue) << 16 | byte(colour.green) << 8 | byte(colour.red);
}

using Stops = std::array<Rgb, 6>;

// The colours of the particles, from born to dead; on paper the oldest are the palest.
constexpr Stops dark_age{rgb(0xE9FBFF), rgb(0x6FD3FF), rgb(0x3C8DEB),
                         rgb(0x6A55CF), rgb(0x96386F), rgb(0x6B2A20)};
constexpr Stops light_age{rgb(0x0A2346), rgb(0x124C86), rgb(0x3F6FB5),
                          rgb(0x8677BE), rgb(0xC48BA6), rgb(0xE0BBA2)};
constexpr Stops stops_from(const scene::SlotColours& colours) {
    Stops stops{};
    for (std::size_t i = 0; i < stops.size(); ++i) stops[i] = rgb(colours[i]);
    return stops;
}

constexpr Stops dark_slot = stops_from(scene::dark_slot_colours);
constexpr Stops light_slot = stops_from(scene::light_slot_colours);

const Stops& stops_of(Theme theme, MapColour colour) {
    if (theme == Theme::dark) return colour == MapColour::age ? dark_age : dark_slot;
    return colour == MapColour::age ? light_age : light_slot;
}

constexpr Rgb ground_of(Theme theme) {
    return theme == Theme::dark ? rgb(0x0C0E12) : rgb(0xFFFFFF);
}

Rgb mix(const Rgb& from, const Rgb& to, float share) {
    return {std::lerp(from.red, to.red, share), std::lerp(from.green, to.green, share),
            std::lerp(from.blue, to.blue, share)};
}

Rgb colour_at(const Stops& stops, float share) {
    const float position = std::clamp(share, 0.0F, 1.0F) * static_cast<float>(stops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(position), stops.size() - 2);
    return mix(stops[below], stops[below + 1], position - static_cast<float>(below));
}

/// Strength of the colour of a cell with few items: keeps one item among thousands of slots visible.
constexpr float min_strength = 0.35F;
constexpr std::size_t max_fill = 16;

/// Every shade of a colour scale for cells that are empty (0) to full (max_fill): [256 * (max_fill + 1)].
std::vector<std::uint32_t> make_table(Theme theme, MapColour colour) {
    std::vector<std::uint32_t> table;
    for (std::size_t shade = 0; shade < 256; ++shade) {
        const Rgb full = colour_at(stops_of(theme, colour), static_cast<float>(shade) / 255);
        for (std::size_t fill = 0; fill <= max_fill; ++fill) {
            const float filled = static_cast<float>(fill) / max_fill;
            table.push_back(packed(mix(ground_of(theme), full, std::lerp(min_strength, 1.0F, filled))));
        }
    }
    return table;
}

}  // namespace

std::uint32_t item_colour(Theme theme, MapColour colour, float share) {
    return packed(colour_at(stops_of(theme, colour), share));
}

std::uint32_t empty_colour(Theme theme) {
    return packed(ground_of(theme));
}

std::uint32_t fault_colour(Theme theme) {
    return packed(rgb(theme == Theme::dark ? 0xFF6B5E : 0xC62F22));
}

void paint(std::span<const scene::SlotCell> cells, const Paint& wanted, std::vector<std::uint32_t>& pixels) {
    const std::vector<std::uint32_t> table = make_table(wanted.theme, wanted.colour);
    const std::uint32_t empty = empty_colour(wanted.theme);
    const std::uint32_t fault = fault_colour(wanted.theme);
    const unsigned shown_faults = scene::no_slot | (wanted.ordered ? unsigned{scene::out_of_order} : 0U);
    const auto shade_of = [&](const scene::SlotCell& cell) -> std::size_t {
        if (wanted.colour == MapColour::age) return cell.age;
        const std::uint64_t slot = std::max<std::uint64_t>(cell.first_handle, 1) - 1;
        const std::uint64_t offset = slot - std::min(slot, wanted.first_slot);
        const std::uint64_t max_offset = std::max<std::uint64_t>(wanted.slots, 2) - 1;
        return static_cast<std::size_t>(std::min<std::uint64_t>(offset * 255 / max_offset, 255));
    };
    pixels.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const scene::SlotCell& cell = cells[i];
        if (cell.items == 0) {
            pixels[i] = empty;
        } else if ((cell.faults & shown_faults) != 0) {
            pixels[i] = fault;
        } else {
            const std::size_t fill = std::size_t{cell.items} * max_fill / wanted.slots_per_cell;
            pixels[i] = table[shade_of(cell) * (max_fill + 1) + std::min(fill, max_fill)];
        }
    }
}

}  // namespace warpsieve::panels
