#pragma once

#include <glad/gl.h>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/gl/context.hpp"
#include "app/gl/object.hpp"
#include "app/gl/pixels.hpp"
#include "app/gl/program.hpp"

struct ImDrawData;
struct ImDrawList;

namespace warpsieve::gl {

/// Draws Dear ImGui's frames. All draw lists go up in one buffer: the backend that comes with Dear ImGui
/// makes two uploads for each, and the driver spends most of a short frame on them. Needs current ImGui and
/// OpenGL contexts for its whole life.
class ImGuiRenderer {
  public:
    explicit ImGuiRenderer(const ContextInfo& info);

    /// Uploads the font atlas if it changed. Call before ImGui::NewFrame.
    void begin_frame();

    /// Starts an ImGui frame of this size, without input and with the mouse outside.
    void begin_picture_frame(PixelSize size);

    /// Copies the draw lists of the last rendered ImGui frame.
    void keep();

    /// Draws the kept frame into `framebuffer`. False if there is none: nothing has been kept since the fonts
    /// were uploaded. Does not touch ImGui, so that another thread may lay out the next frame.
    bool draw_kept(unsigned framebuffer);

    /// Draws the last rendered ImGui frame into `framebuffer` and keeps it.
    void draw(unsigned framebuffer) {
        keep();
        draw_kept(framebuffer);
    }

    /// The same without keeping it, for a picture.
    void draw_once(unsigned framebuffer) {
        draw(framebuffer);
        commands_.clear();
    }

  private:
    /// A draw call; `left` to `height` in pixels from the lower left corner.
    struct Command {
        GLint left, bottom;
        GLsizei width, height;
        GLuint texture;
        GLsizei indices;
        std::size_t index_offset;  ///< bytes
        GLint first_vertex;
    };

    void upload_fonts();
    /// `first_vertex`, `index_offset`: where the list is in data_.
    void keep_commands(const ImDrawData& frame, const ImDrawList& list, GLint first_vertex,
                       std::size_t index_offset);

    bool unfiltered_;
    Program program_;
    VertexArray vertices_;
    Buffer buffer_;  ///< all vertices, then all indices
    std::optional<Texture2D> fonts_;

    // The kept frame.
    std::vector<std::byte> data_;  ///< of buffer_
    std::vector<Command> commands_;
    std::array<float, 4> to_clip_{};
    PixelSize size_{};
};

}  // namespace warpsieve::gl
