#pragma once

#include <cstdint>
#include <optional>

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/gl/render_target.hpp"
#include "app/render/bloom.hpp"
#include "app/render/particle_style.hpp"
#include "app/render/sparse_dense.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"
#include "app/scene/sparse_dense.hpp"
#include "app/settings/window_preferences.hpp"

namespace warpsieve::render {

/// Draws particles with compute shaders. Step 1: each particle adds its light to integer sums. Step 2: the
/// sums are blurred along the rows. Step 3: they are blurred along the columns, which completes soft sprites,
/// tone-mapped and laid over the ground. Meant for data-centre GPUs, which rasterise slowly.
///
/// The host reads nothing back and never waits. Integer sums do not depend on the order of the additions, so
/// equal particles give exactly equal pictures. Up to 2^31 particles cannot overflow a sum, even on one
/// pixel.
///
/// Passes over the data: handles and positions once, with 3 atomic additions to neighbouring words per
/// particle (4 times that for up to `max_particles_over_four_pixels` particles), then two passes over the
/// pixels.
class ComputeSplat {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    ComputeSplat();

    /// Whether the driver supports storage blocks of this size.
    bool fits(std::int64_t slots, gl::PixelSize size) const;

    /// The sparse and dense scene.
    struct SparseDense {
        const scene::SparseDenseLayout& layout;
        CellsPass& cells;  ///< after begin()
        GLuint slot_ramp;  ///< 1D texture
    };
    /// The target of the picture.
    struct Target {
        GLuint texture = 0;  ///< RGBA8; 0: the splat's own texture
        int left = 0;        ///< position of the picture in the texture
        int bottom = 0;
    };

    /// Draws `columns` of a picture of this size: particles over the ground. Returns the framebuffer of the
    /// splat's own texture. `ramp`: a 1D texture; `ground`: a texture of this size; `sparse_dense`: null, or
    /// the sparse and dense scene. Requires fits().
    GLuint draw(const scene::GlParticles& particles, const scene::Camera& camera, Theme theme, GLuint ramp,
                SparseDense* sparse_dense, GLuint ground, gl::PixelSize size, Columns columns,
                bool with_bloom, const Target& target);

  private:
    /// The block `Frame` of splat.glsl in std140 layout.
    struct alignas(16) Frame {
        scene::Matrix view_projection;
        std::int32_t width, height;
        float energy_of_one, energy_exponent;
        float spread_of_one, spread_exponent;
        float min_spread, max_spread;
        float max_peak;
        float radius_per_spread;
        float reference_distance;
        float max_brightness;
        float max_colour;
        std::uint32_t max_particles_over_four_pixels;
        std::uint32_t on_paper;
        std::int32_t columns_begin, columns_end;
        float bead_energy;
        float beads;

        bool operator==(const Frame&) const = default;
    };

    /// Intermediate results, one for each pixel.
    struct Intermediate {
        gl::Buffer sums;     ///< integers, all 0 between frames
        gl::Texture2D rows;  ///< linear light, blurred along the rows
    };

    /// The programs of steps 1 (particles, beads) and 3 (columns) for the sparse and dense scene.
    struct SparseDensePrograms {
        gl::Program particles;
        gl::Program beads;
        gl::Program blur_columns;
    };

    static Frame describe(const scene::Camera& camera, Theme theme, gl::PixelSize size, Columns columns,
                          bool is_sparse_dense);
    static SparseDensePrograms compile_sparse_dense();
    /// Adds the light of the particles to the sums.
    void accumulate(const scene::GlParticles& particles, GLuint ramp, SparseDense* sparse_dense);
    /// The program of step 3, splat_columns.comp, with its uniforms set.
    const gl::Program& columns_program(const SparseDense* sparse_dense, const scene::Matrix& view_projection,
                                       gl::PixelSize size) const;
    void resize(gl::PixelSize size);
    void upload(const Frame& frame);

    gl::Program splat_;
    std::optional<SparseDensePrograms> sparse_dense_programs_;  ///< compiled on first use
    gl::Program blur_rows_;
    gl::Program blur_columns_;
    BloomPass bloom_;
    std::int64_t max_block_bytes_;
    gl::Buffer frame_buffer_;
    std::optional<Frame> uploaded_;
    std::optional<Intermediate> intermediate_;
    gl::RenderTarget picture_;
};

}  // namespace warpsieve::render
