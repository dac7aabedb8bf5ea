// The schedule of a simulated GPU: one seed, and controls that choose among its seeds.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/controls.hpp"
#include "app/panels/widgets.hpp"
#include "app/settings/schema.hpp"
#include "compaction/simulated_schedule.hpp"

namespace warpsieve::panels {
namespace {

using compaction::simulated::CopyTime;
using compaction::simulated::Order;
using compaction::simulated::Schedule;

struct OrderInfo {
    std::string_view name;
    std::string_view meaning;
};

/// In the order of the enumeration.
constexpr std::array orders{
    OrderInfo{"forward", "Lanes, warps and blocks run from the first to the last."},
    OrderInfo{"reverse", "Lanes, warps and blocks run from the last to the first."},
    OrderInfo{"random", "Lanes, warps and blocks run in random order."},
    OrderInfo{"adversarial",
              "Whoever others wait for runs last, and the running warp is stopped at a few "
              "random moments. Most faults of synchronisation show in this order."},
};

void choose(Ui& ui, const Schedule& wanted) {
    const std::uint64_t turn = compaction::simulated::turn_of(wanted.seed);
    ui.settings.run.schedule_seed =
        static_cast<std::uint32_t>(seed_of(wanted.order, wanted.copy_time, wanted.multiprocessors, turn));
}

void draw_order(Ui& ui, Schedule schedule) {
    std::vector<MenuEntry> entries;
    for (const OrderInfo& order : orders)
        entries.push_back({std::string(order.name), std::string(order.meaning), {}});
    const auto selected = static_cast<std::size_t>(schedule.order);
    const auto clicked =
        menu(ui, {.label = "thread order", .tooltip = orders[selected].meaning, .key = {}, .off_because = {}},
             entries, selected);
    if (!clicked) return;
    schedule.order = static_cast<Order>(*clicked);
    choose(ui, schedule);
}

void draw_multiprocessors(Ui& ui, Schedule schedule) {
    const SliderAnswer answer =
        slider(ui, {.row = {.label = "multiprocessors",
                            .tooltip = "The multiprocessors of the simulated GPU, 1 to 8. They hold the "
                                       "blocks that run at the same time; the others wait.",
                            .key = {},
                            .off_because = {}},
                    .step = static_cast<int>(schedule.multiprocessors) - 1,
                    .last_step = static_cast<int>(Schedule::max_multiprocessors) - 1,
                    .before = {},
                    .figure = std::to_string(schedule.multiprocessors),
                    .unit = {}});
    const auto set = [&](std::uint64_t count) {
        schedule.multiprocessors = static_cast<unsigned>(count);
        choose(ui, schedule);
    };
    if (answer.step) set(static_cast<std::uint64_t>(*answer.step) + 1);
    if (answer.typed) {
        const AllowedValues allowed{.min = 1, .max = Schedule::max_multiprocessors, .whole = true};
        if (const auto typed = typed_count(ui, "multiprocessors", *answer.typed, allowed)) set(*typed);
    }
}

/// What the seed chooses beside order and multiprocessors.
std::string rest_of(const Schedule& schedule) {
    std::string text = schedule.copy_time == CopyTime::at_once ? "bulk copies at once"
                       : schedule.copy_time == CopyTime::late  ? "bulk copies late"
                                                               : "bulk copies at random times";
    if (schedule.slow_lanes) text += ", slow lanes";
    if (schedule.preemptions > 0)
        text += ", " + std::to_string(schedule.preemptions) +
                (schedule.preemptions == 1 ? " preemption" : " preemptions");
    return text;
}

}  // namespace

void draw_schedule_controls(Ui& ui) {
    const Schedule schedule = compaction::simulated::schedule_of(ui.settings.run.schedule_seed);
    draw_order(ui, schedule);
    draw_multiprocessors(ui, schedule);
    number_field(ui,
                 {.label = "schedule seed",
                  .tooltip = "Chooses everything that a GPU leaves open: the order of lanes, warps and "
                             "blocks, the time of bulk copies and the number of multiprocessors. The same "
                             "seed repeats the same run; a failed run names its seed.",
                  .key = {},
                  .off_because = {}},
                 allowed_of("schedule_seed", ui.settings), ui.settings.run.schedule_seed);
    note(ui, rest_of(schedule), true);
}

}  // namespace warpsieve::panels
