#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/settings/settings.hpp"
#include "app/view_model/messages.hpp"
#include "experiments/timeline.hpp"

namespace warpsieve {

/// The saved run that the timeline shows behind the live one.
class Ghost {
  public:
    using Notify = std::function<void(Severity severity, const std::string& text)>;

    /// `notify` receives the outcome of each file. Files are read by a thread; `wait`: finishes a file within
    /// the call, for runs that must be repeatable.
    Ghost(Notify notify, bool wait) : notify_(std::move(notify)), wait_(wait) {}

    /// The ghost; nullptr if there is none.
    const experiments::SavedRun* run() const { return run_ ? &*run_ : nullptr; }

    /// Call in every frame. Loads the file of the ghost setting if it changed; an empty path removes the
    /// ghost. On an error the ghost stays, and the setting is set back to its path.
    void follow(std::filesystem::path& setting);

    /// Saves `frames` below `header` (csv_header) in the capture folder and sets the ghost setting to that
    /// file.
    void save(const experiments::FrameLogs& frames, const std::string& header, Settings& settings) const;

    /// Sets the ghost setting to the one file of `files`, which the user dropped. `follow` then loads it,
    /// even if it is already the ghost.
    void open(std::span<const std::filesystem::path> files, std::filesystem::path& setting);

  private:
    void collect_loaded(std::filesystem::path& setting);

    Notify notify_;
    bool wait_;
    bool was_dropped_ = false;         ///< the file to load was dropped on the window
    std::filesystem::path shown_;      ///< the file of run_
    std::filesystem::path requested_;  ///< the file that load_ reads
    std::future<experiments::SavedRun> load_;
    std::optional<experiments::SavedRun> run_;
};

}  // namespace warpsieve
