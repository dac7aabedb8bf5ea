#include "app/settings/history.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "app/settings/schema.hpp"

namespace warpsieve {
namespace {

constexpr std::size_t max_steps = 200;

}  // namespace

void copy_undoable(Settings& settings, const Settings& from) {
    for (const SettingDescriptor& field : schema()) {
        if (field.undoable) field.access.set(settings, field.access.get(from));
    }
}

bool same_undoable(const Settings& a, const Settings& b) {
    return std::ranges::all_of(schema(), [&](const SettingDescriptor& field) {
        return !field.undoable || field.access.get(a) == field.access.get(b);
    });
}

void SettingsHistory::observe(const Settings& settings, bool editing) {
    if (!current_) current_ = settings;
    // The first comparison allocates nothing.
    if (editing || *current_ == settings) return;
    if (!same_undoable(*current_, settings)) {
        if (!undo_.empty() && same_undoable(undo_.back(), settings)) {
            // The application refused the change and restored the earlier settings.
            undo_.pop_back();
        } else {
            undo_.push_back(std::move(*current_));
            if (undo_.size() > max_steps) undo_.erase(undo_.begin());
            redo_.clear();
        }
    }
    current_ = settings;
}

bool SettingsHistory::move(Settings& settings, std::vector<Settings>& from, std::vector<Settings>& to) {
    observe(settings, /*editing=*/false);
    if (from.empty()) return false;
    to.push_back(settings);
    copy_undoable(settings, from.back());
    from.pop_back();
    current_ = settings;
    return true;
}

}  // namespace warpsieve
