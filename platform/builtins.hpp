#pragma once

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

}  // namespace warpsieve::platform
