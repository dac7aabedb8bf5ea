#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>

#include "compaction/cuda/detail/device.cuh"

/// Tags for launches whose tile state may hold anything: no word of it may hold such a tag by then.
///
/// - On a stream, the host gives each launch tags that no earlier launch of this process had. They count on
///   from a random number, so whatever else is in a word equals a tag with a probability of 2^-49.
/// - A replayed graph repeats the arguments of its kernels. So each captured launch has a slot: a counter in
///   device memory that goes on from replay to replay. Its tags count on from a random number of the
///   capture. The graph and its executables own the slot, and give it back when the last of them is
///   destroyed.
namespace compaction::cuda::detail {

using Tag = std::uint64_t;
inline constexpr unsigned tag_bits = 50;

/// Where the blocks of a launch take its tags from.
struct LaunchTags {
    enum class Source : std::uint8_t {
        state,  ///< counted in the tile state, which was zero before its first launch
        slot,   ///< counted in a slot, from `base` on
        host,   ///< given: `base` and those after it
    };
    Tag base = 0;
    unsigned slot = 0;
    Source source = Source::state;
};

inline constexpr unsigned num_launch_slots = 4096;

/// The counter of a slot. Every translation unit has its own, as it has its own kernels; each is zero when
/// its module is loaded, and never reset.
__device__ inline std::uint64_t* launch_counter(unsigned slot) {
    COMPACTION_DEVICE_ARRAY(launch_counters, std::uint64_t, num_launch_slots);
    return launch_counters + slot;
}

/// The slots in use, in all translation units. Has no destructor: graphs may give slots back until the
/// process ends.
class LaunchSlots {
  public:
    /// Returns a free slot, or `num_launch_slots` if there is none.
    unsigned take() {
        for (unsigned i = 0; i < num_launch_slots; ++i) {
            const unsigned slot = next_.fetch_add(1) % num_launch_slots;
            if (!in_use_[slot].exchange(true)) return slot;
        }
        return num_launch_slots;
    }
    void give_back(unsigned slot) { in_use_[slot] = false; }

  private:
    std::array<std::atomic<bool>, num_launch_slots> in_use_;  // static, so all false
    std::atomic<unsigned> next_;
};
inline LaunchSlots launch_slots;

/// A random number that leaves as many tags again after it.
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

/// The first of so many tags in a row that no earlier call returned.
inline Tag take_tags(std::uint64_t count) {
    static std::atomic<Tag> next{random_tag()};
    return next.fetch_add(count);
}

/// Gives a slot back when a graph and its executables no longer need it.
inline void CUDART_CB give_slot_back(void* slot_after) {
    launch_slots.give_back(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(slot_after)) - 1);
}

/// Makes the graph the owner of a slot. If that fails, the slot is free again.
inline bool give_to_graph(unsigned slot, cudaGraph_t graph) {
    auto* const slot_after = reinterpret_cast<void*>(std::uintptr_t{slot} + 1);
    cudaUserObject_t owner = nullptr;
    if (cudaUserObjectCreate(&owner, slot_after, give_slot_back, 1, cudaUserObjectNoDestructorSync)) {
        give_slot_back(slot_after);
    } else if (!cudaGraphRetainUserObject(graph, owner, 1, cudaGraphUserObjectMove)) {
        return true;
    } else {
        cudaUserObjectRelease(owner, 1);
    }
    cudaGetLastError();  // the launch does without
    return false;
}

/// The tags of a launch on `stream` with a tile state of unknown content. If their source is the state, no
/// slot is left, and the state must be reset.
inline cudaError_t tags_for(cudaStream_t stream, std::uint64_t num_tags, LaunchTags& tags) {
    cudaStreamCaptureStatus status{};
    cudaGraph_t graph = nullptr;
    if (const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph)) return error;
    if (status == cudaStreamCaptureStatusNone) {
        tags = {take_tags(num_tags), 0, LaunchTags::Source::host};
        return cudaSuccess;
    }
    const unsigned slot = launch_slots.take();
    tags = {};
    if (slot < num_launch_slots && give_to_graph(slot, graph))
        tags = {random_tag(), slot, LaunchTags::Source::slot};
    return cudaSuccess;
}

}  // namespace compaction::cuda::detail
