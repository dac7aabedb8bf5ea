#include "app/render/uploaded_particles.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "app/scene/draw_command.hpp"
#include "compaction/error.hpp"

namespace warpsieve::render {

scene::GlParticles UploadedParticles::upload(const scene::HostParticles& particles) {
    if (particles.handles.size() > std::numeric_limits<GLuint>::max()) {
        throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                "One draw supports at most 4,294,967,295 particles. Choose fewer slots.");
    }
    const std::array command{scene::draw_command(static_cast<std::uint32_t>(particles.handles.size()))};

    // New storage for each frame: the driver keeps the old one until its draws are done, so this never waits.
    // NVIDIA's driver keeps tiny buffers in host memory and then reports GL_OUT_OF_MEMORY for an indirect
    // indexed draw; hence the minimum.
    static constexpr std::size_t least_bytes = 65'536;
    const auto renew = [](const gl::Buffer& buffer, const auto& items) {
        const std::size_t bytes = items.size_bytes();
        glNamedBufferData(buffer.name(), static_cast<GLsizeiptr>(std::max(bytes, least_bytes)), nullptr,
                          GL_DYNAMIC_DRAW);
        if (bytes > 0) glNamedBufferSubData(buffer.name(), 0, static_cast<GLsizeiptr>(bytes), items.data());
    };
    renew(positions_, particles.positions);
    renew(handles_, particles.handles);
    renew(command_, std::span(command));
    return {positions_.name(), handles_.name(), command_.name()};
}

}  // namespace warpsieve::render
