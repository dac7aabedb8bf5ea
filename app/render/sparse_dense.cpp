#include "app/render/sparse_dense.hpp"

#include <algorithm>

#include "app/render/particle_buffers.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

using scene::SparseDenseLayout;

constexpr GLuint looks_per_group = 64;
constexpr GLsizeiptr arc_bytes = 4 * sizeof(GLuint);
constexpr GLsizeiptr max_looks = SparseDenseLayout::max_cells + SparseDenseLayout::max_dense_cells;

using Vector3 = std::array<double, 3>;

Vector3 cross(const Vector3& a, const Vector3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector3& a, const Vector3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

CellsPass::CellsPass()
    : cells_("cells",
             {shaders::sparse_dense_glsl(), shaders::tone_glsl(), shaders::cell_look_glsl(),
              shaders::cells_vert()},
             {shaders::tone_glsl(), shaders::sparse_dense_glsl(), shaders::cell_look_glsl(),
              shaders::field_look_glsl(), shaders::cells_frag()}) {
    glNamedBufferStorage(layout_.name(), sizeof(SparseDenseLayout), nullptr, GL_DYNAMIC_STORAGE_BIT);
    glNamedBufferStorage(arcs_.name(), SparseDenseLayout::max_arcs * arc_bytes, nullptr, 0);
    glNamedBufferStorage(ranks_.name(), SparseDenseLayout::max_cells * sizeof(GLuint), nullptr, 0);
    glNamedBufferStorage(looks_.name(), max_looks * static_cast<GLsizeiptr>(sizeof(CellLook)), nullptr,
                         GL_DYNAMIC_STORAGE_BIT);
}

void CellsPass::begin(const SparseDenseLayout& layout) {
    num_sparse_ = layout.sparse.cells;
    num_dense_ = layout.dense.cells;
    glNamedBufferSubData(layout_.name(), 0, sizeof layout, &layout);
    glBindBufferBase(GL_UNIFORM_BUFFER, sparse_dense_block, layout_.name());
}

void CellsPass::begin_ranks() {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, arcs_block, arcs_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, ranks_block, ranks_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, looks_block, looks_.name());
    glClearNamedBufferData(ranks_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

void CellsPass::find_looks() {
    if (!finding_looks_) {
        finding_looks_.emplace("find_cell_looks",
                               gl::ShaderText{shaders::particles_glsl(), shaders::splat_glsl(),
                                              shaders::sparse_dense_glsl(), shaders::find_cell_looks_comp()});
    }
    // Completes the ranks before the looks are computed from them.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    finding_looks_->use();
    const std::uint32_t threads = std::max(num_sparse_, num_dense_);
    glDispatchCompute((threads + looks_per_group - 1) / looks_per_group, 1, 1);
    // Completes looks and arcs before beads and cells are drawn from them, and the reads of the ranks before
    // they are cleared.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void CellsPass::upload(std::span<const CellLook> looks) {
    glNamedBufferSubData(looks_.name(), 0, static_cast<GLsizeiptr>(looks.size_bytes()), looks.data());
}

void CellsPass::draw(const scene::Camera& camera, float aspect, Theme theme, GLuint slot_ramp) {
    const scene::Matrix view_projection = camera.view_projection(aspect);
    glProgramUniformMatrix4fv(cells_.name(), 0, 1, GL_FALSE, view_projection.data());
    glProgramUniform1i(cells_.name(), 1, theme == Theme::light);
    glBindTextureUnit(3, slot_ramp);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, looks_block, looks_.name());
    cells_.use();
    glBindVertexArray(no_vertices_.name());
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(theme == Theme::light ? GL_ZERO : GL_ONE, GL_ONE_MINUS_SRC_COLOR);
    constexpr GLsizei vertices = 2 * 6;  // a quad for each array
    glDrawArrays(GL_TRIANGLES, 0, vertices);
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    glUseProgram(0);
}

void CellsPass::end() {
    glBindBufferBase(GL_UNIFORM_BUFFER, sparse_dense_block, 0);
    for (const GLuint block : {arcs_block, ranks_block, looks_block})
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, block, 0);
}

std::array<float, 9> cells_of_pixels(const scene::CellField& field, const scene::Matrix& view_projection,
                                     gl::PixelSize size) {
    // The matrix from (column, row, 1) to homogeneous pixels, by columns.
    const auto pixels_of = [&](const std::array<float, 4>& metres, double w) {
        const auto clip = [&](std::size_t row) {
            const auto m = [&](std::size_t column) {
                return static_cast<double>(view_projection[4 * column + row]);
            };
            return m(0) * static_cast<double>(metres[0]) + m(1) * static_cast<double>(metres[1]) +
                   m(2) * static_cast<double>(metres[2]) + m(3) * w;
        };
        return Vector3{0.5 * size.width * (clip(3) + clip(0)), 0.5 * size.height * (clip(3) + clip(1)),
                       clip(3)};
    };
    const Vector3 across = pixels_of(field.across, 0);
    const Vector3 along = pixels_of(field.along, 0);
    const Vector3 corner = pixels_of(field.corner, 1);
    // The rows of its inverse, times the determinant.
    const std::array rows{cross(along, corner), cross(corner, across), cross(across, along)};
    const double determinant = dot(across, rows[0]);
    std::array<float, 9> inverse{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column)
            inverse[3 * column + row] = static_cast<float>(rows[row][column] / determinant);
    }
    return inverse;
}

void HostSparseDense::begin(const scene::SparseDenseLayout& layout, std::size_t num_kept) {
    layout_ = layout;
    shows_all_items_ = num_kept <= SparseDenseLayout::max_items_shown;
    ranks_.assign(layout.sparse.cells, 0);
    looks_.resize(layout.sparse.cells + layout.dense.cells);
    arcs_.clear();
    arcs_.reserve(scene::SparseDenseLayout::max_arcs);
}

float HostSparseDense::age_of_cell(const scene::HostParticles& particles, std::uint32_t cell) const {
    return particles.attributes.position[particles.handles[ranks_[cell] - 1] - 1].age;
}

void HostSparseDense::finish(const scene::HostParticles& particles) {
    const scene::CellField& sparse = layout_.sparse;
    const scene::CellField& dense = layout_.dense;
    for (std::uint32_t cell = 0; cell < sparse.cells; ++cell) {
        const float share = static_cast<float>(cell) / static_cast<float>(sparse.cells);
        looks_[cell] = {share, ranks_[cell] != 0 ? scene::cell_light(age_of_cell(particles, cell)) : 0};
    }
    for (std::uint32_t cell = 0; cell < dense.cells; ++cell) {
        const std::size_t item = dense.item_of(cell);
        CellLook& look = looks_[sparse.cells + cell];
        look = {};
        if (item < particles.handles.size())
            look = {layout_.share_of(particles.handles[item] - 1), scene::dense_cell_light};
    }
    for (std::uint32_t arc = 0; arc * scene::SparseDenseLayout::cells_per_arc < sparse.cells; ++arc)
        choose_arc(particles, arc);
}

/// Chooses the live cell with the largest hash of its group: the choice holds until that item dies.
void HostSparseDense::choose_arc(const scene::HostParticles& particles, std::uint32_t number) {
    const std::uint32_t first = number * scene::SparseDenseLayout::cells_per_arc;
    const std::uint32_t end = std::min(first + scene::SparseDenseLayout::cells_per_arc, layout_.sparse.cells);
    std::uint32_t largest_hash = 0;
    Arc arc{number, 0, 0, 0};
    for (std::uint32_t cell = first; cell < end; ++cell) {
        const std::uint32_t hash = scene::hash(cell) | 1U;  // above 0, which means that no cell is live
        if (ranks_[cell] == 0 || hash <= largest_hash) continue;
        largest_hash = hash;
        arc.cell = cell;
    }
    if (largest_hash == 0) return;
    arc.rank = ranks_[arc.cell] - 1;
    const float age = age_of_cell(particles, arc.cell);
    arc.light = scene::smoothstep(0, 0.06F, age) * (1 - scene::smoothstep(0.92F, 1, age));
    arcs_.push_back(arc);
}

void HostSparseDense::gather_beads(std::size_t arc_index, splat_kernels::Batch& batch) const {
    const Arc& arc = arcs_[arc_index];
    const scene::Vector from = layout_.sparse.centre(arc.cell);
    const scene::Vector to = layout_.dense.position_of_item(arc.rank);
    const float colour = splat_kernels::age_of_slot_colour(static_cast<float>(arc.cell) /
                                                           static_cast<float>(layout_.sparse.cells));
    for (std::uint32_t i = 0; i < scene::SparseDenseLayout::beads_per_arc; ++i) {
        const scene::Bead bead = scene::bead(arc.number, i, layout_.seconds);
        const scene::Vector position = scene::arc_point(from, to, bead.t);
        batch.x[i] = position.x;
        batch.y[i] = position.y;
        batch.z[i] = position.z;
        batch.age[i] = colour;
        batch.light[i] = bead.light * arc.light;
    }
}

}  // namespace warpsieve::render
