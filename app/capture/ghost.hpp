#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/settings/settings.hpp"
#include "app/view_model/messages.hpp"
#include "experiments/saved_run.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve {

/// The saved run that the timeline shows behind the live one.
class Ghost {
  public:
    using Notify = std::function<void(Severity severity, const std::string& text)>;

    /// `notify` receives the outcome of each file.
    explicit Ghost(Notify notify) : notify_(std::move(notify)) {}

    /// The ghost; nullptr if there is none.
    const experiments::SavedRun* run() const { return run_ ? &*run_ : nullptr; }

    /// Loads `file` if it changed; an empty path removes the ghost. On an error the ghost stays, and `file`
    /// is set back to its path.
    void follow(std::filesystem::path& file);

    /// Saves `frames` in the capture folder and sets the ghost setting to that file.
    void keep(std::span<const experiments::FrameSample> frames, Settings& settings) const;

    /// Loads a file that was dropped on the window, again if it is already the ghost, and sets `file` to the
    /// ghost's path.
    void take_dropped(std::span<const std::filesystem::path> dropped, std::filesystem::path& file);

  private:
    bool show(std::filesystem::path& file);

    Notify notify_;
    std::filesystem::path shown_;  ///< the file of run_
    std::optional<experiments::SavedRun> run_;
};

}  // namespace warpsieve
