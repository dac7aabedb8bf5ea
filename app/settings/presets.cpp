#include "app/settings/presets.hpp"

#include <algorithm>
#include <array>

#include "app/settings/schema.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/engine.hpp"

namespace warpsieve {
namespace {

constexpr std::array everyday{PresetValue{"density", "0.5"}};
constexpr std::array sparse{PresetValue{"density", "0.01"}};
constexpr std::array clustered{PresetValue{"source", "synthetic"}, PresetValue{"pattern", "runs"},
                               PresetValue{"density", "0.25"}};
constexpr std::array published_cut{PresetValue{"source", "synthetic"}, PresetValue{"pattern", "random"},
                                   PresetValue{"density", "0.5"}};
constexpr std::array paper{PresetValue{"source", "synthetic"}, PresetValue{"pattern", "structured"},
                           PresetValue{"slots", "2^24"}};

constexpr std::array all_presets{
    Preset{"everyday", "The fountain with half of its slots alive, in the length that suits this machine.",
           everyday},
    Preset{"1 % live", "Nearly all slots are empty, so reading costs more than writing.", sparse},
    Preset{"clustered", "Long runs of kept items between long runs of empty ones, a quarter kept.",
           clustered},
    Preset{"published cut",
           "512 equal sequences, as in the library of Parallel Stream Compaction, part 5, with random items.",
           published_cut, /*cuts_as_published=*/true},
    Preset{"paper settings", "The stream of the published measurements: every other item of 2^24.", paper},
};

/// Sets a value unless it is not allowed: an unset length in the defaults is not.
void set_if_allowed(Settings& settings, const SettingDescriptor& row, const Value& value) {
    if (row.allowed(settings).contains(value)) row.access.set(settings, value);
}

/// Chooses the sequence-wise algorithm of the engine, with the published sequences.
void cut_as_published(RunConfig& run) {
    using compaction::EngineId;
    constexpr std::uint32_t published_sequences = 512;
    const std::string prefix = run.engine == EngineId::cuda ? "" : std::string(id_of(run.engine)) + "_";
    run.a = {prefix + "sequence_wise", {}};
    const compaction::Algorithm& algorithm = compaction::find_algorithm(run.a.algorithm);
    if (const compaction::LegalRange* variants = algorithm.range_of(compaction::Option::variant)) {
        run.a.options[compaction::Option::variant] = variants->parse("published").value();
    } else if (algorithm.range_of(compaction::Option::sequences)) {
        run.a.options[compaction::Option::sequences] = published_sequences;
    }
}

}  // namespace

std::span<const Preset> presets() {
    return all_presets;
}

void apply_preset(Settings& settings, const Preset& preset, const Settings& defaults) {
    for (const SettingDescriptor& field : schema()) {
        if (field.group == groups::stream && field.key != "speed" && !field.key.starts_with("picture"))
            set_if_allowed(settings, field, field.access.get(defaults));
    }
    for (const PresetValue& value : preset.values) {
        const SettingDescriptor& row = field(value.key);
        if (const auto parsed = parse(row, settings, std::string(value.text)))
            row.access.set(settings, *parsed);
    }
    if (preset.cuts_as_published) cut_as_published(settings.run);
}

const Preset* current_preset(const Settings& settings, const Settings& defaults) {
    const auto changes_nothing = [&](const Preset& preset) {
        Settings with_preset = settings;
        apply_preset(with_preset, preset, defaults);
        return with_preset.run == settings.run;
    };
    const auto found = std::ranges::find_if(all_presets, changes_nothing);
    return found == all_presets.end() ? nullptr : &*found;
}

}  // namespace warpsieve
