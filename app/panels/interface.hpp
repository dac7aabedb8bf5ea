#pragma once

#include <memory>
#include <optional>
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

    /// Lays the window out and says where the particles go this frame; empty where the tab in force hides
    /// them.
    Rectangle scene_rectangle(gl::PixelSize window, const Settings& settings) const;

    /// Builds the panels within an interface frame. Edits `settings` in place, within
    /// what is legal; returns what was asked for.
    Requests build(const View& view, Settings& settings, gl::PixelSize window);

    /// The plot that a picture of one plot is taken of: the one the mouse was over last, as long as it is
    /// shown, else the largest. Null where the last frame built shows none.
    const PlotPlace* focused_plot() const;

    /// Builds the panels once more, for a picture: nothing is asked for, and nothing of it is kept. The look
    /// must have been set for it; call within a picture frame. Returns the focused plot as
    /// it lies in the picture.
    std::optional<PlotPlace> build_picture(const View& view, Settings settings, gl::PixelSize window);

    /// Builds nothing but the strip that says where figures come from, over the whole width of a picture.
    void build_strip(const Provenance& provenance, int width);
    /// Its height, by the look in force.
    int strip_height(const Provenance& provenance, int width) const;

    /// Where each control was drawn in the last frame, by label, in window pixels: for tools that drive the
    /// window. JSON: {"label": [x, y, width, height], ...}.
    std::string control_map() const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace warpsieve::panels
