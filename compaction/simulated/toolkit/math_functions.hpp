#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "simulated/device.hpp"

/// Arithmetic of CUDA that only programs use. Results are rounded to nearest.
namespace compaction::simulated {
inline namespace builtins {

#define COMPACTION_SMALLER_AND_LARGER(T, smaller, larger) \
    constexpr T smaller(T a, T b) {                       \
        return b < a ? b : a;                             \
    }                                                     \
    constexpr T larger(T a, T b) {                        \
        return a < b ? b : a;                             \
    }
COMPACTION_SMALLER_AND_LARGER(unsigned, umin, umax)
COMPACTION_SMALLER_AND_LARGER(long long, llmin, llmax)
COMPACTION_SMALLER_AND_LARGER(unsigned long long, ullmin, ullmax)
#undef COMPACTION_SMALLER_AND_LARGER

constexpr long long __mul64hi(long long a, long long b) {
    return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
constexpr unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
constexpr unsigned __usad(unsigned a, unsigned b, unsigned sum) {
    return sum + (a > b ? a - b : b - a);
}
constexpr int __hadd(int a, int b) {
    return static_cast<int>((std::int64_t{a} + b) >> 1);
}
constexpr int __rhadd(int a, int b) {
    return static_cast<int>((std::int64_t{a} + b + 1) >> 1);
}
/// The dot product of the four bytes of each, plus `sum`.
constexpr int __dp4a(int a, int b, int sum) {
    for (int i = 0; i < 32; i += 8)
        sum += static_cast<std::int8_t>(a >> i) * static_cast<std::int8_t>(b >> i);
    return sum;
}

#define COMPACTION_ROUNDED(T, name, parameters, result) \
    inline T name parameters {                          \
        return result;                                  \
    }
COMPACTION_ROUNDED(float, __fsub_rn, (float a, float b), a - b)
COMPACTION_ROUNDED(float, __fdiv_rn, (float a, float b), a / b)
COMPACTION_ROUNDED(float, __frcp_rn, (float a), 1 / a)
COMPACTION_ROUNDED(float, __fsqrt_rn, (float a), std::sqrt(a))
COMPACTION_ROUNDED(float, __frsqrt_rn, (float a), 1 / std::sqrt(a))
COMPACTION_ROUNDED(double, __dadd_rn, (double a, double b), a + b)
COMPACTION_ROUNDED(double, __dsub_rn, (double a, double b), a - b)
COMPACTION_ROUNDED(double, __dmul_rn, (double a, double b), a* b)
COMPACTION_ROUNDED(double, __ddiv_rn, (double a, double b), a / b)
COMPACTION_ROUNDED(double, __dsqrt_rn, (double a), std::sqrt(a))
COMPACTION_ROUNDED(double, __fma_rn, (double a, double b, double c), std::fma(a, b, c))
COMPACTION_ROUNDED(unsigned, __float2uint_rn, (float a), static_cast<unsigned>(std::nearbyint(a)))
COMPACTION_ROUNDED(unsigned, __float2uint_rz, (float a), static_cast<unsigned>(a))
COMPACTION_ROUNDED(int, __double2int_rn, (double a), static_cast<int>(std::nearbyint(a)))
COMPACTION_ROUNDED(int, __double2int_rz, (double a), static_cast<int>(a))
COMPACTION_ROUNDED(float, __double2float_rn, (double a), static_cast<float>(a))
COMPACTION_ROUNDED(double, __int2double_rn, (int a), a)
#undef COMPACTION_ROUNDED

inline float rcbrtf(float value) {
    return 1 / std::cbrt(value);
}
inline float norm3df(float a, float b, float c) {
    return std::hypot(a, b, c);
}
inline float rnorm3df(float a, float b, float c) {
    return 1 / std::hypot(a, b, c);
}
inline float sinpif(float value) {
    return static_cast<float>(std::sin(M_PI * double{value}));
}
inline float cospif(float value) {
    return static_cast<float>(std::cos(M_PI * double{value}));
}
inline float normcdff(float value) {
    return std::erfc(-value * static_cast<float>(M_SQRT1_2)) / 2;
}

}  // namespace builtins
}  // namespace compaction::simulated
