// The headers of the library also compile in CUDA files.
#include "compaction/compaction.hpp"

// A kernel that launches itself.
__global__ void count_down(unsigned left, unsigned* launches) {
    *launches += 1;
    if (left > 0) count_down<<<1, 1, 0, cudaStreamTailLaunch>>>(left - 1, launches);
}

/// The launches of a chain of `length`; 0 if the device fails.
unsigned launches_of_chain(unsigned length) {
    unsigned* launches = nullptr;
    if (cudaMallocManaged(&launches, sizeof *launches) != cudaSuccess) return 0;
    *launches = 0;
    count_down<<<1, 1>>>(length - 1, launches);
    const unsigned count = cudaDeviceSynchronize() == cudaSuccess ? *launches : 0;
    cudaFree(launches);
    return count;
}
