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

    /// What becomes of a file is told through `tell`.
    explicit Ghost(Notify notify) : notify_(std::move(notify)) {}

    /// The run on show, or nullptr.
    const experiments::SavedRun* run() const { return run_ ? &*run_ : nullptr; }

    /// Shows the run in `file`, where it is another than before; none where it is empty. Where it cannot be
    /// read the run before stays, and `file` names that one again.
    void follow(std::filesystem::path& file);

    /// Saves `frames` in the capture folder and lets the settings name that file.
    void keep(std::span<const experiments::FrameSample> frames, Settings& settings) const;

    /// Shows the one file that was dropped on the window, read anew where it is the one on show; `file` names
    /// what is shown then.
    void take_dropped(std::span<const std::filesystem::path> dropped, std::filesystem::path& file);

  private:
    bool show(std::filesystem::path& file);

    Notify notify_;
    std::filesystem::path shown_;  ///< that run_ was read from
    std::optional<experiments::SavedRun> run_;
};

}  // namespace warpsieve
