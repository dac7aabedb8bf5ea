#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "app/gl/object.hpp"
#include "app/gl/pixels.hpp"
#include "app/gl/program.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/memory_scene.hpp"
#include "app/settings/window_preferences.hpp"

namespace warpsieve::render {

/// The colours of the memory scene: items by their slot, phases as in the plots.
const scene::MemoryColours& memory_colours(Theme theme);

/// Draws the memory scene, the buffers of one compaction step by step: sheets, boxes, ribbons and arcs, each
/// in one draw call. Does not use instancing, which is slow in software OpenGL. Has its own depth buffer.
class MemoryPass {
  public:
    /// `smooth`: with several samples in each pixel, which costs too much in software OpenGL. Throws
    /// compaction::Error{device_failure} with the shader log.
    explicit MemoryPass(bool smooth);

    /// Where the picture goes: a viewport in a framebuffer, and the columns of it that are drawn.
    struct Target {
        GLuint framebuffer = 0;
        int left = 0;
        int bottom = 0;
        gl::PixelSize size;
        int columns_begin = 0;
        int columns_end = 0;
    };

    /// Draws over the framebuffer. Leaves it bound, and scissor test, blending and depth test off.
    void draw(const scene::MemoryScene& memory, const scene::Camera& camera, Theme theme,
              const Target& target);

  private:
    /// The picture, and the framebuffers for it.
    struct Surface {
        gl::Texture2D picture;
        gl::Framebuffer picture_framebuffer;
        gl::Renderbuffer samples;
        gl::Renderbuffer depths;
        gl::Framebuffer framebuffer;
    };
    /// Pixels of the viewport.
    struct Area {
        int left = 0;
        int bottom = 0;
        int right = 0;
        int top = 0;

        bool empty() const { return left >= right || bottom >= top; }
    };
    /// What the picture shows.
    struct Subject {
        std::uint64_t revision;
        scene::Matrix view_projection;
        Theme theme;
        int columns_begin;
        int columns_end;

        bool operator==(const Subject&) const = default;
    };
    /// A buffer that grows as needed.
    class Upload {
      public:
        /// Replaces the contents and binds them to binding point 0.
        void bind(const void* data, std::size_t bytes);

      private:
        gl::Buffer buffer_;
        std::size_t capacity_ = 0;
    };

    void resize(gl::PixelSize size);
    void render(const scene::MemoryScene& memory, const scene::Vector& eye, const Subject& subject,
                const Area& area);
    void set_uniforms(const scene::Matrix& view_projection, const scene::Vector& eye, Theme theme);
    void draw_shapes(const scene::MemoryScene& memory, Theme theme);
    /// Copies the picture to the target. At rest, blends it over the live particles instead.
    void lay_over(const Target& target, const Area& area, bool at_rest);
    void draw_sheets(const scene::MemoryScene& memory);
    void draw_boxes(const std::vector<scene::Box>& boxes);
    void draw_ribbons(const std::vector<scene::Ribbon>& ribbons);
    void draw_arcs(const std::vector<scene::Arc>& arcs);
    /// The part of the viewport that can show the boxes, which are words of memory, and their ribbons.
    static Area area_of_words(const scene::MemoryScene& memory, const scene::Matrix& view_projection,
                              const Target& target);

    bool smooth_;
    gl::Program sheets_;
    gl::Program boxes_;
    gl::Program ribbons_;
    gl::Program arcs_;
    gl::Program picture_over_target_;
    gl::VertexArray no_vertices_;
    gl::VertexArray box_vertices_;
    gl::Buffer box_corners_;
    std::size_t num_indexed_boxes_ = 0;  ///< boxes that the indices in box_corners_ suffice for
    Upload cells_upload_, boxes_upload_, ribbons_upload_, arcs_upload_;
    std::vector<scene::SheetCell> cells_;
    std::optional<Surface> surface_;
    std::optional<Subject> drawn_;
    gl::PixelSize size_{0, 0};
};

}  // namespace warpsieve::render
