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

/// CUDA's built-in types, qualifiers and functions for the simulated GPU. Include it in kernel sources only:
/// it defines macros.
#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __forceinline__ inline

/// COMPACTION_SHARED(name, type): a variable in shared memory, the same for all threads of a block.
#define COMPACTION_SHARED(name, ...)                                                                        \
    static thread_local ::compaction::simulated::SharedVariable name##_variable;                            \
    auto& name = *static_cast<std::type_identity_t<__VA_ARGS__>*>(::compaction::simulated::shared_variable( \
        name##_variable, sizeof(__VA_ARGS__), alignof(__VA_ARGS__)))
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

/// Unlike CUDA's types, these are not aligned to their size: kernels view arrays of items as vectors, and g++
/// does not align those arrays. Our functions for global memory check the alignment.
struct uint2 {
    unsigned x, y;
};
struct uint4 {
    unsigned x, y, z, w;
};
struct ulonglong2 {
    unsigned long long x, y;
};
inline uint2 make_uint2(unsigned x, unsigned y) {
    return {x, y};
}

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

inline int __popc(unsigned bits) {
    return std::popcount(bits);
}
inline int __ffs(int bits) {
    return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1;
}

// --- Barriers and collective operations ---

inline void __syncthreads(const Site& site = Site::current()) {
    wait_for_block(false, "__syncthreads", site);
}
inline int __syncthreads_count(int value, const Site& site = Site::current()) {
    return static_cast<int>(wait_for_block(value != 0, "__syncthreads_count", site));
}
inline void __syncwarp(unsigned mask = ~0U, const Site& site = Site::current()) {
    exchange(Collective::sync, mask, 0, 0, site);
}

template <typename T>
T exchange_value(Collective operation, unsigned mask, T value, unsigned parameter, const Site& site) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof value);
    word = exchange(operation, mask, word, parameter, site);
    std::memcpy(&value, &word, sizeof value);
    return value;
}
template <typename T>
T __shfl_sync(unsigned mask, T value, int lane, const Site& site = Site::current()) {
    return exchange_value(Collective::shuffle, mask, value, static_cast<unsigned>(lane), site);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, const Site& site = Site::current()) {
    return exchange_value(Collective::shuffle_up, mask, value, distance, site);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, const Site& site = Site::current()) {
    return exchange_value(Collective::shuffle_down, mask, value, distance, site);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, unsigned lane_mask, const Site& site = Site::current()) {
    return exchange_value(Collective::shuffle_xor, mask, value, lane_mask, site);
}
inline unsigned __ballot_sync(unsigned mask, unsigned value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::ballot, mask, value != 0, 0, site));
}
inline int __all_sync(unsigned mask, unsigned value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::ballot, mask, value != 0, 0, site)) == mask;
}
inline int __any_sync(unsigned mask, unsigned value, const Site& site = Site::current()) {
    return exchange(Collective::ballot, mask, value != 0, 0, site) != 0;
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::add, mask, value, 0, site));
}
inline unsigned __match_any_sync(unsigned mask, std::uint64_t value, const Site& site = Site::current()) {
    return static_cast<unsigned>(exchange(Collective::match, mask, value, 0, site));
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
template <typename T>
T atomicAdd(T* word, std::type_identity_t<T> value, const Site& site = Site::current()) {
    return update(
        word, [value](T before) { return static_cast<T>(before + value); }, MemoryOrder::relaxed, site);
}
template <typename T>
T atomicAdd_block(T* word, std::type_identity_t<T> value, const Site& site = Site::current()) {
    return update(
        word, [value](T before) { return static_cast<T>(before + value); }, MemoryOrder::relaxed, site,
        Scope::block);
}
template <typename T>
T atomicCAS_block(T* word, std::type_identity_t<T> expected, std::type_identity_t<T> value,
                  const Site& site = Site::current()) {
    return update(
        word, [=](T before) { return before == expected ? value : before; }, MemoryOrder::relaxed, site,
        Scope::block);
}
template <typename T>
T atomicMin(T* word, std::type_identity_t<T> value, const Site& site = Site::current()) {
    return update(
        word, [value](T before) { return std::min(before, value); }, MemoryOrder::relaxed, site);
}
template <typename T>
T atomicMax(T* word, std::type_identity_t<T> value, const Site& site = Site::current()) {
    return update(
        word, [value](T before) { return std::max(before, value); }, MemoryOrder::relaxed, site);
}
template <typename T>
T atomicMax_block(T* word, std::type_identity_t<T> value, const Site& site = Site::current()) {
    return update(
        word, [value](T before) { return std::max(before, value); }, MemoryOrder::relaxed, site,
        Scope::block);
}
inline void __threadfence(const Site& site = Site::current()) {
    note_fence(Scope::gpu, site);
}
inline void __threadfence_block(const Site& site = Site::current()) {
    note_fence(Scope::block, site);
}

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
