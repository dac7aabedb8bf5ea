#include "app/settings/settings_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/settings/schema.hpp"
#include "compaction/error.hpp"
#include "platform/files.hpp"

namespace warpsieve {
namespace {

using nlohmann::json;

/// "b.algorithm" as a path in the document.
json::json_pointer pointer_to(std::string key) {
    std::ranges::replace(key, '.', '/');
    return json::json_pointer("/" + key);
}

/// The part of the document at `key`; nullptr where there is none.
const json* find(const json& document, const std::string& key) {
    if (key.empty()) return nullptr;
    const json::json_pointer pointer = pointer_to(key);
    return document.contains(pointer) ? &document.at(pointer) : nullptr;
}

json to_json(const Value& value, bool whole) {
    if (const double* number = std::get_if<double>(&value); number && whole)
        return static_cast<std::uint64_t>(*number);
    return std::visit([](const auto& each) { return json(each); }, value);
}

/// The value at `document`; nothing where its type is not that of the setting.
std::optional<Value> value_of(Kind kind, const json& document) {
    const bool texts = document.is_array() &&
                       std::ranges::all_of(document, [](const json& each) { return each.is_string(); });
    switch (kind) {
        case Kind::toggle:
            return document.is_boolean() ? std::optional<Value>(document.get<bool>()) : std::nullopt;
        case Kind::number:
        case Kind::option:
            return document.is_number() ? std::optional<Value>(document.get<double>()) : std::nullopt;
        case Kind::list:
            return texts ? std::optional<Value>(document.get<std::vector<std::string>>()) : std::nullopt;
        case Kind::word:
            // Files hold the size of an item as a number.
            if (document.is_number()) return document.dump();
            [[fallthrough]];
        case Kind::text:
        case Kind::algorithm:
            return document.is_string() ? std::optional<Value>(document.get<std::string>()) : std::nullopt;
    }
    return std::nullopt;
}

std::string type_name(Kind kind) {
    switch (kind) {
        case Kind::toggle:
            return "true or false";
        case Kind::list:
            return "a list of texts";
        default:
            return "a text";
    }
}

/// "density is 1.5 (legal: 0 to 1)".
std::string problem_with(const std::string& key, const json& value, Kind kind, const Legal& legal) {
    const std::string values = legal.describe();
    return key + " is " + value.dump(-1, ' ', false, json::error_handler_t::replace) +
           " (legal: " + (values.empty() ? type_name(kind) : values) + ")";
}

}  // namespace

json settings_to_json(const Settings& settings) {
    json document = json::object();
    for (const Field& field : schema()) {
        const Value value = field.access.get(settings);
        const Legal legal = field.access.legal(settings);
        if (legal.contains(value)) document[pointer_to(field.key)] = to_json(value, legal.whole);
    }
    return document;
}

ReadSettings settings_from_json(const json& document) {
    ReadSettings read;
    if (!document.is_object()) {
        read.problems.emplace_back("the settings are not a JSON object");
        return read;
    }
    for (const Field& field : schema()) {
        const json* const now = find(document, field.key);
        const std::string& key = now ? field.key : field.old_key;
        const json* const entry = now ? now : find(document, key);
        if (!entry) continue;
        const std::optional<Value> value = value_of(field.access.kind, *entry);
        const Legal legal = field.access.legal(read.settings);
        if (value && legal.contains(*value)) {
            field.access.set(read.settings, *value);
        } else {
            read.problems.push_back(problem_with(key, *entry, field.access.kind, legal));
        }
    }
    return read;
}

namespace {

std::string joined(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
    return text;
}

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
    std::ifstream in(file, std::ios::binary);
    const json document = json::parse(in, nullptr, false);
    if (!document.is_object()) {
        std::string warning =
            "The settings in " + file.string() + " cannot be used, so these are the defaults";
        const std::filesystem::path aside = free_name_aside(file);
        std::filesystem::rename(file, aside, error);
        if (!error) warning += "; the file is kept as " + aside.filename().string();
        return {{}, warning + "."};
    }
    ReadSettings read = settings_from_json(document);
    if (read.problems.empty()) return {std::move(read.settings), std::nullopt};
    return {std::move(read.settings), "Some settings in " + file.string() +
                                          " are not legal and keep their defaults: " + joined(read.problems) +
                                          "."};
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
    ReadSettings read = settings_from_json(sidecar.at("settings"));
    if (!read.problems.empty()) throw refuse(joined(read.problems));
    return std::move(read.settings);
}

void save_settings(const std::filesystem::path& file, const Settings& settings) {
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    // A path may hold any bytes, JSON only Unicode: bytes that are not Unicode are replaced.
    platform::write_file(
        file, settings_to_json(settings).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace warpsieve
