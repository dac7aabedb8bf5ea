#pragma once

#include <cstddef>
#include <utility>

namespace compaction {

/// Owns a block of engine memory. Move-only.
class Buffer {
  public:
    /// Frees the memory; called once, never with null.
    using Release = void (*)(void*) noexcept;

    /// Owns nothing.
    Buffer() = default;
    /// Takes ownership of `data` [size_bytes], which `release` frees.
    Buffer(void* data, std::size_t size_bytes, Release release)
        : data_(data), size_bytes_(size_bytes), release_(release) {}
    /// Takes the memory of `other`, which then owns nothing.
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_bytes_(std::exchange(other.size_bytes_, 0)),
          release_(other.release_) {}
    /// Swaps the memory of both.
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_bytes_, other.size_bytes_);
        std::swap(release_, other.release_);
        return *this;
    }
    ~Buffer() {
        if (data_) release_(data_);
    }

    /// The size requested; 0 if it owns nothing.
    std::size_t size_bytes() const noexcept { return size_bytes_; }

    /// The memory as an array of T; null if it owns nothing.
    template <typename T>
    T* as() const noexcept {
        return static_cast<T*>(data_);
    }

  private:
    void* data_ = nullptr;
    std::size_t size_bytes_ = 0;
    Release release_ = nullptr;
};

}  // namespace compaction
