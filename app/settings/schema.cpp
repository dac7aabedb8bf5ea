#include "app/settings/schema.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "app/settings/schema_rows.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/machine.hpp"
#include "platform/files.hpp"

namespace warpsieve {

using compaction::Algorithm;

namespace {

std::string number_text(auto value) {
    char text[400];  // more than any double needs
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr};
}

std::optional<double> parse_number(const std::string& text, bool whole) {
    if (whole) {
        const auto count = experiments::format::parse_count(text);
        return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
    }
    return experiments::format::parse_number<double>(text);
}

}  // namespace

bool AllowedValues::contains(const Value& value) const {
    if (const double* number = std::get_if<double>(&value)) {
        if (zero_is_automatic && *number == 0) return true;
        if (!(*number >= min && *number <= max) || (whole && *number != std::floor(*number))) return false;
        return !option || option->contains(static_cast<std::uint32_t>(*number));
    }
    const std::string* const text = std::get_if<std::string>(&value);
    if (!text) return true;
    if (words.empty()) return platform::fits_path_limits(*text);
    const auto holds = [text](const auto& list) { return std::ranges::find(list, *text) != list.end(); };
    return holds(words) || holds(old_words);
}

std::string_view AllowedValues::name_of(std::string_view word) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
    return at < names.size() ? std::string_view(names[at]) : word;
}

std::string AllowedValues::describe() const {
    if (option) return option->describe();
    if (max > min) return number_text(min) + " to " + number_text(max) + (zero_is_automatic ? ", or 0" : "");
    if (zero_is_automatic) return "0";
    std::vector<std::string> named = words;
    std::erase(named, "");
    std::string text = named.empty() ? std::string(description_without_range) : named.front();
    for (std::size_t i = 1; i < named.size(); ++i) text += (i + 1 == named.size() ? " or " : ", ") + named[i];
    return text;
}

namespace {

/// Flags follow from keys; the keys and flags of B began with "rival" in the previous version.
void name_flags(SettingDescriptor& field) {
    if (field.use < Use::flag) return;
    field.flag = field.key.substr(field.key.rfind('.') + 1);
    std::ranges::replace(field.flag, '_', '-');
    if (field.side != Side::b) return;
    const std::string suffix = field.flag == "algorithm" ? "" : "-" + field.flag;
    field.flag = "b" + suffix;
    field.old_flag = "rival" + suffix;
    field.old_key = "rival" + field.key.substr(1);
}

}  // namespace

std::span<const SettingDescriptor> schema() {
    static const std::vector<SettingDescriptor> fields = [] {
        std::vector<SettingDescriptor> rows;
        for (auto& group : {engine_rows(), side_rows(Side::a), tab_rows(), side_rows(Side::b), stream_rows(),
                            measurement_rows(), lab_rows(), window_rows()})
            rows.insert(rows.end(), group.begin(), group.end());
        std::ranges::for_each(rows, name_flags);
        return rows;
    }();
    return fields;
}

std::string Control::figure(double value) const {
    return format ? format(value) : number_text(value);
}

double as_double(float number) {
    return parse_number(number_text(number), /*whole=*/false).value_or(number);
}

const SettingDescriptor& field(std::string_view key) {
    const auto found = std::ranges::find(schema(), key, &SettingDescriptor::key);
    if (found == schema().end()) throw std::logic_error("no setting " + std::string(key));
    return *found;
}

std::string text_of(const SettingDescriptor& field, const Settings& settings) {
    const Value value = field.access.get(settings);
    if (const bool* on = std::get_if<bool>(&value)) return *on ? "on" : "off";
    if (const std::string* text = std::get_if<std::string>(&value)) return *text;
    const double* number = std::get_if<double>(&value);
    if (!number) return {};
    const compaction::LegalRange* option = field.allowed(settings).option;
    return option ? option->text_of(static_cast<std::uint32_t>(*number)) : number_text(*number);
}

std::string shown_text(const SettingDescriptor& field, const Value& value,
                       const compaction::LegalRange* range) {
    if (const bool* on = std::get_if<bool>(&value)) return *on ? "on" : "off";
    if (const std::string* text = std::get_if<std::string>(&value)) return *text;
    const double* number = std::get_if<double>(&value);
    if (!number) return {};
    if (field.option && *number == compaction::automatic) return "automatic";
    if (range) return range->text_of(static_cast<std::uint32_t>(*number));
    const Control& control = field.control;
    // A scaled number would mislead without its unit: 0.5 is shown as 50 %.
    return control.figure(*number) + (control.scale == 1 ? "" : " " + std::string(control.unit));
}

std::optional<Value> parse(const SettingDescriptor& field, const Settings& settings, const std::string& text,
                           const CatalogueInfo& catalogue) {
    const AllowedValues allowed = field.allowed(settings, catalogue);
    Value value = text;
    if (field.access.kind == Kind::option) {
        const auto option = allowed.option ? allowed.option->parse(text) : std::nullopt;
        return option ? std::optional<Value>(static_cast<double>(*option)) : std::nullopt;
    }
    if (field.access.kind == Kind::toggle) {
        if (text != "on" && text != "off") return std::nullopt;
        return text == "on";
    }
    if (field.access.kind == Kind::number) {
        const auto number = parse_number(text, allowed.whole);
        if (!number) return std::nullopt;
        value = *number;
    }
    return allowed.contains(value) ? std::optional(value) : std::nullopt;
}

bool is_available(const CatalogueInfo& catalogue, compaction::EngineId engine) {
    const auto status = std::ranges::find(catalogue.engines, engine, &compaction::EngineStatus::id);
    return status != catalogue.engines.end() && status->available;
}

const Algorithm* chosen_algorithm(const CatalogueInfo& catalogue, const Settings& settings, Side side) {
    const RunConfig& run = settings.run;
    if (const Algorithm* named =
            named_algorithm(catalogue.algorithms, run.engine, run.algorithm_config(side)))
        return named;
    if (side == Side::b) {
        const Algorithm* a = chosen_algorithm(catalogue, settings);
        const std::string id = default_b(catalogue.algorithms, run.engine, a ? a->id : "");
        return named_algorithm(catalogue.algorithms, run.engine, {id, {}});
    }
    const auto first = std::ranges::find_if(catalogue.algorithms, [&](const Algorithm& algorithm) {
        return algorithm.engine == run.engine && algorithm.is_available();
    });
    return first == catalogue.algorithms.end() ? nullptr : &*first;
}

namespace {

void sanitize_side(Settings& settings, const CatalogueInfo& catalogue, Side side) {
    AlgorithmConfig& config = settings.run.algorithm_config(side);
    const Algorithm* algorithm = chosen_algorithm(catalogue, settings, side);
    // An empty name stays: it means the engine's default.
    if (algorithm && !config.algorithm.empty()) config.algorithm = algorithm->id;
    for (const compaction::Option option : compaction::all_options) {
        const compaction::LegalRange* range = algorithm ? algorithm->range_of(option) : nullptr;
        if (!range || !range->contains(config.options[option]))
            config.options[option] = compaction::automatic;
    }
}

void sanitize_numbers(Settings& settings) {
    static const Settings defaults;
    for (const SettingDescriptor& field : schema()) {
        if (field.access.kind != Kind::number) continue;
        const AllowedValues allowed = field.allowed(settings);
        const double number = std::get<double>(field.access.get(settings));
        if (allowed.contains(number) || (allowed.zero_is_unset && number == 0)) continue;
        field.access.set(settings, std::isfinite(number) ? Value(std::clamp(number, allowed.min, allowed.max))
                                                         : field.access.get(defaults));
    }
}

}  // namespace

void sanitize(Settings& settings, const CatalogueInfo& catalogue) {
    if (!is_available(catalogue, settings.run.engine)) {
        const auto runnable =
            std::ranges::find(catalogue.engines, true, &compaction::EngineStatus::available);
        if (runnable != catalogue.engines.end()) settings.run.engine = runnable->id;
    }
    for (const Side side : both_sides) sanitize_side(settings, catalogue, side);
    sanitize_numbers(settings);
}

bool restarts_statistics(const RunConfig& before, const RunConfig& after, bool compares) {
    if (before == after) return false;
    const auto settings_with = [&](const RunConfig& run) {
        Settings settings;
        settings.run = run;
        // The settings of B apply only in the lens.
        if (compares) settings.window.tab = lens_tab;
        return settings;
    };
    const Settings old_settings = settings_with(before);
    const Settings new_settings = settings_with(after);
    return std::ranges::any_of(schema(), [&](const SettingDescriptor& field) {
        return field.use == Use::run && (field.applies_to(new_settings) || field.applies_to(old_settings)) &&
               field.access.get(old_settings) != field.access.get(new_settings);
    });
}

std::string options_to_repeat(const Settings& settings) {
    std::string options;
    for (const SettingDescriptor& field : schema()) {
        if (field.use < Use::view || !field.applies_to(settings)) continue;
        const bool automatic = field.access.kind == Kind::option && field.access.get(settings) == Value(0.0);
        if (automatic) continue;
        const std::string text = text_of(field, settings);
        // A command line of one word, which quotes the text for a shell.
        const char* const argument = text.c_str();
        options += " --" + field.flag + " " + experiments::command_text(1, &argument);
    }
    return options;
}

}  // namespace warpsieve
