#include "app/settings/schema.hpp"

#include <array>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "app/scene/sources.hpp"
#include "app/settings/access.hpp"
#include "experiments/format/counts.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using compaction::Option;

std::vector<std::string> source_ids() {
    std::vector<std::string> ids;
    for (const scene::SourceInfo* source : scene::sources()) ids.emplace_back(source->id);
    return ids;
}

Words<EngineId> engines() {
    return {{EngineId::cuda, "cuda"}, {EngineId::cpu, "cpu"}};
}

Words<Theme> themes() {
    return {{Theme::dark, "dark"}, {Theme::light, "light"}};
}

bool has_patterns(const Settings& settings) {
    return scene::source_in_force(settings.run.source).has_patterns;
}

bool compares(const Settings& settings) {
    return settings.compares();
}

/// Ids of all compactions, and "" for the default of the engine.
Legal legal_algorithms(const Settings&) {
    Legal legal;
    for (const compaction::Algorithm& algorithm : compaction::catalogue())
        legal.words.push_back(algorithm.id);
    legal.words.emplace_back();
    return legal;
}

Access algorithm_of(Side side) {
    return {Kind::algorithm,
            [side](const Settings& settings) { return Value(settings.run.choice(side).algorithm); },
            [side](Settings& settings, const Value& value) {
                settings.run.choice(side).algorithm = std::get<std::string>(value);
            },
            legal_algorithms};
}

const compaction::Algorithm& algorithm_in_force(const RunConfig& run, Side side) {
    const std::string& id = run.choice(side).algorithm;
    return id.empty() ? compaction::default_algorithm(run.engine) : find_compaction(id);
}

/// The catalogue does not describe the options of an engine that is not built in: any value is legal then.
Legal legal_options(const Settings& settings, Side side, Option option) {
    const compaction::Algorithm& algorithm = algorithm_in_force(settings.run, side);
    const compaction::LegalRange* range = algorithm.range_of(option);
    const bool unknown = algorithm.phases.empty();
    return {.most = unknown ? 4'294'967'295.0
                    : range ? range->maximum
                            : 0.0,
            .whole = true,
            .zero = true,
            .option = range};
}

Access option_of(Side side, Option option) {
    return {Kind::option,
            [=](const Settings& settings) {
                return Value(static_cast<double>(settings.run.choice(side).options[option]));
            },
            [=](Settings& settings, const Value& value) {
                settings.run.choice(side).options[option] =
                    static_cast<std::uint32_t>(std::get<double>(value));
            },
            [=](const Settings& settings) { return legal_options(settings, side, option); }};
}

std::string_view help_of(Option option) {
    switch (option) {
        case Option::vector_width:
            return "Items a thread reads with one access: 1 (scalar), 2 (pair) or 4 (quad); 0 chooses";
        case Option::threads_per_block:
            return "Threads per block on a GPU, worker threads on a CPU; 0 chooses";
        case Option::blocks:
            return "Blocks of the grid on a GPU; 0 chooses";
        case Option::sequences:
            return "Contiguous parts the stream is cut into, one worker each; 0 chooses";
        case Option::variant:
            return "Variant of an algorithm that has several, by name or number; 0 chooses";
    }
    return {};
}

/// A setting that only files hold.
Field stored(std::string key, std::string_view group, std::string_view label, Access access) {
    return {.key = std::move(key), .group = group, .label = label, .access = std::move(access)};
}

/// A setting of the window that the command line takes too: its flag is the key with dashes.
Field preference(std::string key, std::string_view group, std::string_view label, std::string_view help,
                 Access access) {
    Field field = stored(key, group, label, std::move(access));
    std::ranges::replace(key, '_', '-');
    field.flag = std::move(key);
    field.help = help;
    return field;
}

/// A setting of the run: a change restarts its statistics, and the command that repeats the run names it.
Field run_setting(std::string key, std::string_view group, std::string_view label, std::string_view help,
                  Access access) {
    Field field = preference(std::move(key), group, label, help, std::move(access));
    field.restarts = field.repeats = true;
    return field;
}

Field only_where(std::function<bool(const Settings&)> applies, Field field) {
    field.applies = std::move(applies);
    return field;
}

/// A setting of B: `flag` with "b" before it, and the names of the version before, which said "rival".
Field of_b(const std::string& key, const std::string& flag, Field field) {
    field.key = "b." + key;
    field.old_key = "rival." + key;
    field.flag = "b" + flag;
    field.old_flag = "rival" + flag;
    return only_where(compares, std::move(field));
}

void add_options(std::vector<Field>& fields, Side side) {
    for (const Option option : compaction::all_options) {
        const std::string flag(flag_of(option));
        Field field =
            run_setting(flag, groups::launch, name_of(option),
                        side == Side::a ? help_of(option) : "The same option of B", option_of(side, option));
        field.key = "options." + flag;
        fields.push_back(side == Side::a ? field : of_b(field.key, "-" + flag, field));
    }
}

void add_algorithms(std::vector<Field>& fields) {
    fields.push_back(run_setting("engine", groups::algorithm, "engine", "Engine that runs the compaction",
                                 word(&RunConfig::engine, engines())));
    fields.push_back(run_setting("algorithm", groups::algorithm, "algorithm",
                                 "Algorithm that compacts the stream: an id of --list",
                                 algorithm_of(Side::a)));
    add_options(fields, Side::a);
    Field tab = preference("tab", groups::display, "", "View in the main area",
                           text(&WindowPreferences::tab, {tab_ids.begin(), tab_ids.end()}));
    tab.repeats = true;
    fields.push_back(only_where(compares, tab));
    fields.push_back(
        of_b("algorithm", "",
             run_setting("algorithm", groups::algorithm, "algorithm",
                         "Second algorithm on the same stream, beside A in the A/B lens: an id of --list",
                         algorithm_of(Side::b))));
    add_options(fields, Side::b);
}

Access slots() {
    return number(&RunConfig::slots, [](const Settings& settings) {
        const auto most = static_cast<double>(max_slots(settings.run.engine));
        return Legal{.least = min_slots, .most = most, .whole = true, .keeps_zero = true};
    });
}

void add_stream(std::vector<Field>& fields) {
    const auto add = [&](const char* key, const char* label, const char* help, Access access) {
        fields.push_back(run_setting(key, groups::stream, label, help, std::move(access)));
    };
    add("source", "source", "Source that fills the slots", text(&RunConfig::source, source_ids()));
    add("pattern", "pattern", "Slots that the synthetic source keeps",
        word(&RunConfig::pattern, words_of(workloads::patterns(), &workloads::PatternInfo::pattern,
                                           &workloads::PatternInfo::name)));
    fields.back().applies = has_patterns;
    add("slots", "slots", "Length of the particle buffer, such as 100000 or 2^20, at most 2^24 on a CPU",
        slots());
    add("density", "live fraction", "Live fraction of the slots", number(&RunConfig::density, 0, 1));
    add("seed", "seed", "Seed of the scene: the same seed gives the same stream",
        number(&RunConfig::seed, 0, 4'294'967'295));
    fields.push_back(stored("speed", groups::stream, "speed", number(&RunConfig::speed, 0, 10)));
}

void add_measurement(std::vector<Field>& fields) {
    fields.push_back(run_setting("iterations", groups::measurement, "iterations", "Compactions per frame",
                                 number(&RunConfig::iterations, 1, max_iterations)));
    fields.push_back(stored("check", groups::measurement, "", toggle(&RunConfig::check)));
    fields.push_back(preference("check_every", groups::measurement, "check every",
                                "Frames from one comparison with the reference to the next",
                                number(&RunConfig::check_every, 1, 100'000)));
}

void add_window(std::vector<Field>& fields) {
    using Window = WindowPreferences;
    const auto add = [&](const char* key, Access access) {
        fields.push_back(stored(key, groups::display, "", std::move(access)));
    };
    const auto add_preference = [&](const char* key, const char* label, const char* help, Access access) {
        fields.push_back(preference(key, groups::display, label, help, std::move(access)));
    };
    constexpr double most_frames = max_timeline_frames;
    add("controls_width", number(&Window::controls_width, 100, 4000));
    add("timings_height", number(&Window::timings_height, 50, 4000));
    add("show_timings", toggle(&Window::show_timings));
    add("divider", number(&Window::divider, min_divider, 1 - min_divider));
    add("slot_map_zoom", number(&Window::slot_map_zoom, 0, 64));
    add("slot_map_first", number(&Window::slot_map_first, 0, static_cast<double>(max_slots(EngineId::cuda))));
    add("timeline_frames", number(&Window::timeline_frames, min_timeline_frames, most_frames));
    add("timeline_log", toggle(&Window::timeline_log));
    add("ghost", text(&Window::ghost));
    add_preference("scale", "scale, %", "Scale of text and controls; 0 takes the scale of the display",
                   number(&Window::scale, 0.75, 3, true));
    add_preference("theme", "theme", "Colours of the window", word(&Window::theme, themes()));
    add("plot_theme", word(&Window::plot_theme, themes()));
    add_preference("capture_folder", "folder", "Folder for pictures and recordings",
                   text(&Window::capture_folder));
}

std::vector<Field> make_schema() {
    std::vector<Field> fields;
    add_algorithms(fields);
    add_stream(fields);
    add_measurement(fields);
    std::ranges::move(lab_fields(), std::back_inserter(fields));
    add_window(fields);
    return fields;
}

std::string number_text(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr};
}

std::optional<double> parse_whole(std::string_view text) {
    const auto count = experiments::format::parse_count(text);
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

std::optional<double> parse_real(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

bool Legal::contains(const Value& value) const {
    if (const double* number = std::get_if<double>(&value)) {
        if (zero && *number == 0) return true;
        if (option)
            return *number >= 0 && *number <= most && option->contains(static_cast<std::uint32_t>(*number));
        return *number >= least && *number <= most && (!whole || *number == std::floor(*number));
    }
    const std::string* const text = std::get_if<std::string>(&value);
    return !text || words.empty() || std::ranges::find(words, *text) != words.end();
}

std::string Legal::describe() const {
    if (option) return option->describe();
    if (most > least) return number_text(least) + " to " + number_text(most) + (zero ? ", or 0" : "");
    std::string text;
    const auto named = static_cast<std::size_t>(
        std::ranges::count_if(words, [](const std::string& each) { return !each.empty(); }));
    for (std::size_t i = 0; i < named; ++i) {
        if (i > 0) text += i + 1 == named ? " or " : ", ";
        text += words[i];
    }
    return text.empty() && zero ? "0" : text;
}

std::span<const Field> schema() {
    static const std::vector<Field> fields = make_schema();
    return fields;
}

const Field& field(std::string_view key) {
    const auto found = std::ranges::find(schema(), key, &Field::key);
    if (found == schema().end()) throw std::logic_error("no setting " + std::string(key));
    return *found;
}

std::string text_of(const Field& field, const Settings& settings) {
    const Value value = field.access.get(settings);
    if (const bool* on = std::get_if<bool>(&value)) return *on ? "on" : "off";
    if (const std::string* text = std::get_if<std::string>(&value)) return *text;
    const double* number = std::get_if<double>(&value);
    if (!number) return {};
    const compaction::LegalRange* option = field.access.legal(settings).option;
    return option ? option->text_of(static_cast<std::uint32_t>(*number)) : number_text(*number);
}

std::optional<Value> parse(const Field& field, const Settings& settings, const std::string& text) {
    const Legal legal = field.access.legal(settings);
    Value value = text;
    if (field.access.kind == Kind::number) {
        const auto number = legal.whole ? parse_whole(text) : parse_real(text);
        if (!number) return std::nullopt;
        value = *number;
    }
    return legal.contains(value) ? std::optional(value) : std::nullopt;
}

Legal legal_of(std::string_view key, const Settings& settings) {
    return field(key).access.legal(settings);
}

std::string with_range(std::string_view text, std::string_view key, const Settings& settings) {
    return std::string(text) + " Range: " + legal_of(key, settings).describe() + ".";
}

void make_legal(Settings& settings) {
    static const Settings defaults;
    for (const Field& field : schema()) {
        if (field.access.kind != Kind::number) continue;
        const Legal legal = field.access.legal(settings);
        const double number = std::get<double>(field.access.get(settings));
        if (legal.contains(number) || (legal.keeps_zero && number == 0)) continue;
        field.access.set(settings, std::isfinite(number) ? Value(std::clamp(number, legal.least, legal.most))
                                                         : field.access.get(defaults));
    }
}

bool restarts_statistics(const RunConfig& before, const RunConfig& after, bool compares) {
    if (before == after) return false;
    const auto whole = [&](const RunConfig& run) {
        Settings settings;
        settings.run = run;
        if (compares) settings.window.tab = lens_tab;
        return settings;
    };
    const Settings old_settings = whole(before);
    const Settings new_settings = whole(after);
    return std::ranges::any_of(schema(), [&](const Field& field) {
        const bool applies = !field.applies || field.applies(new_settings) || field.applies(old_settings);
        return field.restarts && applies && field.access.get(old_settings) != field.access.get(new_settings);
    });
}

std::string repeating_options(const Settings& settings) {
    std::string options;
    for (const Field& field : schema()) {
        const bool applies = !field.applies || field.applies(settings);
        if (!field.repeats || !applies) continue;
        const bool automatic = field.access.kind == Kind::option && field.access.get(settings) == Value(0.0);
        if (!automatic) options += " --" + field.flag + " " + text_of(field, settings);
    }
    return options;
}

}  // namespace warpsieve
