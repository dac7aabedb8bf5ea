#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/tuning.cuh"
#include "compaction/cuda/warp.cuh"
#include "compaction/host_device.hpp"

/// How kernels read and write a stream: in rows of one vector for each lane of a warp, in the order of the
/// stream.
namespace compaction::cuda::detail {

inline constexpr unsigned vector_bytes = 16;
inline constexpr unsigned line_bytes = 128;

/// The largest power of two that divides a size: the alignment of an array of items, as far as their size
/// tells.
template <std::size_t Bytes>
inline constexpr std::size_t alignment_in = Bytes & ~(Bytes - 1);

template <std::size_t Bytes>
inline constexpr bool is_vector_size = Bytes == 4 || Bytes == 8 || Bytes == 16;

/// Whether the kernels of select.cuh accept items of that type at addresses that are multiples of
/// alignment_in<sizeof(ItemT)>.
template <typename ItemT>
inline constexpr bool is_select_item =
    std::is_trivially_copyable_v<ItemT> && !std::is_volatile_v<ItemT> &&
    (sizeof(ItemT) == 1 || sizeof(ItemT) == 2 || (sizeof(ItemT) % 4 == 0 && sizeof(ItemT) < 32));

/// Whether an item has 4, 8 or 16 bytes. Selections in place, partitions, runs and sharded selections take
/// only such items.
template <typename ItemT>
inline constexpr bool is_vector_item = is_select_item<ItemT>&& is_vector_size<sizeof(ItemT)>;

/// Whether the type's alignment ensures such addresses, as the functions of select.cuh require.
template <typename ItemT>
inline constexpr bool is_aligned_select_item = is_select_item<ItemT> &&
                                               alignof(ItemT) % alignment_in<sizeof(ItemT)> == 0;

template <std::size_t Bytes>
struct WordArray;

template <std::size_t Bytes>
struct WordsOfSize {
    using type = WordArray<Bytes>;
};
template <>
struct WordsOfSize<1> {
    using type = std::uint8_t;
};
template <>
struct WordsOfSize<2> {
    using type = std::uint16_t;
};
template <>
struct WordsOfSize<4> {
    using type = std::uint32_t;
};
template <>
struct WordsOfSize<8> {
    using type = uint2;
};
template <>
struct WordsOfSize<16> {
    using type = uint4;
};

/// A built-in type of 1, 2, 4, 8 or 16 bytes: one load or store. Of any other size, an array of the largest
/// of them that fit.
template <std::size_t Bytes>
using WordsOf = typename WordsOfSize<Bytes>::type;

template <std::size_t Bytes>
struct WordArray {
    static constexpr std::size_t size = Bytes / alignment_in<Bytes>;
    WordsOf<alignment_in<Bytes>> word[size];
};

template <std::size_t Bytes>
__device__ void load_shared(WordArray<Bytes>& words, std::uint32_t from) {
#pragma unroll
    for (unsigned i = 0; i < WordArray<Bytes>::size; ++i)
        load_shared(words.word[i], from + i * alignment_in<Bytes>);
}
template <std::size_t Bytes>
__device__ void store_shared(std::uint32_t to, const WordArray<Bytes>& words) {
#pragma unroll
    for (unsigned i = 0; i < WordArray<Bytes>::size; ++i)
        store_shared(to + i * alignment_in<Bytes>, words.word[i]);
}

/// The fewest items that a bulk copy moves: their bytes are a multiple of 16.
template <typename ItemT>
inline constexpr unsigned aligned_items = vector_bytes / alignment_in<sizeof(ItemT)>;

/// Items of a vector: the 4, 2 or 1 items that a lane loads at once. Vectors of items of 1 or 2 bytes are
/// shorter than 16 bytes, so that the bits of a lane's items fit one word. Items of 12 bytes or of more than
/// 16 are loaded one by one.
template <typename ItemT>
inline constexpr unsigned vector_items = sizeof(ItemT) <= 4              ? 4
                                         : is_vector_size<sizeof(ItemT)> ? vector_bytes / sizeof(ItemT)
                                                                         : 1;

template <typename ItemT>
using VectorOf = WordsOf<vector_items<ItemT> * sizeof(ItemT)>;

/// The bits of item k of a vector.
template <std::size_t Bytes, typename VectorT>
__device__ WordsOf<Bytes> words_in(const VectorT& vector, int k) {
    if constexpr (Bytes == 1) {
        return static_cast<std::uint8_t>(vector >> 8 * k);
    } else if constexpr (Bytes == 2) {
        return static_cast<std::uint16_t>((k < 2 ? vector.x : vector.y) >> 16 * (k % 2));
    } else if constexpr (Bytes == 4) {
        return k == 0 ? vector.x : k == 1 ? vector.y : k == 2 ? vector.z : vector.w;
    } else if constexpr (Bytes == 8) {
        return k == 0 ? make_uint2(vector.x, vector.y) : make_uint2(vector.z, vector.w);
    } else {
        return vector;
    }
}

template <typename ItemT>
__device__ ItemT item_in(const VectorOf<ItemT>& vector, int k) {
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

/// An input for vector access. Item i is at position begin + i from `base`, which is aligned to 16 bytes, or
/// to `Width` items if these are fewer bytes: an input that starts within a vector is still read by whole
/// vectors.
template <typename ItemT, int Width = aligned_items<ItemT>>
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

/// in: [num_items], aligned to alignment_in<sizeof(ItemT)>.
template <typename ItemT, int Width = aligned_items<ItemT>>
COMPACTION_HOST_DEVICE AlignedSpan<ItemT, Width> make_aligned_span(const ItemT* in, std::uint64_t num_items) {
    const auto address = reinterpret_cast<std::uintptr_t>(in);
    std::uint64_t lead = 0;
    if constexpr (alignment_in<sizeof(ItemT)> == sizeof(ItemT))
        lead = address / sizeof(ItemT) % Width;
    else
        while ((address - lead * sizeof(ItemT)) % vector_bytes != 0) ++lead;
    return {in - lead, lead, lead + num_items};
}

/// Prefetches a tile of `TileItems` positions to the L2 cache, up to its last multiple of 16 bytes. One
/// thread calls.
template <unsigned TileItems, typename ItemT>
__device__ void prefetch_tile(const AlignedSpan<ItemT>& input, unsigned tile) {
    const std::uint64_t first = std::uint64_t{tile} * TileItems;
    const std::uint64_t end = min(first + TileItems, input.end);
    const auto num_units = static_cast<unsigned>((end - first) / aligned_items<ItemT>);
    constexpr auto unit_bytes = static_cast<unsigned>(aligned_items<ItemT> * sizeof(ItemT));
    if (num_units > 0) prefetch_to_l2(input.base + first, num_units * unit_bytes);
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
__device__ void load_rows(VectorOf<ItemT> (&rows)[Rows], const AlignedSpan<ItemT>& input, std::uint64_t first,
                          bool inside) {
    constexpr unsigned width = vector_items<ItemT>;
    const auto* const vectors =
        reinterpret_cast<const VectorOf<ItemT>*>(input.base) + first / width + lane_index();
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

/// Copies `count` words from shared memory to the output. All `Threads` threads of the block call; each warp
/// stores whole lines.
template <unsigned Threads, typename WordT>
__device__ void write_words(const WordT* words, unsigned count, WordT* out) {
    static_assert(Threads >= line_bytes / sizeof(WordT));
    const unsigned into_line = words_into_line<sizeof(WordT)>(out);
    auto* const to = out - into_line;
    const auto word = [&](unsigned i) { return words[i - into_line]; };
    const unsigned end = count + into_line;
    unsigned i = threadIdx.x;
    if (i >= into_line && i < end) to[i] = word(i);
    for (i += Threads; i + (line_loads - 1) * Threads < end; i += line_loads * Threads) {
        WordT loaded[line_loads];
#pragma unroll
        for (unsigned k = 0; k < line_loads; ++k) loaded[k] = word(i + k * Threads);
#pragma unroll
        for (unsigned k = 0; k < line_loads; ++k) to[i + k * Threads] = loaded[k];
    }
    for (; i < end; i += Threads) to[i] = word(i);
}

/// The same for items.
template <unsigned Threads, typename ItemT>
__device__ void write_lines(const WordsOf<sizeof(ItemT)>* items, unsigned count, ItemT* out) {
    using Word = WordsOf<alignment_in<sizeof(ItemT)>>;
    constexpr auto words_per_item = static_cast<unsigned>(sizeof(ItemT) / sizeof(Word));
    write_words<Threads>(reinterpret_cast<const Word*>(items), count * words_per_item,
                         reinterpret_cast<Word*>(out));
}

}  // namespace compaction::cuda::detail
