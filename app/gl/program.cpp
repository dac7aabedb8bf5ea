#include "app/gl/program.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "compaction/error.hpp"

namespace warpsieve::gl {
namespace {

/// `failed_action`: "compile the vertex shader".
[[noreturn]] void throw_shader_error(std::string_view program, std::string_view failed_action,
                                     const std::string& log) {
    throw compaction::Error(compaction::ErrorCode::device_failure,
                            "The OpenGL driver could not " + std::string(failed_action) + " of '" +
                                std::string(program) + "'. Update the graphics driver; its log says:\n" +
                                log);
}

std::string shader_log(GLuint shader) {
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetShaderInfoLog(shader, length, &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

std::string program_log(GLuint program) {
    GLint length = 0;
    glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetProgramInfoLog(program, length, &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

std::string_view name_of(GLenum stage) {
    switch (stage) {
        case GL_VERTEX_SHADER:
            return "vertex";
        case GL_FRAGMENT_SHADER:
            return "fragment";
        default:
            return "compute";
    }
}

class Shader {
  public:
    Shader(std::string_view program, GLenum stage, ShaderText text) : name_(glCreateShader(stage)) {
        constexpr std::string_view version = "#version 450 core\n";
        std::vector<const GLchar*> parts{version.data()};
        std::vector<GLint> lengths{static_cast<GLint>(version.size())};
        for (const std::string_view part : text) {
            parts.push_back(part.data());
            lengths.push_back(static_cast<GLint>(part.size()));
        }
        glShaderSource(name_, static_cast<GLsizei>(parts.size()), parts.data(), lengths.data());
        glCompileShader(name_);

        GLint compiled = GL_FALSE;
        glGetShaderiv(name_, GL_COMPILE_STATUS, &compiled);
        if (compiled) return;
        const std::string log = shader_log(name_);
        glDeleteShader(name_);
        throw_shader_error(program, "compile the " + std::string(name_of(stage)) + " shader", log);
    }
    ~Shader() { glDeleteShader(name_); }
    Shader(const Shader&) = delete;
    Shader& operator=(const Shader&) = delete;

    GLuint name() const { return name_; }

  private:
    GLuint name_;
};

}  // namespace

Program::Program(std::string_view name, ShaderText vertex, ShaderText fragment) {
    const Shader vertex_shader(name, GL_VERTEX_SHADER, vertex);
    const Shader fragment_shader(name, GL_FRAGMENT_SHADER, fragment);
    link(name, {vertex_shader.name(), fragment_shader.name()});
}

Program::Program(std::string_view name, ShaderText compute) {
    const Shader compute_shader(name, GL_COMPUTE_SHADER, compute);
    link(name, {compute_shader.name()});
}

void Program::link(std::string_view name, std::initializer_list<GLuint> shaders) {
    name_ = glCreateProgram();
    for (const GLuint shader : shaders) glAttachShader(name_, shader);
    glLinkProgram(name_);
    // A linked program no longer needs its shaders; detached, they are deleted with their owners.
    for (const GLuint shader : shaders) glDetachShader(name_, shader);

    GLint linked = GL_FALSE;
    glGetProgramiv(name_, GL_LINK_STATUS, &linked);
    if (linked) return;
    const std::string log = program_log(name_);
    glDeleteProgram(std::exchange(name_, 0));
    throw_shader_error(name, "link the shaders", log);
}

Program::Program(Program&& other) noexcept : name_(std::exchange(other.name_, 0)) {}

Program& Program::operator=(Program&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
}

Program::~Program() {
    if (name_) glDeleteProgram(name_);
}

}  // namespace warpsieve::gl
