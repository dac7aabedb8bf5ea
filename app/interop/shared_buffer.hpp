#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "compaction/cuda/check.hpp"

namespace warpsieve::interop {

/// Device memory of CUDA that an OpenGL buffer uses too. Kernels write at half the speed to large buffers
/// that OpenGL has allocated.
class ExportedMemory {
  public:
    /// Allocates the memory and makes it the storage of `buffer`, a name without storage. Needs a current
    /// OpenGL context. Returns nullptr if that fails; `buffer` then still has no storage.
    static std::unique_ptr<ExportedMemory> make(std::size_t size_bytes, unsigned buffer);

    ExportedMemory(const ExportedMemory&) = delete;
    ExportedMemory& operator=(const ExportedMemory&) = delete;
    /// Delete the buffer first.
    ~ExportedMemory();

    void* data() const;

  private:
    ExportedMemory() = default;

    unsigned object_ = 0;  ///< OpenGL name of the memory
    CUmemGenericAllocationHandle allocation_ = 0;
    CUdeviceptr address_ = 0;
    std::size_t reserved_bytes_ = 0;
    std::size_t mapped_bytes_ = 0;
};

/// An OpenGL buffer that CUDA writes. CUDA may access it only while a MappedBuffers holds it, OpenGL only
/// while none does. Large buffers are exported memory of CUDA where possible; the others are registered with
/// CUDA for their whole life.
class SharedBuffer {
  public:
    /// Needs a current OpenGL context on the current CUDA device. Throws compaction::Error if registration
    /// fails or memory runs out.
    explicit SharedBuffer(std::size_t size_bytes);
    SharedBuffer(SharedBuffer&& other) noexcept
        : exported_(std::move(other.exported_)),
          name_(std::exchange(other.name_, 0)),
          resource_(std::exchange(other.resource_, nullptr)) {}
    SharedBuffer& operator=(SharedBuffer&&) = delete;
    ~SharedBuffer();

    unsigned gl_name() const { return name_; }

  private:
    friend class MappedBuffers;

    void register_storage(std::size_t size_bytes);

    std::unique_ptr<ExportedMemory> exported_;
    unsigned name_ = 0;
    cudaGraphicsResource_t resource_ = nullptr;  ///< null if exported
};

/// Maps shared buffers for CUDA during its life, with a single call, because calls are expensive. At least
/// one buffer must be registered: the call orders the work of OpenGL and CUDA, also for exported buffers.
/// Destroy it before OpenGL draws from the buffers.
class MappedBuffers {
  public:
    MappedBuffers(const std::vector<const SharedBuffer*>& buffers, cudaStream_t stream) : stream_(stream) {
        for (const SharedBuffer* buffer : buffers)
            if (buffer->resource_) resources_.push_back(buffer->resource_);
        compaction::cuda::check(cudaGraphicsMapResources(count(), resources_.data(), stream_),
                                "cudaGraphicsMapResources");
    }
    ~MappedBuffers() {
        compaction::cuda::log_failure(cudaGraphicsUnmapResources(count(), resources_.data(), stream_),
                                      "cudaGraphicsUnmapResources");
    }
    MappedBuffers(const MappedBuffers&) = delete;
    MappedBuffers& operator=(const MappedBuffers&) = delete;

    /// The device pointer of one of the buffers.
    template <typename T>
    T* pointer(const SharedBuffer& buffer) const {
        if (buffer.exported_) return static_cast<T*>(buffer.exported_->data());
        void* data = nullptr;
        std::size_t size_bytes = 0;
        compaction::cuda::check(cudaGraphicsResourceGetMappedPointer(&data, &size_bytes, buffer.resource_),
                                "cudaGraphicsResourceGetMappedPointer");
        return static_cast<T*>(data);
    }

  private:
    int count() const { return static_cast<int>(resources_.size()); }

    std::vector<cudaGraphicsResource_t> resources_;
    cudaStream_t stream_;
};

/// A shared buffer as an array of T.
template <typename T>
class SharedArray {
  public:
    void allocate(std::size_t size) { buffer_.emplace(size * sizeof(T)); }
    const SharedBuffer& buffer() const { return *buffer_; }
    void map(const MappedBuffers& mapped) { data_ = mapped.pointer<T>(*buffer_); }
    /// The device pointer, valid during the life of the last MappedBuffers.
    T* data() const { return data_; }

  private:
    std::optional<SharedBuffer> buffer_;
    T* data_ = nullptr;
};

}  // namespace warpsieve::interop
