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

/// What to draw besides particles or memory, and where.
struct View {
    const scene::Camera& camera;
    Theme theme;
    GLuint ground;  ///< texture as large as the viewport
    GLuint framebuffer;
    GLuint texture;    ///< of the framebuffer; 0: unknown
    int left, bottom;  ///< of the viewport in the framebuffer
    gl::PixelSize size;
    Columns columns;                               ///< of the viewport
    const scene::SparseDenseLayout* sparse_dense;  ///< null: the particles alone
    const scene::Frame* frame;                     ///< of the particles; null: without streaks

    float aspect() const { return static_cast<float>(size.width) / static_cast<float>(size.height); }
};

}  // namespace

struct ParticleRenderer::Implementation {
    Implementation(const gl::ContextInfo& context, Method wanted)
        : software(context.software),
          method(wanted == Method::automatic && context.software ? Method::host_splat : wanted),
          resolve("resolve", {shaders::fullscreen_vert()}, {shaders::tone_glsl(), shaders::resolve_frag()}) {}

    void draw(const scene::DrawableParticles& particles, const View& view) {
        if (const auto* in_gl = std::get_if<scene::GlParticles>(&particles)) {
            draw_with_streaks(*in_gl, view);
            return;
        }
        scene::HostParticles in_host_memory = std::get<scene::HostParticles>(particles);
        if (method == Method::host_splat) {
            if (view.frame)
                in_host_memory.previous_positions =
                    previous_in_host.record(*view.frame, in_host_memory.attributes.position);
            draw_by_host(in_host_memory, view);
        } else {
            draw_with_streaks(uploaded_particles.upload(in_host_memory), view);
        }
    }

    /// Draws streaks if the view has the frame of the particles.
    void draw_with_streaks(scene::GlParticles particles, const View& view) {
        if (view.frame)
            particles.previous_positions = previous_in_gl.record(*view.frame, particles.attributes.position);
        draw_by_opengl(particles, view);
    }

    void draw_by_host(const scene::HostParticles& particles, const View& view) {
        std::optional<SparseDenseInput> sparse_dense;
        if (view.sparse_dense)
            sparse_dense.emplace(SparseDenseInput{*view.sparse_dense, ramps.slots.colours()});
        const auto picture = splatter.draw(particles, view.camera, ramps.ages.colours(), view.size,
                                           view.columns, sparse_dense ? &*sparse_dense : nullptr, with_bloom);
        resolve_picture(uploaded_picture.upload(picture, view.size, view.columns), /*glow=*/0, view);
        if (!sparse_dense) return;
        begin_cells(*view.sparse_dense).upload(splatter.cell_looks());
        draw_cells(view);
    }

    void draw_by_opengl(const scene::GlParticles& particles, const View& view) {
        if (prepare_compute_splat(particles, view)) {
            std::optional<ComputeSplat::SparseDense> sparse_dense;
            if (view.sparse_dense)
                sparse_dense.emplace(ComputeSplat::SparseDense{
                    *view.sparse_dense, begin_cells(*view.sparse_dense), ramps.slots.texture()});
            const GLuint splat_framebuffer = compute_splat->draw(
                particles, view.camera, view.theme, ramps.ages.texture(),
                sparse_dense ? &*sparse_dense : nullptr, view.ground, view.size, view.columns, with_bloom,
                view.texture != 0 ? ComputeSplat::Target{view.texture, view.left, view.bottom}
                                  : ComputeSplat::Target{});
            if (view.texture == 0) copy_picture(splat_framebuffer, view);
            if (sparse_dense) CellsPass::end();
        } else {
            const GLuint light =
                sprites.draw(particles, view.camera, ramps.ages.texture(), view.size, view.columns);
            resolve_picture(light, with_bloom ? bloom.draw(light, view.size) : bloom.black(), view);
        }
    }

    /// Whether to draw with the compute splat. Compiles it on first use.
    bool prepare_compute_splat(const scene::GlParticles& particles, const View& view) {
        const std::int64_t slots = slots_of(particles);
        const bool suits_compute_splat = slots > max_sprite_slots || view.sparse_dense != nullptr;
        if (method != Method::compute_splat && (method != Method::automatic || !suits_compute_splat))
            return false;
        if (!compute_splat) compute_splat.emplace();
        return compute_splat->fits(slots, view.size);
    }

    CellsPass& begin_cells(const scene::SparseDenseLayout& layout) {
        if (!cells_pass) cells_pass.emplace();
        cells_pass->begin(layout);
        return *cells_pass;
    }

    /// Draws the cells of the sparse and dense scene over the picture.
    void draw_cells(const View& view) {
        enter_viewport(view);
        cells_pass->draw(view.camera, view.aspect(), view.theme, ramps.slots.texture());
        glDisable(GL_SCISSOR_TEST);
        CellsPass::end();
    }

    void draw_memory(const scene::MemoryScene& memory, const View& view) {
        if (!memory_pass) memory_pass.emplace(!software);
        memory_pass->draw(
            memory, view.camera, view.theme,
            {view.framebuffer, view.left, view.bottom, view.size, view.columns.begin, view.columns.end});
    }

    static void enter_viewport(const View& view) {
        glBindFramebuffer(GL_FRAMEBUFFER, view.framebuffer);
        glViewport(view.left, view.bottom, view.size.width, view.size.height);
        glEnable(GL_SCISSOR_TEST);
        glScissor(view.left + view.columns.begin, view.bottom, view.columns.count(), view.size.height);
    }

    /// Copies a finished picture to the viewport.
    static void copy_picture(GLuint source_framebuffer, const View& view) {
        glDisable(GL_SCISSOR_TEST);
        glBlitNamedFramebuffer(source_framebuffer, view.framebuffer, view.columns.begin, 0, view.columns.end,
                               view.size.height, view.left + view.columns.begin, view.bottom,
                               view.left + view.columns.end, view.bottom + view.size.height,
                               GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }

    /// Draws particles over the ground into the viewport. `glow`: the bloom, for particles that still need
    /// tone mapping; 0: particles are display values.
    void resolve_picture(GLuint particles, GLuint glow, const View& view) {
        enter_viewport(view);
        glProgramUniform2i(resolve.name(), 0, view.left, view.bottom);
        glProgramUniform1i(resolve.name(), 1, glow != 0);
        glProgramUniform1i(resolve.name(), 2, view.theme == Theme::light);
        glBindTextureUnit(0, view.ground);
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
        const int bottom = window.height - viewport.y - viewport.height;
        implementation_->draw_memory(memory, {.camera = camera,
                                              .theme = theme,
                                              .ground = 0,
                                              .framebuffer = framebuffer,
                                              .texture = 0,
                                              .left = viewport.x,
                                              .bottom = bottom,
                                              .size = size,
                                              .columns = columns,
                                              .sparse_dense = nullptr,
                                              .frame = nullptr});
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
        self.draw(particles, {.camera = camera,
                              .theme = theme,
                              .ground = ground,
                              .framebuffer = framebuffer,
                              .texture = texture,
                              .left = viewport.x,
                              .bottom = bottom,
                              .size = size,
                              .columns = columns,
                              .sparse_dense = sparse_dense,
                              .frame = frame});
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, window.width, window.height);
}

}  // namespace warpsieve::render
