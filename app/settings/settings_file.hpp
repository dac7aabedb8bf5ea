#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "app/settings/settings.hpp"

namespace warpsieve {

/// $XDG_CONFIG_HOME/warpsieve/settings.json, or below ~/.config.
std::filesystem::path default_settings_file();

struct LoadedSettings {
    Settings settings;
    std::optional<std::string> warning;  ///< one sentence, where the file could not be used
};

/// Reads the settings; defaults where there is no file. A file that is not what save_settings writes
/// (truncated, garbage, out of range) is kept aside as FILE.bad and replaced by the defaults. Never throws.
LoadedSettings load_settings(const std::filesystem::path& file);

/// The settings as JSON, and back. The way back throws an exception that says what is out of range or of
/// another type; what a file of an earlier version does not know has its default.
nlohmann::json settings_to_json(const Settings& settings);
Settings settings_from_json(const nlohmann::json& document);

/// The settings that a sidecar of a capture, a recording or `--json` keeps. Throws
/// compaction::Error{invalid_argument} where the file is none.
Settings load_sidecar(const std::filesystem::path& file);

/// Writes whole or not at all. Throws std::filesystem::filesystem_error.
void save_settings(const std::filesystem::path& file, const Settings& settings);

}  // namespace warpsieve
