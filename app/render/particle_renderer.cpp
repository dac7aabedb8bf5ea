#include "app/render/particle_renderer.hpp"

#include <optional>
#include <variant>

#include "app/gl/object.hpp"
#include "app/gl/program.hpp"
#include "app/render/bloom.hpp"
#include "app/render/compute_splat.hpp"
#include "app/render/ground.hpp"
#include "app/render/memory_pass.hpp"
#include "app/render/particle_buffers.hpp"
#include "app/render/particle_style.hpp"
#include "app/render/sparse_dense.hpp"
#include "app/render/splat.hpp"
#include "app/render/sprites.hpp"
#include "app/render/streak.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

/// A colour ramp, as an array for host threads and as a texture for shaders.
class RampTexture {
  public:
    RampTexture() {
        glTextureStorage1D(texture_.name(), 1, GL_RGB32F, ramp_size);
        glTextureParameteri(texture_.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTextureParameteri(texture_.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    }

    void set(const Ramp& colours) {
        colours_ = colours;
        glTextureSubImage1D(texture_.name(), 0, 0, ramp_size, GL_RGB, GL_FLOAT, colours_.data());
    }
    const Ramp& colours() const { return colours_; }
    GLuint texture() const { return texture_.name(); }

  private:
    Ramp colours_{};
    gl::Texture1D texture_;
};

/// The ramps of a theme.
class ThemedRamps {
  public:
    void set_theme(Theme theme) {
        if (theme_ == theme) return;
        theme_ = theme;
        ages.set(make_ramp(theme));
        slots.set(make_slot_ramp(theme));
    }

    RampTexture ages;
    RampTexture slots;

  private:
    std::optional<Theme> theme_;
};

/// The texture that the host splat's picture is uploaded to.
class UploadedPicture {
  public:
    GLuint upload(std::span<const std::uint32_t> picture, gl::PixelSize size, Columns columns) {
        if (!texture_ || size_ != size) {
            texture_.emplace();
            glTextureStorage2D(texture_->name(), 1, GL_RGBA8, size.width, size.height);
            size_ = size;
        }
        glPixelStorei(GL_UNPACK_ROW_LENGTH, size.width);
        glTextureSubImage2D(texture_->name(), 0, columns.begin, 0, columns.count(), size.height, GL_RGBA,
                            GL_UNSIGNED_BYTE, picture.data() + columns.begin);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
        return texture_->name();
    }

  private:
    std::optional<gl::Texture2D> texture_;
    gl::PixelSize size_;
};

/// Up to this many slots, particles are drawn as sprites, whose size depends on their distance.
constexpr std::int64_t max_sprite_slots = std::int64_t{1} << 18;

std::int64_t slots_of(const scene::GlParticles& particles) {
    GLint64 size_bytes = 0;
    glGetNamedBufferParameteri64v(particles.attributes.position, GL_BUFFER_SIZE, &size_bytes);
    return size_bytes / static_cast<std::int64_t>(sizeof(scene::Position));
}

/// The camera and the target of a frame.
struct Scene {
    const scene::Camera& camera;
    Theme theme;
    GLuint ground;  ///< texture as large as the viewport
    GLuint framebuffer;
    GLuint texture;    ///< of the framebuffer; 0: unknown
    int left, bottom;  ///< of the viewport in the framebuffer
    gl::PixelSize size;
    Columns columns;  ///< of the viewport
    const scene::SparseDenseLayout* sparse_dense;
    const scene::Frame* frame;

    float aspect() const { return static_cast<float>(size.width) / static_cast<float>(size.height); }
};

}  // namespace

struct ParticleRenderer::Implementation {
    Implementation(const gl::ContextInfo& context, Method wanted)
        : software(context.software),
          method(wanted == Method::automatic && context.software ? Method::host_splat : wanted),
          resolve("resolve", {shaders::fullscreen_vert()}, {shaders::tone_glsl(), shaders::resolve_frag()}) {}

    void draw(const scene::DrawableParticles& particles, const Scene& scene) {
        if (const auto* in_gl = std::get_if<scene::GlParticles>(&particles)) {
            draw_in_motion(*in_gl, scene);
            return;
        }
        scene::HostParticles in_host_memory = std::get<scene::HostParticles>(particles);
        if (method == Method::host_splat) {
            if (scene.frame)
                in_host_memory.previous_positions =
                    previous_in_host.before(*scene.frame, in_host_memory.attributes.position);
            draw_by_host(in_host_memory, scene);
        } else {
            draw_in_motion(uploaded_particles.upload(in_host_memory), scene);
        }
    }

    void draw_in_motion(scene::GlParticles particles, const Scene& scene) {
        if (scene.frame)
            particles.previous_positions = previous_in_gl.before(*scene.frame, particles.attributes.position);
        draw(particles, scene);
    }

    void draw_by_host(const scene::HostParticles& particles, const Scene& scene) {
        std::optional<SparseDenseInput> sparse_dense;
        if (scene.sparse_dense)
            sparse_dense.emplace(SparseDenseInput{*scene.sparse_dense, ramps.slots.colours()});
        const auto picture =
            splatter.draw(particles, scene.camera, ramps.ages.colours(), scene.size, scene.columns,
                          sparse_dense ? &*sparse_dense : nullptr, with_bloom);
        resolve_picture(uploaded_picture.upload(picture, scene.size, scene.columns), 0, scene);
        if (!sparse_dense) return;
        begin_cells(*scene.sparse_dense).upload(splatter.cell_looks());
        draw_cells(scene);
    }

    void draw(const scene::GlParticles& particles, const Scene& scene) {
        if (use_compute_splat(particles, scene)) {
            std::optional<ComputeSplat::SparseDense> sparse_dense;
            if (scene.sparse_dense)
                sparse_dense.emplace(ComputeSplat::SparseDense{
                    *scene.sparse_dense, begin_cells(*scene.sparse_dense), ramps.slots.texture()});
            const GLuint own = compute_splat->draw(
                particles, scene.camera, scene.theme, ramps.ages.texture(),
                sparse_dense ? &*sparse_dense : nullptr, scene.ground, scene.size, scene.columns, with_bloom,
                scene.texture != 0 ? ComputeSplat::Target{scene.texture, scene.left, scene.bottom}
                                   : ComputeSplat::Target{});
            if (scene.texture == 0) copy_picture(own, scene);
            if (sparse_dense) CellsPass::end();
        } else {
            const GLuint light =
                sprites.draw(particles, scene.camera, ramps.ages.texture(), scene.size, scene.columns);
            resolve_picture(light, with_bloom ? bloom.draw(light, scene.size) : bloom.black(), scene);
        }
    }

    bool use_compute_splat(const scene::GlParticles& particles, const Scene& scene) {
        const std::int64_t slots = slots_of(particles);
        const bool suits = slots > max_sprite_slots || scene.sparse_dense != nullptr;
        if (method != Method::compute_splat && (method != Method::automatic || !suits)) return false;
        if (!compute_splat) compute_splat.emplace();
        return compute_splat->fits(slots, scene.size);
    }

    CellsPass& begin_cells(const scene::SparseDenseLayout& layout) {
        if (!cells_pass) cells_pass.emplace();
        cells_pass->begin(layout);
        return *cells_pass;
    }

    /// Draws the cells of the sparse and dense scene over the picture.
    void draw_cells(const Scene& scene) {
        enter_viewport(scene);
        cells_pass->draw(scene.camera, scene.aspect(), scene.theme, ramps.slots.texture());
        glDisable(GL_SCISSOR_TEST);
        CellsPass::end();
    }

    void draw_memory(const scene::MemoryScene& memory, const Scene& scene) {
        if (!memory_pass) memory_pass.emplace(!software);
        memory_pass->draw(memory, scene.camera, scene.theme,
                          {scene.framebuffer, scene.left, scene.bottom, scene.size, scene.columns.begin,
                           scene.columns.end});
    }

    static void enter_viewport(const Scene& scene) {
        glBindFramebuffer(GL_FRAMEBUFFER, scene.framebuffer);
        glViewport(scene.left, scene.bottom, scene.size.width, scene.size.height);
        glEnable(GL_SCISSOR_TEST);
        glScissor(scene.left + scene.columns.begin, scene.bottom, scene.columns.count(), scene.size.height);
    }

    /// Copies a finished picture to the viewport.
    static void copy_picture(GLuint from, const Scene& scene) {
        glDisable(GL_SCISSOR_TEST);
        glBlitNamedFramebuffer(from, scene.framebuffer, scene.columns.begin, 0, scene.columns.end,
                               scene.size.height, scene.left + scene.columns.begin, scene.bottom,
                               scene.left + scene.columns.end, scene.bottom + scene.size.height,
                               GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }

    /// Draws particles over the ground into the viewport. `glow`: the bloom, for particles that still need
    /// tone mapping; 0: particles are display values.
    void resolve_picture(GLuint particles, GLuint glow, const Scene& scene) {
        enter_viewport(scene);
        glProgramUniform2i(resolve.name(), 0, scene.left, scene.bottom);
        glProgramUniform1i(resolve.name(), 1, glow != 0);
        glProgramUniform1i(resolve.name(), 2, scene.theme == Theme::light);
        glBindTextureUnit(0, scene.ground);
        glBindTextureUnit(1, particles);
        glBindTextureUnit(2, glow != 0 ? glow : bloom.black());
        resolve.use();
        glBindVertexArray(no_vertices.name());
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glBindVertexArray(0);
        glUseProgram(0);
        glDisable(GL_SCISSOR_TEST);
    }

    bool software;
    Method method;
    gl::Program resolve;
    gl::VertexArray no_vertices;
    ThemedRamps ramps;
    BloomPass bloom;
    bool with_bloom = true;
    Ground ground;
    SpritePass sprites;
    UploadedParticles uploaded_particles;
    PreviousPositions<HostCopy> previous_in_host;
    PreviousPositions<GlCopy> previous_in_gl;
    std::optional<ComputeSplat> compute_splat;  ///< compiled on first use
    std::optional<CellsPass> cells_pass;        ///< compiled on first use
    std::optional<MemoryPass> memory_pass;      ///< compiled on first use
    Splatter splatter;
    UploadedPicture uploaded_picture;
};

ParticleRenderer::ParticleRenderer(const gl::ContextInfo& context, Method method)
    : implementation_(std::make_unique<Implementation>(context, method)) {}
ParticleRenderer::~ParticleRenderer() = default;

void ParticleRenderer::set_bloom(bool enabled) {
    implementation_->with_bloom = enabled;
}

void ParticleRenderer::draw_memory(const scene::MemoryScene& memory, const scene::Camera& camera, Theme theme,
                                   unsigned framebuffer, gl::PixelSize window, gl::Rectangle viewport,
                                   Columns columns) {
    const gl::PixelSize size{viewport.width, viewport.height};
    if (columns.count() > 0 && size.height > 0) {
        Implementation& self = *implementation_;
        self.ramps.set_theme(theme);
        const int bottom = window.height - viewport.y - viewport.height;
        self.draw_memory(
            memory, {camera, theme, 0, framebuffer, 0, viewport.x, bottom, size, columns, nullptr, nullptr});
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, window.width, window.height);
}

void ParticleRenderer::draw(const scene::DrawableParticles& particles, const scene::Camera& camera,
                            Theme theme, unsigned framebuffer, gl::PixelSize window, gl::Rectangle viewport,
                            Columns columns, const scene::SparseDenseLayout* sparse_dense,
                            const scene::Frame* frame, unsigned texture) {
    const gl::PixelSize size{viewport.width, viewport.height};
    // A small window or a divider at the edge may leave nothing to draw.
    if (columns.count() > 0 && size.height > 0) {
        Implementation& self = *implementation_;
        self.ramps.set_theme(theme);
        const GLuint ground = self.ground.draw(camera, theme, size);
        const int bottom = window.height - viewport.y - viewport.height;
        self.draw(particles, {camera, theme, ground, framebuffer, texture, viewport.x, bottom, size, columns,
                              sparse_dense, frame});
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, window.width, window.height);
}

}  // namespace warpsieve::render
