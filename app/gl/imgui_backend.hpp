#pragma once

#include "app/gl/context.hpp"
#include "app/gl/pixels.hpp"

namespace warpsieve::gl {

/// Owns the ImGuiContext, which has no settings file. Create it before a gl::Context.
class ImGuiState {
  public:
    ImGuiState();
    ~ImGuiState();
    ImGuiState(const ImGuiState&) = delete;
    ImGuiState& operator=(const ImGuiState&) = delete;
};

/// Dear ImGui's OpenGL backend. Needs current ImGui and OpenGL contexts for its whole life.
class ImGuiBackend {
  public:
    /// Throws compaction::Error{unavailable} if the backend finds no OpenGL library.
    explicit ImGuiBackend(const ContextInfo& info);
    ~ImGuiBackend();
    ImGuiBackend(const ImGuiBackend&) = delete;
    ImGuiBackend& operator=(const ImGuiBackend&) = delete;

    /// Uploads the font atlas if it changed. Call before ImGui::NewFrame.
    void begin_frame();

    /// Starts an ImGui frame of this size, without input and with the mouse outside.
    void begin_picture_frame(PixelSize size);

    /// Draws the last rendered ImGui frame.
    static void draw(unsigned framebuffer);

  private:
    bool nearest_font_filter_;
    bool has_font_texture_ = false;
};

}  // namespace warpsieve::gl
