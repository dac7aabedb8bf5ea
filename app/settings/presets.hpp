#pragma once

#include <span>
#include <string_view>

#include "app/settings/settings.hpp"

namespace warpsieve {

/// A value of a setting, as the command line takes it.
struct PresetValue {
    std::string_view key;
    std::string_view text;
};

/// Named values of the stream settings.
struct Preset {
    std::string_view name;     ///< "1 % live"
    std::string_view meaning;  ///< one sentence
    std::span<const PresetValue> values;
    bool cuts_as_published = false;  ///< also sets the algorithm: the sequences of part 5 of the series
};
std::span<const Preset> presets();

/// Sets the stream to the defaults of this machine, then to the values of the preset.
void apply_preset(Settings& settings, const Preset& preset, const Settings& defaults);
/// The preset whose values the settings already have; null if there is none.
const Preset* current_preset(const Settings& settings, const Settings& defaults);

}  // namespace warpsieve
