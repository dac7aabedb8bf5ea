#include "app/render/stage_pass.hpp"

#include <algorithm>

#include "app/render/particle_buffers.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

using scene::TwoStage;

constexpr GLuint looks_group = 64;
constexpr GLsizeiptr arc_bytes = 4 * sizeof(GLuint);
constexpr GLsizeiptr most_looks = TwoStage::most_cells + TwoStage::most_dense_cells;

}  // namespace

StagePass::StagePass()
    : cells_("stage_cells",
             {shaders::version_glsl(), shaders::stage_glsl(), shaders::tone_glsl(),
              shaders::stage_look_glsl(), shaders::stage_cells_vert()},
             {shaders::version_glsl(), shaders::tone_glsl(), shaders::stage_look_glsl(),
              shaders::stage_cells_frag()}) {
    glNamedBufferStorage(stage_buffer_.name(), sizeof(TwoStage), nullptr, GL_DYNAMIC_STORAGE_BIT);
    glNamedBufferStorage(arcs_.name(), TwoStage::most_arcs * arc_bytes, nullptr, 0);
    glNamedBufferStorage(ranks_.name(), TwoStage::most_cells * sizeof(GLuint), nullptr, 0);
    glNamedBufferStorage(looks_.name(), most_looks * static_cast<GLsizeiptr>(sizeof(CellLook)), nullptr,
                         GL_DYNAMIC_STORAGE_BIT);
}

void StagePass::begin(const TwoStage& stage) {
    num_sparse_ = stage.sparse.cells;
    num_dense_ = stage.dense.cells;
    glNamedBufferSubData(stage_buffer_.name(), 0, sizeof stage, &stage);
    glBindBufferBase(GL_UNIFORM_BUFFER, stage_block, stage_buffer_.name());
}

void StagePass::begin_ranks() {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, arcs_block, arcs_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, ranks_block, ranks_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, looks_block, looks_.name());
    glClearNamedBufferData(ranks_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

void StagePass::find_looks() {
    if (!finding_looks_) {
        finding_looks_.emplace(
            "stage_looks",
            gl::ShaderText{shaders::version_glsl(), shaders::particles_glsl(), shaders::splat_glsl(),
                           shaders::stage_glsl(), shaders::stage_looks_comp()});
    }
    // Completes the ranks before the looks are made of them.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    finding_looks_->use();
    const std::uint32_t threads = std::max(num_sparse_, num_dense_);
    glDispatchCompute((threads + looks_group - 1) / looks_group, 1, 1);
    // Completes looks and arcs before beads and cells are drawn from them, and the reads of the ranks before
    // they are cleared.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void StagePass::upload(std::span<const CellLook> looks) {
    glNamedBufferSubData(looks_.name(), 0, static_cast<GLsizeiptr>(looks.size_bytes()), looks.data());
}

void StagePass::draw(const scene::Camera& camera, float aspect, Theme theme, GLuint slot_ramp) {
    const scene::Matrix view_projection = camera.view_projection(aspect);
    glProgramUniformMatrix4fv(cells_.name(), 0, 1, GL_FALSE, view_projection.data());
    glProgramUniform1i(cells_.name(), 1, theme == Theme::light);
    glBindTextureUnit(1, slot_ramp);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, looks_block, looks_.name());
    cells_.use();
    glBindVertexArray(no_vertices_.name());
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(theme == Theme::light ? GL_ZERO : GL_ONE, GL_ONE_MINUS_SRC_COLOR);
    // Two bases, then the cells.
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(2 + num_sparse_ + num_dense_));
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    glUseProgram(0);
}

void StagePass::end() {
    glBindBufferBase(GL_UNIFORM_BUFFER, stage_block, 0);
    for (const GLuint block : {arcs_block, ranks_block, looks_block})
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, block, 0);
}

}  // namespace warpsieve::render
