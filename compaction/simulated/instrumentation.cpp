// The functions that code compiled with -fsanitize=thread calls before its accesses, and code compiled with
// -fsanitize-coverage=trace-pc after its branches. They replace those of the sanitizers' libraries, which are
// not linked.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "platform/source_lines.hpp"
#include "simulated/gpu.hpp"
#include "simulated/grid.hpp"

namespace {

using namespace compaction::simulated;

[[gnu::always_inline]] inline void report_plain(const volatile void* address, std::size_t bytes,
                                                Access access) {
    if (watches_accesses)
        watch_access(const_cast<const void*>(address), bytes, access,
                     {warpsieve::platform::calling_instruction(), 0});
}

/// Reports an atomic access. Returns the value that a load reads; 0 if nothing observes it.
[[gnu::always_inline]] inline std::uint64_t report_atomic(const volatile void* address, std::size_t bytes,
                                                          Atomic kind, int order) {
    if (!watches_atomics) return 0;
    const bool acquires = order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE ||
                          order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
    const bool releases = order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
    return watch_atomic(const_cast<const void*>(address), bytes, kind,
                        acquires && releases ? MemoryOrder::acquire_release
                        : acquires           ? MemoryOrder::acquire
                        : releases           ? MemoryOrder::release
                                             : MemoryOrder::relaxed,
                        Scope::gpu, {warpsieve::platform::calling_instruction(), 0});
}

/// A volatile access of the PTX model.
[[gnu::always_inline]] inline void report_volatile(const volatile void* address, std::size_t bytes,
                                                   Atomic kind) {
    watch_volatile(const_cast<const void*>(address), bytes, kind,
                   {warpsieve::platform::calling_instruction(), 0});
}

/// Notes the value that an atomic access has read, and returns it.
template <typename T>
[[gnu::always_inline]] inline T noted(const volatile void* address, T value) {
    note_instrumented_reading(const_cast<const void*>(address), static_cast<std::uint64_t>(value),
                              {warpsieve::platform::calling_instruction(), 0});
    return value;
}

}  // namespace

// NOLINTBEGIN: the compiler defines these names.
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define COMPACTION_PLAIN(bytes)                             \
    void __tsan_read##bytes(void* at) {                     \
        report_plain(at, bytes, Access::read);              \
    }                                                       \
    void __tsan_write##bytes(void* at) {                    \
        report_plain(at, bytes, Access::write);             \
    }                                                       \
    void __tsan_read_write##bytes(void* at) {               \
        report_plain(at, bytes, Access::write);             \
    }                                                       \
    void __tsan_unaligned_read##bytes(void* at) {           \
        report_plain(at, bytes, Access::read);              \
    }                                                       \
    void __tsan_unaligned_write##bytes(void* at) {          \
        report_plain(at, bytes, Access::write);             \
    }                                                       \
    void __tsan_unaligned_read_write##bytes(void* at) {     \
        report_plain(at, bytes, Access::write);             \
    }                                                       \
    void __tsan_volatile_read##bytes(void* at) {            \
        report_volatile(at, bytes, Atomic::load);           \
    }                                                       \
    void __tsan_volatile_write##bytes(void* at) {           \
        report_volatile(at, bytes, Atomic::store);          \
    }                                                       \
    void __tsan_unaligned_volatile_read##bytes(void* at) {  \
        report_volatile(at, bytes, Atomic::load);           \
    }                                                       \
    void __tsan_unaligned_volatile_write##bytes(void* at) { \
        report_volatile(at, bytes, Atomic::store);          \
    }
COMPACTION_PLAIN(1)
COMPACTION_PLAIN(2)
COMPACTION_PLAIN(4)
COMPACTION_PLAIN(8)
COMPACTION_PLAIN(16)
#undef COMPACTION_PLAIN

void __tsan_read_range(void* at, std::size_t bytes) {
    report_plain(at, bytes, Access::read);
}
void __tsan_write_range(void* at, std::size_t bytes) {
    report_plain(at, bytes, Access::write);
}
void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
    report_plain(from, bytes, Access::read);
    report_plain(to, bytes, Access::write);
    return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
    report_plain(from, bytes, Access::read);
    report_plain(to, bytes, Access::write);
    return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
    report_plain(to, bytes, Access::write);
    return std::memset(to, value, bytes);
}

// Performs the atomic operations.
#define COMPACTION_UPDATE(bits, name)                                                              \
    std::uint##bits##_t __tsan_atomic##bits##_fetch_##name(volatile std::uint##bits##_t* at,       \
                                                           std::uint##bits##_t value, int order) { \
        report_atomic(at, bits / 8, Atomic::update, order);                                        \
        return noted(at, __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST));                      \
    }
#define COMPACTION_COMPARE(bits, name, is_weak)                                                            \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile std::uint##bits##_t* at,                    \
                                                      std::uint##bits##_t* expected,                       \
                                                      std::uint##bits##_t value, int order, int) {         \
        report_atomic(at, bits / 8, Atomic::update, order);                                                \
        const bool is_equal =                                                                              \
            __atomic_compare_exchange_n(at, expected, value, is_weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        if (!is_equal) noted(at, *expected);                                                               \
        return is_equal;                                                                                   \
    }
#define COMPACTION_ATOMIC(bits)                                                                         \
    std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* at, int order) { \
        const std::uint64_t read = report_atomic(at, bits / 8, Atomic::load, order);                    \
        return noted(at, watches_atomics ? static_cast<std::uint##bits##_t>(read)                       \
                                         : __atomic_load_n(at, __ATOMIC_SEQ_CST));                      \
    }                                                                                                   \
    void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* at, std::uint##bits##_t value,       \
                                     int order) {                                                       \
        report_atomic(at, bits / 8, Atomic::store, order);                                              \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                                   \
    std::uint##bits##_t __tsan_atomic##bits##_exchange(volatile std::uint##bits##_t* at,                \
                                                       std::uint##bits##_t value, int order) {          \
        report_atomic(at, bits / 8, Atomic::update, order);                                             \
        return noted(at, __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST));                             \
    }                                                                                                   \
    std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                     \
        volatile std::uint##bits##_t* at, std::uint##bits##_t expected, std::uint##bits##_t value,      \
        int order, int) {                                                                               \
        report_atomic(at, bits / 8, Atomic::update, order);                                             \
        __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
        return noted(at, expected);                                                                     \
    }                                                                                                   \
    COMPACTION_COMPARE(bits, strong, false)                                                             \
    COMPACTION_COMPARE(bits, weak, true)                                                                \
    COMPACTION_UPDATE(bits, add)                                                                        \
    COMPACTION_UPDATE(bits, sub)                                                                        \
    COMPACTION_UPDATE(bits, and)                                                                        \
    COMPACTION_UPDATE(bits, or)                                                                         \
    COMPACTION_UPDATE(bits, xor)                                                                        \
    COMPACTION_UPDATE(bits, nand)
COMPACTION_ATOMIC(8)
COMPACTION_ATOMIC(16)
COMPACTION_ATOMIC(32)
COMPACTION_ATOMIC(64)
#undef COMPACTION_ATOMIC
#undef COMPACTION_COMPARE
#undef COMPACTION_UPDATE

void __tsan_atomic_thread_fence(int) {
    note_fence(Scope::gpu, {"", 0});
    std::atomic_thread_fence(std::memory_order_seq_cst);
}
void __tsan_atomic_signal_fence(int) {}

// Called at the beginning of each part of the code that has no branches.
void __sanitizer_cov_trace_pc() {
    if (watches_lines) watch_line(warpsieve::platform::calling_instruction());
}

}  // extern "C"
// NOLINTEND
