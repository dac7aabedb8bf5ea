#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "compaction/cuda/check.hpp"

namespace warpsieve::interop {

/// An OpenGL buffer, registered with CUDA for its whole life. CUDA may access it only while a MappedBuffers
/// holds it, OpenGL only while none does.
class SharedBuffer {
  public:
    /// Needs a current OpenGL context on the current CUDA device. Throws compaction::Error if registration
    /// fails.
    explicit SharedBuffer(std::size_t size_bytes);
    SharedBuffer(SharedBuffer&& other) noexcept
        : name_(std::exchange(other.name_, 0)), resource_(std::exchange(other.resource_, nullptr)) {}
    SharedBuffer& operator=(SharedBuffer&&) = delete;
    ~SharedBuffer();

    unsigned gl_name() const { return name_; }
    cudaGraphicsResource_t resource() const { return resource_; }

  private:
    unsigned name_ = 0;
    cudaGraphicsResource_t resource_ = nullptr;
};

/// Maps shared buffers for CUDA during its life, with a single call, because calls are expensive. Destroy it
/// before OpenGL draws from the buffers.
class MappedBuffers {
  public:
    MappedBuffers(std::vector<cudaGraphicsResource_t> resources, cudaStream_t stream)
        : resources_(std::move(resources)), stream_(stream) {
        compaction::cuda::check(cudaGraphicsMapResources(count(), resources_.data(), stream_),
                                "cudaGraphicsMapResources");
    }
    ~MappedBuffers() {
        compaction::cuda::log_failure(cudaGraphicsUnmapResources(count(), resources_.data(), stream_),
                                      "cudaGraphicsUnmapResources");
    }
    MappedBuffers(const MappedBuffers&) = delete;
    MappedBuffers& operator=(const MappedBuffers&) = delete;

    template <typename T>
    T* pointer(std::size_t i) const {
        void* data = nullptr;
        std::size_t size_bytes = 0;
        compaction::cuda::check(cudaGraphicsResourceGetMappedPointer(&data, &size_bytes, resources_[i]),
                                "cudaGraphicsResourceGetMappedPointer");
        return static_cast<T*>(data);
    }

  private:
    int count() const { return static_cast<int>(resources_.size()); }

    std::vector<cudaGraphicsResource_t> resources_;
    cudaStream_t stream_;
};

}  // namespace warpsieve::interop
