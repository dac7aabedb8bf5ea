#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/settings/settings.hpp"
#include "compaction/options.hpp"

/// Each setting, described once. Files, the command line, clamping, change detection, the command that
/// repeats a run, undo, the controls of the left column, their reset, the command palette and the change card
/// follow from this table.
namespace warpsieve {

/// A value as files and the command line hold it. Numbers are exact up to 2^53.
using Value = std::variant<bool, double, std::string, std::vector<std::string>>;

/// The values that a setting may take.
struct AllowedValues {
    double min = 0;  ///< smallest number
    double max = 0;
    bool whole = false;                   ///< only integers
    bool zero_is_automatic = false;       ///< 0 is legal too and means automatic
    bool zero_is_unset = false;           ///< 0 means unset: sanitize leaves it, and files do not contain it
    std::vector<std::string> words = {};  ///< allowed texts; empty: any that is short enough for a path
    std::vector<std::string> names = {};  ///< names of the words in the window; empty: the words themselves
    std::vector<std::string> meanings = {};   ///< tooltips of the words in a menu
    std::vector<std::string> old_words = {};  ///< words of earlier builds: still legal, not listed
    std::string_view placeholder = "FOLDER";  ///< of a text without words, in --help
    std::string_view description_without_range = "a text of up to 4095 bytes, 255 in each name of a path";
    const compaction::LegalRange* option = nullptr;  ///< range of an option that the algorithm has

    bool contains(const Value& value) const;
    /// The name of a word.
    std::string_view name_of(std::string_view word) const;
    /// "0 to 1", "dark or light", "true or false".
    std::string describe() const;
};

enum class Kind : std::uint8_t { toggle, number, text, list, algorithm, option };

/// How to read and write the value in the settings.
struct Access {
    Kind kind = Kind::text;
    std::function<Value(const Settings&)> get = {};
    std::function<void(Settings&, const Value&)> set = {};  ///< the value must be legal
    std::function<AllowedValues(const Settings&, const CatalogueInfo&)> allowed = {};
};

enum class ControlKind : std::uint8_t {
    custom,  ///< drawn by the code of a panel
    segments,
    menu,
    slider,
    doubling_slider,  ///< each step doubles the value
    number_field,
};

/// The control of a setting in the window.
struct Control {
    ControlKind kind = ControlKind::custom;
    std::string_view label = {};    ///< also in the command palette and the change card; empty: no control
    std::string_view tooltip = {};  ///< empty: that of the chosen word
    std::string_view shortcut = {};
    std::string_view label_on_cpu = {};  ///< empty: `label`
    std::string_view tooltip_on_cpu = {};
    double steps_per_unit = 1;                ///< steps of a slider from one whole value to the next
    std::optional<double> slider_max = {};    ///< right end of a slider that stops before the largest value
    double scale = 1;                         ///< shown value of 1: 100 for percent
    std::string_view unit = {};               ///< after the value
    std::string_view unit_of_one = {};        ///< unit after the value 1; empty: `unit`
    std::string (*format)(double) = nullptr;  ///< the value as text; null: all its digits
    bool names_range = false;                 ///< the tooltip ends with the allowed range
    /// Why the setting has no effect now; empty if it has an effect.
    std::function<std::string(const Settings&)> disabled_reason = {};

    /// The text of a number, without its unit.
    std::string figure(double value) const;
    std::string_view label_on(compaction::EngineId engine) const {
        return engine == compaction::EngineId::cpu && !label_on_cpu.empty() ? label_on_cpu : label;
    }
    std::string_view tooltip_on(compaction::EngineId engine) const {
        return engine == compaction::EngineId::cpu && !tooltip_on_cpu.empty() ? tooltip_on_cpu : tooltip;
    }
};

/// Where a setting is used besides the file and the window. In ascending order: from `flag` on, each value
/// includes the one before.
enum class Use : std::uint8_t {
    internal,  ///< nowhere; the command palette omits it, because the window sets it by itself
    stored,    ///< nowhere
    flag,      ///< the command line takes it
    view,      ///< as `flag`; the command that repeats the run names it
    run,       ///< as `view`; a change restarts the statistics of the run
};

/// One setting.
struct SettingDescriptor {
    std::string key = {};  ///< path in the JSON: "b.algorithm"
    Use use = Use::stored;
    std::string_view help = {};  ///< what the value does, without its range
    Access access = {};
    Control control = {};
    bool undoable = false;                              ///< undo and "reset all" cover it
    std::function<bool(const Settings&)> applies = {};  ///< whether the value has an effect; empty: always
    std::string_view group = {};                        ///< heading in the window and of --help
    std::optional<Side> side = {};                      ///< set if A and B have one each
    std::optional<compaction::Option> option = {};      ///< the launch option that it sets
    std::string old_key = {};                           ///< path in files of the previous version, still read
    std::string flag = {};      ///< command-line option without its dashes; empty: none
    std::string old_flag = {};  ///< flag of the previous version: still accepted, not listed

    bool applies_to(const Settings& settings) const { return !applies || applies(settings); }
    AllowedValues allowed(const Settings& settings, const CatalogueInfo& catalogue = {}) const {
        return access.allowed(settings, catalogue);
    }
};

namespace groups {
inline constexpr std::string_view stream = "Stream";
inline constexpr std::string_view algorithm = "Algorithm";
inline constexpr std::string_view launch = "Launch configuration";
inline constexpr std::string_view measurement = "Measurement";
inline constexpr std::string_view display = "Capture and display";
inline constexpr std::string_view labs = "Labs";
/// The groups with command-line options, in the order of --help.
inline constexpr std::array in_help{stream, algorithm, launch, measurement, display};
}  // namespace groups

/// Every setting. A setting follows those that its allowed values depend on.
std::span<const SettingDescriptor> schema();
/// The setting with that key, which must exist.
const SettingDescriptor& field(std::string_view key);

/// "0.25", "quad", "dark": as the command line takes it.
std::string text_of(const SettingDescriptor& field, const Settings& settings);
/// A value as the window shows it: "2¹⁸ = 262,144", "50 %", "quad", "automatic". `range`: of a launch option.
std::string shown_text(const SettingDescriptor& field, const Value& value,
                       const compaction::LegalRange* range = nullptr);
/// The value that the command line's text stands for; nullopt if its type is wrong or the value is not
/// allowed.
std::optional<Value> parse(const SettingDescriptor& field, const Settings& settings, const std::string& text,
                           const CatalogueInfo& catalogue = {});

bool is_available(const CatalogueInfo& catalogue, compaction::EngineId engine);

/// The algorithm that the settings name for a side, or else the engine's default: its first algorithm, for B
/// the first that differs from A's. nullptr if the engine has none.
const compaction::Algorithm* chosen_algorithm(const CatalogueInfo& catalogue, const Settings& settings,
                                              Side side = Side::a);

/// Makes every setting allowed. Replaces an engine that cannot run by one that can, an unknown algorithm by
/// its engine's first, and an option that the algorithm does not take by `automatic`. Puts every number
/// within its range; one that is no number gets its default. Call it where settings are loaded;
/// Interface::build ends with it.
void sanitize(Settings& settings, const CatalogueInfo& catalogue = {});
/// Whether the change restarts the statistics. `compares`: B runs too.
bool restarts_statistics(const RunConfig& before, const RunConfig& after, bool compares);
/// The options of the command line that repeat a run: " --engine cpu --slots 4096".
std::string options_to_repeat(const Settings& settings);

}  // namespace warpsieve
