#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/settings.hpp"

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

/// Writes whole or not at all. Throws std::filesystem::filesystem_error.
void save_settings(const std::filesystem::path& file, const Settings& settings);

}  // namespace warpsieve
