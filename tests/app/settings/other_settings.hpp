#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/settings/schema.hpp"

namespace warpsieve::fake {

/// An allowed value that differs from the one in `settings`.
inline Value other_value(const SettingDescriptor& setting, const Settings& settings) {
    const AllowedValues allowed = setting.allowed(settings);
    const Value value = setting.access.get(settings);
    if (const bool* on = std::get_if<bool>(&value)) return !*on;
    if (std::holds_alternative<double>(value)) {
        const double number = allowed.min + 0.375 * (allowed.max - allowed.min);
        return allowed.whole ? std::floor(number) : number;
    }
    if (std::holds_alternative<std::vector<std::string>>(value))
        return std::vector<std::string>{"cpu_loop", "std_copy_if"};
    const auto word =
        std::ranges::find_if(allowed.words, [&](const std::string& each) { return Value(each) != value; });
    return word == allowed.words.end() ? "/tmp/pictures of Zürich" : *word;
}

/// Settings that differ from the defaults in every setting that is kept, on the CPU engine.
inline Settings other_settings() {
    Settings settings;
    for (const SettingDescriptor& setting : schema()) {
        if (setting.access.kind == Kind::algorithm || setting.access.kind == Kind::option) continue;
        setting.access.set(settings, other_value(setting, settings));
    }
    settings.run.a = {.algorithm = "cpu_sequence_wise", .options = {}};
    settings.run.b = {.algorithm = "cpu_single_pass", .options = {}};
    settings.run.a.options[compaction::Option::vector_width] = 2;
    settings.run.b.options[compaction::Option::vector_width] = 4;
    return settings;
}

}  // namespace warpsieve::fake
