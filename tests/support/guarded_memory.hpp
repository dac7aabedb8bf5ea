#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace testing_support {

/// Memory between two pages that cannot be touched: an access before its begin or past its end ends the test.
class GuardedMemory {
  public:
    explicit GuardedMemory(std::size_t most_bytes)
        : page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
          size_bytes_((most_bytes + page_bytes_ - 1) / page_bytes_ * page_bytes_) {
        void* const mapped =
            mmap(nullptr, size_bytes_ + 2 * page_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) fail("mmap");
        begin_ = static_cast<std::byte*>(mapped) + page_bytes_;
        make_writable();
    }
    ~GuardedMemory() { munmap(begin_ - page_bytes_, size_bytes_ + 2 * page_bytes_); }
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    std::byte* begin() { return begin_; }
    /// A place for so many bytes that ends where the memory ends.
    std::byte* at_end(std::size_t size_bytes) { return begin_ + size_bytes_ - size_bytes; }

    void make_writable() { protect(PROT_READ | PROT_WRITE); }
    void make_read_only() { protect(PROT_READ); }

  private:
    [[noreturn]] static void fail(const char* call) {
        throw std::system_error(errno, std::generic_category(), call);
    }
    void protect(int access) {
        if (mprotect(begin_, size_bytes_, access) != 0) fail("mprotect");
    }

    std::size_t page_bytes_;
    std::size_t size_bytes_;
    std::byte* begin_ = nullptr;
};

}  // namespace testing_support
