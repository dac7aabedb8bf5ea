#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>

#include "simulated/gpu.hpp"
#include "simulated/memory.hpp"
#include "simulated/vector_types.hpp"

/// CUDA's built-in types, qualifiers and functions for the simulated GPU. Include it in kernel sources only:
/// it defines macros.
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __align__(bytes) alignas(bytes)

/// COMPACTION_SHARED(name, type): a variable in shared memory, the same for all threads of a block.
#define COMPACTION_SHARED(name, ...) COMPACTION_ALIGNED_SHARED(name, alignof(__VA_ARGS__), __VA_ARGS__)
#define COMPACTION_ALIGNED_SHARED(name, alignment, ...)                          \
    static thread_local ::compaction::simulated::SharedVariable name##_variable; \
    auto& name = *static_cast<std::type_identity_t<__VA_ARGS__>*>(               \
        ::compaction::simulated::shared_variable(name##_variable, sizeof(__VA_ARGS__), alignment))
/// COMPACTION_DYNAMIC_SHARED(name, alignment, type): the dynamic shared memory of the block as an array.
#define COMPACTION_DYNAMIC_SHARED(name, alignment, ...) \
    auto* const name = static_cast<__VA_ARGS__*>(::compaction::simulated::dynamic_shared())
/// COMPACTION_DEVICE_ARRAY(name, type, size): an array in device memory, initially zero, as a static variable
/// of a device function.
#define COMPACTION_DEVICE_ARRAY(name, type, size)                       \
    static auto* const name = static_cast<std::type_identity_t<type>*>( \
        ::compaction::simulated::allocate_zeroed_global(sizeof(type) * (size)))
#define COMPACTION_NOINLINE [[gnu::noinline]]

namespace compaction::simulated {
inline namespace builtins {

template <typename T, typename U>
constexpr std::common_type_t<T, U> min(T a, U b) {
    using Common = std::common_type_t<T, U>;
    return static_cast<Common>(b) < static_cast<Common>(a) ? static_cast<Common>(b) : static_cast<Common>(a);
}
template <typename T, typename U>
constexpr std::common_type_t<T, U> max(T a, U b) {
    using Common = std::common_type_t<T, U>;
    return static_cast<Common>(a) < static_cast<Common>(b) ? static_cast<Common>(b) : static_cast<Common>(a);
}

// --- Integers ---

constexpr int __popc(unsigned bits) {
    return std::popcount(bits);
}
constexpr int __popcll(unsigned long long bits) {
    return std::popcount(bits);
}
constexpr int __clz(int bits) {
    return std::countl_zero(static_cast<unsigned>(bits));
}
constexpr int __clzll(long long bits) {
    return std::countl_zero(static_cast<unsigned long long>(bits));
}
constexpr int __ffs(int bits) {
    return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1;
}
constexpr int __ffsll(long long bits) {
    return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(bits)) + 1;
}
constexpr unsigned long long __brevll(unsigned long long bits) {
    unsigned long long reversed = 0;
    for (int i = 0; i < 64; ++i) reversed |= (bits >> i & 1) << (63 - i);
    return reversed;
}
constexpr unsigned __brev(unsigned bits) {
    return static_cast<unsigned>(__brevll(bits) >> 32);
}
/// Chooses four of the eight bytes of x and y, by the lower three bits of each hexadecimal digit.
constexpr unsigned __byte_perm(unsigned x, unsigned y, unsigned choice) {
    const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
    unsigned chosen = 0;
    for (unsigned i = 0; i < 4; ++i)
        chosen |= static_cast<unsigned>(bytes >> (choice >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return chosen;
}
constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
constexpr unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}
constexpr int __mulhi(int a, int b) {
    return static_cast<int>(std::int64_t{a} * b >> 32);
}
constexpr int __mul24(int a, int b) {
    const auto low = [](int value) { return static_cast<int>(static_cast<unsigned>(value) << 8) >> 8; };
    return static_cast<int>(static_cast<unsigned>(std::int64_t{low(a)} * low(b)));
}
constexpr unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
constexpr unsigned __sad(int a, int b, unsigned sum) {
    return sum + static_cast<unsigned>(a > b ? std::int64_t{a} - b : std::int64_t{b} - a);
}

// --- Floating-point numbers ---

inline int __float_as_int(float value) {
    return std::bit_cast<int>(value);
}
inline unsigned __float_as_uint(float value) {
    return std::bit_cast<unsigned>(value);
}
inline float __int_as_float(int bits) {
    return std::bit_cast<float>(bits);
}
inline float __uint_as_float(unsigned bits) {
    return std::bit_cast<float>(bits);
}
inline long long __double_as_longlong(double value) {
    return std::bit_cast<long long>(value);
}
inline double __longlong_as_double(long long bits) {
    return std::bit_cast<double>(bits);
}
inline int __float2int_rn(float value) {
    return static_cast<int>(std::nearbyint(value));
}
inline int __float2int_rz(float value) {
    return static_cast<int>(value);
}
inline int __float2int_rd(float value) {
    return static_cast<int>(std::floor(value));
}
inline int __float2int_ru(float value) {
    return static_cast<int>(std::ceil(value));
}
inline float __int2float_rn(int value) {
    return static_cast<float>(value);
}
inline float __uint2float_rn(unsigned value) {
    return static_cast<float>(value);
}
inline float rsqrtf(float value) {
    return 1 / std::sqrt(value);
}
inline double rsqrt(double value) {
    return 1 / std::sqrt(value);
}
inline float __saturatef(float value) {
    return value > 0 ? std::min(value, 1.0F) : 0.0F;
}
inline float __fdividef(float a, float b) {
    return a / b;
}
inline float __fadd_rn(float a, float b) {
    return a + b;
}
inline float __fmul_rn(float a, float b) {
    return a * b;
}
inline float __fmaf_rn(float a, float b, float c) {
    return std::fma(a, b, c);
}

// --- Barriers and collective operations ---

inline void __syncthreads(const Site& site = Site::current()) {
    wait_for_block(/*value=*/false, "__syncthreads", site);
}
inline int __syncthreads_count(int value, const Site& site = Site::current()) {
    return static_cast<int>(wait_for_block(value != 0, "__syncthreads_count", site));
}
inline int __syncthreads_or(int value, const Site& site = Site::current()) {
    return wait_for_block(value != 0, "__syncthreads_or", site) != 0;
}
inline int __syncthreads_and(int value, const Site& site = Site::current()) {
    return wait_for_block(value == 0, "__syncthreads_and", site) == 0;
}
inline void __syncwarp(unsigned mask = ~0U, const Site& site = Site::current()) {
    exchange(Collective::sync, mask, /*value=*/0, /*parameter=*/0, site);
}

inline unsigned __activemask(const Site& site = Site::current()) {
    return active_lanes(site);
}

}  // namespace builtins

template <typename T>
std::uint64_t word_of(const T& value) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof value);
    return word;
}
template <typename T>
T exchange_value(Collective operation, unsigned mask, T value, unsigned parameter, int width,
                 const Site& site) {
    const std::uint64_t word =
        exchange(operation, mask, word_of(value), parameter, site, static_cast<unsigned>(width));
    std::memcpy(&value, &word, sizeof value);
    return value;
}
/// `T` is int or unsigned. The sign is flipped, so that the order of integers is that of their words.
template <typename T>
T exchange_ordered(Collective operation, unsigned mask, T value, const Site& site) {
    const unsigned flip = std::is_signed_v<T> ? 1U << 31 : 0;
    return static_cast<T>(static_cast<unsigned>(exchange(operation, mask, static_cast<unsigned>(value) ^ flip,
                                                         /*parameter=*/0, site)) ^
                          flip);
}

inline namespace builtins {

template <typename T>
T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize, const Site& site = Site::current()) {
    return exchange_value(Collective::shuffle, mask, value, static_cast<unsigned>(lane), width, site);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = warpSize,
                 const Site& site = Site::current()) {
    return exchange_value(Collective::shuffle_up, mask, value, distance, width, site);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = warpSize,
                   const Site& site = Site::current()) {
    return exchange_value(Collective::shuffle_down, mask, value, distance, width, site);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize,
                  const Site& site = Site::current()) {
    return exchange_value(Collective::shuffle_xor, mask, value, static_cast<unsigned>(lane_mask), width,
                          site);
}
inline unsigned __ballot_sync(unsigned mask, int value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::ballot, mask, value != 0, /*parameter=*/0, site));
}
inline int __all_sync(unsigned mask, int value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::ballot, mask, value != 0, /*parameter=*/0, site)) ==
           mask;
}
inline int __any_sync(unsigned mask, int value, const Site& site = Site::current()) {
    return exchange(Collective::ballot, mask, value != 0, /*parameter=*/0, site) != 0;
}
template <typename T>
unsigned __match_any_sync(unsigned mask, T value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::match, mask, word_of(value), /*parameter=*/0, site));
}
template <typename T>
unsigned __match_all_sync(unsigned mask, T value, int* all_match, const Site& site = Site::current()) {
    const auto same =
        static_cast<unsigned>(exchange(Collective::match_all, mask, word_of(value), /*parameter=*/0, site));
    *all_match = same == mask;
    return same == mask ? mask : 0;
}
template <typename T>
T __reduce_add_sync(unsigned mask, T value, const Site& site = Site::current()) {
    return static_cast<T>(
        exchange(Collective::add, mask, static_cast<unsigned>(value), /*parameter=*/0, site));
}
template <typename T>
T __reduce_min_sync(unsigned mask, T value, const Site& site = Site::current()) {
    return exchange_ordered(Collective::minimum, mask, value, site);
}
template <typename T>
T __reduce_max_sync(unsigned mask, T value, const Site& site = Site::current()) {
    return exchange_ordered(Collective::maximum, mask, value, site);
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::bit_and, mask, value, /*parameter=*/0, site));
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::bit_or, mask, value, /*parameter=*/0, site));
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::bit_xor, mask, value, /*parameter=*/0, site));
}
inline void __nanosleep(unsigned) {
    yield_lane();
}
[[noreturn]] inline void __trap(const Site& site = Site::current()) {
    fail_at("__trap was called", site);
}
inline long long clock64() {
    return static_cast<long long>(simulated_ns());
}

// --- Memory ---

template <typename T>
[[gnu::no_sanitize_thread]] T __ldg(const T* from, const Site& site = Site::current()) {
    check_global(from, sizeof(T), "a load", site);
    note_access(from, sizeof(T), Access::read, site, warpsieve::platform::calling_instruction());
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

}  // namespace builtins

// Atomic accesses. Lanes take turns, so a plain access suffices. These functions report it themselves, so the
// compiler must not instrument them. It then does not inline them into kernels; hence calling_instruction().
template <typename T>
[[gnu::no_sanitize_thread]] T load_word(const T* word, MemoryOrder order, const Site& site) {
    std::uint64_t read = 0;
    if (watches_atomics) {
        read = watch_atomic(word, sizeof(T), Atomic::load, order, Scope::gpu, SourceLocation::of(site),
                            warpsieve::platform::calling_instruction());
    } else {
        std::memcpy(&read, word, sizeof(T));
    }
    note_reading(word, read, SourceLocation::of(site));
    T value;
    std::memcpy(&value, &read, sizeof value);
    return value;
}
template <typename T>
[[gnu::no_sanitize_thread]] void store_word(T* word, T value, MemoryOrder order, const Site& site) {
    note_atomic(word, sizeof(T), Atomic::store, order, Scope::gpu, site,
                warpsieve::platform::calling_instruction());
    *word = value;
}
/// Replaces *word by change(*word) and returns the old value.
template <typename T, typename Change>
[[gnu::no_sanitize_thread]] T update(T* word, Change change, MemoryOrder order, const Site& site,
                                     Scope scope = Scope::gpu) {
    note_atomic(word, sizeof(T), Atomic::update, order, scope, site,
                warpsieve::platform::calling_instruction());
    const T before = *word;
    *word = change(before);
    std::uint64_t read = 0;
    std::memcpy(&read, &before, std::min(sizeof before, sizeof read));
    note_reading(word, read, SourceLocation::of(site));
    return before;
}

inline namespace builtins {

/// An atomic operation, in the scope of the GPU, of the block and of the system. `changed`: what it makes of
/// `before` and `value`.
#define COMPACTION_ATOMIC_OF_SCOPE(name, scope, changed)                                                     \
    template <typename T>                                                                                    \
    T name(T* word, std::type_identity_t<T> value, const Site& site = Site::current()) {                     \
        return update(                                                                                       \
            word, [value](T before) { return static_cast<T>(changed); }, MemoryOrder::relaxed, site, scope); \
    }
#define COMPACTION_ATOMIC_OPERATION(name, changed)                  \
    COMPACTION_ATOMIC_OF_SCOPE(name, Scope::gpu, changed)           \
    COMPACTION_ATOMIC_OF_SCOPE(name##_block, Scope::block, changed) \
    COMPACTION_ATOMIC_OF_SCOPE(name##_system, Scope::gpu, changed)
COMPACTION_ATOMIC_OPERATION(atomicAdd, before + value)
COMPACTION_ATOMIC_OPERATION(atomicSub, before - value)
COMPACTION_ATOMIC_OPERATION(atomicExch, ((void)before, value))
COMPACTION_ATOMIC_OPERATION(atomicMin, std::min(before, value))
COMPACTION_ATOMIC_OPERATION(atomicMax, std::max(before, value))
COMPACTION_ATOMIC_OPERATION(atomicAnd, before& value)
COMPACTION_ATOMIC_OPERATION(atomicOr, before | value)
COMPACTION_ATOMIC_OPERATION(atomicXor, before ^ value)
COMPACTION_ATOMIC_OPERATION(atomicInc, before >= value ? 0 : before + 1)
COMPACTION_ATOMIC_OPERATION(atomicDec, before == 0 || before > value ? value : before - 1)
#undef COMPACTION_ATOMIC_OPERATION
#undef COMPACTION_ATOMIC_OF_SCOPE
#define COMPACTION_ATOMIC_CAS(name, scope)                                                                   \
    template <typename T>                                                                                    \
    T name(T* word, std::type_identity_t<T> expected, std::type_identity_t<T> value,                         \
           const Site& site = Site::current()) {                                                             \
        return update(                                                                                       \
            word, [=](T before) { return before == expected ? value : before; }, MemoryOrder::relaxed, site, \
            scope);                                                                                          \
    }
COMPACTION_ATOMIC_CAS(atomicCAS, Scope::gpu)
COMPACTION_ATOMIC_CAS(atomicCAS_block, Scope::block)
COMPACTION_ATOMIC_CAS(atomicCAS_system, Scope::gpu)
#undef COMPACTION_ATOMIC_CAS

inline void __threadfence(const Site& site = Site::current()) {
    note_fence(Scope::gpu, site);
}
inline void __threadfence_block(const Site& site = Site::current()) {
    note_fence(Scope::block, site);
}
inline void __threadfence_system(const Site& site = Site::current()) {
    note_fence(Scope::gpu, site);
}

}  // namespace builtins

// --- Launches ---

/// Runs a kernel and returns when it has ended. Throws as run_grid does.
template <typename... ParametersT, typename... ArgumentsT>
void run_kernel(const KernelName& name, const LaunchShape& shape, const Schedule& schedule,
                void (*kernel)(ParametersT...), ArgumentsT&&... arguments) {
    const auto call = [kernel](const std::decay_t<ParametersT>&... values) {
        return [=] { kernel(values...); };
    };
    run_grid(name, shape, schedule, call(static_cast<ParametersT>(arguments)...));
}
template <typename... ParametersT, typename... ArgumentsT>
void run_kernel(const char* name, const LaunchShape& shape, const Schedule& schedule,
                void (*kernel)(ParametersT...), ArgumentsT&&... arguments) {
    run_kernel(KernelName{.text = name}, shape, schedule, kernel, static_cast<ArgumentsT&&>(arguments)...);
}

}  // namespace compaction::simulated
