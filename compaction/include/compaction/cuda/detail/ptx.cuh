#pragma once

#include <cstdint>

/// Every PTX instruction that the CUDA code writes by hand, one named function each. The comment before a
/// function gives the CUDA C++ that means the same. Shared memory is addressed with 32 bits, as the
/// instructions take it.
/// Source: NVIDIA, PTX ISA 9.0.
namespace compaction::cuda::detail {

/// Code compiled for an architecture before sm_90 has no bulk copies. Host code cannot test this macro;
/// query_occupancy (launch.cuh) queries the architecture that a kernel was compiled for.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define COMPACTION_HAS_BULK_COPIES 1
#else
#define COMPACTION_HAS_BULK_COPIES 0
#endif

// --- Device memory: atomic accesses of one word at GPU scope ---
// load_relaxed and store_relaxed have no "memory" clobber: the compiler may move other accesses across them,
// as it may across those of cuda::atomic_ref.

/// cuda::atomic_ref<T, thread_scope_device>(*word).load(memory_order_relaxed)
__device__ inline std::uint64_t load_relaxed(const std::uint64_t* word) {
    std::uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(__cvta_generic_to_global(word)));
    return value;
}
__device__ inline std::uint32_t load_relaxed(const std::uint32_t* word) {
    std::uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(word)));
    return value;
}

/// cuda::atomic_ref<T, thread_scope_device>(*word).store(value, memory_order_relaxed)
__device__ inline void store_relaxed(std::uint64_t* word, std::uint64_t value) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "l"(value));
}
__device__ inline void store_relaxed(std::uint32_t* word, std::uint32_t value) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "r"(value));
}

/// cuda::atomic_ref<T, thread_scope_device>(*word).fetch_add(value, memory_order_relaxed)
__device__ inline std::uint64_t fetch_add_relaxed(std::uint64_t* word, std::uint64_t value) {
    std::uint64_t before;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(before)
                 : "l"(__cvta_generic_to_global(word)), "l"(value)
                 : "memory");
    return before;
}

/// cuda::atomic_ref<T, thread_scope_device>(*word).fetch_add(value, memory_order_acq_rel)
__device__ inline std::uint64_t fetch_add_acq_rel(std::uint64_t* word, std::uint64_t value) {
    std::uint64_t before;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(before)
                 : "l"(__cvta_generic_to_global(word)), "l"(value)
                 : "memory");
    return before;
}

/// cuda::atomic_ref<T, thread_scope_device>(*word).exchange(value, memory_order_relaxed)
__device__ inline std::uint64_t exchange_relaxed(std::uint64_t* word, std::uint64_t value) {
    std::uint64_t before;
    asm volatile("atom.relaxed.gpu.global.exch.b64 %0, [%1], %2;"
                 : "=l"(before)
                 : "l"(__cvta_generic_to_global(word)), "l"(value)
                 : "memory");
    return before;
}

/// cuda::atomic_thread_fence(memory_order_acq_rel, thread_scope_device)
__device__ inline void fence_acq_rel() {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

/// cuda::atomic_ref<T, thread_scope_device>(*word).load(memory_order_acquire)
__device__ inline std::uint64_t load_acquire(const std::uint64_t* word) {
    std::uint64_t value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                 : "=l"(value)
                 : "l"(__cvta_generic_to_global(word))
                 : "memory");
    return value;
}

/// cuda::atomic_ref<T, thread_scope_device>(*word).store(value, memory_order_release)
__device__ inline void store_release(std::uint64_t* word, std::uint64_t value) {
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "l"(value)
                 : "memory");
}

/// cuda::atomic_ref<T, thread_scope_device>(*word).compare_exchange_strong(expected, value,
/// memory_order_relaxed). Returns the old word.
__device__ inline std::uint64_t compare_and_swap_relaxed(std::uint64_t* word, std::uint64_t expected,
                                                         std::uint64_t value) {
    std::uint64_t before;
    asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(before)
                 : "l"(__cvta_generic_to_global(word)), "l"(expected), "l"(value)
                 : "memory");
    return before;
}

// --- Shared memory by 32-bit addresses, which cost half the arithmetic of pointers ---

/// static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer)); no PTX.
__device__ inline std::uint32_t shared_address(const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// words = *reinterpret_cast<const T*>(from)
__device__ inline void load_shared(std::uint8_t& words, std::uint32_t from) {
    std::uint32_t word;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(word) : "r"(from) : "memory");
    words = static_cast<std::uint8_t>(word);
}
__device__ inline void load_shared(std::uint16_t& words, std::uint32_t from) {
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(words) : "r"(from) : "memory");
}
__device__ inline void load_shared(std::uint32_t& words, std::uint32_t from) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(words) : "r"(from) : "memory");
}
__device__ inline void load_shared(uint2& words, std::uint32_t from) {
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(words.x), "=r"(words.y) : "r"(from) : "memory");
}
__device__ inline void load_shared(uint4& words, std::uint32_t from) {
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                 : "r"(from)
                 : "memory");
}

/// *reinterpret_cast<T*>(to) = words
__device__ inline void store_shared(std::uint32_t to, std::uint8_t words) {
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(to), "r"(static_cast<std::uint32_t>(words)) : "memory");
}
__device__ inline void store_shared(std::uint32_t to, std::uint16_t words) {
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(to), "h"(words) : "memory");
}
__device__ inline void store_shared(std::uint32_t to, std::uint32_t words) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(words) : "memory");
}
__device__ inline void store_shared(std::uint32_t to, uint2 words) {
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(to), "r"(words.x), "r"(words.y) : "memory");
}
__device__ inline void store_shared(std::uint32_t to, uint4 words) {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(words.x), "r"(words.y),
                 "r"(words.z), "r"(words.w)
                 : "memory");
}

// --- Time stamps: the clocks, the multiprocessor, and a store without a branch ---

/// Nanoseconds of a timer that all multiprocessors share. It advances in steps, of 32 ns on an H200.
/// Source: NVIDIA, PTX ISA 9.0, section 10.28, %globaltimer.
__device__ inline unsigned long long timer_ns() {
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

/// Waits for `cycles` cycles of the multiprocessor. Plain CUDA: clock().
__device__ inline void wait_cycles(unsigned cycles) {
    unsigned begin, now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
    do {
        asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    } while (now - begin < cycles);
}

/// if (stores) store_relaxed(word, value); without a branch, after which the warp would have to reconverge.
/// It has a "memory" clobber.
__device__ inline void store_relaxed_if(bool stores, unsigned long long* word, unsigned long long value) {
    asm volatile(
        "{\n"
        ".reg .pred stores;\n"
        "setp.ne.u32 stores, %0, 0;\n"
        "@stores st.relaxed.gpu.global.u64 [%1], %2;\n"
        "}" ::"r"(static_cast<std::uint32_t>(stores)),
        "l"(__cvta_generic_to_global(word)), "l"(value)
        : "memory");
}

/// The index of the multiprocessor that runs this block.
__device__ inline std::uint32_t multiprocessor_index() {
    std::uint32_t index;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(index));
    return index;
}

/// The same value, of which the compiler knows nothing. Plain CUDA: value.
__device__ inline std::uint32_t opaque(std::uint32_t value) {
    asm("" : "+r"(value));
    return value;
}

/// Loads words that another block may be overwriting. The caller uses them only if it learns afterwards that
/// none was. The simulated GPU reports no race of this load.
template <typename WordsT>
__device__ WordsT load_speculatively(const WordsT* from) {
    return *from;
}

// --- Prefetch to the L2 cache ---
// The previous launch may still be writing the data. All writes to the memory of this GPU go through its L2
// cache, so a prefetched line is never out of date.

/// Prefetches the line that holds `from`. Plain CUDA: a load of *from whose value is not used.
__device__ inline void prefetch_line_to_l2(const void* from) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(from)));
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

/// Prefetches `bytes`, a multiple of 16. One thread calls. Plain CUDA: prefetch_line_to_l2 of every line;
/// cuda::ptx has no function for this instruction.
__device__ inline void prefetch_to_l2(const void* from, unsigned bytes) {
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(from)),
                 "r"(bytes)
                 : "memory");
}

// --- Programmatic dependent launch (Hopper and later) ---
// Compiled for older architectures, the functions do nothing, and the host starts no launch before the
// previous one has ended.

/// cudaTriggerProgrammaticLaunchCompletion(): the next launch of the stream may start, if it has the launch
/// attribute, once all blocks of this launch have called. Writes of this launch are guaranteed to be visible
/// to the next launch only after its wait_for_previous_launch.
__device__ inline void trigger_dependent_launch() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

/// cudaGridDependencySynchronize(): waits until the previous launch is complete and its writes are visible.
__device__ inline void wait_for_previous_launch() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

#else

__device__ inline void prefetch_to_l2(const void*, unsigned) {}
__device__ inline void trigger_dependent_launch() {}
__device__ inline void wait_for_previous_launch() {}

#endif

#if COMPACTION_HAS_BULK_COPIES

// --- Barriers in shared memory: cuda::barrier<thread_scope_block>, by address ---

/// init(&barrier, arrivals)
__device__ inline void init_barrier(std::uint32_t barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// cuda::ptx::fence_mbarrier_init: makes the barriers that this thread initialised visible to the copy
/// engine.
__device__ inline void fence_barrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// barrier.arrive()
__device__ inline void arrive(std::uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/// cuda::device::barrier_arrive_tx(barrier, 1, bytes): arrives, and the phase also waits for `bytes` bytes.
__device__ inline void arrive_and_expect(std::uint32_t barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

/// Whether the phase of that parity is complete: cuda::ptx::mbarrier_test_wait_parity. Writes before the
/// arrivals are visible if so.
__device__ inline bool is_complete(std::uint32_t barrier, unsigned parity) {
    std::uint32_t done;
    asm volatile(
        "{\n"
        ".reg .pred complete;\n"
        "mbarrier.test_wait.parity.shared::cta.b64 complete, [%1], %2;\n"
        "selp.u32 %0, 1, 0, complete;\n"
        "}"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
    return done != 0;
}

/// barrier.wait_parity(parity): waits until the phase of that parity is complete. Writes before the
/// arrivals are visible afterwards.
__device__ inline void wait(std::uint32_t barrier, unsigned parity) {
    std::uint32_t done = 0;
    while (!done) {
        asm volatile(
            "{\n"
            ".reg .pred complete;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;\n"
            "selp.u32 %0, 1, 0, complete;\n"
            "}"
            : "=r"(done)
            : "r"(barrier), "r"(parity)
            : "memory");
    }
}

// --- Bulk asynchronous copies ---

/// How long the L2 cache keeps the data of a bulk copy: cuda::access_property::streaming and ::normal.
__device__ inline std::uint64_t evict_first_policy() {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
__device__ inline std::uint64_t evict_normal_policy() {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

/// cuda::memcpy_async(to, from, bytes, barrier), with a cache policy. Both addresses and `bytes` are
/// multiples of 16. The barrier counts the bytes as they arrive.
__device__ inline void load_bulk(std::uint32_t to, const void* from, unsigned bytes, std::uint32_t barrier,
                                 std::uint64_t policy) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, "
        "[%3], %4;" ::"r"(to),
        "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier), "l"(policy)
        : "memory");
}

/// cuda::ptx::cp_async_bulk(space_global, space_shared, to, from, bytes), with the same alignment.
__device__ inline void store_bulk(void* to, std::uint32_t from, unsigned bytes) {
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
        "r"(from), "r"(bytes)
        : "memory");
}

/// cuda::ptx::cp_async_bulk_commit_group(): this thread's stores since the last call become a group.
__device__ inline void commit_stores() {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// cuda::ptx::cp_async_bulk_wait_group_read(n32_t<MaxPending>): waits until all but the last MaxPending
/// groups of this thread's stores have read their shared memory.
template <int MaxPending>
__device__ void wait_stores_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(MaxPending) : "memory");
}

/// cuda::ptx::fence_proxy_async(space_shared): what this thread wrote to shared memory becomes visible to
/// the copy engine.
__device__ inline void fence_for_copies() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

#endif

}  // namespace compaction::cuda::detail
