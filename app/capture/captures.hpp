#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "app/capture/picture.hpp"
#include "app/capture/recording.hpp"
#include "app/gl/context.hpp"
#include "app/panels/interface.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// Captures the window: pictures with a provenance strip, and recordings. Threads write the files, so that
/// the window does not wait.
class Captures {
  public:
    /// Receives the outcome: a file name, or a reason and a remedy.
    using Notify = std::function<void(Severity, const std::string&)>;

    /// `interrupted`: set when the program is to end soon.
    Captures(gl::Context& context, panels::Interface& interface, const std::atomic<bool>& interrupted,
             Notify notify)
        : context_(context),
          interface_(interface),
          drawer_(context),
          interrupted_(interrupted),
          notify_(std::move(notify)) {}

    /// Requests captures of the next frame, which is then built without tooltips and transient messages.
    void request(const Requests& requests) { next_requests_ = requests; }
    bool wants_picture() const { return requests_.capture || requests_.capture_plot; }

    /// Takes the captures requested before this frame. Call after drawing. Reports finished files.
    void take(const Snapshot& snapshot, const Settings& settings);
    /// Waits until all files are written. `wait_for_opengl`: see Recording::finish. Without it, or when the
    /// program is interrupted, unfinished animations are cancelled.
    void finish(bool wait_for_opengl = true);
    /// Writes the state of the recording.
    void fill(Snapshot& snapshot) const;

  private:
    /// Captures the drawn window, with the provenance strip below it.
    void take_window(const Snapshot& snapshot, const Settings& settings);
    /// Captures the focused plot at twice the scale in the plot theme.
    void take_plot(const Snapshot& snapshot, const Settings& settings);
    /// The focused plot and its provenance strip as SVG, in the current style; empty without a plot.
    std::string svg_of_plot(const Snapshot& snapshot, const Settings& settings, gl::PixelSize size,
                            const Provenance& provenance);
    void toggle_recording(const Snapshot& snapshot, const Settings& settings);
    void record_frame(double now_s);
    /// Runs `work` on a thread. It returns a message or throws std::filesystem::filesystem_error.
    void write(const std::string& what, std::function<std::string()> work);
    /// Reports finished files, oldest first. `wait`: waits for all of them.
    void report_written(bool wait);

    /// Draws a provenance strip of this width in the current style.
    capture::Image strip(const Provenance& provenance, int width);
    std::string end_recording(bool wait_for_opengl = true);

    struct PendingFile {
        std::string what;
        std::future<std::string> message;
    };

    gl::Context& context_;
    panels::Interface& interface_;
    capture::PictureDrawer drawer_;
    const std::atomic<bool>& interrupted_;
    std::atomic<bool> cancels_animations_ = false;
    Notify notify_;
    Requests requests_;       ///< of the current frame
    Requests next_requests_;  ///< of the next frame
    std::deque<PendingFile> writing_;
    std::unique_ptr<capture::Recording> recording_;
};

}  // namespace warpsieve
