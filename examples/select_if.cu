// Keeps the live particles in order: with temporary storage, as CUB is called, and with a state that is
// reused from frame to frame, so that the compaction of a frame is a single kernel.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "compaction/cuda/select.cuh"

namespace {

/// 16 bytes, aligned to 16, so that one instruction reads or writes it.
struct alignas(16) Particle {
    float x, y, z;
    float seconds_left;
};

struct IsAlive {
    __device__ bool operator()(const Particle& particle) const { return particle.seconds_left > 0; }
};

void check(cudaError_t error, const char* call) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    std::exit(1);
}

template <typename T>
T* allocate(std::uint64_t count) {
    T* array = nullptr;
    check(cudaMalloc(&array, count * sizeof(T)), "cudaMalloc");
    return array;
}

std::uint64_t fetch(const std::uint64_t* d_value) {
    std::uint64_t value = 0;
    check(cudaMemcpy(&value, d_value, sizeof value, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return value;
}

}  // namespace

int main() {
    constexpr std::uint64_t num_items = 1'000'000;
    std::vector<Particle> particles(num_items);
    for (std::uint64_t i = 0; i < num_items; ++i) {
        particles[i] = {static_cast<float>(i), 0, 0, i % 3 == 0 ? 1.0F : 0.0F};
    }
    constexpr std::uint64_t expected = (num_items + 2) / 3;

    auto* const d_in = allocate<Particle>(num_items);
    auto* const d_out = allocate<Particle>(num_items);
    auto* const d_num_selected = allocate<std::uint64_t>(1);
    check(cudaMemcpy(d_in, particles.data(), num_items * sizeof(Particle), cudaMemcpyHostToDevice),
          "cudaMemcpy");

    // With null storage, a call only returns the size that it needs.
    using compaction::cuda::select_if;
    void* d_temp = nullptr;
    std::size_t temp_bytes = 0;
    check(select_if(d_temp, temp_bytes, d_in, d_out, d_num_selected, num_items, IsAlive{}),
          "select_if (size)");
    check(cudaMalloc(&d_temp, temp_bytes), "cudaMalloc");
    check(select_if(d_temp, temp_bytes, d_in, d_out, d_num_selected, num_items, IsAlive{}), "select_if");
    const std::uint64_t with_storage = fetch(d_num_selected);

    compaction::cuda::SelectState state;
    check(state.reserve<Particle>(num_items), "SelectState::reserve");
    check(select_if(state, d_in, d_out, d_num_selected, num_items, IsAlive{}), "select_if");
    const std::uint64_t with_state = fetch(d_num_selected);

    std::printf("%llu of %llu particles are alive; %llu expected\n",
                static_cast<unsigned long long>(with_state), static_cast<unsigned long long>(num_items),
                static_cast<unsigned long long>(expected));
    for (void* array :
         {static_cast<void*>(d_in), static_cast<void*>(d_out), static_cast<void*>(d_num_selected), d_temp}) {
        check(cudaFree(array), "cudaFree");
    }
    return with_storage == expected && with_state == expected ? 0 : 1;
}
