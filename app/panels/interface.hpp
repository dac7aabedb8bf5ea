#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/gl/pixels.hpp"
#include "app/panels/pictures.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

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

    /// The rectangle of the view in this frame, with the pane of the timings if the view fills it; the whole
    /// window in a presentation.
    Rectangle view_rectangle(gl::PixelSize window, const Settings& settings) const;

    /// Whether the presentation runs: the scene fills the window.
    bool presents() const;

    /// Shows a step of the guided tour, from 0; starts the tour where it does not run.
    void show_tour_step(std::size_t index, Settings& settings, const Settings& defaults);
    /// Whether the tour or the presentation replaces settings of the user.
    bool overrides_settings() const;
    /// A copy of `settings` with the user's own values restored; tour and presentation go on.
    Settings user_settings(Settings settings) const;
    /// Ends tour and presentation.
    void end_overrides(Settings& settings);

    /// Builds the panels within an interface frame. Edits `settings` in place and keeps them legal; returns
    /// the requests.
    Requests build(const Snapshot& snapshot, Settings& settings, gl::PixelSize window);

    /// The plot that a picture of one plot shows: the last one under the mouse while it is shown, else the
    /// largest. Null if the last frame has none.
    const PlotArea* focused_plot() const;

    /// Builds the panels again for a picture, without requests or changes. Set the style first; call within a
    /// picture frame. Returns the position of the focused plot in the picture.
    std::optional<PlotArea> build_picture(const Snapshot& snapshot, Settings settings, gl::PixelSize window);

    /// Builds only the provenance strip, over the whole width of a picture.
    void build_strip(const Provenance& provenance, int width);
    /// Height of the strip in the current style.
    int strip_height(const Provenance& provenance, int width) const;

    /// What the last frame drew from `low` to `high`, as elements of an SVG that begin at `top`: see
    /// plots::svg_elements.
    std::string svg_elements(ImVec2 low, ImVec2 high, float top) const;
    /// A whole SVG: see plots::svg_document.
    std::string svg_document(const std::string& elements, ImVec2 size, float scale) const;

    /// Where each control was drawn in the last frame, by label, in window pixels: for tools that drive the
    /// window. JSON: {"label": [x, y, width, height], ...}.
    std::string control_map() const;
    /// The control with the keyboard focus; empty for none.
    const std::string& focused_control() const;

  private:
    Requests build(const Snapshot& snapshot, Settings& settings, gl::PixelSize window,
                   std::span<const gl::KeyEvent> keys);

    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace warpsieve::panels
