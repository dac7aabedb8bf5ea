#pragma once

#include <cstdint>

#include "compaction/cuda/detail/lanes.cuh"

/// Hopper's bulk asynchronous copies and the barriers in shared memory that they complete on, as named
/// functions. Code made for cards before sm_90 has none of them, which COMPACTION_HAS_BULK_COPIES tells; the
/// host asks the kernel (plan.cuh). Shared memory is addressed with 32 bits, which is what the instructions
/// take. Source: NVIDIA, PTX ISA 8.0, "Asynchronous copy" and "mbarrier".
namespace compaction::cuda::detail {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define COMPACTION_HAS_BULK_COPIES 1
#else
#define COMPACTION_HAS_BULK_COPIES 0
#endif

#if COMPACTION_HAS_BULK_COPIES

__device__ inline void init_barrier(std::uint32_t barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// Makes the barriers that this thread initialised known to the copy engine.
__device__ inline void fence_barrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void arrive(std::uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ inline void arrive_and_expect(std::uint32_t barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

/// Waits until the phase of that parity is complete; what was written before the arrivals is visible then.
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

/// How long the L2 cache is to keep what is loaded.
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

/// Both places and `bytes` are multiples of 16. The barrier is told when the bytes are there.
__device__ inline void load_bulk(std::uint32_t to, const void* from, unsigned bytes, std::uint32_t barrier,
                                 std::uint64_t policy) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, "
        "[%3], %4;" ::"r"(to),
        "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier), "l"(policy)
        : "memory");
}

__device__ inline void store_bulk(void* to, std::uint32_t from, unsigned bytes) {
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
        "r"(from), "r"(bytes)
        : "memory");
}

__device__ inline void commit_stores() {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until all but the last `Most` groups of this thread's stores have read their shared memory.
template <int Most>
__device__ void wait_stores_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Most) : "memory");
}

/// What this thread wrote to shared memory becomes visible to the copy engine.
__device__ inline void fence_for_copies() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

#endif

}  // namespace compaction::cuda::detail
