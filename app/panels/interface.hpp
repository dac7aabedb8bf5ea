#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/gl/pixels.hpp"
#include "app/panels/pictures.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve::panels {

using gl::Rectangle;

/// All panels of the window: controls on the left, the view in the middle, timings along the bottom, a status
/// line. Owns fonts, theme and layout; needs current ImGui and OpenGL contexts.
class Interface {
  public:
    /// Builds fonts and style for `scale`.
    Interface(float scale, Theme theme);
    ~Interface();

    /// Rebuilds fonts and style if either changed; call between frames.
    void set_style(float scale, Theme theme);

    /// The rectangle of the particles in this frame; empty if the current tab hides them.
    Rectangle scene_rectangle(gl::PixelSize window, const Settings& settings) const;

    /// Whether the presentation runs: the scene fills the window.
    bool presents() const;

    /// What to write to the settings file: `settings` without what a presentation shows and runs.
    Settings settings_to_keep(const Settings& settings) const;

    /// Builds the panels within an interface frame. Edits `settings` in place and keeps them legal; returns
    /// the requests.
    Requests build(const View& view, Settings& settings, gl::PixelSize window);

    /// The plot that a picture of one plot shows: the last one under the mouse while it is shown, else the
    /// largest. Null if the last frame has none.
    const PlotPlace* focused_plot() const;

    /// Builds the panels again for a picture, without requests or changes. Set the style first; call within a
    /// picture frame. Returns the position of the focused plot in the picture.
    std::optional<PlotPlace> build_picture(const View& view, Settings settings, gl::PixelSize window);

    /// Builds only the provenance strip, over the whole width of a picture.
    void build_strip(const Provenance& provenance, int width);
    /// Its height in the current style.
    int strip_height(const Provenance& provenance, int width) const;

    /// Where each control was drawn in the last frame, by label, in window pixels: for tools that drive the
    /// window. JSON: {"label": [x, y, width, height], ...}.
    std::string control_map() const;

  private:
    Requests build(const View& view, Settings& settings, gl::PixelSize window,
                   std::span<const gl::KeyEvent> keys);

    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace warpsieve::panels
