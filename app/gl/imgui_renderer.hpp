#pragma once

#include "app/gl/context.hpp"

namespace warpsieve::gl {

/// Draws Dear ImGui with OpenGL: its OpenGL 3 backend, owned. Needs current ImGui and OpenGL contexts for all
/// its life.
class ImGuiRenderer {
  public:
    /// Throws compaction::Error{unavailable} where the backend finds no OpenGL library.
    explicit ImGuiRenderer(const ContextInfo& info);
    ~ImGuiRenderer();
    ImGuiRenderer(const ImGuiRenderer&) = delete;
    ImGuiRenderer& operator=(const ImGuiRenderer&) = delete;

    /// Uploads the font atlas if it has changed. Call before ImGui::NewFrame.
    void begin_frame();

    /// Begins a frame of that size which reads no input and finds nothing under the mouse; in place of
    /// begin_frame and what feeds Dear ImGui.
    void begin_picture_frame(PixelSize size);

    /// Draws the frame that ImGui::Render made into `framebuffer`.
    void draw(unsigned framebuffer);

  private:
    bool unfiltered_;
    bool has_texture_ = false;
};

}  // namespace warpsieve::gl
