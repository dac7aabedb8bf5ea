#include "app/settings/history.hpp"

#include <cstddef>
#include <utility>

namespace warpsieve {
namespace {

constexpr std::size_t most_steps = 200;

}  // namespace

void take_step(Settings& settings, const Settings& from) {
    const bool paused = settings.run.paused;
    std::string lab = std::move(settings.labs.lab);
    settings.run = from.run;
    settings.run.paused = paused;
    settings.labs = from.labs;
    settings.labs.lab = std::move(lab);
    settings.window.theme = from.window.theme;
    settings.window.plot_theme = from.window.plot_theme;
    settings.window.scale = from.window.scale;
}

bool same_step(const Settings& a, const Settings& b) {
    if (a.window.theme != b.window.theme || a.window.plot_theme != b.window.plot_theme ||
        a.window.scale != b.window.scale)
        return false;
    if (a.run == b.run && a.labs == b.labs) return true;
    Settings with_a = b;
    take_step(with_a, a);
    return with_a == b;
}

void SettingsHistory::observe(const Settings& settings, bool editing) {
    if (!current_) current_ = settings;
    // The first comparison allocates nothing.
    if (editing || *current_ == settings) return;
    if (!same_step(*current_, settings)) {
        if (!undo_.empty() && same_step(undo_.back(), settings)) {
            // A refused change was taken back.
            undo_.pop_back();
        } else {
            undo_.push_back(std::move(*current_));
            if (undo_.size() > most_steps) undo_.erase(undo_.begin());
            redo_.clear();
        }
    }
    current_ = settings;
}

bool SettingsHistory::move(Settings& settings, std::vector<Settings>& from, std::vector<Settings>& to) {
    observe(settings, false);
    if (from.empty()) return false;
    to.push_back(settings);
    take_step(settings, from.back());
    from.pop_back();
    current_ = settings;
    return true;
}

}  // namespace warpsieve
