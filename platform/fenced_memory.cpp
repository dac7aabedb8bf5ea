#include "platform/fenced_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace warpsieve::platform {

FencedMemory::FencedMemory(std::size_t bytes) {
    static const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    bytes_ = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    for (const std::size_t fence : {max_fence_bytes, std::size_t{0}}) {
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (fence > 0 ? MAP_NORESERVE : 0);
        void* const whole = mmap(nullptr, bytes_ + 2 * fence, PROT_NONE, flags, -1, 0);
        if (whole == MAP_FAILED) continue;
        begin_ = static_cast<std::byte*>(whole) + fence;
        fence_bytes_ = fence;
        if (mprotect(begin_, bytes_, PROT_READ | PROT_WRITE) == 0) return;
        munmap(whole, bytes_ + 2 * fence);
        begin_ = nullptr;
    }
}

FencedMemory::~FencedMemory() {
    if (begin_) munmap(begin_ - fence_bytes_, bytes_ + 2 * fence_bytes_);
}

}  // namespace warpsieve::platform
