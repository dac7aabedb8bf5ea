// Ray compaction of a wavefront path tracer: every bounce shades the live rays and compacts those that
// continue. The number of live rays stays on the device, so all bounces are one graph without a round trip to
// the host.
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "check.cuh"
#include "compaction/cuda/select_iterators.cuh"

namespace {

constexpr unsigned num_bounces = 8;

/// A ray in a scene without geometry: its random numbers decide what it hits.
struct Ray {
    std::uint32_t pixel;
    std::uint32_t random;
    float throughput;
};

struct GoesOn {
    __host__ __device__ bool operator()(const Ray& ray) const { return ray.throughput > 0; }
};

/// Scatters the ray with half of its light, or absorbs it.
__host__ __device__ Ray bounce(Ray ray) {
    ray.random = ray.random * 1664525U + 1013904223U;
    const bool is_absorbed = ray.random >> 24 < 64;
    ray.throughput = is_absorbed ? 0 : ray.throughput / 2;
    return ray;
}

/// The grid is as large as for all rays; threads without a ray leave at once.
__global__ void shade(Ray* rays, const std::uint32_t* num_rays) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < *num_rays) rays[i] = bounce(rays[i]);
}

/// The rays that are live after all bounces, in order.
std::vector<Ray> trace_on_host(std::vector<Ray> rays) {
    for (unsigned i = 0; i < num_bounces; ++i) {
        std::vector<Ray> live;
        for (const Ray& ray : rays) {
            const Ray next = bounce(ray);
            if (GoesOn{}(next)) live.push_back(next);
        }
        rays = std::move(live);
    }
    return rays;
}

}  // namespace

int main() {
    using compaction::cuda::device_length;
    using compaction::cuda::select_if;
    using examples::check;
    constexpr std::uint32_t num_pixels = 1024 * 1024;
    constexpr unsigned threads = 256;
    std::vector<Ray> camera_rays(num_pixels);
    for (std::uint32_t i = 0; i < num_pixels; ++i) camera_rays[i] = {i, i * 2654435761U, 1.0F};
    examples::DeviceArray<Ray> queue(camera_rays), other_queue(num_pixels);
    examples::DeviceArray<std::uint32_t> num_rays(std::vector<std::uint32_t>{num_pixels});

    Ray* from = queue.data();
    Ray* to = other_queue.data();
    const auto length = device_length(num_rays.data(), num_pixels);
    compaction::cuda::SelectState state;
    check(state.reserve_for([&](void* temp, std::size_t& bytes) {
        return select_if(temp, bytes, from, to, num_rays.data(), length, GoesOn{});
    }),
          "SelectState::reserve_for");

    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    check(cudaStreamCreate(&stream), "cudaStreamCreate");
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    for (unsigned i = 0; i < num_bounces; ++i) {
        shade<<<num_pixels / threads, threads, 0, stream>>>(from, num_rays.data());
        check(cudaGetLastError(), "shade");
        // The number of live rays is read and then replaced.
        check(select_if(state, from, to, num_rays.data(), length, GoesOn{}, stream), "select_if");
        std::swap(from, to);
    }
    check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

    const std::uint32_t num_live = num_rays.download(1)[0];
    const std::vector<Ray> expected = trace_on_host(std::move(camera_rays));
    bool correct = num_live == expected.size();
    if (correct) {
        // After an even number of bounces, the rays are where they began.
        const std::vector<Ray> live = queue.download(num_live);
        for (std::size_t i = 0; i < live.size() && correct; ++i) {
            correct = live[i].pixel == expected[i].pixel && live[i].random == expected[i].random &&
                      live[i].throughput == expected[i].throughput;
        }
    }
    std::printf("%u of %u rays are live after %u bounces in one graph: %s\n", num_live, num_pixels,
                num_bounces, correct ? "correct" : "WRONG");
    check(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
    check(cudaGraphDestroy(graph), "cudaGraphDestroy");
    check(cudaStreamDestroy(stream), "cudaStreamDestroy");
    return correct ? 0 : 1;
}
