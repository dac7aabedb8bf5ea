#include "app/settings/settings_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "app/labs/jobs.hpp"
#include "app/scene/sources.hpp"
#include "app/settings/lab_settings_file.hpp"
#include "compaction/error.hpp"
#include "experiments/result_file.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using nlohmann::json;

json to_json(const labs::LabSettings& settings) {
    json document{{"lab", settings.lab},
                  {"quality", labs::info_of(settings.quality).name},
                  {"hold_scene", settings.hold_scene},
                  {"pattern", workloads::info_of(settings.pattern).name},
                  {"item_bytes", bytes_of(settings.item_size)},
                  {"cache", name_of(settings.cache)},
                  {"base", settings.base},
                  {"tuned", settings.tuned}};
    add_plot_labs(document, settings);
    return document;
}

/// A file of an earlier version has none of them, and one that was edited may have words that nobody knows:
/// what cannot be read stays as it is.
labs::LabSettings lab_settings_from(const json& document) {
    labs::LabSettings settings;
    settings.lab = document.value("lab", settings.lab);
    settings.hold_scene = document.value("hold_scene", settings.hold_scene);
    settings.base = document.value("base", settings.base);
    settings.tuned = document.value("tuned", settings.tuned);
    const auto qualities = labs::qualities();
    const auto quality =
        std::ranges::find(qualities, document.value("quality", std::string()), &labs::QualityInfo::name);
    if (quality != qualities.end()) settings.quality = quality->quality;
    const auto pattern = workloads::find_pattern(document.value("pattern", std::string()));
    settings.pattern = pattern.value_or(settings.pattern);
    const auto cache = experiments::find_cache(document.value("cache", std::string()));
    settings.cache = cache.value_or(settings.cache);
    for (const compaction::ItemSize size : compaction::all_item_sizes) {
        if (bytes_of(size) == document.value("item_bytes", std::size_t{0})) settings.item_size = size;
    }
    read_plot_labs(document, settings);
    return settings;
}

json options_to_json(const compaction::Options& all) {
    json options = json::object();
    for (const compaction::Option option : compaction::all_options) {
        options[std::string(compaction::flag_of(option))] = all[option];
    }
    return options;
}

}  // namespace

json settings_to_json(const Settings& settings) {
    return {{"source", settings.run.source},
            {"pattern", workloads::info_of(settings.run.pattern).name},
            {"slots", settings.run.slots},
            {"density", settings.run.density},
            {"seed", settings.run.seed},
            {"speed", settings.run.speed},
            {"engine", compaction::id_of(settings.run.engine)},
            {"algorithm", settings.run.a.algorithm},
            {"options", options_to_json(settings.run.a.options)},
            {"rival",
             {{"algorithm", settings.run.b.algorithm}, {"options", options_to_json(settings.run.b.options)}}},
            {"iterations", settings.run.iterations},
            {"check", settings.run.check},
            {"check_every", settings.run.check_every},
            {"labs", to_json(settings.labs)},
            {"controls_width", settings.window.controls_width},
            {"timings_height", settings.window.timings_height},
            {"show_timings", settings.window.show_timings},
            {"tab", settings.window.tab},
            {"divider", settings.window.divider},
            {"slot_map_zoom", settings.window.slot_map_zoom},
            {"slot_map_first", settings.window.slot_map_first},
            {"timeline_frames", settings.window.timeline_frames},
            {"timeline_log", settings.window.timeline_log},
            {"ghost", settings.window.ghost.string()},
            {"scale", settings.window.scale},
            {"theme", settings.window.theme == Theme::light ? "light" : "dark"},
            {"plot_theme", settings.window.plot_theme == Theme::light ? "light" : "dark"},
            {"capture_folder", settings.window.capture_folder.string()}};
}

namespace {

template <typename Value>
Value in_range(const json& document, const char* key, Value least, Value most) {
    const Value value = document.at(key).get<Value>();
    if (!(value >= least && value <= most)) throw std::out_of_range(std::string(key) + " is out of range");
    return value;
}

/// Which of `words` the document has.
std::size_t one_of(const json& document, const char* key, std::initializer_list<std::string_view> words) {
    const std::string word = document.at(key).get<std::string>();
    const auto found = std::ranges::find(words, word);
    if (found == words.end()) throw std::out_of_range(std::string(key) + " is unknown");
    return static_cast<std::size_t>(found - words.begin());
}

workloads::Pattern pattern_named(const std::string& name) {
    const auto pattern = workloads::find_pattern(name);
    if (!pattern) throw std::out_of_range("pattern is unknown");
    return *pattern;
}

Choice choice_from_json(const json& document) {
    Choice choice;
    choice.algorithm = document.at("algorithm").get<std::string>();
    for (const compaction::Option option : compaction::all_options) {
        // A file of an earlier version does not know every option.
        choice.options[option] =
            document.at("options").value(std::string(compaction::flag_of(option)), compaction::automatic);
    }
    const compaction::Algorithm& algorithm = find_compaction(choice.algorithm);
    if (!algorithm.phases.empty()) compaction::validate(algorithm, choice.options);
    return choice;
}

}  // namespace

Settings settings_from_json(const json& document) {
    Settings settings;
    settings.run.choice(Side::a) = choice_from_json(document);
    // Nobody may have chosen a rival yet, and a file of an earlier version knows of none.
    if (document.contains("rival") && document["rival"].at("algorithm") != "")
        settings.run.b = choice_from_json(document["rival"]);
    settings.run.engine =
        one_of(document, "engine", {compaction::id_of(EngineId::cpu), compaction::id_of(EngineId::cuda)}) == 0
            ? EngineId::cpu
            : EngineId::cuda;
    // A file of an earlier version knows neither source nor pattern.
    settings.run.source = document.value("source", settings.run.source);
    if (!scene::find_source(settings.run.source)) throw std::out_of_range("source is unknown");
    settings.run.pattern =
        pattern_named(document.value("pattern", std::string(workloads::info_of(settings.run.pattern).name)));
    settings.run.slots =
        in_range<std::uint64_t>(document, "slots", min_slots, max_slots(settings.run.engine));
    settings.run.density = in_range(document, "density", 0.0F, 1.0F);
    settings.run.seed = document.at("seed").get<std::uint32_t>();
    settings.run.speed = in_range(document, "speed", 0.0F, 10.0F);
    settings.run.iterations = in_range(document, "iterations", 1U, max_iterations);
    settings.run.check = document.at("check").get<bool>();
    settings.run.check_every = in_range(document, "check_every", 1U, 100'000U);
    settings.labs = lab_settings_from(document.value("labs", json::object()));
    settings.window.controls_width = in_range(document, "controls_width", 100.0F, 4000.0F);
    settings.window.timings_height = in_range(document, "timings_height", 50.0F, 4000.0F);
    settings.window.show_timings = document.value("show_timings", settings.window.show_timings);
    settings.window.tab = document.value("tab", settings.window.tab);
    if (document.contains("divider")) settings.window.divider = in_range(document, "divider", 0.0F, 1.0F);
    // The slot map itself brings these back to what its window and the stream allow.
    settings.window.slot_map_zoom = document.value("slot_map_zoom", settings.window.slot_map_zoom);
    settings.window.slot_map_first = document.value("slot_map_first", settings.window.slot_map_first);
    settings.window.timeline_frames =
        std::clamp(document.value("timeline_frames", settings.window.timeline_frames), min_timeline_frames,
                   max_timeline_frames);
    settings.window.timeline_log = document.value("timeline_log", settings.window.timeline_log);
    settings.window.ghost = document.value("ghost", std::string());
    if (document.at("scale") != 0) settings.window.scale = in_range(document, "scale", 0.75F, 3.0F);
    settings.window.theme = one_of(document, "theme", {"dark", "light"}) == 0 ? Theme::dark : Theme::light;
    if (document.contains("plot_theme"))
        settings.window.plot_theme =
            one_of(document, "plot_theme", {"dark", "light"}) == 0 ? Theme::dark : Theme::light;
    settings.window.capture_folder = document.at("capture_folder").get<std::string>();
    return settings;
}

namespace {

/// FILE.bad, or the first of FILE.bad-1, FILE.bad-2, ... that is free.
std::filesystem::path free_name_aside(const std::filesystem::path& file) {
    std::filesystem::path aside = file.string() + ".bad";
    for (int number = 1; std::filesystem::exists(aside); ++number)
        aside = file.string() + ".bad-" + std::to_string(number);
    return aside;
}

}  // namespace

std::filesystem::path default_settings_file() {
    const auto folder_from = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value ? value : "");
    };
    std::filesystem::path folder = folder_from("XDG_CONFIG_HOME");
    if (folder.empty()) folder = folder_from("HOME") / ".config";
    return folder / "warpsieve" / "settings.json";
}

LoadedSettings load_settings(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return {};
    if (std::filesystem::is_directory(file, error)) {
        return {{},
                "The settings file " + file.string() +
                    " is a folder, so these are the defaults; name a file with --settings."};
    }
    try {
        std::ifstream in(file, std::ios::binary);
        return {settings_from_json(json::parse(in)), std::nullopt};
    } catch (const std::exception& problem) {
        std::string warning =
            "The settings in " + file.string() + " cannot be used, so these are the defaults";
        const std::filesystem::path aside = free_name_aside(file);
        std::filesystem::rename(file, aside, error);
        warning += error ? "." : "; the file is kept as " + aside.filename().string() + ".";
        return {{}, warning + " (" + problem.what() + ")"};
    }
}

Settings load_sidecar(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const auto refuse = [&](const std::string& why) -> compaction::Error {
        return {compaction::ErrorCode::invalid_argument,
                file.string() + " cannot be replayed: " + why +
                    ". Give the JSON file that was written beside a picture, or by --json."};
    };
    if (!in) throw refuse("it cannot be read");
    const json sidecar = json::parse(in, nullptr, false);
    if (sidecar.is_discarded()) throw refuse("it is no JSON file");
    if (!sidecar.is_object() || !sidecar.contains("settings")) throw refuse("there are no settings in it");
    try {
        return settings_from_json(sidecar.at("settings"));
    } catch (const std::exception& problem) {
        std::string why = problem.what();
        if (why.ends_with('.')) why.pop_back();
        throw refuse(why);
    }
}

void save_settings(const std::filesystem::path& file, const Settings& settings) {
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    // A folder's name may be any bytes, JSON's text only Unicode: better a name with a mark in it than no
    // settings at all.
    experiments::write_into_place(
        file, settings_to_json(settings).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace warpsieve
