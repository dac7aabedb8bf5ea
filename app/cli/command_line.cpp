#include "app/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/cli/commands.hpp"
#include "app/gl/context.hpp"
#include "app/panels/tabs.hpp"
#include "app/scene/sources.hpp"
#include "app/version.hpp"
#include "compaction/error.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::EngineStatus;
using compaction::Error;
using compaction::ErrorCode;
using compaction::Option;

constexpr std::uint64_t default_headless_frames = 300;

/// "1048576" or "2^20"; throws CLI::ValidationError.
std::uint64_t parse_count(const std::string& text) {
    const auto number = [&](const std::string& digits) -> std::uint64_t {
        const bool is_number = !digits.empty() && digits.size() < 19 &&
                               std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
        if (!is_number) throw CLI::ValidationError("'" + text + "' is not a count; write 1048576 or 2^20");
        return std::stoull(digits);
    };
    const std::size_t caret = text.find('^');
    if (caret == std::string::npos) return number(text);
    const std::uint64_t exponent = number(text.substr(caret + 1));
    if (text.substr(0, caret) != "2" || exponent > 62)
        throw CLI::ValidationError("'" + text + "' is not a count; write 1048576 or 2^20");
    return std::uint64_t{1} << exponent;
}

gl::PixelSize parse_size(const std::string& text) {
    gl::PixelSize size;
    int read = 0;
    const bool parsed = std::sscanf(text.c_str(), "%dx%d%n", &size.width, &size.height, &read) == 2 &&
                        read == static_cast<int>(text.size());
    if (!parsed || size.width < 320 || size.height < 200 || size.width > 16'384 || size.height > 16'384) {
        throw CLI::ValidationError(
            "--size " + text +
            " is not a size; write WIDTHxHEIGHT, such as 1280x720, from 320x200 to 16384x16384");
    }
    return size;
}

/// Like CLI::Range, which lets NaN through.
CLI::Validator between(double least, double most) {
    return CLI::Validator(
        [=](const std::string& text) {
            double value = 0;
            const char* const end = text.data() + text.size();
            const auto parsed = std::from_chars(text.data(), end, value);
            const bool legal =
                parsed.ec == std::errc{} && parsed.ptr == end && value >= least && value <= most;
            return legal ? std::string()
                         : "Value " + text + " not in range " + CLI::detail::to_string(least) + " to " +
                               CLI::detail::to_string(most);
        },
        "");
}

void print_algorithms(EngineId engine, std::span<const compaction::Algorithm> algorithms) {
    for (const compaction::Algorithm& algorithm : algorithms) {
        if (algorithm.engine != engine) continue;
        std::printf("  %-20s %s\n", algorithm.id.c_str(), algorithm.name.c_str());
        if (!algorithm.is_available()) {
            std::printf("  %20s %s\n", "", algorithm.unavailable_reason.c_str());
        }
        if (!algorithm.source.empty()) std::printf("  %20s %s\n", "", algorithm.source.c_str());
        for (const compaction::LegalRange& range : algorithm.options) {
            std::printf("  %20s --%s: %s\n", "", std::string(flag_of(range.option)).c_str(),
                        range.describe().c_str());
        }
    }
}

void print_list() {
    for (const EngineStatus& status : compaction::engine_statuses()) {
        std::printf("%s engine: %s\n", status.name.c_str(),
                    status.available ? "available" : status.reason.c_str());
        print_algorithms(status.id, compaction::catalogue());
        std::printf("%s steps, measured by `warpsieve bench`:\n", status.name.c_str());
        print_algorithms(status.id, compaction::steps());
    }
}

std::vector<std::string> source_ids() {
    std::vector<std::string> ids;
    for (const scene::SourceInfo* source : scene::sources()) ids.emplace_back(source->id);
    return ids;
}

std::vector<std::string> pattern_names() {
    std::vector<std::string> names;
    for (const workloads::PatternInfo& info : workloads::patterns()) names.emplace_back(info.name);
    return names;
}

/// "a, b or c".
std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
        text += words[i];
    }
    return text;
}

/// Options of an algorithm, `prefix` before the name of each.
void add_options_of(CLI::App& app, const std::string& prefix, const std::string& group,
                    Overrides::Options& options) {
    for (const Option option : compaction::all_options) {
        app.add_option_function<std::string>(
               "--" + prefix + std::string(flag_of(option)),
               [&options, option](const std::string& text) { options[option] = text; },
               "The " + std::string(name_of(option)) + "; legal values by --list, 0 for automatic")
            ->group(group);
    }
}

void add_stream_options(CLI::App& app, Overrides& over) {
    const std::string what = "What is compacted";
    app.add_option("--source", over.source, "What fills the slots: " + listed(source_ids()))
        ->check(CLI::IsMember(source_ids()))
        ->group(what);
    app.add_option_function<std::string>(
           "--pattern", [&](const std::string& text) { over.pattern = workloads::find_pattern(text); },
           "Which slots the synthetic source keeps: " + listed(pattern_names()))
        ->check(CLI::IsMember(pattern_names()))
        ->group(what);
    app.add_option_function<std::string>(
           "--slots", [&](const std::string& text) { over.slots = parse_count(text); },
           "Length of the particle buffer: 4096 to 2^24, 2^26 on a GPU")
        ->group(what);
    app.add_option("--density", over.density, "Live fraction of the slots, 0 to 1")
        ->check(between(0, 1))
        ->group(what);
    app.add_option("--seed", over.seed, "Seed of the scene")->group(what);
}

void add_algorithm_options(CLI::App& app, Overrides& over) {
    const std::string how = "By which algorithm, laid out how";
    app.add_option_function<std::string>(
           "--engine",
           [&](const std::string& text) { over.engine = text == "cpu" ? EngineId::cpu : EngineId::cuda; },
           "Where it runs: cuda or cpu")
        ->check(CLI::IsMember({"cuda", "cpu"}))
        ->group(how);
    app.add_option("--algorithm", over.algorithm, "Algorithm id, see --list")->group(how);
    add_options_of(app, "", how, over.options);
    app.add_option("--iterations", over.iterations, "Compactions per frame, 1 to 64")
        ->check(CLI::Range(1U, max_iterations))
        ->group(how);
    app.add_option("--check-every", over.check_every, "Frames between two comparisons with the reference")
        ->check(CLI::Range(1U, 100'000U))
        ->group(how);
}

void add_output_options(CLI::App& app, CommandLine& line) {
    const std::string output = "Output";
    Task& task = line.task;
    app.add_flag("--headless", task.headless,
                 "Render offscreen, write what is asked for and end; the default where there is no display")
        ->group(output);
    app.add_option("--frames", task.frames, "End after this many frames (headless: 300)")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000'000}))
        ->group(output);
    app.add_option_function<std::string>(
           "--size", [&](const std::string& text) { task.size = parse_size(text); },
           "Size of the window in pixels, such as 1280x720")
        ->group(output);
    app.add_option("--screenshot", task.screenshot, "Write the last frame to this PNG")->group(output);
    app.add_option("--csv", task.csv, "Write the timings of every frame to this file")->group(output);
    app.add_option("--json", task.json, "Write machine, settings and medians to this file")->group(output);
    app.add_option(
           "--replay", line.replay,
           "Run what a picture's JSON sidecar, or a file written by --json, says; other options go over it")
        ->check(CLI::ExistingFile)
        ->group(output);
}

void add_lens_options(CLI::App& app, Overrides& over) {
    const std::string lens = "A/B lens: B beside the algorithm above, on the same stream";
    app.add_option("--rival", over.rival, "Algorithm id of B; shows the lens unless --tab says otherwise")
        ->group(lens);
    add_options_of(app, "rival-", lens, over.rival_options);
}

void add_window_options(CLI::App& app, CommandLine& line) {
    const std::string window = "Window";
    Overrides& over = line.overrides;
    std::set<std::string> tabs;
    for (const panels::Tab& tab : panels::tabs()) tabs.emplace(tab.id);
    app.add_option("--tab", over.tab, "What the main area shows")->check(CLI::IsMember(tabs))->group(window);
    app.add_option("--scale", over.scale, "Scale of the interface, 1 to 2")
        ->check(between(0.75, 3))
        ->group(window);
    app.add_option_function<std::string>(
           "--theme",
           [&](const std::string& text) { over.theme = text == "light" ? Theme::light : Theme::dark; },
           "dark or light")
        ->check(CLI::IsMember({"dark", "light"}))
        ->group(window);
    app.add_option("--capture-folder", over.capture_folder, "Where F12 puts pictures")->group(window);
    app.add_option("--settings", line.settings_file, "Settings file to use instead of the user's own")
        ->group(window);
}

void add_diagnostic_options(CLI::App& app, Task& task) {
    const std::string diagnostics = "Diagnostics";
    app.add_option_function<std::uint64_t>(
           "--memory-limit", [&](const std::uint64_t& mib) { task.memory_limit_bytes = mib << 20; },
           "MiB that the slots may take at the most")
        ->group(diagnostics);
    app.add_option("--rehearse-gpu-failure", task.rehearse_failure_at,
                   "Make the GPU fail in this frame, to see the hand-over to the CPU engine")
        ->group(diagnostics);
    app.add_option("--control-map", task.control_map,
                   "Write where each control is to this JSON file, for tools that drive the window")
        ->group(diagnostics);
}

/// `line` takes what is parsed, and must outlive that.
void add_options(CLI::App& app, CommandLine& line) {
    add_stream_options(app, line.overrides);
    add_algorithm_options(app, line.overrides);
    add_output_options(app, line);
    add_lens_options(app, line.overrides);
    add_window_options(app, line);
    add_diagnostic_options(app, line.task);
}

EngineId choose_engine(const Settings& settings, const Overrides& over) {
    if (over.engine) return *over.engine;
    if (over.algorithm) return find_compaction(*over.algorithm).engine;
    const EngineStatus& wanted = compaction::status_of(settings.run.engine);
    return wanted.available ? settings.run.engine : EngineId::cpu;
}

/// Puts options as typed over those of `choice`, whose algorithm says what they mean.
void override_options(const Overrides::Options& typed, Choice& choice) {
    const compaction::Algorithm& algorithm = find_compaction(choice.algorithm);
    for (const auto& [option, text] : typed) {
        const bool automatic = text == "0" || text == "automatic";
        choice.options[option] =
            automatic ? compaction::automatic : compaction::parse_option(algorithm, option, text);
    }
    compaction::validate(algorithm, choice.options);
}

void require_engine(const compaction::Algorithm& algorithm, EngineId engine) {
    if (algorithm.engine == engine) return;
    throw Error(ErrorCode::invalid_argument, algorithm.id + " runs on the " +
                                                 std::string(compaction::id_of(algorithm.engine)) +
                                                 " engine; leave out --engine or ask for that one.");
}

/// B, once the engine and A are settled.
Choice resolve_rival(const Settings& settings, const Overrides& over) {
    Choice rival = settings.run.b;
    if (over.rival) {
        const compaction::Algorithm& algorithm = find_compaction(*over.rival);
        if (algorithm.engine != settings.run.engine) {
            throw Error(ErrorCode::invalid_argument, "--rival " + algorithm.id + " runs on the " +
                                                         std::string(compaction::id_of(algorithm.engine)) +
                                                         " engine and " + settings.run.a.algorithm +
                                                         " does not; both run on one engine.");
        }
        rival = {algorithm.id, {}};
    }
    if (!named_algorithm(compaction::catalogue(), settings.run.engine, rival))
        rival = {default_b(compaction::catalogue(), settings.run.engine, settings.run.a.algorithm), {}};
    override_options(over.rival_options, rival);
    return rival;
}

void require_slots_in_range(std::uint64_t slots, EngineId engine) {
    if (slots >= min_slots && slots <= max_slots(engine)) return;
    throw Error(ErrorCode::invalid_argument, "slots = " + std::to_string(slots) + " is not legal on the " +
                                                 std::string(compaction::id_of(engine)) +
                                                 " engine; legal values are " + std::to_string(min_slots) +
                                                 " to " + std::to_string(max_slots(engine)) + ".");
}

/// A pattern asks for the source that has patterns, unless another one was asked for.
void choose_source(Settings& settings, const Overrides& over) {
    if (over.source) settings.run.source = *over.source;
    if (!over.pattern) return;
    if (!over.source) settings.run.source = scene::Synthetic::info.id;
    if (!scene::source_in_force(settings.run.source).has_patterns) {
        throw Error(ErrorCode::invalid_argument,
                    "The source " + settings.run.source +
                        " has no patterns; leave out --pattern, or ask for --source " +
                        std::string(scene::Synthetic::info.id) + ".");
    }
    settings.run.pattern = *over.pattern;
}

}  // namespace

ParsedCommandLine parse_command_line(int argc, char** argv) {
    ParsedCommandLine parsed;
    CLI::App app("Warpsieve: watch stream compaction at work, and measure it.", "warpsieve");
    app.get_formatter()->column_width(38);
    app.footer(commands_help());
    app.set_version_flag("--version", std::string("warpsieve ") + version + " (" + commit + ")");
    bool list = false;
    app.add_flag("--list", list, "List engines and algorithms with their options, and end");
    add_options(app, parsed.command_line);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        parsed.exit_code = app.exit(error) == 0 ? exit_ok : exit_usage;
        return parsed;
    }
    if (list) {
        print_list();
        parsed.exit_code = exit_ok;
    }
    Task& task = parsed.command_line.task;
    task.headless = task.headless || !gl::display_available();
    if (task.headless && task.frames == 0) task.frames = default_headless_frames;
    return parsed;
}

void turn_to_cpu(CommandLine& command_line, Settings& settings, const std::string& why) {
    command_line.task.gpu_failure = why;
    command_line.task.rehearse_failure_at.reset();
    Overrides& over = command_line.overrides;
    over.engine = EngineId::cpu;
    over.algorithm.reset();
    over.options.clear();
    over.rival.reset();
    over.rival_options.clear();
    over.slots.reset();
    settings.run.slots = 0;
    settings.run.iterations = 0;
}

namespace {

bool can_run(const compaction::Algorithm& algorithm, EngineId engine) {
    return algorithm.engine == engine && algorithm.is_available();
}

}  // namespace

Settings resolve_settings(Settings settings, const Overrides& over) {
    settings.run.engine = choose_engine(settings, over);
    const EngineStatus& status = compaction::status_of(settings.run.engine);
    if (!status.available) throw Error(ErrorCode::unavailable, status.reason);

    const std::string remembered = settings.run.a.algorithm;
    if (over.algorithm) {
        settings.run.a.algorithm = *over.algorithm;
    } else if (settings.run.a.algorithm.empty() ||
               !can_run(find_compaction(settings.run.a.algorithm), settings.run.engine)) {
        settings.run.a.algorithm = compaction::default_algorithm(settings.run.engine).id;
    }
    require_engine(find_compaction(settings.run.a.algorithm), settings.run.engine);
    // Options belong to the algorithm they were set for: another machine's may be none of this one's.
    if (over.algorithm || over.engine || settings.run.a.algorithm != remembered) settings.run.a.options = {};
    override_options(over.options, settings.run.a);
    settings.run.b = resolve_rival(settings, over);
    const bool asks_for_b = over.rival || !over.rival_options.empty();
    settings.window.tab = over.tab.value_or(asks_for_b ? std::string(lens_tab) : settings.window.tab);

    if (over.slots) {
        require_slots_in_range(*over.slots, settings.run.engine);
        settings.run.slots = *over.slots;
    }
    settings.run.slots = std::min(settings.run.slots, max_slots(settings.run.engine));
    choose_source(settings, over);
    settings.run.density = over.density.value_or(settings.run.density);
    settings.run.seed = over.seed.value_or(settings.run.seed);
    settings.run.iterations = over.iterations.value_or(settings.run.iterations);
    settings.run.check_every = over.check_every.value_or(settings.run.check_every);
    settings.window.scale = over.scale.value_or(settings.window.scale);
    settings.window.theme = over.theme.value_or(settings.window.theme);
    settings.window.capture_folder = over.capture_folder.value_or(settings.window.capture_folder);
    return settings;
}

}  // namespace warpsieve
