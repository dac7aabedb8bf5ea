#include "app/render/earlier_positions.hpp"

#include "app/render/streak.hpp"

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
    glCopyNamedBufferSubData(positions, copy_.name(), 0, 0, static_cast<GLsizeiptr>(bytes));
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
