#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/settings.hpp"

namespace warpsieve {

/// $XDG_CONFIG_HOME/warpsieve/settings.json, or below $HOME/.config. Empty if neither is an absolute path.
std::filesystem::path default_settings_file();

struct LoadedSettings {
    Settings settings = {};
    std::optional<std::string> warning = {};  ///< set if the file could not be used as it is
    bool first_start = false;                 ///< there is no file yet
    bool may_replace = true;                  ///< whether the file may be replaced
};

/// Reads the settings for a start with a window; defaults if there is no file. Illegal values get their
/// defaults, and the warning names each. A regular file that is no JSON object is renamed to FILE.bad. A file
/// that cannot be read, and a JSON object that holds something else, stay as they are. Never throws.
LoadedSettings load_settings(const std::filesystem::path& file);

/// Reads the settings for a start without a window, which must not write the file. Throws
/// compaction::Error{invalid_argument} if there is no file or it holds no settings.
LoadedSettings require_settings(const std::filesystem::path& file);

struct ParsedSettings {
    Settings settings;
    std::vector<std::string> problems;  ///< "density is 1.5 (legal: 0 to 1)": one for each illegal value
};

/// The settings as JSON, and back. Missing and illegal values get their defaults.
nlohmann::json settings_to_json(const Settings& settings);
ParsedSettings settings_from_json(const nlohmann::json& document);

/// Reads the sidecar of a capture or of a recording, or a file that `--json` wrote. `file`: that file, or a
/// picture that carries the sidecar. Throws compaction::Error{invalid_argument} if it has no settings or one
/// is illegal.
nlohmann::json read_sidecar(const std::filesystem::path& file);
/// The settings in the sidecar `file`.
Settings sidecar_settings(const std::filesystem::path& file);

/// Writes only the values of `settings` that differ from `known`, which is what this process last read or
/// wrote. The other values stay as the file has them, because several processes may use one file. If the
/// file is missing or unreadable, writes all values. Writes whole or not at all. Throws
/// std::filesystem::filesystem_error.
void save_settings(const std::filesystem::path& file, const Settings& settings, const Settings& known);

}  // namespace warpsieve
