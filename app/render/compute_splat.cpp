#include "app/render/compute_splat.hpp"

#include "app/render/particle_buffers.hpp"
#include "app/render/particle_style.hpp"
#include "app/render/sparse_dense.hpp"
#include "app/scene/draw_command.hpp"
#include "app/scene/sparse_dense.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

/// Red, green, blue and 32 unused bits, so that one memory access covers the three colours.
constexpr std::int64_t bytes_per_sum = 4 * sizeof(GLuint);

/// Pixels per group of splat_rows.comp.
constexpr int pixels_per_row_group = 128;
/// Pixels per group of splat_columns.comp.
constexpr gl::PixelSize column_tile{32, 32};

/// Groups of beads.comp.
constexpr GLuint beads_groups =
    scene::SparseDenseLayout::max_arcs * scene::SparseDenseLayout::beads_per_arc / scene::particles_per_group;
static_assert(beads_groups * scene::particles_per_group ==
              scene::SparseDenseLayout::max_arcs * scene::SparseDenseLayout::beads_per_arc);

constexpr GLuint groups(int pixels, int pixels_per_group) {
    return static_cast<GLuint>((pixels + pixels_per_group - 1) / pixels_per_group);
}

/// Replaces cells_over.glsl in blur_columns_, which draws no sparse and dense scene.
constexpr std::string_view without_cells = "vec3 with_cells(vec3 below, ivec2 pixel) { return below; }\n";

std::int64_t sums_bytes(gl::PixelSize size) {
    return bytes_per_sum * size.width * size.height;
}

}  // namespace

ComputeSplat::ComputeSplat()
    : splat_("splat", {shaders::particles_glsl(), shaders::splat_glsl(), shaders::streak_glsl(),
                       shaders::splat_add_glsl(), shaders::splat_comp()}),
      blur_rows_("splat_rows",
                 {shaders::particles_glsl(), shaders::splat_glsl(), shaders::splat_rows_comp()}),
      blur_columns_("splat_columns", {shaders::tone_glsl(), shaders::particles_glsl(), shaders::splat_glsl(),
                                      without_cells, shaders::splat_columns_comp()}) {
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &max_block_bytes_);
    glNamedBufferStorage(frame_buffer_.name(), sizeof(Frame), nullptr, GL_DYNAMIC_STORAGE_BIT);
}

bool ComputeSplat::fits(std::int64_t slots, gl::PixelSize size) const {
    return slots * largest_attribute_bytes() <= max_block_bytes_ && sums_bytes(size) <= max_block_bytes_;
}

ComputeSplat::Frame ComputeSplat::describe(const scene::Camera& camera, Theme theme, gl::PixelSize size,
                                           Columns columns, bool is_sparse_dense) {
    const SpriteScale scale = sprite_scale(camera, size);
    Frame frame{};
    frame.view_projection =
        camera.view_projection(static_cast<float>(size.width) / static_cast<float>(size.height));
    frame.width = size.width;
    frame.height = size.height;
    frame.energy_of_one = scale.energy_of_one;
    frame.energy_exponent = energy_exponent;
    frame.spread_of_one = spread_of_one * scale.pixels_per_metre / camera.distance();
    frame.spread_exponent = spread_exponent;
    frame.min_spread = min_spread_pixels;
    frame.max_spread = max_spread_pixels;
    frame.max_peak = max_peak;
    frame.radius_per_spread = radius_per_spread;
    frame.reference_distance = reference_distance;
    frame.max_brightness = max_brightness;
    frame.max_colour = max_colour;
    frame.max_particles_over_four_pixels = max_particles_over_four_pixels;
    frame.on_paper = theme == Theme::light;
    frame.columns_begin = columns.begin;
    frame.columns_end = columns.end;
    frame.bead_energy = scale.bead_energy();
    frame.beads =
        is_sparse_dense ? scene::SparseDenseLayout::max_arcs * scene::SparseDenseLayout::beads_per_arc : 0;
    return frame;
}

void ComputeSplat::upload(const Frame& frame) {
    if (uploaded_ == frame) return;
    uploaded_ = frame;
    glNamedBufferSubData(frame_buffer_.name(), 0, sizeof(Frame), &frame);
}

void ComputeSplat::resize(gl::PixelSize size) {
    if (!picture_.resize(size, GL_RGBA8)) return;
    intermediate_.emplace();
    glTextureStorage2D(intermediate_->rows.name(), 1, GL_RGBA16F, size.width, size.height);
    glNamedBufferStorage(intermediate_->sums.name(), sums_bytes(size), nullptr, 0);
    glClearNamedBufferData(intermediate_->sums.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

ComputeSplat::SparseDensePrograms ComputeSplat::compile_sparse_dense() {
    const auto splatting = [](const char* name, std::string_view text) {
        return gl::Program(name, {shaders::particles_glsl(), shaders::splat_glsl(), shaders::streak_glsl(),
                                  shaders::splat_add_glsl(), shaders::sparse_dense_glsl(), text});
    };
    return {splatting("rising_particles", shaders::rising_particles_comp()),
            splatting("beads", shaders::beads_comp()),
            gl::Program("cells_columns",
                        {shaders::tone_glsl(), shaders::particles_glsl(), shaders::splat_glsl(),
                         shaders::sparse_dense_glsl(), shaders::cell_look_glsl(), shaders::field_look_glsl(),
                         shaders::cells_over_glsl(), shaders::splat_columns_comp()})};
}

void ComputeSplat::accumulate(const scene::GlParticles& particles, GLuint ramp, SparseDense* sparse_dense) {
    if (sparse_dense && !sparse_dense_programs_) sparse_dense_programs_ = compile_sparse_dense();
    if (sparse_dense) sparse_dense->cells.begin_ranks();
    (sparse_dense ? sparse_dense_programs_->particles : splat_).use();
    glBindTextureUnit(0, ramp);
    glBindTextureUnit(1, sparse_dense ? sparse_dense->slot_ramp : 0);
    // No barrier needed before this: unmapping orders CUDA's writes, and OpenGL orders its own uploads.
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, particles.command);
    glDispatchComputeIndirect(scene::dispatch_offset_bytes);
    if (!sparse_dense) return;
    // Colours of cells and arcs follow from the ranks that the particles wrote; beads move along the arcs.
    sparse_dense->cells.find_looks();
    sparse_dense_programs_->beads.use();
    glDispatchCompute(beads_groups, 1, 1);
}

const gl::Program& ComputeSplat::columns_program(const SparseDense* sparse_dense,
                                                 const scene::Matrix& view_projection,
                                                 gl::PixelSize size) const {
    if (!sparse_dense) return blur_columns_;
    const gl::Program& program = sparse_dense_programs_->blur_columns;
    const auto set = [&](GLint location, const scene::CellField& field) {
        glProgramUniformMatrix3fv(program.name(), location, 1, GL_FALSE,
                                  cells_of_pixels(field, view_projection, size).data());
    };
    set(0, sparse_dense->layout.sparse);
    set(1, sparse_dense->layout.dense);
    glBindTextureUnit(3, sparse_dense->slot_ramp);
    return program;
}

GLuint ComputeSplat::draw(const scene::GlParticles& particles, const scene::Camera& camera, Theme theme,
                          GLuint ramp, SparseDense* sparse_dense, GLuint ground, gl::PixelSize size,
                          Columns columns, bool with_bloom, const Target& target) {
    resize(size);
    const Frame frame = describe(camera, theme, size, columns, sparse_dense != nullptr);
    upload(frame);
    const BoundParticles bound(particles);
    glBindBufferBase(GL_UNIFORM_BUFFER, frame_block, frame_buffer_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, splat_sums_block, intermediate_->sums.name());

    accumulate(particles, ramp, sparse_dense);
    // Storage: completes the sums before blur_rows reads them. Image: completes the last frame's reads of
    // rows and picture before they are overwritten.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);

    blur_rows_.use();
    glBindImageTexture(0, intermediate_->rows.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    glDispatchCompute(groups(size.width, pixels_per_row_group), static_cast<GLuint>(size.height), 1);
    // Texture: completes the rows before blur_columns fetches them. Storage: completes the reads of the sums
    // before they are cleared.
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);

    const GLuint glow = with_bloom ? bloom_.draw(intermediate_->rows.name(), size) : bloom_.black();
    const gl::Program& blur_columns = columns_program(sparse_dense, frame.view_projection, size);
    blur_columns.use();
    glProgramUniform2i(blur_columns.name(), 2, target.left, target.bottom);
    glBindTextureUnit(2, glow);
    glBindTextureUnit(0, intermediate_->rows.name());
    glBindTextureUnit(1, ground);
    glBindImageTexture(0, target.texture != 0 ? target.texture : picture_.texture(), 0, GL_FALSE, 0,
                       GL_WRITE_ONLY, GL_RGBA8);
    glDispatchCompute(groups(size.width, column_tile.width), groups(size.height, column_tile.height), 1);
    // Framebuffer: completes the picture before it is copied or drawn over. Storage: completes the clearing
    // before the next frame adds to the sums.
    glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);

    // CUDA may map the command next.
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, frame_block, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, splat_sums_block, 0);
    glUseProgram(0);
    return picture_.framebuffer();
}

}  // namespace warpsieve::render
