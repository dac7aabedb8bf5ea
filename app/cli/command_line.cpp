#include "app/cli/command_line.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "app/cli/arguments.hpp"
#include "app/cli/commands.hpp"
#include "app/gl/context.hpp"
#include "app/scene/sources.hpp"
#include "app/settings/schema.hpp"
#include "app/tour/tour.hpp"
#include "app/version.hpp"
#include "compaction/error.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/terminal.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::EngineStatus;
using compaction::Error;
using compaction::ErrorCode;
using compaction::Option;

constexpr std::uint64_t default_headless_frames = 300;

/// "1280x720", from 1x1 to 16384x16384.
gl::PixelSize parse_size(const std::string& text) {
    const std::size_t cross = std::min(text.find('x'), text.size());
    const auto width = experiments::format::parse_number<int>(text.substr(0, cross));
    const auto height = experiments::format::parse_number<int>(text.substr(std::min(cross + 1, text.size())));
    if (!width || !height || *width < 1 || *height < 1 || std::max(*width, *height) > 16'384)
        refuse_value("--size", text, "1x1 to 16384x16384");
    return {*width, *height};
}

void print_algorithms(EngineId engine, std::span<const compaction::Algorithm> algorithms) {
    for (const compaction::Algorithm& algorithm : algorithms) {
        if (algorithm.engine != engine) continue;
        const auto print_row = [](std::string id, const std::string& text) {
            constexpr std::size_t id_width = 20;
            id.resize(std::max(id.size(), id_width), ' ');
            experiments::format::print_line("  " + id + " " + text);
        };
        print_row(algorithm.id, algorithm.name);
        if (!algorithm.is_available()) print_row("", algorithm.unavailable_reason);
        if (!algorithm.source.empty()) print_row("", algorithm.source);
        for (const compaction::LegalRange& range : algorithm.options)
            print_row("", "--" + std::string(flag_of(range.option)) + ": " + range.describe());
    }
}

void print_list() {
    for (const EngineStatus& status : compaction::engine_statuses()) {
        experiments::format::print_line(status.name +
                                        " engine: " + (status.available ? "available" : status.reason));
        print_algorithms(status.id, compaction::catalogue());
        if (status.id == EngineId::simulated) continue;  // it measures nothing
        experiments::format::print_line(status.name + " steps, measured by `warpsieve bench`:");
        print_algorithms(status.id, compaction::steps());
    }
}

/// The placeholder of a value in --help.
std::string type_name(const SettingDescriptor& setting, const AllowedValues& allowed) {
    switch (setting.access.kind) {
        case Kind::algorithm:
            return "ID";
        case Kind::option:
            return "VALUE";
        case Kind::number:
            return allowed.whole ? "COUNT" : "NUMBER";
        default:
            return allowed.words.empty() ? std::string(allowed.placeholder) : "NAME";
    }
}

/// Adds the option of a setting. The help does not repeat the lists of ids that --list prints.
void add_setting_option(CLI::App& app, const SettingDescriptor& setting, Overrides& overrides) {
    const AllowedValues allowed = setting.allowed({});
    const bool is_in_list = setting.access.kind == Kind::algorithm || setting.access.kind == Kind::option;
    const bool omits_values = is_in_list || (allowed.words.empty() && setting.access.kind == Kind::text);
    const auto store = [&overrides, key = setting.key](const std::string& text) { overrides[key] = text; };
    app.add_option_function<std::string>(
           "--" + setting.flag, store,
           std::string(setting.help) + (omits_values ? "" : ": " + allowed.describe()))
        ->type_name(type_name(setting, allowed))
        ->group(std::string(setting.group));
    // CLI11 does not list options of the group "".
    if (!setting.old_flag.empty())
        app.add_option_function<std::string>("--" + setting.old_flag, store, "")->group("");
}

void add_output_options(CLI::App& app, CommandLine& line) {
    app.option_defaults()->group("Output");
    Task& task = line.task;
    app.add_flag(
        "--headless", task.headless,
        "Render offscreen, write the files named below and end; the default where there is no display");
    add_count(app, "--frames", /*min=*/1, /*max=*/100'000'000, store_in(task.frames),
              "End after this many frames (headless: 300)");
    app.add_option_function<std::string>(
           "--size",
           [&](const std::string& text) {
               task.size = parse_size(text);
               task.size_given = true;
           },
           "Size of the window in pixels, such as 1280x720: 1x1 to 16384x16384")
        ->type_name("WIDTHxHEIGHT");
    add_count(app, "--tour", /*min=*/1, /*max=*/tour::num_steps, store_in(task.tour_step),
              "Start with this step of the guided tour; your own settings come back when you leave it");
    add_file(app, "--screenshot", task.outputs.screenshot, "Write the last frame to this PNG");
    add_file(app, "--loop", task.outputs.loop,
             "Film the view for six seconds into this animated WebP (headless: 480 frames)");
    add_file(app, "--csv", task.outputs.csv, "Write the timings of every frame to this file");
    add_file(app, "--json", task.outputs.json, "Write machine, settings and medians to this file");
    add_file(app, "--trace", task.outputs.trace,
             "Write every block of the run's last compaction to this JSON file, which ui.perfetto.dev opens");
    add_file(app, "--replay", line.replay,
             "Run the settings in a picture, in its JSON sidecar or in a file of --json, and compare the "
             "figures; other options override them");
    add_file(app, "--settings", line.settings_file, "Settings file to use instead of the user's own");
}

void add_diagnostic_options(CLI::App& app, Task& task) {
    app.option_defaults()->group("Diagnostics");
    const auto limit = [&](std::uint64_t mib) { task.memory_limit_bytes = mib << 20; };
    add_count(app, "--memory-limit", /*min=*/1, /*max=*/std::uint64_t{1} << 40, limit,
              "Maximum memory of the slots in MiB");
    add_count(app, "--rehearse-gpu-failure", /*min=*/0, /*max=*/100'000'000, store_in(task.inject_fault_at),
              "Make the GPU fail in this frame, to test the change to the CPU engine");
    add_file(app, "--control-map", task.outputs.control_map,
             "Write the position of each control to this JSON file, for tools that drive the window");
}

/// Adds all options. Parsing stores their values in `line`.
void add_options(CLI::App& app, CommandLine& line) {
    for (const std::string_view group : groups::in_help)
        for (const SettingDescriptor& setting : schema())
            if (setting.group == group && !setting.flag.empty())
                add_setting_option(app, setting, line.overrides);
    add_output_options(app, line);
    add_diagnostic_options(app, line.task);
}

/// The typed value of a setting; null if the command line does not name it.
const std::string* typed(const Overrides& overrides, std::string_view key) {
    const auto found = overrides.find(key);
    return found == overrides.end() ? nullptr : &found->second;
}

/// Sets a setting to a typed value. Throws Error{invalid_argument} with the legal values.
void override_setting(const SettingDescriptor& setting, const std::string& text, Settings& settings) {
    if (const std::optional<Value> value = parse(setting, settings, text))
        return setting.access.set(settings, *value);
    const AllowedValues allowed = setting.allowed(settings);
    const bool is_count = setting.access.kind == Kind::number && allowed.whole;
    (is_count ? refuse_count : refuse_value)("--" + setting.flag, text, allowed.describe());
}

EngineId choose_engine(Settings settings, const Overrides& overrides) {
    if (const std::string* engine = typed(overrides, "engine")) {
        override_setting(field("engine"), *engine, settings);
        return settings.run.engine;
    }
    if (const std::string* algorithm = typed(overrides, "algorithm"))
        return find_compaction_algorithm(*algorithm).engine;
    const EngineStatus& status = compaction::status_of(settings.run.engine);
    return status.available ? settings.run.engine : EngineId::cpu;
}

/// Sets algorithm and options of one side; the engine must be known. A new algorithm starts with automatic
/// options.
void resolve_side(RunConfig& run, Side side, const Overrides& overrides, std::vector<std::string>& remarks) {
    const std::string prefix = side == Side::a ? "" : "b.";
    AlgorithmConfig& config = run.algorithm_config(side);
    if (const std::string* id = typed(overrides, prefix + "algorithm")) {
        config = {*id, {}};
        const compaction::Algorithm& named = find_compaction_algorithm(*id);
        const compaction::Algorithm* const replacement =
            named.engine == run.engine ? nullptr : counterpart(named, run.engine);
        if (replacement) {
            config.algorithm = replacement->id;
            remarks.push_back(named.id + " runs on the " + std::string(id_of(named.engine)) +
                              " engine; the " + std::string(id_of(run.engine)) + " engine runs " +
                              replacement->id + " instead.");
        }
    } else if (!named_algorithm(compaction::catalogue(), run.engine, config)) {
        if (side == Side::b) {
            config = {default_b(compaction::catalogue(), run.engine, run.a.algorithm), {}};
        } else {
            // Throws for an unknown id instead of replacing it.
            if (!config.algorithm.empty()) find_compaction_algorithm(config.algorithm);
            config = {compaction::default_algorithm(run.engine).id, {}};
        }
    }
    const compaction::Algorithm& algorithm = find_compaction_algorithm(config.algorithm);
    if (algorithm.engine != run.engine)
        throw Error(ErrorCode::invalid_argument,
                    (side == Side::b ? "--b " : "") + algorithm.id + " runs on the " +
                        std::string(id_of(algorithm.engine)) + " engine and this run on the " +
                        std::string(id_of(run.engine)) +
                        " engine; leave out --engine or name that one. A and B run on one engine.");
    if (side == Side::a && typed(overrides, "engine")) config.options = {};
    for (const Option option : compaction::all_options)
        if (const std::string* text = typed(overrides, prefix + "options." + std::string(flag_of(option))))
            config.options[option] = *text == "0" || *text == "automatic"
                                         ? compaction::automatic
                                         : compaction::parse_option(algorithm, option, *text);
    compaction::validate(algorithm, config.options);
}

/// If a pattern is named and no source, selects the source that has patterns. Throws Error{invalid_argument}
/// if the source has none.
void select_source_with_patterns(Settings& settings, const Overrides& overrides) {
    if (!typed(overrides, "pattern")) return;
    if (!typed(overrides, "source")) settings.run.source = scene::Synthetic::info.id;
    if (scene::effective_source(settings.run.source).has_patterns) return;
    throw Error(ErrorCode::invalid_argument, "The source " + settings.run.source +
                                                 " has no patterns; leave out --pattern, or name --source " +
                                                 std::string(scene::Synthetic::info.id) + ".");
}

/// If a picture is named and neither a source nor a pattern, selects the source that shows it. Throws
/// Error{invalid_argument} if nothing then uses the picture.
void select_source_of_picture(Settings& settings, const Overrides& overrides) {
    if (!typed(overrides, "picture") || settings.run.uses_picture()) return;
    if (!typed(overrides, "source") && !typed(overrides, "pattern"))
        settings.run.source = scene::Picture::info.id;
    if (settings.run.uses_picture()) return;
    throw Error(ErrorCode::invalid_argument,
                "The stream of these options is no picture; leave out --picture, or name --source " +
                    std::string(scene::Picture::info.id) + ".");
}

}  // namespace

ParsedCommandLine parse_command_line(int argc, char** argv) {
    ParsedCommandLine parsed;
    CLI::App app("Warpsieve: watch stream compaction at work, and measure it.", "warpsieve");
    app.get_formatter()->column_width(help_column_width);
    app.footer(commands_help());
    app.set_version_flag("--version", std::string("warpsieve ") + version + " (" + commit + ")");
    bool list = false;
    app.add_flag("--list", list, "List engines and algorithms with their options, and end");
    add_options(app, parsed.command_line);
    parsed.exit_code = parse_arguments(app, argc, argv);
    if (parsed.exit_code) return parsed;
    if (list) {
        print_list();
        parsed.exit_code = exit_ok;
    }
    Task& task = parsed.command_line.task;
    require_distinct({{"--replay", parsed.command_line.replay},
                      {"--screenshot", task.outputs.screenshot},
                      {"--loop", task.outputs.loop},
                      {"--csv", task.outputs.csv},
                      {"--json", task.outputs.json},
                      {"--trace", task.outputs.trace},
                      {"--settings", parsed.command_line.settings_file},
                      {"--control-map", task.outputs.control_map}});
    const CommandLine& line = parsed.command_line;
    task.engine_chosen =
        !line.replay.empty() || typed(line.overrides, "engine") || typed(line.overrides, "algorithm");
    task.without_display = !task.headless && !gl::display_available();
    task.headless = task.headless || task.without_display;
    const std::uint64_t film_frames = task.outputs.loop.empty() ? 0 : min_film_frames;
    const std::string* const tab = typed(line.overrides, "tab");
    const bool compares = tab && (*tab == lens_tab || *tab == race_tab);
    const bool film_waits = film_frames > 0 && (compares || typed(line.overrides, "slow_motion"));
    if (task.headless && task.frames == 0)
        task.frames = std::max(default_headless_frames, film_frames + (film_waits ? max_frames_of_wait : 0));
    if (task.headless && task.frames < film_frames)
        throw Error(ErrorCode::invalid_argument,
                    "--loop needs at least " + std::to_string(film_frames) +
                        " frames offscreen; give a larger --frames or leave it out.");
    return parsed;
}

void switch_to_cpu(CommandLine& command_line, Settings& settings, const std::string& why) {
    command_line.task.gpu_failure = why;
    command_line.task.inject_fault_at.reset();
    Overrides& overrides = command_line.overrides;
    std::erase_if(overrides, [](const auto& each) {
        const std::string& key = each.first;
        const Kind kind = field(key).access.kind;
        return kind == Kind::algorithm || kind == Kind::option || key == "slots";
    });
    overrides["engine"] = compaction::id_of(EngineId::cpu);
    // 0: unset, so that the defaults of the CPU apply.
    settings.run.slots = 0;
    settings.run.iterations = 0;
}

Settings resolve_settings(Settings settings, const Overrides& overrides, std::vector<std::string>& remarks) {
    settings.run.engine = choose_engine(settings, overrides);
    const EngineStatus& status = compaction::status_of(settings.run.engine);
    if (!status.available) throw Error(ErrorCode::unavailable, status.reason);
    for (const Side side : both_sides) resolve_side(settings.run, side, overrides, remarks);
    const bool names_b =
        std::ranges::any_of(overrides, [](const auto& each) { return each.first.starts_with("b."); });
    if (names_b) settings.window.tab = lens_tab;
    for (const auto& [key, text] : overrides) {
        const SettingDescriptor& setting = field(key);
        if (setting.access.kind != Kind::algorithm && setting.access.kind != Kind::option)
            override_setting(setting, text, settings);
    }
    select_source_with_patterns(settings, overrides);
    select_source_of_picture(settings, overrides);
    settings.run.slots = std::min(settings.run.slots, max_slots(settings.run.engine));
    return settings;
}

}  // namespace warpsieve
