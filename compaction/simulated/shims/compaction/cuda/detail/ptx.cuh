#pragma once

#include <cstdint>
#include <cstring>

#include "simulated/device.hpp"

/// The functions of the CUDA file of this name on the simulated GPU.
namespace compaction::cuda::detail {

#define COMPACTION_HAS_BULK_COPIES 1

template <typename T>
T load_relaxed(const T* word, const Site& site = Site::current()) {
    yield_if_polling();
    check_global(word, sizeof(T), "a relaxed load", site);
    return load_word(word, MemoryOrder::relaxed, site);
}
template <typename T>
void store_relaxed(T* word, std::type_identity_t<T> value, const Site& site = Site::current()) {
    check_global(word, sizeof(T), "a relaxed store", site);
    store_word(word, value, MemoryOrder::relaxed, site);
}
inline std::uint64_t fetch_add_relaxed(std::uint64_t* word, std::uint64_t value,
                                       const Site& site = Site::current()) {
    check_global(word, sizeof value, "an atomic addition", site);
    return atomicAdd(word, value, site);
}
inline std::uint64_t fetch_add_acq_rel(std::uint64_t* word, std::uint64_t value,
                                       const Site& site = Site::current()) {
    check_global(word, sizeof value, "an atomic addition", site);
    return update(
        word, [value](std::uint64_t before) { return before + value; }, MemoryOrder::acquire_release, site);
}

inline std::uint64_t exchange_relaxed(std::uint64_t* word, std::uint64_t value,
                                      const Site& site = Site::current()) {
    check_global(word, sizeof value, "an atomic exchange", site);
    return update(
        word, [value](std::uint64_t) { return value; }, MemoryOrder::relaxed, site);
}
inline void fence_acq_rel(const Site& site = Site::current()) {
    __threadfence(site);
}

inline std::uint64_t load_acquire(const std::uint64_t* word, const Site& site = Site::current()) {
    yield_if_polling();
    check_global(word, sizeof *word, "an acquiring load", site);
    return load_word(word, MemoryOrder::acquire, site);
}
inline void store_release(std::uint64_t* word, std::uint64_t value, const Site& site = Site::current()) {
    check_global(word, sizeof value, "a releasing store", site);
    store_word(word, value, MemoryOrder::release, site);
}
inline std::uint64_t compare_and_swap_relaxed(std::uint64_t* word, std::uint64_t expected,
                                              std::uint64_t value, const Site& site = Site::current()) {
    check_global(word, sizeof value, "an atomic compare-and-swap", site);
    return update(
        word, [=](std::uint64_t before) { return before == expected ? value : before; }, MemoryOrder::relaxed,
        site);
}

/// Not instrumented: the load is no race.
template <typename WordsT>
[[gnu::noinline, gnu::no_sanitize_thread]] WordsT load_speculatively(const WordsT* from,
                                                                     const Site& site = Site::current()) {
    check_global(from, sizeof *from, "a speculative load", site);
    return *from;
}

inline std::uint32_t shared_address(const void* pointer) {
    return shared_address_of(pointer);
}
template <typename WordsT>
void load_shared(WordsT& words, std::uint32_t from, const Site& site = Site::current()) {
    std::memcpy(&words, at_shared(from, sizeof words, site), sizeof words);
}
template <typename WordsT>
void store_shared(std::uint32_t to, const WordsT& words, const Site& site = Site::current()) {
    std::memcpy(at_shared(to, sizeof words, site), &words, sizeof words);
}

inline unsigned long long timer_ns() {
    return simulated_ns();
}
inline void wait_cycles(unsigned) {}
inline void store_relaxed_if(bool stores, unsigned long long* word, unsigned long long value) {
    if (stores) store_relaxed(word, value);
}
inline std::uint32_t multiprocessor_index() {
    return multiprocessor_of_block();
}
inline std::uint32_t opaque(std::uint32_t value) {
    return value;
}

// Prefetches and triggers have no effect, because launches do not overlap. The checks verify the waits.
inline void prefetch_line_to_l2(const void*) {}
inline void prefetch_to_l2(const void*, unsigned) {}
inline void trigger_dependent_launch(const Site& site = Site::current()) {
    trigger_launch(site);
}
inline void wait_for_previous_launch(const Site& site = Site::current()) {
    wait_for_launch(site);
}

inline void init_barrier(std::uint32_t barrier, unsigned arrivals, const Site& site = Site::current()) {
    init_mbarrier(barrier, arrivals, site);
}
inline void fence_barrier_init() {
    fence_mbarrier_init();
}
inline void arrive(std::uint32_t barrier, const Site& site = Site::current()) {
    arrive_at_mbarrier(barrier, 0, site);
}
inline void arrive_and_expect(std::uint32_t barrier, unsigned bytes, const Site& site = Site::current()) {
    arrive_at_mbarrier(barrier, bytes, site);
}
inline bool is_complete(std::uint32_t barrier, unsigned parity, const Site& site = Site::current()) {
    return try_wait_for_mbarrier(barrier, parity, site);
}
inline void wait(std::uint32_t barrier, unsigned parity, const Site& site = Site::current()) {
    wait_for_mbarrier(barrier, parity, site);
}

inline std::uint64_t evict_first_policy() {
    return 0;
}
inline std::uint64_t evict_normal_policy() {
    return 1;
}
inline void load_bulk(std::uint32_t to, const void* from, unsigned bytes, std::uint32_t barrier,
                      std::uint64_t, const Site& site = Site::current()) {
    copy_to_shared(to, from, bytes, barrier, site);
}
inline void store_bulk(void* to, std::uint32_t from, unsigned bytes, const Site& site = Site::current()) {
    copy_to_global(to, from, bytes, site);
}
inline void commit_stores() {
    commit_copies();
}
template <int MaxPending>
void wait_stores_read() {
    wait_for_copies(MaxPending);
}
inline void fence_for_copies() {
    fence_for_bulk_copies();
}

}  // namespace compaction::cuda::detail
