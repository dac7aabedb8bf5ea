#pragma once

#include <optional>
#include <vector>

#include "app/settings/settings.hpp"

namespace warpsieve {

/// Undo and redo. A step is the whole set of settings that undo covers: the run, the labs, themes and scale.
/// Where the window is, which tab and lab it shows, and whether the scene is paused are not settings here.
class SettingsHistory {
  public:
    /// Call once per frame. Notes a change since the last call as one step; waits while `editing`, so that a
    /// drag is one step. Allocates only after a change.
    void observe(const Settings& settings, bool editing);

    /// Returns to the settings before the last step, or to those after it; false where there are none.
    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }
    bool undo(Settings& settings) { return move(settings, undo_, redo_); }
    bool redo(Settings& settings) { return move(settings, redo_, undo_); }

  private:
    bool move(Settings& settings, std::vector<Settings>& from, std::vector<Settings>& to);

    std::optional<Settings> current_;
    std::vector<Settings> undo_;  ///< oldest first
    std::vector<Settings> redo_;
};

/// Whether undo has nothing to do between the two.
bool same_step(const Settings& a, const Settings& b);

/// Sets what undo covers to the values of `from`.
void take_step(Settings& settings, const Settings& from);

}  // namespace warpsieve
