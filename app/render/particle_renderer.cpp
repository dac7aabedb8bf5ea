#include "app/render/particle_renderer.hpp"

#include <optional>
#include <variant>

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/render/ground.hpp"
#include "app/render/look.hpp"
#include "app/render/splat.hpp"
#include "app/render/sprites.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

/// The colour ramp of a theme, for host threads and, as a texture, for shaders.
class ThemedRamp {
  public:
    ThemedRamp() {
        glTextureStorage1D(texture_.name(), 1, GL_RGB32F, ramp_size);
        glTextureParameteri(texture_.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTextureParameteri(texture_.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    }

    void set_theme(Theme theme) {
        if (theme_ == theme) return;
        theme_ = theme;
        colours_ = make_ramp(theme);
        glTextureSubImage1D(texture_.name(), 0, 0, ramp_size, GL_RGB, GL_FLOAT, colours_.data());
    }

    const Ramp& colours() const { return colours_; }
    GLuint texture() const { return texture_.name(); }

  private:
    std::optional<Theme> theme_;
    Ramp colours_{};
    gl::Texture1D texture_;
};

/// A texture that follows the picture of the host's threads.
class UploadedPicture {
  public:
    GLuint upload(std::span<const std::uint32_t> picture, gl::PixelSize size) {
        if (!texture_ || size_ != size) {
            texture_.emplace();
            glTextureStorage2D(texture_->name(), 1, GL_RGBA8, size.width, size.height);
            size_ = size;
        }
        glTextureSubImage2D(texture_->name(), 0, 0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE,
                            picture.data());
        return texture_->name();
    }

  private:
    std::optional<gl::Texture2D> texture_;
    gl::PixelSize size_;
};

/// What the drawing of particles came to, on its way to the framebuffer.
struct ParticlePicture {
    GLuint texture = 0;
    bool is_light = false;  ///< linear light, still to be tone-mapped
};

}  // namespace

struct ParticleRenderer::Implementation {
    explicit Implementation(const gl::ContextInfo& context)
        : software(context.software),
          resolve("resolve", {shaders::fullscreen_vert()}, {shaders::tone_glsl(), shaders::resolve_frag()}) {}

    ParticlePicture draw(const scene::DrawableParticles& particles, const scene::Camera& camera,
                         gl::PixelSize size) {
        if (const auto* in_gl = std::get_if<scene::GlParticles>(&particles)) {
            return {sprites.draw(*in_gl, camera, ramp.texture(), size), true};
        }
        const auto& in_host_memory = std::get<scene::HostParticles>(particles);
        if (software) {
            return {uploaded.upload(splatter.draw(in_host_memory, camera, ramp.colours(), size), size),
                    false};
        }
        return {sprites.draw(in_host_memory, camera, ramp.texture(), size), true};
    }

    void put_together(GLuint ground_picture, const ParticlePicture& picture, Theme theme, int left,
                      int bottom) {
        glProgramUniform2i(resolve.name(), 0, left, bottom);
        glProgramUniform1i(resolve.name(), 1, picture.is_light);
        glProgramUniform1i(resolve.name(), 2, theme == Theme::light);
        glBindTextureUnit(0, ground_picture);
        glBindTextureUnit(1, picture.texture);
        resolve.use();
        glBindVertexArray(no_vertices.name());
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glBindVertexArray(0);
        glUseProgram(0);
    }

    bool software;
    gl::Program resolve;
    gl::VertexArray no_vertices;
    ThemedRamp ramp;
    Ground ground;
    SpritePass sprites;
    Splatter splatter;
    UploadedPicture uploaded;
};

ParticleRenderer::ParticleRenderer(const gl::ContextInfo& context)
    : implementation_(std::make_unique<Implementation>(context)) {}
ParticleRenderer::~ParticleRenderer() = default;

void ParticleRenderer::draw(const scene::DrawableParticles& particles, const scene::Camera& camera,
                            Theme theme, unsigned framebuffer, gl::PixelSize window,
                            panels::Rectangle viewport) {
    const gl::PixelSize size{viewport.width, viewport.height};
    // A window dragged small leaves no room for the view; there is nothing to draw then, which is no error.
    if (size.width > 0 && size.height > 0) {
        Implementation& self = *implementation_;
        self.ramp.set_theme(theme);
        const GLuint ground = self.ground.draw(camera, theme, size);
        const ParticlePicture picture = self.draw(particles, camera, size);

        const int bottom = window.height - viewport.y - viewport.height;
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glViewport(viewport.x, bottom, size.width, size.height);
        self.put_together(ground, picture, theme, viewport.x, bottom);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, window.width, window.height);
}

}  // namespace warpsieve::render
