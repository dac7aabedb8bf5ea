#pragma once

#include "app/gl/context.hpp"

namespace warpsieve::gl {

/// Owns Dear ImGui's OpenGL 3 backend. Needs current ImGui and OpenGL contexts for its whole life.
class ImGuiRenderer {
  public:
    /// Throws compaction::Error{unavailable} if the backend finds no OpenGL library.
    explicit ImGuiRenderer(const ContextInfo& info);
    ~ImGuiRenderer();
    ImGuiRenderer(const ImGuiRenderer&) = delete;
    ImGuiRenderer& operator=(const ImGuiRenderer&) = delete;

    /// Uploads the font atlas if it changed. Call before ImGui::NewFrame.
    void begin_frame();

    /// Starts an ImGui frame of this size, without input and with the mouse outside.
    void begin_picture_frame(PixelSize size);

    /// Draws the last rendered ImGui frame into `framebuffer`.
    void draw(unsigned framebuffer);

  private:
    bool unfiltered_;
    bool has_texture_ = false;
};

}  // namespace warpsieve::gl
