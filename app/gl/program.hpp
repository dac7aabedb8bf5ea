#pragma once

#include <glad/gl.h>

#include <initializer_list>
#include <string_view>

namespace warpsieve::gl {

/// Parts of a GLSL text, in order: shared code first. Program adds "#version 450 core" before them.
using ShaderText = std::initializer_list<std::string_view>;

/// A linked program of a vertex and a fragment shader, or of a compute shader; move-only. Uniforms have
/// explicit locations in the GLSL.
class Program {
  public:
    /// `name`: for error messages. Throws compaction::Error{device_failure} with the driver's log.
    Program(std::string_view name, ShaderText vertex, ShaderText fragment);
    Program(std::string_view name, ShaderText compute);
    Program(Program&& other) noexcept;
    Program& operator=(Program&& other) noexcept;
    ~Program();

    GLuint name() const { return name_; }
    void use() const { glUseProgram(name_); }

  private:
    void link(std::string_view name, std::initializer_list<GLuint> shaders);

    GLuint name_ = 0;
};

}  // namespace warpsieve::gl
