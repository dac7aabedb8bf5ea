#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "compaction/cuda/check.hpp"

/// Owners of device memory and of pinned host memory.
namespace compaction::cuda {

/// The number of allocations that this process has made through these owners and the CUDA engine.
inline std::atomic<std::uint64_t> num_allocations{0};

namespace detail {

inline void* device_allocate(std::size_t bytes) {
    ++num_allocations;
    void* data = nullptr;
    check(cudaMalloc(&data, bytes), "cudaMalloc");
    return data;
}
inline void device_free(void* data) noexcept {
    log_failure(cudaFree(data), "cudaFree");
}

inline void* pinned_allocate(std::size_t bytes) {
    ++num_allocations;
    void* data = nullptr;
    check(cudaMallocHost(&data, bytes), "cudaMallocHost");
    return data;
}
inline void pinned_free(void* data) noexcept {
    log_failure(cudaFreeHost(data), "cudaFreeHost");
}

/// An uninitialised array of T from one allocator; move-only. The constructor and `grow_to` throw
/// Error{out_of_memory, device_failure}. The destructor frees the memory, which synchronises the device.
template <typename T, void* (*allocate)(std::size_t), void (*release)(void*) noexcept>
class Array {
  public:
    Array() = default;
    explicit Array(std::size_t size)
        : data_(size ? static_cast<T*>(allocate(size * sizeof(T))) : nullptr), size_(size) {}
    Array(Array&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Array& operator=(Array&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Array() {
        if (data_) release(data_);
    }

    T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

    /// Makes room for at least `size` elements. Discards the content if it grows.
    void grow_to(std::size_t size) {
        if (size <= size_) return;
        *this = Array();
        *this = Array(size);
    }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace detail

/// An array of [size()] T in device memory.
template <typename T>
using DeviceBuffer = detail::Array<T, detail::device_allocate, detail::device_free>;

/// An array of [size()] T in page-locked host memory, which asynchronous copies need on the host side.
template <typename T>
using PinnedBuffer = detail::Array<T, detail::pinned_allocate, detail::pinned_free>;

}  // namespace compaction::cuda
