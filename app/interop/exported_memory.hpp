#pragma once

#include <cuda.h>

#include <cstddef>
#include <memory>

namespace warpsieve::interop {

/// Device memory of CUDA that an OpenGL buffer uses as well. Large buffers that OpenGL allocates take writes
/// at half the speed.
class ExportedMemory {
  public:
    /// Makes the memory and gives it to `buffer`, a name without storage. Needs a current OpenGL context.
    /// nullptr where that fails; `buffer` still has no storage then.
    static std::unique_ptr<ExportedMemory> make(std::size_t size_bytes, unsigned buffer);

    ExportedMemory(const ExportedMemory&) = delete;
    ExportedMemory& operator=(const ExportedMemory&) = delete;
    /// Delete the buffer first.
    ~ExportedMemory();

    void* data() const;

  private:
    ExportedMemory() = default;

    unsigned object_ = 0;  ///< OpenGL's name of the memory
    CUmemGenericAllocationHandle allocation_ = 0;
    CUdeviceptr address_ = 0;
    std::size_t reserved_bytes_ = 0;
    std::size_t mapped_bytes_ = 0;
};

}  // namespace warpsieve::interop
