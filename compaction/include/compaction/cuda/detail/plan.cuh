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

/// What a card makes of a kernel.
struct Fit {
    unsigned blocks = 0;  ///< that a multiprocessor holds at a time; 0 where it lacks the shared memory
    bool made_for_hopper = false;  ///< its code, hence nothing of what Hopper is needed for is left out of it
    bool known = false;
};

/// Asks once for each card, which also lets the kernel have its shared memory. That is of the device's
/// primary context, and lost where the device is reset.
template <auto Kernel>
cudaError_t fit_of(const Card& card, const Shape& shape, Fit& fit) {
    static std::array<std::atomic<Fit>, max_cards> fits{};
    fit = {};
    if (shape.shared_bytes > card.shared_bytes_limit) return cudaSuccess;
    const bool remembers = card.device < max_cards;
    if (remembers) fit = fits[static_cast<std::size_t>(card.device)].load();
    if (fit.known) return cudaSuccess;
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
    cudaFuncAttributes attributes{};
    if (const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel)) return error;
    // What __CUDA_ARCH__ was. The driver compiles PTX for older cards to binary code for this one, which
    // lacks what the PTX lacks, so the version of the binary code does not tell.
    fit = {static_cast<unsigned>(each), attributes.ptxVersion >= 90, true};
    if (remembers) fits[static_cast<std::size_t>(card.device)] = fit;
    return cudaSuccess;
}

}  // namespace compaction::cuda::detail
