#pragma once

#include <cstdint>

/// Builtins of GCC and Clang.
namespace warpsieve::platform {

/// Prefetches a cache line of input. Prefetching into the first level slows some processors down.
[[gnu::always_inline]] inline void prefetch_into_second_level(const void* line) {
    constexpr int for_reading = 0;
    constexpr int into_second_level = 2;
    __builtin_prefetch(line, for_reading, into_second_level);
}

/// Prefetches a cache line of output.
[[gnu::always_inline]] inline void prefetch_for_writing(const void* line) {
    constexpr int for_writing = 1;
    __builtin_prefetch(line, for_writing);
}

/// The processor's time stamp counter, read without waiting for earlier instructions; 0 on processors other
/// than x86-64.
[[gnu::always_inline]] inline std::uint64_t read_ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

}  // namespace warpsieve::platform
