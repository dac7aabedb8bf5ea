#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>

#include "compaction/cuda/detail/tile_state.cuh"

/// Tags for launches whose tile state has unknown content: no word in it may hold a tag of the launch.
///
/// - On a stream, the host gives each launch tags that no earlier launch of this process had. The tags count
///   up from a random number, so other content of a word equals a tag with a probability of 2^-49.
/// - A replayed graph repeats the arguments of its kernels. So each captured launch has a counter in device
///   memory, which continues from replay to replay. Its tags count up from a random number that is chosen
///   during the capture. The graph and its executables own the counter, and release it when the last of them
///   is destroyed.
namespace compaction::cuda::detail {

/// The counters in use, in all translation units. Has no destructor: graphs may release counters until the
/// process ends.
class CounterPool {
  public:
    /// Returns a free counter, or `num_launch_counters` if there is none.
    unsigned take() {
        for (unsigned i = 0; i < num_launch_counters; ++i) {
            const unsigned counter = next_.fetch_add(1) % num_launch_counters;
            if (!in_use_[counter].exchange(true)) return counter;
        }
        return num_launch_counters;
    }
    void release(unsigned counter) { in_use_[counter] = false; }

  private:
    std::array<std::atomic<bool>, num_launch_counters> in_use_;  // static, so all false
    std::atomic<unsigned> next_;
};
inline CounterPool counter_pool;

/// A random number in the lower half of all tags, so that at least half of them follow it.
/// Source: Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
inline Tag random_tag() {
    static std::atomic<std::uint64_t> state{[] {
        std::random_device device;
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        return (std::uint64_t{device()} << 32 | device()) + static_cast<std::uint64_t>(now);
    }()};
    std::uint64_t bits = state.fetch_add(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return (bits ^ bits >> 31) >> (64 - (tag_bits - 1));
}

/// The first of `count` consecutive tags that no earlier call returned.
inline Tag take_tags(std::uint64_t count) {
    static std::atomic<Tag> next{random_tag()};
    return next.fetch_add(count);
}

/// Releases a counter when a graph and its executables no longer need it.
inline void CUDART_CB release_counter(void* counter_plus_one) {
    counter_pool.release(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(counter_plus_one)) - 1);
}

/// Makes the graph the owner of a counter. If that fails, the counter is free again.
inline bool give_to_graph(unsigned counter, cudaGraph_t graph) {
    auto* const counter_plus_one = reinterpret_cast<void*>(std::uintptr_t{counter} + 1);
    cudaUserObject_t owner = nullptr;
    if (cudaUserObjectCreate(&owner, counter_plus_one, release_counter, 1, cudaUserObjectNoDestructorSync)) {
        release_counter(counter_plus_one);
    } else if (!cudaGraphRetainUserObject(graph, owner, 1, cudaGraphUserObjectMove)) {
        return true;
    } else {
        cudaUserObjectRelease(owner, 1);
    }
    cudaGetLastError();  // clear the error; the caller falls back to a reset
    return false;
}

/// Chooses the tags of a launch on `stream` with a tile state of unknown content. If no counter is free,
/// their source is the state, which must then be reset.
inline cudaError_t tags_for(cudaStream_t stream, std::uint64_t num_tags, LaunchTags& tags) {
    cudaStreamCaptureStatus status{};
    cudaGraph_t graph = nullptr;
    if (const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph)) return error;
    if (status == cudaStreamCaptureStatusNone) {
        tags = {take_tags(num_tags), 0, LaunchTags::Source::host};
        return cudaSuccess;
    }
    const unsigned counter = counter_pool.take();
    tags = {};
    if (counter < num_launch_counters && give_to_graph(counter, graph))
        tags = {random_tag(), counter, LaunchTags::Source::graph_counter};
    return cudaSuccess;
}

}  // namespace compaction::cuda::detail
