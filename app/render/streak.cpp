#include "app/render/streak.hpp"

#include <algorithm>
#include <cmath>

#include "app/render/particle_buffers.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

struct Pixel {
    float right, up;
};

/// Projects to pixels from the middle of the picture; false unless the position is in front of the camera.
bool project(const StreakSampler& sampler, const scene::Vector& position, Pixel& pixel) {
    const scene::Matrix& m = sampler.view_projection;
    const auto clip = [&](std::size_t row) {
        return m[row] * position.x + m[4 + row] * position.y + m[8 + row] * position.z + m[12 + row];
    };
    const float w = clip(3);
    if (w <= 0.1F) return false;
    pixel = {sampler.half_width * clip(0) / w, sampler.half_height * clip(1) / w};
    return true;
}

GLint64 bytes_of(GLuint buffer) {
    GLint64 bytes = 0;
    glGetNamedBufferParameteri64v(buffer, GL_BUFFER_SIZE, &bytes);
    return bytes;
}

bool same_stream(const scene::Frame& a, const scene::Frame& b) {
    return a.source == b.source && a.slots == b.slots && a.moment.seed == b.moment.seed;
}

}  // namespace

scene::Position streak_end(const scene::Position& now, const scene::Position& before) {
    const float seconds = (now.age - before.age) * scene::life_seconds;
    // NaN compares false, so this also covers memory that never held a particle, whatever its bits are.
    if (!(seconds > 0 && seconds < max_motion_seconds)) return now;
    // A particle has no path before its birth.
    const float shown = std::min(streak_seconds, now.age * scene::life_seconds) / seconds;
    return {now.x + shown * (before.x - now.x), now.y + shown * (before.y - now.y),
            now.z + shown * (before.z - now.z), now.age + shown * (before.age - now.age)};
}

int points_per_streak(std::uint64_t count) {
    const std::uint64_t share = max_total_streak_points / std::max<std::uint64_t>(count, 1);
    return static_cast<int>(std::clamp<std::uint64_t>(share, 1, max_streak_points));
}

std::size_t StreakSampler::append_points(const splat_kernels::Batch& heads, std::size_t i,
                                         splat_kernels::Batch& points, std::size_t count) const {
    const scene::Vector head{heads.x[i], heads.y[i], heads.z[i]};
    const scene::Vector tail{heads.tail_x[i], heads.tail_y[i], heads.tail_z[i]};
    int steps = 0;
    float shown_fraction = 1;  // below 1 for a streak that is too long
    Pixel from{}, to{};
    if (project(*this, head, from) && project(*this, tail, to)) {
        const float right = to.right - from.right, up = to.up - from.up;
        const float spacings = std::sqrt(right * right + up * up) / spacing;
        const auto max_steps = static_cast<float>(max_points - 1);
        steps = static_cast<int>(std::min(spacings, max_steps) + 0.75F);  // a quarter of a step counts
        if (spacings > max_steps) shown_fraction = max_steps / spacings;
    }
    const float per_step = steps > 0 ? shown_fraction / static_cast<float>(steps) : 0;
    const auto num_points = static_cast<float>(steps + 1);
    for (int step = 0; step <= steps; ++step, ++count) {
        const float t = per_step * static_cast<float>(step);
        points.x[count] = head.x + t * (tail.x - head.x);
        points.y[count] = head.y + t * (tail.y - head.y);
        points.z[count] = head.z + t * (tail.z - head.z);
        points.age[count] = heads.age[i];
        // The light falls linearly towards the tail; the points share the light of one particle.
        const float remaining = num_points - static_cast<float>(step) - 0.5F;
        points.light[count] = heads.light[i] * 2 * remaining / (num_points * num_points);
    }
    return count;
}

void HostCopy::copy_from(Positions positions) {
    copy_.assign(positions.begin(), positions.end());
}

HostCopy::Positions HostCopy::matching(Positions positions) const {
    return copy_.size() == positions.size() ? Positions(copy_) : Positions();
}

void GlCopy::copy_from(GLuint positions) {
    const GLint64 bytes = bytes_of(positions);
    if (bytes_ != bytes) {
        glNamedBufferData(copy_.name(), static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
        bytes_ = bytes;
    }
    if (!program_) program_.emplace("copy", gl::ShaderText{shaders::copy_comp()});
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, attributes_block, positions);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, previous_positions_block, copy_.name());
    program_->use();
    constexpr GLint64 threads_per_group = 256;
    constexpr GLint64 bytes_per_group = threads_per_group * sizeof(scene::Position);
    glDispatchCompute(static_cast<GLuint>((bytes + bytes_per_group - 1) / bytes_per_group), 1, 1);
    // Completes the copy before the next frame reads it.
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, attributes_block, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, previous_positions_block, 0);
    glUseProgram(0);
}

GLuint GlCopy::matching(GLuint positions) const {
    return bytes_ == bytes_of(positions) ? copy_.name() : 0;
}

bool same_frame(const scene::Frame& a, const scene::Frame& b) {
    return same_stream(a, b) && a.moment.time == b.moment.time && a.moment.phase == b.moment.phase &&
           a.moment.live_below == b.moment.live_below;
}

bool is_continued(const scene::Frame& last, const scene::Frame& frame) {
    constexpr double one_second = 0x1p32;
    const double seconds = static_cast<double>(frame.moment.time - last.moment.time) / one_second;
    return same_stream(last, frame) && frame.moment.time > last.moment.time && seconds < max_motion_seconds;
}

}  // namespace warpsieve::render
