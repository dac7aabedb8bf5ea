#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "app/gl/context.hpp"
#include "app/render/columns.hpp"
#include "app/render/particle_style.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/particles.hpp"

namespace warpsieve::render {

/// Draws particles with host threads into a picture in host memory: each thread adds its share of the
/// particles to an accumulator picture of its own, the sums are blurred into soft sprites and tone-mapped.
///
/// Passes over the data: handles and positions once. Pictures and rows are allocated when the size changes or
/// a thread joins in, and kept.
class Splatter {
  public:
    Splatter();
    ~Splatter();

    /// The picture of `particles`: [size.height][size.width] RGBA8, rows from the bottom up, tone-mapped,
    /// alpha undefined. It stays valid until the next call. Particles that light none of `columns` are left
    /// out, so that elsewhere the picture is not complete. Handles must be within the positions.
    std::span<const std::uint32_t> draw(const scene::HostParticles& particles, const scene::Camera& camera,
                                        const Ramp& ramp, gl::PixelSize size, Columns columns);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace warpsieve::render
