#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <utility>

#include "app/settings/settings.hpp"

namespace warpsieve {

/// Writes the settings file a second after the last change, on a thread, so that a crash loses little and no
/// frame waits. Writes only what this process has changed.
class SettingsWriter {
  public:
    /// `file`: empty to write nothing. `loaded`: what was read from it. `notify` receives a failure, once.
    SettingsWriter(std::filesystem::path file, Settings loaded,
                   std::function<void(const std::string& sentence)> notify)
        : file_(std::move(file)), known_(std::move(loaded)), notify_(std::move(notify)) {}

    /// Call once per frame. Allocates only when the settings have changed.
    void observe(const Settings& settings, double now_s);

    /// Waits until a write in progress is done.
    void finish();
    /// Writes at once. Throws std::filesystem::filesystem_error.
    void save(const Settings& settings);

  private:
    std::filesystem::path file_;
    Settings known_;  ///< what this process last read from the file or wrote to it
    Settings being_written_;
    std::function<void(const std::string&)> notify_;
    bool observed_ = false;             ///< whether observe() was called before
    Settings last_settings_;            ///< settings in the last call of observe()
    bool changed_ = false;              ///< whether they have changed since the last write
    double changed_s_ = 0;              ///< time of the last change, on the clock of observe()
    bool failed_ = false;               ///< whether the last write failed
    std::future<std::string> writing_;  ///< gives the reason of a failure, or ""
};

}  // namespace warpsieve
