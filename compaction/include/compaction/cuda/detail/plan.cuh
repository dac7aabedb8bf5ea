#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "compaction/cuda/detail/ring.cuh"
#include "compaction/cuda/detail/shot.cuh"
#include "compaction/cuda/detail/ticketed.cuh"

/// Which kernel compacts a stream, with how many blocks, and what it needs beside input and output.
namespace compaction::cuda::detail {

inline constexpr int max_cards = 64;

/// What a plan depends on.
struct Card {
    int device = 0;
    unsigned multiprocessors = 0;
    unsigned shared_bytes_limit = 0;  ///< of one block
    bool has_bulk_copies = false;
    bool has_cooperative_launch = false;
};

inline cudaError_t read_card(int device, Card& card) {
    int multiprocessors = 0, shared_bytes = 0, major = 0, cooperative = 0;
    const std::array<std::pair<int*, cudaDeviceAttr>, 4> wanted{{
        {&multiprocessors, cudaDevAttrMultiProcessorCount},
        {&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin},
        {&major, cudaDevAttrComputeCapabilityMajor},
        {&cooperative, cudaDevAttrCooperativeLaunch},
    }};
    for (const auto& [value, attribute] : wanted) {
        if (const cudaError_t error = cudaDeviceGetAttribute(value, attribute, device)) return error;
    }
    card = {device, static_cast<unsigned>(multiprocessors), static_cast<unsigned>(shared_bytes), major >= 9,
            cooperative != 0};
    return cudaSuccess;
}

inline cudaError_t current_card(Card& card) {
    int device = 0;
    if (const cudaError_t error = cudaGetDevice(&device)) return error;
    return read_card(device, card);
}

/// How a kernel is launched, whatever its stream.
struct Shape {
    unsigned tile_items;
    unsigned threads;
    unsigned shared_bytes;

    /// An empty stream still needs a tile, to say that it keeps none.
    std::uint64_t num_tiles(std::uint64_t num_items) const {
        return std::max<std::uint64_t>(1, (num_items + tile_items - 1) / tile_items);
    }
};

/// How many blocks of `Kernel` a multiprocessor holds at a time; 0 where it lacks the shared memory. Asked
/// once for each card, which also lets the kernel have that much.
template <auto Kernel>
cudaError_t resident_blocks(const Card& card, const Shape& shape, unsigned& blocks) {
    static std::array<std::atomic<unsigned>, max_cards> known{};  // one more than the number; 0 until asked
    blocks = 0;
    if (shape.shared_bytes > card.shared_bytes_limit) return cudaSuccess;
    const bool remembers = card.device < max_cards;
    if (remembers) {
        if (const unsigned before = known[static_cast<std::size_t>(card.device)].load()) {
            blocks = before - 1;
            return cudaSuccess;
        }
    }
    const auto* const kernel = reinterpret_cast<const void*>(Kernel);
    if (const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       static_cast<int>(shape.shared_bytes))) {
        return error;
    }
    int each = 0;
    if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &each, kernel, static_cast<int>(shape.threads), shape.shared_bytes)) {
        return error;
    }
    blocks = static_cast<unsigned>(each);
    if (remembers) known[static_cast<std::size_t>(card.device)] = blocks + 1;
    return cudaSuccess;
}

}  // namespace compaction::cuda::detail
