#pragma once

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
#include "app/view_model/view.hpp"

namespace warpsieve {

/// Takes what the window shows along: pictures with the strip that says where their figures come from, and
/// short films. Files are written by threads, so that the window goes on meanwhile.
class Captures {
  public:
    /// Where it is told what came of it: a file's name, or why there is none and what to do.
    using Notify = std::function<void(Severity, const std::string&)>;

    Captures(gl::Context& context, panels::Interface& interface, Notify notify)
        : context_(context), interface_(interface), drawer_(context), notify_(std::move(notify)) {}

    /// Remembers what is wanted of the next frame, which can then leave out what only passes.
    void want(const Requests& requests) { next_ = requests; }
    bool wants_picture() const { return wanted_.capture || wanted_.capture_plot; }

    /// Takes what was wanted of the frame before; call once the frame is drawn. Tells what has been written.
    void take(const View& view, const Settings& settings);
    /// Waits until all is written.
    void finish();
    void describe(View& view) const;

  private:
    /// The window as it was drawn in this frame, the strip below it.
    void take_window(const View& view, const Settings& settings);
    /// The focused plot at twice the scale, on the ground of Settings::plot_theme.
    void take_plot(const View& view, const Settings& settings);
    void toggle_recording(const View& view, const Settings& settings);
    void record_frame(double now_s);
    /// Lets a thread do what ends in a sentence to tell, or throws std::filesystem::filesystem_error.
    void write(const std::string& what, std::function<std::string()> work);
    /// Tells of what has been written, oldest first; of all, waiting, where `wait`.
    void tell_of_written(bool wait);

    /// Draws a strip for a picture `width` wide, by the look in force.
    capture::Image strip(const Provenance& provenance, int width);
    std::string end_recording();

    struct Written {
        std::string what;
        std::future<std::string> told;
    };

    gl::Context& context_;
    panels::Interface& interface_;
    capture::PictureDrawer drawer_;
    Notify notify_;
    Requests wanted_;  ///< of the frame that is being built
    Requests next_;
    std::deque<Written> writing_;
    std::unique_ptr<capture::Recording> recording_;
};

}  // namespace warpsieve
