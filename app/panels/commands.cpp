#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "app/format/figures.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/command_palette.hpp"
#include "app/panels/labs/lab_panel.hpp"
#include "app/panels/shortcuts.hpp"
#include "app/panels/view_panel.hpp"
#include "app/settings/presets.hpp"
#include "app/settings/schema.hpp"
#include "app/tour/tour.hpp"

namespace warpsieve::panels {
namespace {

std::string lower(std::string_view text) {
    std::string lowered(text);
    std::ranges::transform(lowered, lowered.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lowered;
}

/// The label of the setting's control, else its key in words. A setting of a lab always shows its key, which
/// says more than the label.
std::string name_of_setting(const SettingDescriptor& field, compaction::EngineId engine) {
    const std::string prefix = field.side == Side::b ? "B: " : field.group == groups::labs ? "labs: " : "";
    const std::string_view label = field.control.label_on(engine);
    if (!label.empty() && field.group != groups::labs) return prefix + std::string(label);
    std::string words = field.key.substr(field.key.find('.') + 1);
    for (const char joint : {'.', '_', '-'}) std::ranges::replace(words, joint, ' ');
    return prefix + words;
}

void add_setting(std::vector<Command>& commands, const SettingDescriptor& field, const Ui& ui) {
    const Settings& settings = ui.settings;
    const std::string name = name_of_setting(field, settings.run.engine);
    const AllowedValues allowed = field.allowed(settings, ui.snapshot.catalogue);
    const auto add_value = [&](const std::string& value_name, Value value) {
        commands.push_back({name + ": " + value_name, std::string(field.help),
                            [&field, value](Ui& target) { field.access.set(target.settings, value); }});
    };
    switch (field.access.kind) {
        case Kind::toggle:
            add_value("on", true);
            return add_value("off", false);
        case Kind::text:
            for (const std::string& word : allowed.words) add_value(std::string(allowed.name_of(word)), word);
            return;
        case Kind::option:
            if (!allowed.option) return;
            [[fallthrough]];
        case Kind::number:
            commands.push_back({name,
                                "now " + text_of(field, settings) + "; type a value: " + allowed.describe(),
                                {},
                                field.key});
            return;
        case Kind::list:
        case Kind::algorithm:
            return;
    }
}

void add_algorithms(std::vector<Command>& commands, const Ui& ui) {
    for (const compaction::Algorithm& algorithm : ui.snapshot.catalogue.algorithms) {
        if (!is_available(ui.snapshot.catalogue, algorithm.engine) || !algorithm.is_available()) continue;
        commands.push_back({"algorithm: " + algorithm.name, algorithm.id, [&algorithm](Ui& target) {
                                choose_algorithm(target.snapshot.catalogue, target.settings, algorithm,
                                                 target.edited());
                            }});
    }
}

/// Whether `word` can be a value: it begins with a digit, or it is the name of a value.
bool may_be_value(const Command& command, const std::string& word) {
    return parse(field(command.setting_key), Settings{}, word).has_value() ||
           (word[0] >= '0' && word[0] <= '9');
}

/// Commands whose name has all words come first; the others have some of them in their details.
int rank_of(const std::string& name, const std::vector<std::string>& words) {
    const auto is_in_name = [&](const std::string& word) { return name.find(word) != std::string::npos; };
    const int base = std::ranges::all_of(words, is_in_name) ? 0 : 4;
    // "view: slot map" begins with "slot", too.
    if (words.empty() || name.starts_with(words[0]) || name.find(": " + words[0]) != std::string::npos)
        return base;
    if (name.find(" " + words[0]) != std::string::npos) return base + 1;
    return base + (is_in_name(words[0]) ? 2 : 3);
}

}  // namespace

std::vector<Command> all_commands(const Ui& ui) {
    std::vector<Command> commands;
    for (const ViewType& tab : tabs()) {
        commands.push_back({"view: " + std::string(tab.name), "key " + std::string(1, tab.key),
                            [&tab](Ui& target) { target.settings.window.tab = tab.id; }});
    }
    for (std::size_t i = 0; i < tour::num_steps; ++i) {
        commands.push_back({"tour: " + std::string(tour::steps()[i].title),
                            "step " + std::to_string(i + 1) + " of the guided tour",
                            [i](Ui& target) { target.requests.tour_step = i; }});
    }
    for (const LabType& lab : all_labs()) {
        commands.push_back({"lab: " + std::string(lab.name), std::string(lab.meaning), [&lab](Ui& target) {
                                target.settings.window.tab = labs_tab;
                                target.settings.labs.lab = lab.id;
                            }});
    }
    for (const Preset& preset : presets()) {
        commands.push_back(
            {"preset: " + std::string(preset.name), format::with_powers(preset.meaning),
             [&preset](Ui& target) { take_preset(target.settings, preset, *target.defaults); }});
    }
    for (const std::string& path : ui.settings.window.recent) {
        commands.push_back({"open: " + std::filesystem::path(path).filename().string(), path,
                            [path](Ui& target) { target.requests.open = path; }});
    }
    add_algorithms(commands, ui);
    for (const SettingDescriptor& field : schema()) {
        // The views are commands of their own.
        if (field.use != Use::internal && field.key != "tab" && field.applies_to(ui.settings))
            add_setting(commands, field, ui);
    }
    for (const Shortcut& shortcut : shortcuts())
        commands.push_back({shortcut.action, "key " + shortcut.keys, shortcut.act});
    commands.push_back({"reset all settings", "run, labs, theme and scale",
                        [](Ui& target) { copy_undoable(target.settings, *target.defaults); }});
    return commands;
}

std::vector<const Command*> matches(const std::vector<Command>& commands, std::string_view query) {
    std::vector<std::string> words;
    const std::string wanted = lower(query);
    for (std::size_t at = 0; at < wanted.size();) {
        const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
        if (end > at) words.push_back(wanted.substr(at, end - at));
        at = end + 1;
    }
    struct Match {
        int rank;
        const Command* command;
    };
    std::vector<Match> found;
    for (const Command& command : commands) {
        const std::string name = lower(command.name);
        const std::string text = name + " " + lower(command.detail);
        // The last word may be the value that is typed for a number.
        const bool takes_value = !command.setting_key.empty() && words.size() > 1;
        const auto end = words.end() - (takes_value ? 1 : 0);
        const bool all = std::all_of(words.begin(), end, [&](const std::string& word) {
            return text.find(word) != std::string::npos;
        });
        const bool value_matches = takes_value && text.find(words.back()) != std::string::npos;
        if (!all || (takes_value && !value_matches && !may_be_value(command, words.back()))) continue;
        found.push_back({rank_of(name, words), &command});
    }
    std::ranges::stable_sort(found, {}, &Match::rank);
    std::vector<const Command*> best;
    for (const Match& match : found) best.push_back(match.command);
    return best;
}

}  // namespace warpsieve::panels
