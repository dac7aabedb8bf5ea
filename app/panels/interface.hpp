#pragma once

#include <memory>

#include "app/gl/context.hpp"
#include "app/settings.hpp"
#include "app/view.hpp"

namespace warpsieve::panels {

/// A rectangle of the framebuffer in pixels, y down from the top.
struct Rectangle {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

/// All panels of the window: controls on the left, the view in the middle, timings along the bottom, a status
/// line. Owns fonts, theme and layout; needs current ImGui and OpenGL contexts.
class Interface {
  public:
    /// Builds fonts and style for `scale`.
    Interface(float scale, Theme theme);
    ~Interface();

    /// Rebuilds fonts and style if either changed; call between frames.
    void set_look(float scale, Theme theme);

    /// Lays the window out and says where the particles go this frame; empty where the tab in force hides
    /// them.
    Rectangle scene_rectangle(gl::PixelSize window, const Settings& settings) const;

    /// Builds the frame's panels between ImGui::NewFrame and ImGui::Render. Edits `settings` in place, within
    /// what is legal; returns what was asked for.
    Requests build(const View& view, Settings& settings, gl::PixelSize window);

    /// Where each control was drawn in the last frame, by label, in window pixels: for tools that drive the
    /// window. JSON: {"label": [x, y, width, height], ...}.
    std::string control_map() const;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace warpsieve::panels
