#pragma once

#include <algorithm>
#include <cstddef>

#include "simulated/gpu.hpp"

/// CUDA's vector types for the simulated GPU: float4, make_float4 and the others.
namespace compaction::simulated {

/// CUDA's alignment of a vector of 2 or 4 numbers.
constexpr std::size_t vector_alignment(std::size_t number_bytes, std::size_t size) {
    return size % 2 == 0 ? std::min<std::size_t>(number_bytes * size, 16) : number_bytes;
}

inline namespace builtins {

// NOLINTBEGIN(bugprone-macro-parentheses): types and names
#define COMPACTION_VECTOR_1(T, name)        \
    struct name##1 {                        \
        T x;                                \
    };                                      \
    constexpr name##1 make_##name##1(T x) { \
        return {x};                         \
    }
#define COMPACTION_VECTOR_2(T, name, ...)        \
    struct __VA_ARGS__ name##2 {                 \
        T x, y;                                  \
    };                                           \
    constexpr name##2 make_##name##2(T x, T y) { \
        return {x, y};                           \
    }
#define COMPACTION_VECTOR_3(T, name)                  \
    struct name##3 {                                  \
        T x, y, z;                                    \
    };                                                \
    constexpr name##3 make_##name##3(T x, T y, T z) { \
        return {x, y, z};                             \
    }
#define COMPACTION_VECTOR_4(T, name, ...)                  \
    struct __VA_ARGS__ name##4 {                           \
        T x, y, z, w;                                      \
    };                                                     \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { \
        return {x, y, z, w};                               \
    }
#define COMPACTION_VECTORS(T, name)                                       \
    COMPACTION_VECTOR_1(T, name)                                          \
    COMPACTION_VECTOR_2(T, name, alignas(vector_alignment(sizeof(T), 2))) \
    COMPACTION_VECTOR_3(T, name)                                          \
    COMPACTION_VECTOR_4(T, name, alignas(vector_alignment(sizeof(T), 4)))
COMPACTION_VECTORS(signed char, char)
COMPACTION_VECTORS(unsigned char, uchar)
COMPACTION_VECTORS(short, short)
COMPACTION_VECTORS(unsigned short, ushort)
COMPACTION_VECTORS(int, int)
COMPACTION_VECTORS(long, long)
COMPACTION_VECTORS(unsigned long, ulong)
COMPACTION_VECTORS(long long, longlong)
COMPACTION_VECTORS(float, float)
COMPACTION_VECTORS(double, double)
#ifdef COMPACTION_ALIGNED_VECTORS
#define COMPACTION_VECTOR_ALIGNMENT(bytes) alignas(bytes)
#else
// Unlike CUDA's, these are not aligned to their size: kernels of the library view arrays of items as vectors,
// and g++ does not align those arrays. Our functions for global memory check the alignment.
#define COMPACTION_VECTOR_ALIGNMENT(bytes)
#endif
COMPACTION_VECTOR_1(unsigned, uint)
COMPACTION_VECTOR_2(unsigned, uint, COMPACTION_VECTOR_ALIGNMENT(8))
COMPACTION_VECTOR_4(unsigned, uint, COMPACTION_VECTOR_ALIGNMENT(16))
COMPACTION_VECTOR_1(unsigned long long, ulonglong)
COMPACTION_VECTOR_2(unsigned long long, ulonglong, COMPACTION_VECTOR_ALIGNMENT(16))
COMPACTION_VECTOR_3(unsigned long long, ulonglong)
COMPACTION_VECTOR_4(unsigned long long, ulonglong, alignas(16))
#undef COMPACTION_VECTOR_ALIGNMENT
#undef COMPACTION_VECTORS
#undef COMPACTION_VECTOR_1
#undef COMPACTION_VECTOR_2
#undef COMPACTION_VECTOR_3
#undef COMPACTION_VECTOR_4
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace builtins
}  // namespace compaction::simulated
