#include "app/kernel_view/lessons.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "compaction/lane_trace.hpp"

namespace warpsieve::kernel_view {
namespace {

constexpr std::array all_lessons{
    Lesson{.id = "count_by_ballot",
           .name = "Count by ballot",
           .algorithm = "masked_two_pass",
           .num_items = 2'048,
           .line = "__ballot_sync",
           .question = "A warp of mask_kernel reads 1,024 items. How many votes does it need, and how many "
                       "shuffles add up their counts?",
           .hint = "Step on with Right, and watch the row of warp 0 in the timeline."},
    Lesson{.id = "ranks_by_population_count",
           .name = "Ranks by population count",
           .algorithm = "spataro",
           .num_items = 2'048,
           .line = "unsigned ballot",
           .question = "Lane 8 keeps its item. At which index of the output does it write the item?",
           .hint = "Count the lanes before lane 8 whose vote is 1, then step on with Right to the store."},
    Lesson{.id = "warp_scan",
           .name = "A warp scan",
           .algorithm = "masked_two_pass",
           .num_items = 2'048,
           .line = "end_of_row",
           .question = "After which shuffle does lane 31 know the sum of the warp?",
           .hint = "Step on with Right, and watch the row passes: it holds the sums so far."},
    Lesson{.id = "decoupled_look_back",
           .name = "Decoupled look-back",
           .algorithm = "single_pass",
           .num_items = 4'096,
           .schedule_seed = 144,
           .line = "load_relaxed",
           .question = "What ends the waiting of block 1?",
           .hint = "Click in the timeline where its warp goes on after the long bar, then press W."},
    Lesson{.id = "roles_of_the_pipeline",
           .name = "The roles of the pipeline",
           .algorithm = "single_pass",
           .num_items = 1U << 14U,
           .item_size = compaction::ItemSize::bytes_16,
           .schedule_seed = 45,
           .line = "load_bulk",
           .question = "Which of the 25 warps have which role, and which do something else while they wait?",
           .hint = "Choose a warp with Up and Down, and see which functions it runs."}};

}  // namespace

std::span<const Lesson> lessons() {
    return all_lessons;
}

const Lesson* find_lesson(std::string_view id) {
    const auto found = std::ranges::find(all_lessons, id, &Lesson::id);
    return found == all_lessons.end() ? nullptr : &*found;
}

const BuiltInRecording* recording_of(const Lesson& lesson) {
    const auto found = std::ranges::find_if(recordings(), [&](const BuiltInRecording& each) {
        return each.algorithm == lesson.algorithm && each.num_items == lesson.num_items &&
               each.item_size == lesson.item_size && each.schedule_seed == lesson.schedule_seed;
    });
    return found == recordings().end() ? nullptr : &*found;
}

bool can_show(const Lesson& lesson) {
    const compaction::Algorithm& algorithm = compaction::find_algorithm(lesson.algorithm);
    if (compaction::simulated::no_trace_reason(algorithm).empty()) return true;
    return recording_of(lesson) != nullptr;
}

std::size_t first_at_text(const Events& events, const Steps& steps, std::string_view text) {
    std::vector<bool> has_text;
    for (const auto [function_index, number] : events.lines) {
        const SourceFunction& function = events.functions[function_index];
        has_text.push_back(function.has(number) &&
                           function.lines[number - function.first_line].find(text) != std::string::npos);
    }
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const Event& event = events.events[steps[step][0]];
        if (std::ranges::any_of(events.site_lines[event.site],
                                [&](std::uint32_t line) { return has_text[line]; }))
            return step;
    }
    return 0;
}

}  // namespace warpsieve::kernel_view
