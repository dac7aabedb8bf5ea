#pragma once

#include <cstddef>
#include <utility>

namespace compaction {

/// Owns a piece of engine memory; move-only.
class Buffer {
  public:
    using Release = void (*)(void*) noexcept;

    Buffer() = default;
    Buffer(void* data, std::size_t size_bytes, Release release)
        : data_(data), size_bytes_(size_bytes), release_(release) {}
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_bytes_(std::exchange(other.size_bytes_, 0)),
          release_(other.release_) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_bytes_, other.size_bytes_);
        std::swap(release_, other.release_);
        return *this;
    }
    ~Buffer() {
        if (data_) release_(data_);
    }

    std::size_t size_bytes() const noexcept { return size_bytes_; }

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
