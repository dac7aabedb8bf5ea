#include "app/render/sprites.hpp"

#include <array>

#include "app/render/bloom.hpp"
#include "app/render/particle_buffers.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

void set_uniforms(GLuint program, const scene::Camera& camera, gl::PixelSize size) {
    const float aspect = static_cast<float>(size.width) / static_cast<float>(size.height);
    const scene::Matrix view_projection = camera.view_projection(aspect);
    const SpriteScale scale = sprite_scale(camera, size);
    glProgramUniformMatrix4fv(program, 0, 1, GL_FALSE, view_projection.data());
    glProgramUniform1f(program, 1, scale.pixels_per_metre);
    glProgramUniform2f(program, 2, scale.energy_of_one, energy_exponent);
    glProgramUniform2f(program, 3, spread_of_one, spread_exponent);
    glProgramUniform2f(program, 4, min_spread_pixels, max_spread_pixels);
    glProgramUniform1f(program, 5, reference_distance);
    glProgramUniform1f(program, 6, max_peak);
    glProgramUniform1f(program, 7, radius_per_spread);
    glProgramUniform2f(program, 8, static_cast<float>(size.width), static_cast<float>(size.height));
}

}  // namespace

SpritePass::SpritePass()
    : program_("sprite", {shaders::particles_glsl(), shaders::streak_glsl(), shaders::sprite_vert()},
               {shaders::sprite_frag()}) {}

GLuint SpritePass::draw(const scene::GlParticles& particles, const scene::Camera& camera, GLuint ramp,
                        gl::PixelSize size, Columns columns) {
    light_.resize(size, GL_RGBA16F);
    // The scissor test also limits the clear.
    glEnable(GL_SCISSOR_TEST);
    // The bloom also reads pixels beside the columns.
    glScissor(columns.begin - bloom::reach, 0, columns.count() + 2 * bloom::reach, size.height);
    constexpr std::array black{0.0F, 0.0F, 0.0F, 0.0F};
    glClearNamedFramebufferfv(light_.framebuffer(), GL_COLOR, 0, black.data());
    glBindFramebuffer(GL_FRAMEBUFFER, light_.framebuffer());
    glViewport(0, 0, size.width, size.height);

    set_uniforms(program_.name(), camera, size);
    program_.use();
    glBindTextureUnit(0, ramp);
    const BoundParticles bound(particles);
    glBindVertexArray(vertices_.name());
    glVertexArrayElementBuffer(vertices_.name(), particles.handles);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, particles.command);

    glDisable(GL_DEPTH_TEST);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    glDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_INT, nullptr);
    glDisable(GL_BLEND);
    glDisable(GL_PROGRAM_POINT_SIZE);
    glDisable(GL_SCISSOR_TEST);

    // CUDA may map these buffers next.
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    glVertexArrayElementBuffer(vertices_.name(), 0);
    glBindVertexArray(0);
    return light_.texture();
}

}  // namespace warpsieve::render
