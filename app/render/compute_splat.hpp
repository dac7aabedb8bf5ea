#pragma once

#include <cstdint>
#include <optional>

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/gl/render_target.hpp"
#include "app/render/bloom.hpp"
#include "app/render/particle_style.hpp"
#include "app/render/two_stage.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"
#include "app/scene/two_stage.hpp"
#include "app/settings/window_preferences.hpp"

namespace warpsieve::render {

/// Draws particles with compute shaders: each particle adds its light to integer sums, which are blurred into
/// soft sprites, tone-mapped and laid over the ground. For GPUs that rasterise on few of their processors, as
/// data-centre GPUs do.
///
/// Nothing is read back and nothing waits. Integer sums do not depend on the order of the additions, so equal
/// particles give exactly equal pictures. Sums cannot overflow for up to 2^31 particles, even on one pixel.
///
/// Passes over the data: handles and positions once, with 3 atomic additions to neighbouring words per
/// particle (4 times that for up to `max_particles_over_four` particles), then two passes over the pixels.
class ComputeSplat {
  public:
    /// Throws compaction::Error{device_failure} with the shader log.
    ComputeSplat();

    /// Whether the driver supports storage blocks of this size.
    bool fits(std::int64_t slots, gl::PixelSize size) const;

    /// The two-stage scene.
    struct Stage {
        const scene::TwoStageLayout& layout;
        CellsPass& pass;   ///< has begun
        GLuint slot_ramp;  ///< 1D texture
    };
    /// Where the picture goes.
    struct Target {
        GLuint texture = 0;  ///< RGBA8; 0: a texture of its own
        int left = 0;        ///< of the picture in the texture
        int bottom = 0;
    };

    /// Draws `columns` of a picture of this size, particles over the ground. Returns the framebuffer of its
    /// own texture. `ramp`: a 1D texture; `ground`: a texture of the same size. Requires fits(). `stage`:
    /// null, or the two-stage scene.
    GLuint draw(const scene::GlParticles& particles, const scene::Camera& camera, Theme theme, GLuint ramp,
                Stage* stage, GLuint ground, gl::PixelSize size, Columns columns, bool with_bloom,
                const Target& target);

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
        float max_nearness;
        float max_colour;
        std::uint32_t max_particles_over_four;
        std::uint32_t on_paper;
        std::int32_t columns_begin, columns_end;
        float bead_energy;
        float beads;

        bool operator==(const Frame&) const = default;
    };

    /// Intermediate results, as large as the picture.
    struct Between {
        gl::Buffer sums;     ///< integers, all 0 between frames
        gl::Texture2D rows;  ///< linear light, blurred along the rows
    };

    /// Steps 1 and 3 of the two-stage scene.
    struct Staged {
        gl::Program particles;
        gl::Program beads;
        gl::Program blur_columns;
    };

    static Frame describe(const scene::Camera& camera, Theme theme, gl::PixelSize size, Columns columns,
                          bool on_stage);
    static Staged compile_staged();
    /// Adds the light of the particles to the sums.
    void accumulate(const scene::GlParticles& particles, GLuint ramp, Stage* stage);
    /// The program of step 3, with its uniforms set.
    const gl::Program& columns_program(const Stage* stage, const scene::Matrix& view_projection,
                                       gl::PixelSize size) const;
    void resize(gl::PixelSize size);
    void upload(const Frame& frame);

    gl::Program splat_;
    std::optional<Staged> staged_;  ///< compiled on first use
    gl::Program blur_rows_;
    gl::Program blur_columns_;
    BloomPass bloom_;
    std::int64_t max_block_bytes_;
    gl::Buffer frame_buffer_;
    std::optional<Frame> uploaded_;
    std::optional<Between> between_;
    gl::RenderTarget picture_;
};

}  // namespace warpsieve::render
