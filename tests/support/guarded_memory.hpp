#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace testing_support {

/// Memory between two inaccessible ranges of the same size: an access before its begin or past its end ends
/// the test.
class GuardedMemory {
  public:
    explicit GuardedMemory(std::size_t max_bytes) : size_bytes_(whole_pages(max_bytes)) {
        void* const mapped = mmap(nullptr, 3 * size_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) fail("mmap");
        begin_ = static_cast<std::byte*>(mapped) + size_bytes_;
        make_writable();
    }
    ~GuardedMemory() { munmap(begin_ - size_bytes_, 3 * size_bytes_); }
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    std::byte* begin() { return begin_; }
    /// The address of `size_bytes` bytes that end where the memory ends.
    std::byte* at_end(std::size_t size_bytes) { return begin_ + size_bytes_ - size_bytes; }

    void make_writable() { protect(PROT_READ | PROT_WRITE); }
    void make_read_only() { protect(PROT_READ); }

  private:
    static std::size_t whole_pages(std::size_t bytes) {
        const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        return (bytes + page_bytes - 1) / page_bytes * page_bytes;
    }
    [[noreturn]] static void fail(const char* call) {
        throw std::system_error(errno, std::generic_category(), call);
    }
    void protect(int access) {
        if (mprotect(begin_, size_bytes_, access) != 0) fail("mprotect");
    }

    std::size_t size_bytes_;
    std::byte* begin_ = nullptr;
};

}  // namespace testing_support
