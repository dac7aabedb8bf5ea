#pragma once

#include <glad/gl.h>

#include <utility>

namespace warpsieve::gl {

/// Owns the name of one OpenGL object; move-only. Objects are created with glCreate*, so direct state access
/// works at once.
template <auto Create, auto Destroy>
class Object {
  public:
    Object() { Create(name_); }
    Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    Object& operator=(Object&& other) noexcept {
        std::swap(name_, other.name_);
        return *this;
    }
    ~Object() {
        if (name_) Destroy(name_);
    }

    GLuint name() const { return name_; }

  private:
    GLuint name_ = 0;
};

// GLAD's entry points are run-time pointers; template arguments must be functions.
namespace object_functions {

inline void create_buffer(GLuint& name) {
    glCreateBuffers(1, &name);
}
inline void destroy_buffer(GLuint name) {
    glDeleteBuffers(1, &name);
}
inline void create_texture_1d(GLuint& name) {
    glCreateTextures(GL_TEXTURE_1D, 1, &name);
}
inline void create_texture_2d(GLuint& name) {
    glCreateTextures(GL_TEXTURE_2D, 1, &name);
}
inline void destroy_texture(GLuint name) {
    glDeleteTextures(1, &name);
}
inline void create_vertex_array(GLuint& name) {
    glCreateVertexArrays(1, &name);
}
inline void destroy_vertex_array(GLuint name) {
    glDeleteVertexArrays(1, &name);
}
inline void create_renderbuffer(GLuint& name) {
    glCreateRenderbuffers(1, &name);
}
inline void destroy_renderbuffer(GLuint name) {
    glDeleteRenderbuffers(1, &name);
}
inline void create_framebuffer(GLuint& name) {
    glCreateFramebuffers(1, &name);
}
inline void destroy_framebuffer(GLuint name) {
    glDeleteFramebuffers(1, &name);
}

inline void create_time_query(GLuint& name) {
    glCreateQueries(GL_TIME_ELAPSED, 1, &name);
}
inline void destroy_query(GLuint name) {
    glDeleteQueries(1, &name);
}

}  // namespace object_functions

using Buffer = Object<object_functions::create_buffer, object_functions::destroy_buffer>;
using Texture1D = Object<object_functions::create_texture_1d, object_functions::destroy_texture>;
using Texture2D = Object<object_functions::create_texture_2d, object_functions::destroy_texture>;
using VertexArray = Object<object_functions::create_vertex_array, object_functions::destroy_vertex_array>;
using ElapsedTimeQuery = Object<object_functions::create_time_query, object_functions::destroy_query>;
using Renderbuffer = Object<object_functions::create_renderbuffer, object_functions::destroy_renderbuffer>;
using Framebuffer = Object<object_functions::create_framebuffer, object_functions::destroy_framebuffer>;

}  // namespace warpsieve::gl
