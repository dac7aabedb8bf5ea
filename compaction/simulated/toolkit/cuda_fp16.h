#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "simulated/device.hpp"

/// Stands in for the toolkit's header of this name: loads, stores and conversions of half-precision numbers,
/// and their arithmetic, which rounds the result of single precision.
namespace compaction::simulated {

/// Rounds to the nearest half-precision number, to an even one of two. Returns its bits.
constexpr std::uint16_t half_bits_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const std::uint32_t magnitude = bits & 0x7fff'ffff;
    if (magnitude > 0x7f80'0000) return static_cast<std::uint16_t>(sign | 0x7e00);   // not a number
    if (magnitude >= 0x4780'0000) return static_cast<std::uint16_t>(sign | 0x7c00);  // 2^16: infinity
    std::uint32_t half = 0;
    std::uint32_t lost = 0;          // the bits that do not fit, in units of 2^-32 of the last one that fits
    if (magnitude >= 0x3880'0000) {  // 2^-14: normal
        half = (magnitude >> 13) - (112U << 10);
        lost = magnitude << 19;
    } else {
        const std::uint32_t shift = 126 - (magnitude >> 23);
        const std::uint64_t mantissa = std::uint64_t{(magnitude & 0x7f'ffff) | 0x80'0000} << 32;
        if (shift > 32 || magnitude < 0x0080'0000) return static_cast<std::uint16_t>(sign);
        half = static_cast<std::uint32_t>(mantissa >> 32 >> shift);
        lost = static_cast<std::uint32_t>(mantissa >> shift);
    }
    half += lost > 0x8000'0000 || (lost == 0x8000'0000 && half % 2 == 1);
    return static_cast<std::uint16_t>(sign | half);
}
constexpr float float_of_half_bits(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t exponent = bits >> 10 & 0x1fU;
    const std::uint32_t mantissa = bits & 0x3ffU;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f80'0000 | mantissa << 13);
    if (exponent > 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return sign ? -magnitude : magnitude;
}

inline namespace builtins {

struct __half {
    std::uint16_t bits;

    __half() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): as CUDA does
    constexpr __half(float value) : bits(half_bits_of(value)) {}
    // NOLINTNEXTLINE(google-explicit-constructor): as CUDA does
    constexpr operator float() const { return float_of_half_bits(bits); }
    constexpr __half& operator+=(__half other) { return *this = __half(float{*this} + float{other}); }
    constexpr __half& operator-=(__half other) { return *this = __half(float{*this} - float{other}); }
    constexpr __half& operator*=(__half other) { return *this = __half(float{*this} * float{other}); }
};
using half = __half;
struct alignas(4) __half2 {
    __half x, y;
};
using half2 = __half2;

constexpr __half operator+(__half a, __half b) {
    return a += b;
}
constexpr __half operator-(__half a, __half b) {
    return a -= b;
}
constexpr __half operator*(__half a, __half b) {
    return a *= b;
}
constexpr __half __float2half(float value) {
    return {value};
}
constexpr __half __float2half_rn(float value) {
    return {value};
}
constexpr float __half2float(__half value) {
    return value;
}
constexpr __half __hadd(__half a, __half b) {
    return a + b;
}
constexpr __half __hsub(__half a, __half b) {
    return a - b;
}
constexpr __half __hmul(__half a, __half b) {
    return a * b;
}
constexpr __half __hfma(__half a, __half b, __half c) {
    return {float{a} * float{b} + float{c}};
}
constexpr __half __hdiv(__half a, __half b) {
    return {float{a} / float{b}};
}
constexpr __half __hneg(__half a) {
    return {-float{a}};
}
inline __half __habs(__half a) {
    return {std::abs(float{a})};
}
constexpr __half __hmin(__half a, __half b) {
    return float{b} < float{a} ? b : a;
}
constexpr __half __hmax(__half a, __half b) {
    return float{a} < float{b} ? b : a;
}
inline __half hsqrt(__half a) {
    return {std::sqrt(float{a})};
}
inline __half hexp(__half a) {
    return {std::exp(float{a})};
}
constexpr __half __int2half_rn(int value) {
    return {static_cast<float>(value)};
}
inline int __half2int_rn(__half value) {
    return static_cast<int>(std::nearbyint(float{value}));
}
constexpr unsigned short __half_as_ushort(__half value) {
    return value.bits;
}
constexpr __half __ushort_as_half(unsigned short bits) {
    __half value = 0.0F;
    value.bits = bits;
    return value;
}

// Two numbers at once.

constexpr __half2 __halves2half2(__half low, __half high) {
    return {low, high};
}
constexpr __half2 make_half2(__half low, __half high) {
    return {low, high};
}
constexpr __half2 __half2half2(__half both) {
    return {both, both};
}
constexpr __half2 __float2half2_rn(float both) {
    return {both, both};
}
constexpr __half __low2half(__half2 both) {
    return both.x;
}
constexpr __half __high2half(__half2 both) {
    return both.y;
}
constexpr float __low2float(__half2 both) {
    return both.x;
}
constexpr float __high2float(__half2 both) {
    return both.y;
}
constexpr __half2 __lowhigh2highlow(__half2 both) {
    return {both.y, both.x};
}
constexpr __half2 __float22half2_rn(float2 both) {
    return {both.x, both.y};
}
constexpr __half2 __floats2half2_rn(float low, float high) {
    return {low, high};
}
constexpr float2 __half22float2(__half2 both) {
    return {both.x, both.y};
}
#define COMPACTION_OF_BOTH(name, operation)                \
    constexpr __half2 name(__half2 a, __half2 b) {         \
        return {operation(a.x, b.x), operation(a.y, b.y)}; \
    }
COMPACTION_OF_BOTH(__hadd2, __hadd)
COMPACTION_OF_BOTH(__hsub2, __hsub)
COMPACTION_OF_BOTH(__hmul2, __hmul)
COMPACTION_OF_BOTH(__h2div, __hdiv)
COMPACTION_OF_BOTH(__hmin2, __hmin)
COMPACTION_OF_BOTH(__hmax2, __hmax)
COMPACTION_OF_BOTH(operator+, __hadd)
COMPACTION_OF_BOTH(operator-, __hsub)
COMPACTION_OF_BOTH(operator*, __hmul)
COMPACTION_OF_BOTH(operator/, __hdiv)
#undef COMPACTION_OF_BOTH
constexpr __half2& operator+=(__half2& a, __half2 b) {
    return a = a + b;
}
constexpr __half2& operator*=(__half2& a, __half2 b) {
    return a = a * b;
}
constexpr __half2 __hneg2(__half2 a) {
    return {__hneg(a.x), __hneg(a.y)};
}
constexpr __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

// Comparisons.

#define COMPACTION_COMPARISON(name, symbol)                                  \
    constexpr bool name(__half a, __half b) {                                \
        return float{a} symbol float{b};                                     \
    }                                                                        \
    constexpr __half2 name##2(__half2 a, __half2 b) {                        \
        return {name(a.x, b.x) ? 1.0F : 0.0F, name(a.y, b.y) ? 1.0F : 0.0F}; \
    }
COMPACTION_COMPARISON(__heq, ==)
COMPACTION_COMPARISON(__hne, !=)
COMPACTION_COMPARISON(__hlt, <)
COMPACTION_COMPARISON(__hle, <=)
COMPACTION_COMPARISON(__hgt, >)
COMPACTION_COMPARISON(__hge, >=)
#undef COMPACTION_COMPARISON

}  // namespace builtins
}  // namespace compaction::simulated

using namespace compaction::simulated::builtins;  // NOLINT: CUDA's names are global
