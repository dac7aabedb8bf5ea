#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/cuda/detail/tuning.cuh"
#include "compaction/cuda/warp.cuh"
#include "compaction/host_device.hpp"

/// How kernels read and write a stream: in rows of one vector for each lane of a warp, in the order of the
/// stream.
namespace compaction::cuda::detail {

inline constexpr unsigned vector_bytes = 16;
inline constexpr unsigned line_bytes = 128;

/// Whether the kernels of select.cuh accept items of that type at addresses that are multiples of its size.
template <typename ItemT>
inline constexpr bool is_select_item = std::is_trivially_copyable_v<ItemT> && !std::is_volatile_v<ItemT> &&
                                       (sizeof(ItemT) == 4 || sizeof(ItemT) == 8 || sizeof(ItemT) == 16);

/// Whether the type's alignment ensures such addresses, as the functions of select.cuh require.
template <typename ItemT>
inline constexpr bool is_aligned_select_item = is_select_item<ItemT> && alignof(ItemT) == sizeof(ItemT);

/// Items of a 16-byte vector: 4, 2 or 1.
template <typename ItemT>
inline constexpr unsigned vector_items = vector_bytes / sizeof(ItemT);

/// The built-in type of 4, 8 or 16 bytes: one load or store.
template <std::size_t Bytes>
using WordsOf = std::conditional_t<Bytes == 4, std::uint32_t, std::conditional_t<Bytes == 8, uint2, uint4>>;

/// The bits of item k of a vector.
template <std::size_t Bytes>
__device__ WordsOf<Bytes> words_in(const uint4& vector, int k) {
    if constexpr (Bytes == 4) {
        return k == 0 ? vector.x : k == 1 ? vector.y : k == 2 ? vector.z : vector.w;
    } else if constexpr (Bytes == 8) {
        return k == 0 ? make_uint2(vector.x, vector.y) : make_uint2(vector.z, vector.w);
    } else {
        return vector;
    }
}

template <typename ItemT>
__device__ ItemT item_in(const uint4& vector, int k) {
    return __builtin_bit_cast(ItemT, words_in<sizeof(ItemT)>(vector, k));
}

/// The bits of the item at an address, by one load.
template <typename ItemT>
__device__ WordsOf<sizeof(ItemT)> words_at(const ItemT* address) {
    return *reinterpret_cast<const WordsOf<sizeof(ItemT)>*>(address);
}
template <typename ItemT>
__device__ ItemT item_at(const ItemT* address) {
    return __builtin_bit_cast(ItemT, words_at(address));
}

/// The words of the lane before this one; those of the last lane in lane 0. All lanes of the warp call.
__device__ inline std::uint32_t from_lane_before(std::uint32_t word) {
    return __shfl_sync(all_lanes, word, static_cast<int>((lane_index() + warp_size - 1) % warp_size));
}
__device__ inline uint2 from_lane_before(const uint2& words) {
    return make_uint2(from_lane_before(words.x), from_lane_before(words.y));
}
__device__ inline uint4 from_lane_before(const uint4& words) {
    return make_uint4(from_lane_before(words.x), from_lane_before(words.y), from_lane_before(words.z),
                      from_lane_before(words.w));
}

/// An input for vector access. Item i is at position begin + i from `base`, which is aligned to a vector of
/// `Width` items: an input that starts within a vector is still read by whole vectors.
template <typename ItemT, int Width = vector_items<ItemT>>
struct AlignedSpan {
    const ItemT* base;
    std::uint64_t begin;  ///< less than Width
    std::uint64_t end;
    /// Whether the positions [first, last) belong to the input.
    COMPACTION_HOST_DEVICE bool contains(std::uint64_t first, std::uint64_t last) const {
        return first >= begin && last <= end;
    }
    /// How many items of the input lie before a position.
    __device__ std::uint64_t items_before(std::uint64_t position) const {
        return min(max(position, begin), end) - begin;
    }
    /// How many of the positions [first, last) belong to the input.
    __device__ unsigned items_in(std::uint64_t first, std::uint64_t last) const {
        return static_cast<unsigned>(items_before(last) - items_before(first));
    }
};

/// in: [num_items], aligned to an item.
template <typename ItemT, int Width = vector_items<ItemT>>
COMPACTION_HOST_DEVICE AlignedSpan<ItemT, Width> make_aligned_span(const ItemT* in, std::uint64_t num_items) {
    const std::uint64_t lead = reinterpret_cast<std::uintptr_t>(in) / sizeof(ItemT) % Width;
    return {in - lead, lead, lead + num_items};
}

/// `Speculative`: see load_speculatively.
template <bool Speculative, typename ValueT>
__device__ void load_value(ValueT& value, const ValueT* from) {
    if constexpr (Speculative)
        value = load_speculatively(from);
    else
        value = *from;
}

/// Loads the rows that begin at position `first`, a multiple of a vector's items. `inside`: all of them lie
/// inside the input. Items outside read as zeros. No `__ldg`: the previous kernel may write the items while
/// this kernel already runs. `Speculative`: see load_speculatively.
template <bool Speculative = false, typename ItemT, unsigned Rows>
__device__ void load_rows(uint4 (&rows)[Rows], const AlignedSpan<ItemT>& input, std::uint64_t first,
                          bool inside) {
    constexpr unsigned width = vector_items<ItemT>;
    const auto* const vectors = reinterpret_cast<const uint4*>(input.base) + first / width + lane_index();
    if (inside) [[likely]] {
#pragma unroll
        for (unsigned r = 0; r < Rows; ++r) load_value<Speculative>(rows[r], vectors + r * warp_size);
        return;
    }
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
        WordsOf<sizeof(ItemT)> words[width]{};
#pragma unroll
        for (unsigned k = 0; k < width; ++k) {
            const std::uint64_t position = first + (r * warp_size + lane_index()) * width + k;
            if (position >= input.begin && position < input.end) {
                load_value<Speculative>(
                    words[k], reinterpret_cast<const WordsOf<sizeof(ItemT)>*>(input.base) + position);
            }
        }
        memcpy(&rows[r], words, sizeof rows[r]);
    }
}

/// The number of words of that size between the start of a line and the address.
template <std::size_t WordBytes>
__device__ unsigned words_into_line(const volatile void* address) {
    return reinterpret_cast<std::uintptr_t>(address) / WordBytes % (line_bytes / WordBytes);
}

/// Copies `count` items from shared memory to the output. All `Threads` threads of the block call; each
/// warp stores whole lines.
template <unsigned Threads, typename ItemT>
__device__ void write_lines(const WordsOf<sizeof(ItemT)>* items, unsigned count, ItemT* out) {
    using Words = WordsOf<sizeof(ItemT)>;
    static_assert(Threads >= line_bytes / sizeof(ItemT));
    const unsigned into_line = words_into_line<sizeof(ItemT)>(out);
    auto* const to = reinterpret_cast<Words*>(out) - into_line;
    const auto item = [&](unsigned i) { return items[i - into_line]; };
    const unsigned end = count + into_line;
    unsigned i = threadIdx.x;
    if (i >= into_line && i < end) to[i] = item(i);
    for (i += Threads; i + (line_loads - 1) * Threads < end; i += line_loads * Threads) {
        Words words[line_loads];
#pragma unroll
        for (unsigned k = 0; k < line_loads; ++k) words[k] = item(i + k * Threads);
#pragma unroll
        for (unsigned k = 0; k < line_loads; ++k) to[i + k * Threads] = words[k];
    }
    for (; i < end; i += Threads) to[i] = item(i);
}

}  // namespace compaction::cuda::detail
