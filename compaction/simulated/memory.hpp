#pragma once

#include <cstddef>
#include <cstdint>

/// Global memory of the simulated GPU: host memory between guard bytes.
namespace compaction::simulated {

/// Allocates memory, filled with a pattern, aligned to 256 bytes; null if there is none.
void* allocate_global(std::size_t bytes);
/// Allocates memory filled with zeros.
void* allocate_zeroed_global(std::size_t bytes);
/// Frees memory of either function. Returns false, and does nothing, if the pointer is null or unknown.
bool free_global(void* data);

/// Lets kernels access memory of the program, until it is unregistered.
void register_host_memory(const volatile void* data, std::size_t bytes);
/// Unknown pointers are ignored.
void unregister_host_memory(const volatile void* data);

/// Allocates memory of the heap that kernels use; null if there is none.
void* allocate_on_heap(std::size_t bytes);
/// Takes memory of allocate_on_heap() from the kernels. The caller frees it by std::free(). Returns false if
/// the pointer is unknown.
bool release_from_heap(void* data);

/// A variable of the program that is device memory for the kernels: __device__ or __constant__.
class DeviceVariable {
  public:
    DeviceVariable(const volatile void* data, std::size_t bytes) { register_host_memory(data, bytes); }
};

/// "out of bounds" or "misaligned" if an access of `bytes` at `address` is wrong; null if it is right.
const char* wrong_access(const void* address, std::size_t bytes, std::size_t alignment);

/// A range of addresses of the same kind.
struct GlobalRange {
    enum What : std::uint8_t { inside, guard, outside } what = outside;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::uintptr_t data = 0;  ///< the buffer that contains the range or is next to it
    std::size_t size = 0;     ///< of that buffer, in bytes
};
/// The range that holds the address. Fast if it is one of the ranges that this thread queried last.
GlobalRange global_range_at(const void* address);

inline bool is_in_buffer(const void* address) {
    return global_range_at(address).what == GlobalRange::inside;
}

/// Restores the guard bytes of all buffers. Returns the address of one that was overwritten since the last
/// call, or null.
const void* restore_guards();

}  // namespace compaction::simulated
