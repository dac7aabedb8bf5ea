#include <array>
#include <limits>

#include "app/scene/sources.hpp"
#include "app/settings/access.hpp"
#include "app/settings/lab_choices.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Option;
using Run = RunConfig;
using Window = WindowPreferences;
using Labs = labs::LabSettings;
using Sweep = labs::SweepSettings;
using Steps = labs::StepsSettings;
using labs::ReproduceSettings;
using workloads::PatternInfo;

constexpr std::array engines{EngineId::cuda, EngineId::cpu, EngineId::simulated};
constexpr std::array caches{experiments::Cache::cold, experiments::Cache::hot};
constexpr auto name = [](auto each) { return std::string(name_of(each)); };
constexpr auto engine_id = [](EngineId engine) { return std::string(id_of(engine)); };
constexpr auto item_bytes = [](compaction::ItemSize size) { return std::to_string(bytes_of(size)); };

bool compares(const Settings& settings) {
    return settings.compares();
}

bool is_simulated(const Settings& settings) {
    return settings.run.engine == EngineId::simulated;
}

bool has_patterns(const Settings& settings) {
    return scene::source_in_force(settings.run.source).has_patterns;
}

/// Ids of all compactions, and "" for the default of the engine.
AllowedValues allowed_algorithms(const Settings&) {
    AllowedValues allowed;
    for (const compaction::Algorithm& algorithm : compaction::catalogue())
        allowed.words.push_back(algorithm.id);
    allowed.words.emplace_back();
    return allowed;
}

/// The catalogue does not describe the options of an engine that is not built in: any value is legal then.
AllowedValues allowed_options(const RunConfig& run, Side side, Option option) {
    const std::string& id = run.choice(side).algorithm;
    const compaction::Algorithm& algorithm =
        id.empty() ? compaction::default_algorithm(run.engine) : find_compaction(id);
    const compaction::LegalRange* range = algorithm.range_of(option);
    const double any = algorithm.phases.empty() ? 4'294'967'295.0 : 0;
    return {.max = range ? range->maximum : any, .whole = true, .zero = true, .option = range};
}

AllowedValues allowed_slots(const Settings& settings) {
    const auto most = static_cast<double>(max_slots(settings.run.engine));
    return {.min = min_slots, .max = most, .whole = true, .keeps_zero = true};
}

AllowedValues source_ids() {
    AllowedValues allowed;
    for (const scene::SourceInfo* source : scene::sources()) {
        allowed.words.emplace_back(source->id);
        allowed.names.emplace_back(source->name);
    }
    return allowed;
}

/// Help of the options, in the order of the enumeration.
constexpr std::array option_help{
    "Items a thread reads with one access: 1 (scalar), 2 (pair) or 4 (quad); 0 chooses",
    "Threads per block on a GPU, worker threads on a CPU; 0 chooses",
    "Blocks of the grid on a GPU; 0 chooses",
    "Contiguous parts the stream is cut into, one worker each; 0 chooses",
    "Variant of an algorithm that has several, by name or number; 0 chooses",
};

void add_side(std::vector<SettingDescriptor>& rows, Side side) {
    const std::string prefix = side == Side::a ? "" : "b.";
    rows.push_back(
        {prefix + "algorithm", Use::run, groups::algorithm,
         side == Side::a ? "Algorithm that compacts the stream: an id of --list"
                         : "Second algorithm on the same stream, beside A in the A/B lens: an id of --list",
         access(
             Kind::algorithm, [side](auto& settings) -> auto& { return settings.run.choice(side).algorithm; },
             allowed_algorithms)});
    for (const Option option : compaction::all_options) {
        const auto help = option_help[static_cast<std::size_t>(option)];
        const auto at = [=](auto& settings) -> decltype(auto) {
            return settings.run.choice(side).options[option];
        };
        const auto allowed = [=](const Settings& settings) {
            return allowed_options(settings.run, side, option);
        };
        rows.push_back({prefix + "options." + std::string(flag_of(option)), Use::run, groups::launch,
                        side == Side::a ? help : "The same option of B", access(Kind::option, at, allowed)});
    }
}

Access toggle(auto at) {
    return member(Kind::toggle, at, {.any = "true or false"});
}

Access text(auto at, const AllowedValues& allowed = {}) {
    return member(Kind::text, at, allowed);
}

std::vector<SettingDescriptor> run_rows() {
    const auto slots = [](auto& settings) -> auto& {
        return settings.run.slots;
    };
    return {
        {"source", Use::run, groups::stream, "Source that fills the slots", text(&Run::source, source_ids())},
        {"pattern", Use::run, groups::stream, "Slots that the synthetic source keeps",
         word(&Run::pattern, workloads::patterns(), &PatternInfo::name, &PatternInfo::pattern), has_patterns},
        {"slots", Use::run, groups::stream,
         "Length of the particle buffer, such as 100000 or 2^20, at most 2^24 on a CPU and 2^16 on a "
         "simulated GPU",
         access(Kind::number, slots, allowed_slots)},
        {"density", Use::run, groups::stream, "Live fraction of the slots", number(&Run::density, 0, 1)},
        {"seed", Use::run, groups::stream, "Seed of the scene: the same seed gives the same stream",
         number(&Run::seed, 0, 4'294'967'295)},
        {"speed", Use::stored, groups::stream, "Scene seconds per second", number(&Run::speed, 0, 10)},
        {"iterations", Use::run, groups::measurement, "Compactions per frame",
         number(&Run::iterations, 1, max_iterations)},
        {"check", Use::stored, groups::measurement, "Compare results with the reference",
         toggle(&Run::check)},
        {"check_every", Use::flag, groups::measurement,
         "Frames from one comparison with the reference to the next", number(&Run::check_every, 1, 100'000)},
    };
}

std::vector<SettingDescriptor> lab_rows() {
    const auto quality =
        word(&Labs::quality, labs::qualities(), &labs::QualityInfo::name, &labs::QualityInfo::quality);
    const auto axis = [](auto at) {
        return with_names(word(at, labs::sweep_axes(), &labs::SweepAxisInfo::id, &labs::SweepAxisInfo::axis),
                          names_in(labs::sweep_axes()));
    };
    const auto shows = [](auto at) {
        return with_names(
            word(at, labs::sweep_shows(), &labs::SweepShowsInfo::id, &labs::SweepShowsInfo::shows),
            names_in(labs::sweep_shows()));
    };
    const auto pattern =
        word(&Labs::pattern, workloads::patterns(), &PatternInfo::name, &PatternInfo::pattern);
    const auto row = [](const char* key, const char* help, const Access& access) {
        return SettingDescriptor{std::string("labs.") + key, Use::stored, groups::labs, help, access};
    };
    std::vector<SettingDescriptor> rows{
        row("lab", "Lab that is shown", text(&Labs::lab)),
        row("quality", "How long each setting is measured", quality),
        row("hold_scene", "Stop the scene while a lab measures", toggle(&Labs::hold_scene)),
        row("pattern", "Items that the measured streams keep", pattern),
        row("item_bytes", "Size of an item in bytes",
            word(&Labs::item_size, compaction::all_item_sizes, item_bytes)),
        row("cache", "Where the stream is at the start of a call", word(&Labs::cache, caches, name)),
        row("base", "Algorithm that speed-ups refer to; empty chooses", text(&Labs::base)),
        row("tuned", "Algorithm or step to tune; empty takes that of the window", text(&Labs::tuned)),
        row("sweep.axis", "What varies along the sweep", axis(&Sweep::axis)),
        row("sweep.shows", "What the plot of the sweep shows", shows(&Sweep::shows)),
        row("sweep.algorithms", "Algorithms in the sweep",
            member(Kind::list, &Sweep::algorithms, {.any = "a list of texts"})),
        row("steps.operation", "Operation whose steps are compared",
            word(&Steps::operation, labs::step_operations(), name)),
        row("steps.axis", "What varies along the steps", axis(&Steps::axis)),
        row("steps.shows", "What the plot of the steps shows", shows(&Steps::shows)),
        row("reproduce.table", "Published table that is shown", text(&ReproduceSettings::table)),
        row("reproduce.scope", "How much of the published results one job repeats",
            with_names(word(&ReproduceSettings::scope, {"table", "document", "everything"}),
                       {"this table", "its publication", "everything"})),
    };
    std::ranges::find(rows, "labs.steps.operation", &SettingDescriptor::key)->old_key = "labs.steps.problem";
    return rows;
}

std::vector<SettingDescriptor> window_rows() {
    const auto row = [](const char* key, const char* help, const Access& access, Use use = Use::stored) {
        return SettingDescriptor{key, use, groups::display, help, access};
    };
    constexpr auto most_slots = static_cast<double>(max_slots(EngineId::cuda));
    return {
        row("controls_width", "Width of the controls, in pixels at 100 %",
            number(&Window::controls_width, 100, 4000)),
        row("timings_height", "Height of the timings, in pixels at 100 %",
            number(&Window::timings_height, 50, 4000)),
        row("show_timings", "Show the timings below the main area", toggle(&Window::show_timings)),
        row("divider", "Share of the A/B lens that A has",
            number(&Window::divider, min_divider, 1 - min_divider)),
        row("slot_map_zoom", "Zoom step of the slot map; 0 shows the whole stream",
            number(&Window::slot_map_zoom, 0, 64)),
        row("slot_map_first", "First slot of the slot map", number(&Window::slot_map_first, 0, most_slots)),
        row("timeline_frames", "Frames across the timeline",
            number(&Window::timeline_frames, min_timeline_frames, max_timeline_frames)),
        row("timeline_log", "Logarithmic time axis of the timeline", toggle(&Window::timeline_log)),
        row("timeline_mode", "What the timeline shows: the last frames, or the inside of one compaction",
            with_names(word(&Window::timeline_mode, {"frames", "inside"}),
                       {"frames", "inside one compaction"}),
            Use::flag),
        row("lens_mode",
            "What the A/B lens shows: particles, the inside of one compaction of each side, or the "
            "difference of the outputs",
            with_names(word(&Window::lens_mode, {"particles", "inside", "difference"}),
                       {"particles", "inside one compaction", "difference"}),
            Use::flag),
        row("particles_mode", "What the particles show: both stages of the compaction, or its output alone",
            with_names(word(&Window::particles_mode, {"two_stage", "particles"}),
                       {"two stages", "output alone"}),
            Use::flag),
        row("race", "Algorithms in the race, in the order of the lanes",
            member(Kind::list, &Window::race, {.any = "a list of texts"})),
        row("ghost", "Saved run shown behind the live one", text(&Window::ghost)),
        row("scale", "Scale of text and controls; 0 takes the scale of the display",
            number(&Window::scale, 0.75, 3, true), Use::flag),
        row("theme", "Colours of the window", word(&Window::theme, {"dark", "light"}), Use::flag),
        row("plot_theme", "Colours of pictures of one plot",
            with_names(word(&Window::plot_theme, {"dark", "light"}), {"dark", "white"})),
        row("slot_map_colour", "What the colours of the slot map show",
            word(&Window::slot_map_colour, {"age", "slot"})),
        row("window_width", "Width of the window in pixels; 0 takes the default",
            number(&Window::window_width, 640, 16'384, true)),
        row("window_height", "Height of the window in pixels; 0 takes the default",
            number(&Window::window_height, 400, 16'384, true)),
        row("window_x", "Left end of the window on the desktop", number(&Window::window_x, -32'768, 32'767)),
        row("window_y", "Upper end of the window on the desktop", number(&Window::window_y, -32'768, 32'767)),
        row("camera_around", "Direction of the camera, in radians", number(&Window::camera_around, -4, 4)),
        row("camera_up", "Height of the camera, in radians", number(&Window::camera_up, 0, 1.5)),
        row("camera_distance", "Distance of the camera in metres; 0 takes that of the source",
            number(&Window::camera_distance, 1, 100, true)),
        row("capture_folder", "Folder for pictures and recordings", text(&Window::capture_folder), Use::flag),
        row("recent", "Captures whose settings were loaded, newest first",
            member(Kind::list, &Window::recent, {.any = "a list of texts"})),
    };
}

/// Flags follow from keys; the keys and flags of B began with "rival" in the version before.
void name_flags(SettingDescriptor& field) {
    if (field.use == Use::stored) return;
    field.flag = field.key.substr(field.key.rfind('.') + 1);
    std::ranges::replace(field.flag, '_', '-');
    if (!field.key.starts_with("b.")) return;
    const std::string suffix = field.flag == "algorithm" ? "" : "-" + field.flag;
    field.flag = "b" + suffix;
    field.old_flag = "rival" + suffix;
    field.old_key = "rival" + field.key.substr(1);
    field.applies = compares;
}

}  // namespace

std::span<const SettingDescriptor> schema() {
    static const std::vector<SettingDescriptor> fields = [] {
        std::vector<SettingDescriptor> rows{{"engine", Use::run, groups::algorithm,
                                             "Engine that runs the compaction",
                                             word(&Run::engine, engines, engine_id)}};
        rows.push_back({"schedule_seed", Use::run, groups::algorithm,
                        "Schedule of a simulated GPU: the order of its threads and its multiprocessors",
                        number(&Run::schedule_seed, 0, std::numeric_limits<int>::max()), is_simulated});
        add_side(rows, Side::a);
        rows.push_back({"tab", Use::view, groups::display, "View in the main area",
                        text(&Window::tab, {.words = {tab_ids.begin(), tab_ids.end()}}), compares});
        add_side(rows, Side::b);
        for (const auto& more : {run_rows(), lab_rows(), window_rows()})
            rows.insert(rows.end(), more.begin(), more.end());
        std::ranges::for_each(rows, name_flags);
        return rows;
    }();
    return fields;
}

}  // namespace warpsieve
