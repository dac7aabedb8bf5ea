#include "app/render/earlier_positions.hpp"

#include "app/render/particle_buffers.hpp"
#include "app/render/streak.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

GLint64 bytes_of(GLuint buffer) {
    GLint64 bytes = 0;
    glGetNamedBufferParameteri64v(buffer, GL_BUFFER_SIZE, &bytes);
    return bytes;
}

bool same_stream(const scene::Frame& a, const scene::Frame& b) {
    return a.source == b.source && a.slots == b.slots && a.moment.seed == b.moment.seed;
}

}  // namespace

void HostCopy::take(Positions positions) {
    copy_.assign(positions.begin(), positions.end());
}

HostCopy::Positions HostCopy::beside(Positions positions) const {
    return copy_.size() == positions.size() ? Positions(copy_) : Positions();
}

void GlCopy::take(GLuint positions) {
    const GLint64 bytes = bytes_of(positions);
    if (bytes_ != bytes) {
        glNamedBufferData(copy_.name(), static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
        bytes_ = bytes;
    }
    if (!program_) program_.emplace("copy", gl::ShaderText{shaders::version_glsl(), shaders::copy_comp()});
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, attributes_block, positions);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, earlier_block, copy_.name());
    program_->use();
    constexpr GLint64 bytes_per_group = 256 * sizeof(scene::Position);
    glDispatchCompute(static_cast<GLuint>((bytes + bytes_per_group - 1) / bytes_per_group), 1, 1);
    // Completes the copy before the next frame reads it.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, attributes_block, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, earlier_block, 0);
    glUseProgram(0);
}

GLuint GlCopy::beside(GLuint positions) const {
    return bytes_ == bytes_of(positions) ? copy_.name() : 0;
}

template <typename Copy>
bool EarlierPositions<Copy>::shows_motion(const scene::Frame& frame) {
    return frame.slots <= most_streak_slots;
}

template <typename Copy>
bool EarlierPositions<Copy>::same(const scene::Frame& last, const scene::Frame& frame) {
    return same_stream(last, frame) && last.moment.time == frame.moment.time &&
           last.moment.phase == frame.moment.phase && last.moment.live_below == frame.moment.live_below;
}

template <typename Copy>
bool EarlierPositions<Copy>::follows(const scene::Frame& last, const scene::Frame& frame) {
    constexpr double one_second = 0x1p32;
    const double seconds = static_cast<double>(frame.moment.time - last.moment.time) / one_second;
    return same_stream(last, frame) && frame.moment.time > last.moment.time &&
           seconds < longest_motion_seconds;
}

template class EarlierPositions<HostCopy>;
template class EarlierPositions<GlCopy>;

}  // namespace warpsieve::render
