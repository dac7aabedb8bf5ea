// Settings of the engine, the algorithms and their launch options.
#include <array>
#include <limits>

#include "app/settings/schema_rows.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Option;
using Run = RunConfig;

constexpr std::array engines{EngineId::cuda, EngineId::cpu, EngineId::simulated};
constexpr auto engine_id = [](EngineId engine) { return std::string(id_of(engine)); };

bool compares(const Settings& settings) {
    return settings.compares();
}

bool is_simulated(const Settings& settings) {
    return settings.run.engine == EngineId::simulated;
}

/// Ids of all compactions, and "" for the default of the engine.
AllowedValues allowed_algorithms(const Settings&, const CatalogueInfo& catalogue) {
    AllowedValues allowed;
    for (const compaction::Algorithm& algorithm : catalogue.algorithms) allowed.words.push_back(algorithm.id);
    allowed.words.emplace_back();
    return allowed;
}

/// The catalogue does not describe the options of an engine that is not built in: any value is allowed then.
AllowedValues allowed_options(const RunConfig& run, Side side, Option option,
                              const CatalogueInfo& catalogue) {
    const std::string& id = run.algorithm_config(side).algorithm;
    const auto algorithm = std::ranges::find_if(catalogue.algorithms, [&](const compaction::Algorithm& each) {
        return id.empty() ? each.engine == run.engine : each.id == id;
    });
    if (algorithm == catalogue.algorithms.end()) return {.whole = true, .zero_is_automatic = true};
    const compaction::LegalRange* range = algorithm->range_of(option);
    const bool is_described = !algorithm->phases.empty();
    const double max_without_range = is_described ? 0 : std::numeric_limits<std::uint32_t>::max();
    return {.max = range ? range->maximum : max_without_range,
            .whole = true,
            .zero_is_automatic = true,
            .option = range};
}

struct OptionText {
    std::string_view help;
    Control control;
};

/// Sorted as the enumeration.
std::array<OptionText, compaction::all_options.size()> option_texts() {
    return {{
        {"Items a thread reads with one access: 1 (scalar), 2 (pair) or 4 (quad); 0 = automatic",
         {.tooltip = "Items that one thread loads at once: scalar 4 bytes, pair 8, quad 16. Wider loads keep "
                     "more bytes in flight per instruction but need more registers.",
          .shortcut = "V",
          .tooltip_on_cpu =
              "SIMD vectors per loop iteration of a thread: scalar 1, pair 2, quad 4. More vectors "
              "mean fewer iterations and more overlapping loads, as long as the processor has "
              "enough registers."}},
        {"Threads per block on a GPU, worker threads on a CPU; 0 = automatic",
         {.tooltip = "Threads that share one block's registers and shared memory. More threads hide memory "
                     "latency better, until a multiprocessor has no room for a second block.",
          .tooltip_on_cpu =
              "Threads that share the work. More threads than the machine's hardware threads bring "
              "no gain: they only take turns."}},
        {"Blocks of the grid on a GPU; 0 = automatic",
         {.tooltip = "Blocks of the grid. A multiple of the number of multiprocessors keeps all of them busy "
                     "to the end; too few blocks leave a large GPU idle.",
          .tooltip_on_cpu = "Blocks of a GPU's grid. The CPU engine has none: its worker threads share the "
                            "sequences."}},
        {"Contiguous parts the stream is cut into; 0 = automatic",
         {.tooltip = "Contiguous parts of the stream, each counted and moved by one worker. More sequences "
                     "balance the load better but lengthen the prefix phase."}},
        {"Variant of an algorithm that has several, by name or number; 0 = automatic",
         {.tooltip = "Selects one of the variants that the source describes. All compute the same result, so "
                     "their times show the cost of the difference."}},
    }};
}

SettingDescriptor option_row(Side side, Option option) {
    const auto at = [=](auto& settings) -> decltype(auto) {
        return settings.run.algorithm_config(side).options[option];
    };
    const auto allowed = [=](const Settings& settings, const CatalogueInfo& catalogue) {
        return allowed_options(settings.run, side, option, catalogue);
    };
    auto [help, control] = option_texts()[static_cast<std::size_t>(option)];
    control.label = label_of(option, EngineId::cuda);
    control.label_on_cpu = label_of(option, EngineId::cpu);
    return {.key = "options." + std::string(flag_of(option)),
            .use = Use::run,
            .help = side == Side::a ? help : "The same option of B",
            .access = access(Kind::option, at, allowed),
            .control = control,
            .group = groups::launch,
            .option = option};
}

}  // namespace

std::vector<SettingDescriptor> engine_rows() {
    return in_group(
        groups::algorithm,
        {
            {.key = "engine",
             .use = Use::run,
             .help = "Engine that runs the compaction",
             .access = word(&Run::engine, engines, engine_id),
             .control = {.label = "engine",
                         .tooltip =
                             "Selects where the compaction runs. CUDA uses an NVIDIA GPU and shares its "
                             "result with OpenGL without a copy; CPU uses SIMD and all hardware threads. "
                             "Simulated runs the CUDA kernels on the CPU: the same results, without times.",
                         .shortcut = "E"},
             .undoable = true},
            {.key = "schedule_seed",
             .use = Use::run,
             .help = "Schedule of a simulated GPU: the order of its threads and its multiprocessors",
             .access = number(&Run::schedule_seed, 0, std::numeric_limits<int>::max()),
             .control = {.kind = ControlKind::number_field,
                         .label = "schedule seed",
                         .tooltip =
                             "Chooses everything that a GPU leaves open: the order of lanes, warps and "
                             "blocks, the time of bulk copies and the number of multiprocessors. The same "
                             "seed repeats the same run; a failed run names its seed."},
             .undoable = true,
             .applies = is_simulated},
        });
}

std::vector<SettingDescriptor> side_rows(Side side) {
    std::vector<SettingDescriptor> rows{
        {.key = "algorithm",
         .use = Use::run,
         .help = side == Side::a
                     ? "Algorithm that compacts the stream: an id of --list"
                     : "Second algorithm on the same stream, beside A in the A/B lens: an id of --list",
         .access = access(
             Kind::algorithm,
             [side](auto& settings) -> auto& { return settings.run.algorithm_config(side).algorithm; },
             allowed_algorithms),
         .control = {.label = "algorithm", .shortcut = "A and Shift+A"},
         .group = groups::algorithm}};
    for (const Option option : compaction::all_options) rows.push_back(option_row(side, option));
    for (SettingDescriptor& row : rows) {
        row.side = side;
        row.undoable = true;
        if (side == Side::a) continue;
        row.key = "b." + row.key;
        row.applies = compares;
    }
    return rows;
}

}  // namespace warpsieve
