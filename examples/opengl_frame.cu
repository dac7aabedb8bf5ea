// A frame of OpenGL that draws what a selection keeps, without the count ever coming to the host: the
// selection writes the items into a vertex buffer, and their number into the command of an indirect draw.
// Renders offscreen through EGL. Where OpenGL does not run on a GPU of CUDA, the host selects instead, and
// the rest of the frame is the same.
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <cuda_gl_interop.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "check.cuh"
#include "compaction/cuda/select.cuh"

namespace {

using examples::check;
constexpr int side = 64;  // of the frame, in pixels
constexpr std::uint32_t num_particles = side * side;

struct alignas(16) Particle {
    float x, y, z;
    float seconds_left;
};

struct IsAlive {
    __host__ __device__ bool operator()(const Particle& particle) const { return particle.seconds_left > 0; }
};

/// The arguments of glDrawArraysIndirect.
struct DrawCommand {
    std::uint32_t num_vertices, num_instances, first_vertex, first_instance;
};

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "opengl_frame: %s\n", what);
    std::exit(1);
}

/// Makes a context of OpenGL 4.5 current, on the first device that has one; needs no display.
void open_context() {
    const auto query_devices =
        reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint num_devices = 0;
    if (!query_devices || !query_devices(devices.size(), devices.data(), &num_devices))
        fail("EGL lists no devices");
    const std::array<EGLint, 7> version{EGL_CONTEXT_MAJOR_VERSION,
                                        4,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        5,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                        EGL_NONE};
    for (int i = 0; i < num_devices; ++i) {
        const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr);
        if (!display || !eglInitialize(display, nullptr, nullptr)) continue;
        if (!eglBindAPI(EGL_OPENGL_API)) continue;
        const EGLContext context =
            eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version.data());
        if (context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return;
    }
    fail("no device has OpenGL 4.5");
}

GLuint make_shader(GLenum kind, const char* source) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    return shader;
}

/// Draws each vertex as a white pixel.
GLuint make_program() {
    const GLuint program = glCreateProgram();
    glAttachShader(program, make_shader(GL_VERTEX_SHADER,
                                        "#version 450\n"
                                        "layout(location = 0) in vec3 position;\n"
                                        "void main() { gl_Position = vec4(position, 1); }"));
    glAttachShader(program, make_shader(GL_FRAGMENT_SHADER,
                                        "#version 450\n"
                                        "layout(location = 0) out vec4 colour;\n"
                                        "void main() { colour = vec4(1); }"));
    glLinkProgram(program);
    GLint is_linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
    if (!is_linked) fail("the shaders do not link");
    return program;
}

template <typename T>
GLuint make_buffer(std::size_t size, const T* content) {
    GLuint buffer = 0;
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, static_cast<GLsizeiptr>(size * sizeof(T)), content, GL_DYNAMIC_STORAGE_BIT);
    return buffer;
}

/// Makes the GPU that draws the current device of CUDA; false if CUDA cannot use it.
bool use_gpu_of_opengl() {
    unsigned num_devices = 0;
    int device = 0;
    const cudaError_t error = cudaGLGetDevices(&num_devices, &device, 1, cudaGLDeviceListAll);
    if (error != cudaSuccess || num_devices == 0) return false;
    check(cudaSetDevice(device), "cudaSetDevice");
    return true;
}

/// Selects on the GPU. Register buffers once in a program that draws many frames, and map them in each frame.
void select_on_gpu(const std::vector<Particle>& particles, GLuint vertices, GLuint command) {
    std::array<cudaGraphicsResource_t, 2> resources{};
    check(cudaGraphicsGLRegisterBuffer(&resources[0], vertices, cudaGraphicsRegisterFlagsWriteDiscard),
          "register");
    check(cudaGraphicsGLRegisterBuffer(&resources[1], command, cudaGraphicsRegisterFlagsNone), "register");
    examples::DeviceArray<Particle> in(particles);
    compaction::cuda::SelectState state;
    check(state.reserve<Particle>(num_particles), "SelectState::reserve");

    // Mapping makes the work below wait for what OpenGL has drawn from the buffers before.
    check(cudaGraphicsMapResources(2, resources.data()), "cudaGraphicsMapResources");
    Particle* out = nullptr;
    DrawCommand* draw = nullptr;
    std::size_t bytes = 0;
    check(cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&out), &bytes, resources[0]), "map");
    check(cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&draw), &bytes, resources[1]), "map");
    check(compaction::cuda::select_if(state, in.data(), out, &draw->num_vertices, num_particles, IsAlive{}),
          "select_if");
    // Makes what OpenGL draws next wait for the selection; the host does not wait.
    check(cudaGraphicsUnmapResources(2, resources.data()), "cudaGraphicsUnmapResources");
    for (cudaGraphicsResource_t resource : resources)
        check(cudaGraphicsUnregisterResource(resource), "unregister");
}

void select_on_host(const std::vector<Particle>& particles, GLuint vertices, GLuint command) {
    std::vector<Particle> kept;
    std::copy_if(particles.begin(), particles.end(), std::back_inserter(kept), IsAlive{});
    const auto num_vertices = static_cast<std::uint32_t>(kept.size());
    glNamedBufferSubData(vertices, 0, static_cast<GLsizeiptr>(kept.size() * sizeof(Particle)), kept.data());
    glNamedBufferSubData(command, 0, sizeof num_vertices, &num_vertices);
}

/// Draws as many vertices as the command says, and returns the red channel of the pixels.
std::vector<std::uint8_t> draw(GLuint vertices, GLuint command) {
    GLuint frame = 0, pixels = 0, array = 0;
    glCreateRenderbuffers(1, &pixels);
    glNamedRenderbufferStorage(pixels, GL_RGBA8, side, side);
    glCreateFramebuffers(1, &frame);
    glNamedFramebufferRenderbuffer(frame, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glViewport(0, 0, side, side);
    glClear(GL_COLOR_BUFFER_BIT);

    glCreateVertexArrays(1, &array);
    glVertexArrayVertexBuffer(array, 0, vertices, 0, sizeof(Particle));
    glEnableVertexArrayAttrib(array, 0);
    glVertexArrayAttribFormat(array, 0, 3, GL_FLOAT, GL_FALSE, 0);
    glBindVertexArray(array);
    glUseProgram(make_program());
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, command);
    glDrawArraysIndirect(GL_POINTS, nullptr);

    std::vector<std::uint8_t> red(num_particles);
    glReadPixels(0, 0, side, side, GL_RED, GL_UNSIGNED_BYTE, red.data());
    if (glGetError() != GL_NO_ERROR) fail("OpenGL reports an error");
    return red;
}

}  // namespace

int main() {
    open_context();
    // One particle in the centre of each pixel; every third one is alive.
    std::vector<Particle> particles(num_particles);
    for (std::uint32_t i = 0; i < num_particles; ++i) {
        const auto centre = [](std::uint32_t pixel) {
            return (2.0F * static_cast<float>(pixel) + 1) / side - 1;
        };
        particles[i] = {centre(i % side), centre(i / side), 0, i % 3 == 0 ? 1.0F : 0.0F};
    }
    const GLuint vertices = make_buffer<Particle>(num_particles, nullptr);
    const DrawCommand empty{0, 1, 0, 0};
    const GLuint command = make_buffer(1, &empty);

    const bool on_gpu = use_gpu_of_opengl();
    (on_gpu ? select_on_gpu : select_on_host)(particles, vertices, command);
    const std::vector<std::uint8_t> red = draw(vertices, command);

    std::uint32_t num_right = 0;
    for (std::uint32_t i = 0; i < num_particles; ++i)
        num_right += (red[i] != 0) == IsAlive{}(particles[i]) ? 1 : 0;
    std::printf("%u of %u pixels are right; %s selected, %s drew\n", num_right, num_particles,
                on_gpu ? "the GPU" : "the host", reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
    return num_right == num_particles ? 0 : 1;
}
