#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace warpsieve::platform {

/// Memory between two fences, wide ranges of addresses that nothing uses: an access far out of bounds faults
/// instead of changing other memory. There are no fences if the system has no addresses to spare.
class FencedMemory {
  public:
    /// The distance up to which accesses fault: any 32-bit index of 16-byte items lies within it.
    static constexpr std::size_t max_fence_bytes = std::size_t{1} << 36;

    FencedMemory() = default;
    /// Zeroed memory at a page boundary. data() is null if there is none.
    explicit FencedMemory(std::size_t bytes);
    ~FencedMemory();
    FencedMemory(FencedMemory&& other) noexcept
        : begin_(std::exchange(other.begin_, nullptr)),
          bytes_(other.bytes_),
          fence_bytes_(other.fence_bytes_) {}
    FencedMemory& operator=(FencedMemory&& other) noexcept {
        std::swap(begin_, other.begin_);
        std::swap(bytes_, other.bytes_);
        std::swap(fence_bytes_, other.fence_bytes_);
        return *this;
    }

    std::byte* data() const { return begin_; }
    /// In bytes: the requested size, rounded up to whole pages.
    std::size_t size() const { return bytes_; }
    /// The size of each fence; 0 if there is none.
    std::size_t fence_bytes() const { return fence_bytes_; }
    /// Whether the address is in the memory or in one of the fences.
    bool is_near(const void* address) const {
        const auto fence_begin = reinterpret_cast<std::uintptr_t>(begin_) - fence_bytes_;
        return reinterpret_cast<std::uintptr_t>(address) - fence_begin < bytes_ + 2 * fence_bytes_;
    }

  private:
    std::byte* begin_ = nullptr;
    std::size_t bytes_ = 0;
    std::size_t fence_bytes_ = 0;
};

}  // namespace warpsieve::platform
