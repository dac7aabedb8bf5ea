#include "app/interop/shared_buffer.hpp"

// glad first: cuda_gl_interop.h includes GL/gl.h, which glad replaces.
#include <glad/gl.h>

#include <cuda_gl_interop.h>

namespace warpsieve::interop {

SharedBuffer::SharedBuffer(std::size_t size_bytes) {
    glCreateBuffers(1, &name_);
    glNamedBufferStorage(name_, static_cast<GLsizeiptr>(size_bytes), nullptr, 0);
    const cudaError_t result =
        cudaGraphicsGLRegisterBuffer(&resource_, name_, cudaGraphicsRegisterFlagsWriteDiscard);
    if (result != cudaSuccess) {
        glDeleteBuffers(1, &name_);
        compaction::cuda::check(result, "cudaGraphicsGLRegisterBuffer");
    }
}

SharedBuffer::~SharedBuffer() {
    if (resource_)
        compaction::cuda::log_failure(cudaGraphicsUnregisterResource(resource_),
                                      "cudaGraphicsUnregisterResource");
    if (name_) glDeleteBuffers(1, &name_);
}

}  // namespace warpsieve::interop
