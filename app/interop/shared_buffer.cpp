#include "app/interop/shared_buffer.hpp"

// glad first: cuda_gl_interop.h includes GL/gl.h, which glad replaces.
#include <glad/gl.h>

#include <cuda_gl_interop.h>

namespace warpsieve::interop {

namespace {

/// Smaller ones are never slow.
constexpr std::size_t large_bytes = std::size_t{1} << 23;

}  // namespace

SharedBuffer::SharedBuffer(std::size_t size_bytes) {
    glCreateBuffers(1, &name_);
    try {
        if (size_bytes >= large_bytes) exported_ = ExportedMemory::make(size_bytes, name_);
        if (!exported_) register_storage(size_bytes);
    } catch (...) {
        glDeleteBuffers(1, &name_);
        throw;
    }
}

void SharedBuffer::register_storage(std::size_t size_bytes) {
    glNamedBufferStorage(name_, static_cast<GLsizeiptr>(size_bytes), nullptr, 0);
    compaction::cuda::check(
        cudaGraphicsGLRegisterBuffer(&resource_, name_, cudaGraphicsRegisterFlagsWriteDiscard),
        "cudaGraphicsGLRegisterBuffer");
}

SharedBuffer::~SharedBuffer() {
    if (resource_)
        compaction::cuda::log_failure(cudaGraphicsUnregisterResource(resource_),
                                      "cudaGraphicsUnregisterResource");
    if (name_) glDeleteBuffers(1, &name_);
}

}  // namespace warpsieve::interop
