#pragma once

#include <cstdint>

#include "compaction/cuda/detail/rows.cuh"
#include "compaction/cuda/detail/tuning.cuh"

/// How a rank copies the items that belong on it (sharded_peers.cuh).
namespace compaction::cuda::detail {

/// The blocks [first, first + size) of a grid.
struct BlockRange {
    unsigned first;
    unsigned size;

    /// The index of this block in the range; at least `size` outside, since it wraps around before `first`.
    __device__ unsigned index() const { return blockIdx.x - first; }
};

/// The items that one access moves.
template <typename ItemT>
struct alignas(vector_bytes) ItemVector {
    WordsOf<sizeof(ItemT)> items[aligned_items<ItemT>];
};

/// Copies within this GPU, with the threads of `blocks`; other blocks do nothing. Stores vectors that are
/// aligned to lines of the output: warps that store to the same lines take 1.7 times as long. Loads single
/// items, because a vector of the output overlaps two vectors of the input. Most of these loads hit the L1
/// cache.
template <typename ItemT>
__device__ void copy_items(BlockRange blocks, const ItemT* from, ItemT* to, std::uint64_t num_items) {
    if (blocks.index() >= blocks.size) return;
    constexpr unsigned line_items = line_bytes / sizeof(ItemT);
    constexpr unsigned width = aligned_items<ItemT>;
    constexpr unsigned batch = 4;  // vectors in flight per thread
    const auto* const in = reinterpret_cast<const WordsOf<sizeof(ItemT)>*>(from);
    auto* const out = reinterpret_cast<WordsOf<sizeof(ItemT)>*>(to);

    const std::uint64_t to_next_line = (line_items - words_into_line<sizeof(ItemT)>(to)) % line_items;
    const std::uint64_t head = min(to_next_line, num_items);
    const std::uint64_t num_vectors = (num_items - head) / width;
    const std::uint64_t items_in_vectors = num_vectors * width;
    // The items before and after the vectors. They are so few that one block has a thread for each.
    if (blocks.index() == 0 && threadIdx.x < num_items - items_in_vectors) {
        const std::uint64_t i = threadIdx.x < head ? threadIdx.x : items_in_vectors + threadIdx.x;
        out[i] = in[i];
    }
    auto* const vectors = reinterpret_cast<ItemVector<ItemT>*>(out + head);
    const unsigned block_vectors = batch * blockDim.x;
    std::uint64_t first = std::uint64_t{blocks.index()} * block_vectors + threadIdx.x;
    for (; first < num_vectors; first += std::uint64_t{blocks.size} * block_vectors) {
        ItemVector<ItemT> loaded[batch];
#pragma unroll
        for (unsigned k = 0; k < batch; ++k) {
            const std::uint64_t i = first + k * blockDim.x;
#pragma unroll
            for (unsigned w = 0; w < width; ++w) {
                if (i < num_vectors) loaded[k].items[w] = in[head + i * width + w];
            }
        }
#pragma unroll
        for (unsigned k = 0; k < batch; ++k) {
            const std::uint64_t i = first + k * blockDim.x;
            if (i < num_vectors) vectors[i] = loaded[k];
        }
    }
}

/// Copies from another GPU. Here the loads are aligned to lines: unaligned loads are 14 % slower.
template <typename ItemT>
__device__ void fetch_over_link(BlockRange blocks, const ItemT* from, ItemT* to, std::uint64_t num_items) {
    if (blocks.index() >= blocks.size) return;
    constexpr unsigned batch = 8;  // loads in flight per thread
    const std::uint64_t into_line = words_into_line<sizeof(ItemT)>(from);
    const ItemT* const in = from - into_line;
    ItemT* const out = to - into_line;
    const std::uint64_t end = into_line + num_items;
    const std::uint64_t stride = std::uint64_t{blocks.size} * blockDim.x;
    std::uint64_t i = std::uint64_t{blocks.index()} * blockDim.x + threadIdx.x;
    if (i < into_line) i += stride;
    for (; i + (batch - 1) * stride < end; i += batch * stride) {
        ItemT items[batch];
#pragma unroll
        for (unsigned k = 0; k < batch; ++k) items[k] = in[i + k * stride];
#pragma unroll
        for (unsigned k = 0; k < batch; ++k) out[i + k * stride] = items[k];
    }
    for (; i < end; i += stride) out[i] = in[i];
}

/// The blocks that copy the items that stay on this GPU; the others fetch the items that arrive. Both groups
/// end at about the same time if the link is `link_divisor` times slower than the memory. A single block does
/// both.
__device__ inline BlockRange blocks_for_staying(std::uint64_t staying, std::uint64_t arriving) {
    if (staying == 0 || arriving == 0 || gridDim.x == 1) return {0, gridDim.x};
    const std::uint64_t share = gridDim.x * staying / (staying + link_divisor * arriving);
    return {0, static_cast<unsigned>(min(max(share, std::uint64_t{1}), std::uint64_t{gridDim.x - 1}))};
}

}  // namespace compaction::cuda::detail
