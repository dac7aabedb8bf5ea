#include "app/settings/settings_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/settings/png_text.hpp"
#include "app/settings/schema.hpp"
#include "compaction/error.hpp"
#include "experiments/format/text.hpp"
#include "experiments/result_file.hpp"
#include "platform/files.hpp"

namespace warpsieve {
namespace {

using nlohmann::json;

/// "b.algorithm" as a path in the document.
json::json_pointer pointer_to(std::string key) {
    std::ranges::replace(key, '.', '/');
    return json::json_pointer("/" + key);
}

/// The entry of the document at `key`; null if there is none.
const json* find_entry(const json& document, const std::string& key) {
    if (key.empty()) return nullptr;
    const json::json_pointer pointer = pointer_to(key);
    return document.contains(pointer) ? &document.at(pointer) : nullptr;
}

/// The value at `entry`; nullopt if its type differs from that of `like`.
std::optional<Value> value_of(const json& entry, const Value& like, const AllowedValues& allowed) {
    // Files of the previous version hold the size of an item as a number.
    if (entry.is_number() && !allowed.words.empty()) return entry.dump();
    try {
        return std::visit([&]<typename T>(const T&) { return Value(entry.get<T>()); }, like);
    } catch (const json::type_error&) {
        return std::nullopt;
    }
}

/// "density is 1.5 (legal: 0 to 1)".
std::string problem_with(const std::string& key, const json& value, const std::string& allowed) {
    constexpr std::size_t max_bytes = 100;
    std::string text =
        value.dump(/*indent=*/-1, /*indent_char=*/' ', /*ensure_ascii=*/true, json::error_handler_t::replace);
    if (text.size() > max_bytes) text.replace(max_bytes, std::string::npos, "...");
    const std::string suggestion =
        value.is_string() ? experiments::format::did_you_mean(value.get<std::string>(), allowed) : "";
    return key + " is " + text + " (legal: " + allowed + (suggestion.empty() ? "" : "." + suggestion) + ")";
}

/// Names the first part of the key that is in the document and is no group: "options is [] (legal: a group)".
std::optional<std::string> problem_with_group(const json& document, const std::string& key) {
    for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot + 1)) {
        const std::string group = key.substr(0, dot);
        const json* const entry = find_entry(document, group);
        if (entry && !entry->is_object()) return problem_with(group, *entry, "a group {...}");
    }
    return std::nullopt;
}

/// Whether at least half of the keys are keys of settings. Files of other programs, and result files of this
/// one, have some of these keys too.
bool holds_settings(const json& document) {
    const auto known = [](const std::string& key) {
        return std::ranges::any_of(schema(), [&](const SettingDescriptor& field) {
            return key == field.key.substr(0, field.key.find('.')) ||
                   key == field.old_key.substr(0, field.old_key.find('.'));
        });
    };
    std::size_t num_known = 0;
    for (const auto& entry : document.items()) num_known += known(entry.key()) ? 1 : 0;
    return 2 * num_known >= document.size();
}

}  // namespace

json settings_to_json(const Settings& settings) {
    json document = json::object();
    for (const SettingDescriptor& field : schema()) {
        const Value value = field.access.get(settings);
        const AllowedValues allowed = field.allowed(settings);
        if (!allowed.contains(value)) continue;
        json& entry = document[pointer_to(field.key)];
        std::visit([&](const auto& each) { entry = each; }, value);
        if (allowed.whole) entry = static_cast<std::int64_t>(std::get<double>(value));
    }
    return document;
}

ParsedSettings settings_from_json(const json& document) {
    ParsedSettings parsed;
    if (!document.is_object()) {
        parsed.problems.emplace_back("the settings are not a JSON object");
        return parsed;
    }
    const auto report = [&](const std::string& problem) {
        if (std::ranges::find(parsed.problems, problem) == parsed.problems.end())
            parsed.problems.push_back(problem);
    };
    for (const SettingDescriptor& field : schema()) {
        const std::string& key = find_entry(document, field.key) ? field.key : field.old_key;
        for (const std::string& each : {field.key, field.old_key})
            if (const auto problem = problem_with_group(document, each)) report(*problem);
        const json* const entry = find_entry(document, key);
        if (!entry) continue;
        const AllowedValues allowed = field.allowed(parsed.settings);
        const std::optional<Value> value = value_of(*entry, field.access.get(parsed.settings), allowed);
        if (value && allowed.contains(*value)) {
            field.access.set(parsed.settings, *value);
        } else {
            report(problem_with(key, *entry, allowed.describe()));
        }
    }
    return parsed;
}

namespace {

std::string joined(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
    return text;
}

/// The JSON object in the text of a file. Throws compaction::Error with the reason if there is none.
json object_in(const std::string& text) {
    json document = experiments::parse_json(text);
    if (!document.is_object())
        throw compaction::Error(compaction::ErrorCode::invalid_argument, "it is not a JSON object");
    return document;
}

/// The settings in the document of a settings file; warns about illegal ones.
LoadedSettings settings_of(const std::filesystem::path& file, const json& document) {
    ParsedSettings parsed = settings_from_json(document);
    if (parsed.problems.empty()) return {.settings = std::move(parsed.settings)};
    return {.settings = std::move(parsed.settings),
            .warning = "Some settings in " + file.string() +
                       " are not legal and keep their defaults: " + joined(parsed.problems) + "."};
}

/// FILE.bad, or the first of FILE.bad-1, FILE.bad-2, ... that is free.
std::filesystem::path unused_backup_path(const std::filesystem::path& file) {
    std::filesystem::path backup = file.string() + ".bad";
    std::error_code too_long;
    for (int number = 1; std::filesystem::exists(backup, too_long); ++number)
        backup = file.string() + ".bad-" + std::to_string(number);
    return backup;
}

}  // namespace

std::filesystem::path default_settings_file() {
    const auto folder_from = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value ? value : "");
    };
    std::filesystem::path folder = folder_from("XDG_CONFIG_HOME");
    if (!folder.is_absolute()) folder = folder_from("HOME") / ".config";
    return folder.is_absolute() ? folder / "warpsieve" / "settings.json" : std::filesystem::path();
}

LoadedSettings load_settings(const std::filesystem::path& file) {
    std::error_code error;
    if (std::filesystem::status(file, error).type() == std::filesystem::file_type::not_found)
        return {.first_start = true};
    const platform::FileText read_text = platform::read_file(file, experiments::max_json_bytes);
    if (!read_text.problem.empty()) {
        return {.warning = "The settings file " + file.string() + " cannot be read (" + read_text.problem +
                           "), so the defaults apply, and settings are not saved. Name another file with "
                           "--settings.",
                .may_replace = false};
    }
    const auto set_aside = [&](const std::string& why) -> LoadedSettings {
        const std::filesystem::path target = platform::follow_links(file);
        const std::filesystem::path backup = unused_backup_path(target);
        std::filesystem::rename(target, backup, error);
        return {.warning = "The settings in " + file.string() + " cannot be used (" + why +
                           "), so the defaults apply, and " +
                           (error ? "settings are not saved."
                                  : "the file was renamed to " + backup.filename().string() + "."),
                .may_replace = !error};
    };
    json document;
    try {
        document = object_in(read_text.text);
    } catch (const compaction::Error& problem) {
        return set_aside(problem.what());
    }
    if (holds_settings(document)) return settings_of(file, document);
    return {.warning = file.string() +
                       " is not a settings file, so it is left unchanged, the defaults apply, and settings "
                       "are not saved. Name another file with --settings.",
            .may_replace = false};
}

LoadedSettings require_settings(const std::filesystem::path& file) {
    const auto refuse = [&](const std::string& why) -> compaction::Error {
        return {compaction::ErrorCode::invalid_argument,
                "The settings file " + file.string() + " cannot be used: " + why +
                    ". Leave out --settings, or name a settings file of this program."};
    };
    const platform::FileText read_text = platform::read_file(file, experiments::max_json_bytes);
    if (!read_text.problem.empty()) throw refuse(read_text.problem);
    json document;
    try {
        document = object_in(read_text.text);
    } catch (const compaction::Error& problem) {
        throw refuse(problem.what());
    }
    if (!holds_settings(document)) throw refuse("it is not a settings file");
    LoadedSettings loaded = settings_of(file, document);
    loaded.may_replace = false;
    return loaded;
}

json read_sidecar(const std::filesystem::path& file) {
    const auto refuse = [&](const std::string& why) -> compaction::Error {
        return {compaction::ErrorCode::invalid_argument,
                file.string() + " cannot be replayed: " + why +
                    ". Give a picture that this program saved, the JSON file beside it, or a file that "
                    "--json wrote."};
    };
    constexpr std::uint64_t max_picture_bytes = 256 << 20;
    platform::FileText read = platform::read_file(file, max_picture_bytes);
    if (!read.problem.empty()) throw refuse(read.problem);
    if (is_png(read.text)) {
        read.text = text_in_png(read.text);
        if (read.text.empty()) throw refuse("the picture carries no settings");
    }
    if (read.text.size() > experiments::max_json_bytes) throw refuse("it is too large");
    json sidecar;
    try {
        sidecar = experiments::parse_json(read.text);
    } catch (const compaction::Error& problem) {
        throw refuse(problem.what());
    }
    if (!sidecar.is_object() || !sidecar.contains("settings")) throw refuse("there are no settings in it");
    const ParsedSettings settings = settings_from_json(sidecar.at("settings"));
    if (!settings.problems.empty()) throw refuse(joined(settings.problems));
    return sidecar;
}

Settings sidecar_settings(const std::filesystem::path& file) {
    return settings_from_json(read_sidecar(file).at("settings")).settings;
}

namespace {

/// The settings that a file holds now; nullopt if it cannot be read.
std::optional<Settings> settings_in(const std::filesystem::path& file) {
    const platform::FileText text = platform::read_file(file, experiments::max_json_bytes);
    if (!text.problem.empty()) return std::nullopt;
    try {
        return settings_from_json(object_in(text.text)).settings;
    } catch (const compaction::Error&) {
        return std::nullopt;
    }
}

}  // namespace

void save_settings(const std::filesystem::path& file, const Settings& settings, const Settings& known) {
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    const platform::FolderLock lock(platform::follow_links(file).parent_path());
    Settings merged = settings;
    if (const std::optional<Settings> present = settings_in(file)) {
        merged = *present;
        for (const SettingDescriptor& field : schema()) {
            const Value value = field.access.get(settings);
            if (value != field.access.get(known)) field.access.set(merged, value);
        }
    }
    // json_text() replaces bytes that are not Unicode, which a path may hold.
    platform::write_file(file, experiments::json_text(settings_to_json(merged)));
}

}  // namespace warpsieve
