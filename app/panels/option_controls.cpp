#include <algorithm>
#include <array>
#include <vector>

#include "app/format/figures.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/control_group.hpp"
#include "app/panels/controls.hpp"
#include "app/panels/widgets.hpp"

namespace warpsieve::panels {
namespace {

using compaction::LegalRange;
using compaction::Option;

std::string_view tooltip_of(Option option, compaction::EngineId engine) {
    const bool cpu = engine == compaction::EngineId::cpu;
    switch (option) {
        case Option::vector_width:
            if (cpu) {
                return "SIMD vectors per loop iteration of a thread: scalar 1, pair 2, quad 4. More vectors "
                       "mean fewer iterations and more overlapping loads, as long as the processor has "
                       "enough registers.";
            }
            return "Items that one thread loads at once: scalar 4 bytes, pair 8, quad 16. Wider loads keep "
                   "more bytes in flight per instruction but need more registers.";
        case Option::threads_per_block:
            if (cpu) {
                return "Threads that share the work. More threads than the machine's hardware threads bring "
                       "no gain: they only take turns.";
            }
            return "Threads that share one block's registers and shared memory. More threads hide memory "
                   "latency better, until a multiprocessor has no room for a second block.";
        case Option::blocks:
            if (cpu)
                return "Blocks of a GPU's grid. The CPU engine has none: its worker threads share the "
                       "sequences.";
            return "Blocks of the grid. A multiple of the number of multiprocessors keeps all of them busy "
                   "to the end; too few blocks leave a large GPU idle.";
        case Option::sequences:
            return "Contiguous parts of the stream, each counted and moved by one worker. More sequences "
                   "balance the load better but lengthen the prefix phase.";
        case Option::variant:
            return "Selects one of the variants that the source describes. All compute the same result, so "
                   "their times show the cost of the difference.";
    }
    return {};
}

/// Why an option that the algorithm does not have cannot be set.
std::string no_such_option(const compaction::Algorithm& algorithm, Option option) {
    if (option == Option::blocks && algorithm.engine == compaction::EngineId::cpu)
        return "The CPU engine has no blocks.";
    return algorithm.id + (option == Option::variant ? " has one variant only." : " chooses this itself.");
}

/// The row of an option, with the reason if the algorithm does not have it.
Row row_of(const Ui& ui, const compaction::Algorithm& algorithm, Option option) {
    Row row{.label = label_of(option, ui.settings.run.engine),
            .tooltip = tooltip_of(option, ui.settings.run.engine),
            .key = option == Option::vector_width ? "V" : "",
            .off_because = {}};
    if (!algorithm.range_of(option)) row.off_because = no_such_option(algorithm, option);
    return row;
}

void draw_vector_width(Ui& ui, const compaction::Algorithm& algorithm) {
    std::vector<std::uint32_t> widths{compaction::automatic};
    const LegalRange every_width = compaction::every_vector_width();
    const LegalRange* range = algorithm.range_of(Option::vector_width);
    std::vector<std::string> names;
    if (range) {
        for (const std::uint32_t width : range->values()) widths.push_back(width);
    } else {
        for (const std::uint32_t width : every_width.values()) widths.push_back(width);
    }
    std::uint32_t& chosen = ui.settings.run.choice(ui.edited()).options[Option::vector_width];
    const std::uint32_t in_force = layout_of(ui.view.runs, ui.edited())[Option::vector_width];
    for (const std::uint32_t width : widths) names.push_back(every_width.text_of(width));
    std::vector<Segment> choices;
    for (const std::uint32_t width : widths) {
        choices.push_back({.label = names[choices.size()],
                           .off_because = {},
                           .in_force = range && chosen == compaction::automatic &&
                                       width != compaction::automatic && width == in_force});
    }
    const auto selected = static_cast<std::size_t>(std::ranges::find(widths, chosen) - widths.begin());
    const auto clicked = segments(ui, row_of(ui, algorithm, Option::vector_width), choices, selected);
    if (clicked) chosen = widths[*clicked];
}

std::string figure_of(const LegalRange& range, std::uint32_t value) {
    if (value == compaction::automatic) return {};
    return range.names.empty() ? format::grouped(value) : range.text_of(value);
}

void draw_number(Ui& ui, const compaction::Algorithm& algorithm, Option option) {
    const LegalRange* range = algorithm.range_of(option);
    std::uint32_t& chosen = ui.settings.run.choice(ui.edited()).options[option];
    // Step 0 is `automatic`; the legal values follow.
    const std::vector<std::uint32_t> values = range ? range->values() : std::vector<std::uint32_t>{};
    const bool automatic = chosen == compaction::automatic;
    const auto not_above = std::ranges::upper_bound(values, chosen) - values.begin();
    const std::uint32_t shown = automatic ? layout_of(ui.view.runs, ui.edited())[option] : chosen;
    const SliderAnswer answer = slider(ui, {.row = row_of(ui, algorithm, option),
                                            .step = automatic ? 0 : static_cast<int>(not_above),
                                            .last_step = static_cast<int>(values.size()),
                                            .before = automatic ? "automatic" : "",
                                            .figure = range ? figure_of(*range, shown) : "",
                                            .unit = {}});
    if (answer.step)
        chosen =
            *answer.step == 0 ? compaction::automatic : values[static_cast<std::size_t>(*answer.step) - 1];
    if (answer.typed && range) {
        const std::optional<std::uint32_t> named = range->parse(*answer.typed);
        const auto typed = named ? std::optional<std::uint64_t>(*named) : format::parse_count(*answer.typed);
        const bool asks_for_automatic =
            answer.typed->starts_with("auto") || answer.typed->empty() || typed == 0;
        if (asks_for_automatic) {
            chosen = compaction::automatic;
        } else if (typed) {
            chosen = nearest_legal(
                *range, static_cast<std::uint32_t>(std::min<std::uint64_t>(*typed, range->maximum)));
            if (chosen != *typed)
                note_below(ui, label_of(option, ui.settings.run.engine),
                           figure_of(*range, chosen) + " is the nearest legal value.");
        } else {
            note_below(ui, label_of(option, ui.settings.run.engine),
                       "'" + *answer.typed + "' is not a legal value.");
        }
    }
}

void draw_option(Ui& ui, const compaction::Algorithm& algorithm, Option option) {
    if (option == Option::vector_width) return draw_vector_width(ui, algorithm);
    draw_number(ui, algorithm, option);
}

/// Options that the algorithm does not have, behind one line.
void draw_without_effect(Ui& ui, const compaction::Algorithm& algorithm, const std::vector<Option>& options) {
    if (options.empty()) return;
    std::string names;
    std::string reasons;
    for (const Option option : options) {
        const std::string name(label_of(option, ui.settings.run.engine));
        names += (names.empty() ? "" : ", ") + name;
        reasons += (reasons.empty() ? "" : "\n") + name + ": " + no_such_option(algorithm, option);
    }
    if (!fold_line(ui, "options without effect", "without effect here: " + names, reasons)) return;
    for (const Option option : options) draw_option(ui, algorithm, option);
}

}  // namespace

void draw_option_controls(Ui& ui) {
    const compaction::Algorithm* algorithm = chosen_algorithm(ui.view.catalogue, ui.settings, ui.edited());
    if (!algorithm) return;
    if (!control_group(ui, GroupIcon::launch, "Launch configuration",
                       of_edited_side(ui, "Launch configuration")))
        return;
    std::vector<Option> without_effect;
    for (const Option option : compaction::all_options) {
        if (algorithm->range_of(option)) {
            draw_option(ui, *algorithm, option);
        } else {
            without_effect.push_back(option);
        }
    }
    draw_without_effect(ui, *algorithm, without_effect);
}

}  // namespace warpsieve::panels
