#include "app/interop/shared_buffer.hpp"

// glad first: other headers include GL/gl.h, which glad replaces.
#include <glad/gl.h>

#include <cudaTypedefs.h>
#include <cuda_gl_interop.h>

#include "platform/descriptor.hpp"

namespace warpsieve::interop {
namespace {

/// Kernels write at full speed to smaller buffers that OpenGL has allocated.
constexpr std::size_t large_bytes = std::size_t{1} << 23;

/// Sets `function` to that function of the driver; null if the driver has none.
template <typename Function>
void look_up(const char* name, Function& function) {
    constexpr unsigned version = 10020;
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    if (cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result) != cudaSuccess ||
        result != cudaDriverEntryPointSuccess)
        found = nullptr;
    function = reinterpret_cast<Function>(found);
}

/// Functions of the driver, looked up at run time: the program must start without a driver.
struct Driver {
    PFN_cuMemGetAllocationGranularity_v10020 granularity = nullptr;
    PFN_cuMemCreate_v10020 create = nullptr;
    PFN_cuMemRelease_v10020 release = nullptr;
    PFN_cuMemAddressReserve_v10020 reserve = nullptr;
    PFN_cuMemAddressFree_v10020 free = nullptr;
    PFN_cuMemMap_v10020 map = nullptr;
    PFN_cuMemUnmap_v10020 unmap = nullptr;
    PFN_cuMemSetAccess_v10020 set_access = nullptr;
    PFN_cuMemExportToShareableHandle_v10020 share = nullptr;

    Driver() {
        look_up("cuMemGetAllocationGranularity", granularity);
        look_up("cuMemCreate", create);
        look_up("cuMemRelease", release);
        look_up("cuMemAddressReserve", reserve);
        look_up("cuMemAddressFree", free);
        look_up("cuMemMap", map);
        look_up("cuMemUnmap", unmap);
        look_up("cuMemSetAccess", set_access);
        look_up("cuMemExportToShareableHandle", share);
    }
    bool complete() const {
        return granularity && create && release && reserve && free && map && unmap && set_access && share;
    }
};

const Driver& driver() {
    static const Driver functions;
    return functions;
}

CUmemAllocationProp allocation_properties() {
    int device = 0;
    compaction::cuda::check(cudaGetDevice(&device), "cudaGetDevice");
    CUmemAllocationProp wanted{};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return wanted;
}

/// OpenGL may have several error flags set at once.
constexpr int max_error_flags = 8;

/// Makes the shared memory the storage of the buffer. Returns 0 if OpenGL refuses it.
GLuint import_memory(platform::Descriptor& descriptor, std::size_t memory_bytes, std::size_t buffer_bytes,
                     GLuint buffer) {
    // Clear earlier errors. The loop is limited because a lost context may report errors forever.
    for (int i = 0; i < max_error_flags && glGetError() != GL_NO_ERROR; ++i) {
    }
    GLuint object = 0;
    glCreateMemoryObjectsEXT(1, &object);
    const GLint dedicated = GL_TRUE;
    glMemoryObjectParameterivEXT(object, GL_DEDICATED_MEMORY_OBJECT_EXT, &dedicated);
    glImportMemoryFdEXT(object, memory_bytes, GL_HANDLE_TYPE_OPAQUE_FD_EXT, descriptor.get());
    if (glGetError() == GL_NO_ERROR) {
        descriptor.release();  // OpenGL owns it now
        glNamedBufferStorageMemEXT(buffer, static_cast<GLsizeiptr>(buffer_bytes), object, 0);
        if (glGetError() == GL_NO_ERROR) return object;
    }
    glDeleteMemoryObjectsEXT(1, &object);
    return 0;
}

}  // namespace

std::unique_ptr<ExportedMemory> ExportedMemory::make(std::size_t size_bytes, unsigned buffer) {
    if (!GLAD_GL_EXT_memory_object || !GLAD_GL_EXT_memory_object_fd || !driver().complete()) return {};
    const CUmemAllocationProp wanted = allocation_properties();
    std::size_t granularity_bytes = 0;
    if (driver().granularity(&granularity_bytes, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) !=
        CUDA_SUCCESS)
        return {};
    const std::size_t allocated_bytes =
        (size_bytes + granularity_bytes - 1) / granularity_bytes * granularity_bytes;
    std::unique_ptr<ExportedMemory> memory(new ExportedMemory);
    if (driver().create(&memory->allocation_, allocated_bytes, &wanted, 0) != CUDA_SUCCESS) return {};
    if (driver().reserve(&memory->address_, allocated_bytes, 0, 0, 0) != CUDA_SUCCESS) return {};
    memory->reserved_bytes_ = allocated_bytes;
    if (driver().map(memory->address_, allocated_bytes, 0, memory->allocation_, 0) != CUDA_SUCCESS) return {};
    memory->mapped_bytes_ = allocated_bytes;
    const CUmemAccessDesc access{wanted.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    int shared = -1;
    if (driver().set_access(memory->address_, allocated_bytes, &access, 1) != CUDA_SUCCESS ||
        driver().share(&shared, memory->allocation_, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) !=
            CUDA_SUCCESS)
        return {};
    platform::Descriptor descriptor(shared);
    memory->object_ = import_memory(descriptor, allocated_bytes, size_bytes, buffer);
    if (memory->object_ == 0) return {};
    return memory;
}

ExportedMemory::~ExportedMemory() {
    if (object_) glDeleteMemoryObjectsEXT(1, &object_);
    // Unlike cudaFree, unmapping does not wait for work that uses the memory.
    compaction::cuda::log_failure(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (mapped_bytes_ > 0) driver().unmap(address_, mapped_bytes_);
    if (reserved_bytes_ > 0) driver().free(address_, reserved_bytes_);
    if (allocation_) driver().release(allocation_);
}

void* ExportedMemory::data() const {
    return reinterpret_cast<void*>(address_);
}

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
