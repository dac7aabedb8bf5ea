#pragma once

#include <optional>
#include <vector>

#include "app/settings/settings.hpp"

namespace warpsieve {

/// Undo and redo. A step is the whole set of settings that undo covers: the run, the labs, themes and scale.
/// Undo ignores the position of the window, the shown tab and lab, and whether the scene is paused.
class SettingsHistory {
  public:
    /// Call once per frame. Records a change since the last call as one step, but not while `editing`, so
    /// that a drag is one step. Allocates only after a change.
    void observe(const Settings& settings, bool editing);

    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }
    /// Returns to the settings before the last step. Returns false if there is no step.
    bool undo(Settings& settings) { return move(settings, undo_, redo_); }
    /// Repeats the step that was undone last. Returns false if there is none.
    bool redo(Settings& settings) { return move(settings, redo_, undo_); }

  private:
    bool move(Settings& settings, std::vector<Settings>& from, std::vector<Settings>& to);

    std::optional<Settings> current_;
    std::vector<Settings> undo_;  ///< oldest first
    std::vector<Settings> redo_;
};

/// Whether all settings that undo covers have equal values in `a` and `b`.
bool same_undoable(const Settings& a, const Settings& b);

/// Copies the settings that undo covers.
void copy_undoable(Settings& settings, const Settings& from);

}  // namespace warpsieve
