#pragma once

#ifndef __CUDACC__
#error "compaction/cuda/*.cuh contain CUDA code: compile this file with nvcc, as a .cu file or by -x cu."
#endif

/// Declarations that differ on the simulated GPU, which has its own file of this name earlier in the include
/// path.

/// COMPACTION_SHARED(name, type): a variable in shared memory, the same for all threads of a block.
#define COMPACTION_SHARED(name, ...) \
    __shared__ typename ::compaction::cuda::detail::TypeOf<__VA_ARGS__>::type name
/// COMPACTION_DYNAMIC_SHARED(name, alignment, type): the dynamic shared memory of the block as an array.
#define COMPACTION_DYNAMIC_SHARED(name, alignment, ...) \
    extern __shared__ __align__(alignment)              \
    __VA_ARGS__ name[]
/// COMPACTION_DEVICE_ARRAY(name, type, size): an array in device memory, all zero at first, as a static
/// variable of a device function.
#define COMPACTION_DEVICE_ARRAY(name, type, size) static __device__ type name[size]
/// COMPACTION_NOINLINE: not inlined, so that the function takes no registers from the kernels that call it.
/// Relocatable code inlines it: it may need more registers than the kernel has, and ptxas then rejects both.
#ifdef __CUDACC_RDC__
#define COMPACTION_NOINLINE __forceinline__
#else
#define COMPACTION_NOINLINE __noinline__
#endif

namespace compaction::cuda::detail {

/// std::type_identity, which C++17 lacks: gives any type, such as an array, a single name.
template <typename T>
struct TypeOf {
    using type = T;
};

/// Gives a value of the calling thread a name in a trace of the simulated GPU. No code on a GPU.
template <typename T>
__device__ void note(const char*, T) {}

/// Whether a trace of the simulated GPU leaves out the test at this line, to show why it is there. Never on a
/// GPU.
__device__ constexpr bool is_left_out() {
    return false;
}

}  // namespace compaction::cuda::detail
