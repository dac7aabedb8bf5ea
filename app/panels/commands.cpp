#include <algorithm>
#include <array>
#include <filesystem>

#include "app/format/figures.hpp"
#include "app/kernel_view/plants.hpp"
#include "app/panels/choices.hpp"
#include "app/panels/command_palette.hpp"
#include "app/panels/labs/lab_panel.hpp"
#include "app/panels/query.hpp"
#include "app/panels/shortcuts.hpp"
#include "app/panels/view_panel.hpp"
#include "app/settings/presets.hpp"
#include "app/settings/schema.hpp"
#include "app/tour/tour.hpp"

namespace warpsieve::panels {
namespace {

/// The label of the setting's control, else its key in words. For a setting of a lab always the key, which is
/// more specific than the label.
std::string name_of_setting(const SettingDescriptor& setting, compaction::EngineId engine) {
    const std::string prefix = setting.side == Side::b         ? "B: "
                               : setting.group == groups::labs ? "labs: "
                                                               : "";
    const std::string_view label = setting.control.label_on(engine);
    if (!label.empty() && setting.group != groups::labs) return prefix + std::string(label);
    std::string words = setting.key.substr(setting.key.find('.') + 1);
    for (const char separator : {'.', '_', '-'}) std::ranges::replace(words, separator, ' ');
    return prefix + words;
}

void add_setting(std::vector<Command>& commands, const SettingDescriptor& setting, const Ui& ui) {
    const Settings& settings = ui.settings;
    const std::string name = name_of_setting(setting, settings.run.engine);
    const AllowedValues allowed = setting.allowed(settings, ui.snapshot.catalogue);
    const auto add_value = [&](const std::string& value_name, Value value) {
        commands.push_back({name + ": " + value_name, std::string(setting.help),
                            [&setting, value](Ui& target) { setting.access.set(target.settings, value); }});
    };
    if (setting.key == "engine") {
        for (const compaction::EngineStatus& engine : ui.snapshot.catalogue.engines) {
            if (!engine.available) continue;
            commands.push_back({name + ": " + engine.name, std::string(setting.help), [&engine](Ui& target) {
                                    choose_engine(target.snapshot.catalogue, target.settings, engine.id);
                                }});
        }
        return;
    }
    const auto add_kernel_choices = [&](const std::string& kind,
                                        void (*choose)(Settings&, const std::string&)) {
        for (const std::string& word : allowed.words)
            commands.push_back({kind + ": " + std::string(allowed.name_of(word)),
                                std::string(setting.help) + ": " + word, [word, choose](Ui& target) {
                                    choose(target.settings, word);
                                    target.settings.window.tab = kernel_tab;
                                }});
    };
    if (setting.key == "kernel_lesson") return add_kernel_choices("kernel lesson", choose_lesson);
    if (setting.key == "kernel_plant") {
        if (kernel_view::can_plant()) add_kernel_choices("kernel fault", choose_plant);
        return;
    }
    switch (setting.access.kind) {
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
                                "now " + text_of(setting, settings) + "; type a value: " + allowed.describe(),
                                {},
                                setting.key});
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

struct Synonyms {
    std::string_view words;  ///< words that other programs use for the commands
    std::string_view name;   ///< part of the names of the commands, in lower case
};
constexpr std::array synonyms{
    Synonyms{"screenshot snapshot photo image save png", "capture a picture"},
    Synonyms{"screenshot image export save png svg vector", "picture of one plot"},
    Synonyms{"gif video film movie animation screencast webm", "recording"},
    Synonyms{"export save output directory path location", "capture folder"},
    Synonyms{"open load import file browse restore", "open a capture"},
    Synonyms{"density selectivity sparsity occupancy keep fraction probability", "live fraction"},
    Synonyms{"help hotkeys keyboard shortcuts bindings ? f1", "this list"},
    Synonyms{"zoom dpi bigger font size", "larger text"},
    Synonyms{"zoom dpi font size", "smaller text"},
    Synonyms{"dpi font size", "ui scale"},
    Synonyms{"appearance mode colours colors skin", "theme"},
    Synonyms{"size length items elements number count", "slots"},
    Synonyms{"gpu processor device backend hardware", "engine"},
    Synonyms{"method kernel implementation", "algorithm"},
    Synonyms{"play stop freeze continue halt", "pause or resume"},
    Synonyms{"restart rewind clear", "reset"},
    Synonyms{"fullscreen full screen kiosk slides", "presentation"},
    Synonyms{"tutorial guide introduction learn", "guided tour"},
    Synonyms{"compare versus vs split side by side", "a/b lens"},
    Synonyms{"compare contest competition ranking", "view: race"},
    Synonyms{"benchmark experiment measure", "view: lab"},
    Synonyms{"profiler trace frames history gantt", "view: timeline"},
    Synonyms{"memory grid buffer heat map", "view: slot map"},
    Synonyms{"scene 3d slow motion animation", "view: particles"},
    Synonyms{"exit close leave", "quit"},
    Synonyms{"revert back", "undo"},
    Synonyms{"repeat forward", "redo"},
    Synonyms{"verify validate test correctness reference", "check"},
    Synonyms{"random shuffle", "seed"},
    Synonyms{"bug race hazard planted missing __syncthreads __syncwarp fence", "kernel fault"},
    Synonyms{"block size blockdim workgroup", "threads per block"},
    Synonyms{"grid size griddim", "blocks"},
    Synonyms{"simd lanes float4 vectorize", "vector width"},
    Synonyms{"samples repeat loops repetitions", "iterations"},
    Synonyms{"statistics table plot panel", "the timings"},
    Synonyms{"clear factory defaults", "reset all settings"},
};

/// The words that other programs use for the command, each after a space.
std::string synonyms_of(std::string_view name) {
    std::string found;
    for (const Synonyms& entry : synonyms) {
        if (name.find(entry.name) != std::string_view::npos) found += " " + std::string(entry.words);
    }
    return found;
}

/// The rank of a command: the smaller, the better. First come names that contain all words, then those with
/// synonyms, then commands that have some of the words in their details. Within a group, the place of the
/// first word in the name decides.
int rank_of(const std::string& name, const std::string& name_synonyms,
            const std::vector<std::string>& words) {
    const auto is_in_name = [&](const std::string& word) { return name.find(word) != std::string::npos; };
    const auto is_known = [&](const std::string& word) {
        return is_in_name(word) || name_synonyms.find(" " + word) != std::string::npos;
    };
    const int group = std::ranges::all_of(words, is_in_name) ? 0
                      : std::ranges::all_of(words, is_known) ? 1
                                                             : 2;
    constexpr int ranks_per_group = 4;
    const int best_rank = group * ranks_per_group;
    // "view: slot map" begins with "slot", too.
    if (words.empty() || name.starts_with(words[0]) || name.find(": " + words[0]) != std::string::npos)
        return best_rank;
    if (name.find(" " + words[0]) != std::string::npos) return best_rank + 1;
    return best_rank + (is_in_name(words[0]) ? 2 : 3);
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
             [&preset](Ui& target) { apply_preset(target.settings, preset, *target.defaults); }});
    }
    for (const std::string& path : ui.settings.window.recent) {
        commands.push_back({"open: " + std::filesystem::path(path).filename().string(), path,
                            [path](Ui& target) { target.requests.open = path; }});
    }
    add_algorithms(commands, ui);
    for (const SettingDescriptor& setting : schema()) {
        // The views are commands of their own.
        if (setting.use != Use::internal && setting.key != "tab" && setting.applies_to(ui.settings))
            add_setting(commands, setting, ui);
    }
    for (const Shortcut& shortcut : shortcuts())
        commands.push_back({shortcut.action, "key " + shortcut.keys, shortcut.act});
    commands.push_back({"reset all settings", "run, labs, theme and scale",
                        [](Ui& target) { copy_undoable(target.settings, *target.defaults); }});
    return commands;
}

std::vector<const Command*> matching_commands(const std::vector<Command>& commands, std::string_view query) {
    const std::vector<std::string> words = lower_words(query);
    struct Match {
        int rank;
        const Command* command;
    };
    std::vector<Match> found;
    for (const Command& command : commands) {
        const std::string name = lower(command.name);
        const std::string synonyms_of_name = synonyms_of(name);
        const std::string text = name + synonyms_of_name + " " + lower(command.detail);
        const auto is_in_text = [&](const std::string& word) { return text.find(word) != std::string::npos; };
        // The last word may be the value that is typed for a number.
        const bool takes_value = !command.setting_key.empty() && words.size() > 1;
        if (!std::all_of(words.begin(), words.end() - (takes_value ? 1 : 0), is_in_text)) continue;
        if (takes_value && !is_in_text(words.back()) && !may_be_value(command, words.back())) continue;
        found.push_back({rank_of(name, synonyms_of_name, words), &command});
    }
    std::ranges::stable_sort(found, {}, &Match::rank);
    std::vector<const Command*> best;
    for (const Match& match : found) best.push_back(match.command);
    return best;
}

}  // namespace warpsieve::panels
