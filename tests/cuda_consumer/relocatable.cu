// A selection in relocatable device code. The predicate has external linkage, so the functions of its kernels
// may be called from other files, and are compiled apart.
#include <cstdint>

#include "compaction/cuda/select.cuh"

struct IsNotZero {
    __device__ bool operator()(std::uint32_t item) const { return item != 0; }
};

int main() {
    std::size_t bytes = 0;
    const std::uint32_t* const in = nullptr;
    std::uint32_t* const out = nullptr;
    std::uint64_t* const count = nullptr;
    return compaction::cuda::select_if(nullptr, bytes, in, out, count, 1'000'000, IsNotZero{});
}
