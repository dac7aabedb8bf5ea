#pragma once

#include <glad/gl.h>

#include <initializer_list>
#include <string_view>

namespace warpsieve::gl {

/// GLSL in parts that the driver reads as one text: what shaders share first, "#version" included, then their
/// own.
using ShaderText = std::initializer_list<std::string_view>;

/// A linked program of a vertex and a fragment shader, or of a compute shader; move-only. Uniforms have
/// explicit locations in the GLSL, so there is nothing to look up.
class Program {
  public:
    /// `name` says in errors which program it was. Throws compaction::Error{device_failure} with the driver's
    /// log.
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
