#include "app/render/particle_buffers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "app/scene/draw_command.hpp"
#include "compaction/error.hpp"

namespace warpsieve::render {
namespace {

/// The shaders read only the first four words of the draw command: Command in particles.glsl.
constexpr GLsizeiptr command_block_bytes = 4 * sizeof(GLuint);

/// Replaces the storage of a buffer. The driver keeps the old one until its draws are done, so this never
/// waits. NVIDIA's driver keeps tiny buffers in host memory and then reports GL_OUT_OF_MEMORY for an indirect
/// indexed draw; hence the minimum.
template <typename T>
void renew(const gl::Buffer& buffer, std::span<const T> items) {
    constexpr std::size_t min_bytes = 65'536;
    const std::size_t bytes = items.size_bytes();
    glNamedBufferData(buffer.name(), static_cast<GLsizeiptr>(std::max(bytes, min_bytes)), nullptr,
                      GL_DYNAMIC_DRAW);
    if (bytes > 0) glNamedBufferSubData(buffer.name(), 0, static_cast<GLsizeiptr>(bytes), items.data());
}

}  // namespace

BoundParticles::BoundParticles(const scene::GlParticles& particles) {
    glBindBufferRange(GL_UNIFORM_BUFFER, command_block, particles.command, 0, command_block_bytes);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, handles_block, particles.handles);
    glBindBufferBase(
        GL_SHADER_STORAGE_BUFFER, previous_positions_block,
        particles.previous_positions != 0 ? particles.previous_positions : particles.attributes.position);
    GLuint block = attributes_block;
    scene::for_each_attribute(
        [&](GLuint buffer) { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, block++, buffer); },
        particles.attributes);
}

BoundParticles::~BoundParticles() {
    glBindBufferBase(GL_UNIFORM_BUFFER, command_block, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, handles_block, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, previous_positions_block, 0);
    // Unbinds one block for each attribute; the values of the particle are not used.
    GLuint block = attributes_block;
    const scene::Particle particle = scene::no_particle();
    scene::for_each_attribute([&](const auto&) { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, block++, 0); },
                              particle);
}

std::int64_t largest_attribute_bytes() {
    std::size_t largest = 0;
    const scene::Particle particle = scene::no_particle();
    scene::for_each_attribute([&](const auto& value) { largest = std::max(largest, sizeof value); },
                              particle);
    return static_cast<std::int64_t>(largest);
}

scene::GlParticles UploadedParticles::upload(const scene::HostParticles& particles) {
    if (particles.handles.size() > std::numeric_limits<GLuint>::max()) {
        throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                "One draw supports at most 4,294,967,295 particles. Choose fewer slots.");
    }
    const std::array command{scene::draw_command(static_cast<std::uint32_t>(particles.handles.size()))};
    renew(handles_, particles.handles);
    renew(command_, std::span<const scene::DrawCommand>(command));
    scene::GlParticles uploaded{.handles = handles_.name(), .command = command_.name()};
    scene::for_each_attribute(
        [](GLuint& name, const gl::Buffer& buffer, const auto& values) {
            renew(buffer, values);
            name = buffer.name();
        },
        uploaded.attributes, attributes_, particles.attributes);
    return uploaded;
}

}  // namespace warpsieve::render
