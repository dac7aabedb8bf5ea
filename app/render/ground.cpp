#include "app/render/ground.hpp"

#include <array>

#include "app/render/particle_style.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

constexpr float half_size_metres = 12.0F;

/// Display values, 0 to 1.
struct GroundColours {
    std::array<float, 4> background;
    std::array<float, 3> lines;
    std::array<float, 3> light_pool;  ///< added around the centre
};

constexpr GroundColours dark_colours{
    {0x0B / 255.0F, 0x0D / 255.0F, 0x11 / 255.0F, 1.0F}, {0.20F, 0.27F, 0.34F}, {0.030F, 0.050F, 0.070F}};
constexpr GroundColours light_colours{{1.0F, 1.0F, 1.0F, 1.0F}, {0.66F, 0.70F, 0.75F}, {0.0F, 0.0F, 0.0F}};

}  // namespace

Ground::Ground() : program_("ground", {shaders::ground_vert()}, {shaders::ground_frag()}) {}

GLuint Ground::draw(const scene::Camera& camera, Theme theme, gl::PixelSize size) {
    const float aspect = static_cast<float>(size.width) / static_cast<float>(size.height);
    const Subject subject{camera.view_projection(aspect), theme, camera.shows_ground()};
    if (!picture_.resize(size, GL_RGBA8) && drawn_ == subject) return picture_.texture();
    drawn_ = subject;

    const GroundColours& colours = theme == Theme::dark ? dark_colours : light_colours;
    glClearNamedFramebufferfv(picture_.framebuffer(), GL_COLOR, 0, colours.background.data());
    if (!subject.shows_ground) return picture_.texture();
    glBindFramebuffer(GL_FRAMEBUFFER, picture_.framebuffer());
    glViewport(0, 0, size.width, size.height);
    glProgramUniformMatrix4fv(program_.name(), 0, 1, GL_FALSE, subject.view_projection.data());
    glProgramUniform1f(program_.name(), 1, half_size_metres);
    glProgramUniform3fv(program_.name(), 2, 1, colours.lines.data());
    glProgramUniform3fv(program_.name(), 3, 1, colours.light_pool.data());
    program_.use();
    glBindVertexArray(no_vertices_.name());
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    // Lines cover the background by their alpha; the pool of light has alpha 0 and is added.
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
    return picture_.texture();
}

}  // namespace warpsieve::render
