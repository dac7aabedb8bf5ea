// Spin locks.
#include <cuda_runtime.h>

#include "suite.hpp"

__device__ void lock(int* mutex) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
}
__device__ void unlock(int* mutex) {
    atomicExch(mutex, 0);
}

/// One thread of each block adds to a total under a lock.
template <bool Fences>
__global__ void add_under_lock(int* mutex, int* total) {
    if (threadIdx.x == 0) {
        lock(mutex);
        if (Fences) __threadfence();
        *total += blockIdx.x;
        if (Fences) __threadfence();
        unlock(mutex);
    }
}
static bool run_lock(void (*kernel)(int*, int*)) {
    suite::DeviceArray<int> mutex(1), total(1);
    kernel<<<6, 32>>>(mutex.data(), total.data());
    return total.front() == 15;
}
SUITE_CASE(add_under_lock, "none") {
    return run_lock(add_under_lock<true>);
}
SUITE_CASE(add_under_lock_without_fence, "missing fence") {
    return run_lock(add_under_lock<false>);
}

/// Each lane tries again until it had the lock, as older GPUs needed.
__global__ void add_under_lock_of_lanes(int* mutex, int* total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            __threadfence();
            *total += 1;
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        }
    }
}
SUITE_CASE(add_under_lock_of_lanes, "none") {
    suite::DeviceArray<int> mutex(1), total(1);
    add_under_lock_of_lanes<<<2, 32>>>(mutex.data(), total.data());
    return total.front() == 64;
}

/// All lanes spin, which is right where lanes of a warp are scheduled independently.
__global__ void spin_in_all_lanes(int* mutex, int* total) {
    lock(mutex);
    __threadfence();
    *total += 1;
    __threadfence();
    unlock(mutex);
}
SUITE_CASE(spin_in_all_lanes, "none") {
    suite::DeviceArray<int> mutex(1), total(1);
    spin_in_all_lanes<<<2, 32>>>(mutex.data(), total.data());
    return total.front() == 64;
}

/// The lock is left by a plain store.
__global__ void unlock_by_store(int* mutex, int* total) {
    if (threadIdx.x == 0) {
        while (atomicCAS(mutex, 0, 1) != 0) __nanosleep(20);
        __threadfence();
        *total += 1;
        __threadfence();
        *mutex = 0;
    }
}
SUITE_CASE(unlock_by_store, "race in global memory") {
    suite::DeviceArray<int> mutex(1), total(1);
    unlock_by_store<<<6, 32>>>(mutex.data(), total.data());
    return total.front() == 6;
}

/// The lock is left only if the total is even.
__global__ void lock_not_left(int* mutex, int* total) {
    if (threadIdx.x == 0) {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
        *total += 1;
        if (*total % 2 == 0) {
            __threadfence();
            atomicExch(mutex, 0);
        }
    }
}
SUITE_CASE(lock_not_left, "waits without end") {
    suite::DeviceArray<int> mutex(1), total(1);
    lock_not_left<<<6, 32>>>(mutex.data(), total.data());
    return true;
}

/// Two locks, taken in opposite orders.
__global__ void locks_in_opposite_orders(int* mutexes, int* total) {
    if (threadIdx.x == 0) {
        int first = blockIdx.x % 2;
        lock(&mutexes[first]);
        lock(&mutexes[1 - first]);
        __threadfence();
        *total += 1;
        __threadfence();
        unlock(&mutexes[1 - first]);
        unlock(&mutexes[first]);
    }
}
SUITE_CASE(locks_in_opposite_orders, "waits without end") {
    suite::DeviceArray<int> mutexes(2), total(1);
    locks_in_opposite_orders<<<4, 32>>>(mutexes.data(), total.data());
    return total.front() == 4;
}

/// A ticket lock within a block, in shared memory.
__global__ void ticket_lock(int* total) {
    __shared__ unsigned int next, serving;
    __shared__ int sum;
    if (threadIdx.x == 0) {
        next = serving = 0;
        sum = 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        unsigned int ticket = atomicAdd(&next, 1u);
        while (atomicAdd(&serving, 0u) != ticket) {
        }
        __threadfence_block();
        sum += threadIdx.x;
        __threadfence_block();
        atomicAdd(&serving, 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0) total[blockIdx.x] = sum;
}
SUITE_CASE(ticket_lock, "none") {
    suite::DeviceArray<int> total(2);
    ticket_lock<<<2, 128>>>(total.data());
    return total.values() == std::vector<int>(2, 192);
}
