#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/capture/picture.hpp"
#include "app/capture/recording.hpp"
#include "app/gl/context.hpp"
#include "app/panels/interface.hpp"
#include "app/settings.hpp"
#include "app/view.hpp"

namespace warpsieve {

/// Takes what the window shows along: pictures with the strip that says where their figures come from, and
/// short films. Every function returns a sentence to tell, and throws std::filesystem::filesystem_error.
class Captures {
  public:
    Captures(gl::Context& context, panels::Interface& interface)
        : context_(context), interface_(interface), drawer_(context) {}

    /// The window as it was drawn in this frame, the strip below it.
    std::string take_window(const View& view, const Settings& settings);

    /// The focused plot at twice the scale, on the ground of Settings::plot_theme.
    std::string take_plot(const View& view, const Settings& settings);

    std::string toggle_recording(const View& view, const Settings& settings);
    /// Takes the frame where a recording runs; call once it is drawn. Says how the recording ended, where it
    /// did.
    std::optional<std::string> record_frame(double now_s);
    void describe(View& view) const;

  private:
    /// Draws a strip for a picture `width` wide, by the look in force.
    capture::Image strip(const Evidence& evidence, int width);
    std::string end_recording();

    gl::Context& context_;
    panels::Interface& interface_;
    capture::PictureDrawer drawer_;
    std::unique_ptr<capture::Recording> recording_;
};

}  // namespace warpsieve
