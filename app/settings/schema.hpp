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

/// Each setting, described once. Files, the command line, clamping, change detection, the repeating command
/// and the ranges in tooltips follow from this table.
namespace warpsieve {

/// A value as files and the command line hold it. Numbers are exact up to 2^53.
using Value = std::variant<bool, double, std::string, std::vector<std::string>>;

/// The values that a setting may take.
struct AllowedValues {
    double min = 0;  ///< of numbers
    double max = 0;
    bool whole = false;                   ///< only integers
    bool zero = false;                    ///< 0 is legal too and means automatic
    bool keeps_zero = false;              ///< 0 means unset: sanitize leaves it, and files do not contain it
    std::vector<std::string> words = {};  ///< of texts; empty: any that may be a path
    std::vector<std::string> names = {};  ///< of the words, in the window; empty: the words themselves
    /// Describes values without a range.
    std::string_view any = "a text of up to 4095 bytes, 255 in each name of a path";
    const compaction::LegalRange* option = nullptr;  ///< of an option that the algorithm has

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
    std::function<AllowedValues(const Settings&)> allowed = {};
};

/// Where a setting is used besides the file and the window.
enum class Use : std::uint8_t {
    stored,  ///< nowhere
    flag,    ///< the command line takes it
    view,    ///< as `flag`; the command that repeats the run names it
    run,     ///< as `view`; a change restarts the statistics of the run
};

/// One row: a setting.
struct SettingDescriptor {
    std::string key = {};  ///< path in the JSON: "b.algorithm"
    Use use = Use::stored;
    std::string_view group = {};  ///< heading in the window and of --help
    std::string_view help = {};   ///< what the value does, without its range
    Access access = {};
    std::function<bool(const Settings&)> applies = {};  ///< whether the value has an effect; empty: always
    std::string old_key = {};                           ///< path in files of the version before, still read
    std::string flag = {};      ///< command-line option without its dashes; empty: none
    std::string old_flag = {};  ///< of the version before: still taken, not listed

    bool applies_to(const Settings& settings) const { return !applies || applies(settings); }
    AllowedValues allowed(const Settings& settings) const { return access.allowed(settings); }
};

namespace groups {
inline constexpr std::string_view stream = "Stream";
inline constexpr std::string_view algorithm = "Algorithm";
inline constexpr std::string_view launch = "Launch configuration";
inline constexpr std::string_view measurement = "Measurement";
inline constexpr std::string_view display = "Capture and display";
inline constexpr std::string_view labs = "Labs";
inline constexpr std::array all{stream, algorithm, launch, measurement, display};  ///< of --help
}  // namespace groups

/// Every setting. A row comes after those that its legal values depend on.
std::span<const SettingDescriptor> schema();
/// The row with that key, which must exist.
const SettingDescriptor& field(std::string_view key);

/// "0.25", "quad", "dark": as the command line takes it.
std::string text_of(const SettingDescriptor& field, const Settings& settings);
/// The value that the command line's text stands for; nothing where it is of another type or not legal.
std::optional<Value> parse(const SettingDescriptor& field, const Settings& settings, const std::string& text);
/// The legal values of the row with that key, under these settings.
AllowedValues allowed_of(std::string_view key, const Settings& settings);
/// The text of a tooltip with the legal values of the row as its last sentence.
std::string with_range(std::string_view text, std::string_view key, const Settings& settings);

/// Puts every number within its legal range; one that is no number gets its default.
void sanitize(Settings& settings);
/// Whether the change makes statistics restart. `compares`: B runs too.
bool restarts_statistics(const RunConfig& before, const RunConfig& after, bool compares);
/// The options of the command line that repeat a run: " --engine cpu --slots 4096".
std::string repeating_options(const Settings& settings);

}  // namespace warpsieve
