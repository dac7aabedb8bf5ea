#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// What one warp does with the items it holds in registers: 16 bytes to a lane and row, rows in the order of
/// the stream. Everything here is called by all 32 lanes.
namespace compaction::cuda::detail {

inline constexpr unsigned warp_lanes = 32;
inline constexpr unsigned whole_warp = 0xffffffffU;
inline constexpr unsigned vector_bytes = 16;
inline constexpr unsigned line_bytes = 128;

/// How many items a vector holds: 4, 2 or 1.
template <typename ItemT>
inline constexpr unsigned vector_items = vector_bytes / sizeof(ItemT);

__device__ inline unsigned lane() {
    return threadIdx.x % warp_lanes;
}
__device__ inline unsigned warp() {
    return threadIdx.x / warp_lanes;
}

template <typename T>
__device__ T sum_over_lanes(T value) {
#pragma unroll
    for (unsigned distance = warp_lanes / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(whole_warp, value, distance);
    }
    return value;
}

/// The same of 32 bits, in one instruction where there is one.
__device__ inline unsigned add_over_lanes(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(whole_warp, value);
#else
    return sum_over_lanes(value);
#endif
}

/// The sum over this lane and those before it. Source: Hillis and Steele 1986.
__device__ inline unsigned scan_over_lanes(unsigned value) {
#pragma unroll
    for (unsigned distance = 1; distance < warp_lanes; distance *= 2) {
        const unsigned before = __shfl_up_sync(whole_warp, value, distance);
        if (lane() >= distance) value += before;
    }
    return value;
}

/// The built-in type as wide as an item.
template <std::size_t Bytes>
using WordsOf = std::conditional_t<Bytes == 4, std::uint32_t, std::conditional_t<Bytes == 8, uint2, uint4>>;

/// Item k of a vector, as bits.
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

/// Shared memory by addresses of 32 bits, which cost half the arithmetic that pointers do.
__device__ inline std::uint32_t shared_address(const void* place) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}

__device__ inline void load_shared(std::uint32_t& words, std::uint32_t from) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(words) : "r"(from) : "memory");
}
__device__ inline void load_shared(uint2& words, std::uint32_t from) {
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(words.x), "=r"(words.y) : "r"(from) : "memory");
}
__device__ inline void load_shared(uint4& words, std::uint32_t from) {
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                 : "r"(from)
                 : "memory");
}

__device__ inline void store_shared(std::uint32_t to, std::uint32_t words) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(words) : "memory");
}
__device__ inline void store_shared(std::uint32_t to, uint2 words) {
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(to), "r"(words.x), "r"(words.y) : "memory");
}
__device__ inline void store_shared(std::uint32_t to, uint4 words) {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(words.x), "r"(words.y),
                 "r"(words.z), "r"(words.w)
                 : "memory");
}

/// A stream as the kernels see it: item i of the stream is base[begin + i], and `base` is aligned to a
/// vector, so that a view which starts between two vectors is read with whole vectors all the same.
template <typename ItemT>
struct Stream {
    const ItemT* base;
    std::uint64_t begin;  ///< fewer than a vector
    std::uint64_t end;

    __host__ __device__ bool holds(std::uint64_t first, std::uint64_t last) const {
        return first >= begin && last <= end;
    }
    /// The stream without what comes at or after item `last`.
    __host__ __device__ Stream until(std::uint64_t last) const {
        return {base, begin, last < end ? last : end};
    }
};

template <typename ItemT>
Stream<ItemT> make_stream(const ItemT* in, std::uint64_t num_items) {
    const std::uint64_t lead = reinterpret_cast<std::uintptr_t>(in) / sizeof(ItemT) % vector_items<ItemT>;
    return {in - lead, lead, lead + num_items};
}

/// Keeps the items that a predicate says yes to.
template <typename PredicateT>
struct ByPredicate {
    PredicateT predicate;

    template <typename ItemT>
    __device__ bool operator()(const ItemT& item, std::uint64_t) const {
        return static_cast<bool>(predicate(item));
    }

    __device__ void prefetch(std::uint64_t, std::uint64_t, unsigned) const {}
};

/// Keeps the items whose flag is set.
template <typename FlagT>
struct ByFlag {
    const FlagT* flags;

    template <typename ItemT>
    __device__ bool operator()(const ItemT&, std::uint64_t place_in_stream) const {
        return static_cast<bool>(flags[place_in_stream]);
    }

    /// A warp calls for the flags of `count` items from `place` on, of a stream of `num_items`, into the L2
    /// cache. Wider flags come no sooner for it.
    __device__ void prefetch(std::uint64_t place, std::uint64_t num_items, unsigned count) const {
        if constexpr (sizeof(FlagT) == 1) {
            const std::uint64_t mine = place + lane() * (count / warp_lanes);
            if (mine < num_items)
                asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(flags + mine)));
        }
    }
};

/// A bit for every item of this lane's rows that belongs to the stream, in the order row, place in vector;
/// `first`, where the rows begin, is the place of a whole vector.
template <typename ItemT, int Rows>
__device__ unsigned valid_bits(const Stream<ItemT>& stream, std::uint64_t first, bool inside) {
    constexpr int width = vector_items<ItemT>;
    constexpr int row_items = warp_lanes * width;
    static_assert(Rows * width <= 32, "one bit to an item");
    if (inside) return ~0U;
    const std::uint64_t left = stream.end - min(first, stream.end);
    const int mine =
        static_cast<int>(min(left, std::uint64_t{Rows * row_items})) - static_cast<int>(lane()) * width;
    unsigned bits = 0;
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
        const int valid = min(max(mine - row * row_items, 0), width);
        bits |= ((1U << valid) - 1) << row * width;
    }
    // What comes before the stream's first item lies in the first vector of all.
    return first + lane() == 0 ? bits & ~0U << stream.begin : bits;
}

/// The bits of the valid items that are kept; the others are shown to no predicate. `place` is where the rows
/// begin in the stream.
template <typename ItemT, int Rows, typename SelectorT>
__device__ unsigned kept_bits(const uint4 (&rows)[Rows], unsigned valid, std::uint64_t place,
                              const SelectorT& keeps) {
    constexpr int width = vector_items<ItemT>;
    const std::uint64_t mine = place + lane() * width;
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < Rows * width; ++i) {
        const std::uint64_t item_place = mine + i / width * (warp_lanes * width) + i % width;
        if ((valid >> i & 1U) && keeps(item_in<ItemT>(rows[i / width], i % width), item_place))
            bits |= 1U << i;
    }
    return bits;
}

/// The same of rows that lie inside the stream.
template <typename ItemT, int Rows, typename SelectorT>
__device__ unsigned kept_bits(const uint4 (&rows)[Rows], std::uint64_t place, const SelectorT& keeps) {
    constexpr int width = vector_items<ItemT>;
    const std::uint64_t mine = place + lane() * width;
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < Rows * width; ++i) {
        const std::uint64_t item_place = mine + i / width * (warp_lanes * width) + i % width;
        if (keeps(item_in<ItemT>(rows[i / width], i % width), item_place)) bits |= 1U << i;
    }
    return bits;
}

/// Where the kept items of the rows belong, counted from the warp's first one. A row keeps at most 128 items,
/// which fits a byte, so one scan serves four rows.
template <int Rows, int Width>
struct Ranks {
    static constexpr int rows_per_scan = 4;
    static constexpr int num_scans = (Rows + rows_per_scan - 1) / rows_per_scan;

    unsigned before[num_scans];  ///< kept by the lanes before this one, a byte to a row
    unsigned in_row[num_scans];  ///< kept by the warp
    unsigned total = 0;

    __device__ explicit Ranks(unsigned bits) {
#pragma unroll
        for (int scan = 0; scan < num_scans; ++scan) {
            unsigned mine = 0;
#pragma unroll
            for (int r = 0; r < rows_per_scan && scan * rows_per_scan + r < Rows; ++r) {
                const int row = scan * rows_per_scan + r;
                mine += static_cast<unsigned>(__popc(bits >> row * Width & ((1U << Width) - 1))) << 8 * r;
            }
            const unsigned inclusive = scan_over_lanes(mine);
            before[scan] = inclusive - mine;
            in_row[scan] = __shfl_sync(whole_warp, inclusive, warp_lanes - 1);
#pragma unroll
            for (int r = 0; r < rows_per_scan; ++r) total += in_row[scan] >> 8 * r & 0xff;
        }
    }

    /// Calls place(rank, row, k) for every item that this lane keeps.
    template <typename PlaceT>
    __device__ void for_each_kept(unsigned bits, PlaceT place) const {
        unsigned row_start = 0;
#pragma unroll
        for (int row = 0; row < Rows; ++row) {
            const int shift = row % rows_per_scan * 8;
            unsigned rank = row_start + (before[row / rows_per_scan] >> shift & 0xff);
#pragma unroll
            for (int k = 0; k < Width; ++k) {
                if (bits >> (row * Width + k) & 1U) place(rank++, row, k);
            }
            row_start += in_row[row / rows_per_scan] >> shift & 0xff;
        }
    }
};

/// Loads the rows that begin at item `first`: whole vectors where all of them lie inside the stream.
template <typename ItemT, int Rows>
__device__ void load_rows(uint4 (&rows)[Rows], const Stream<ItemT>& stream, std::uint64_t first,
                          bool inside) {
    constexpr unsigned width = vector_items<ItemT>;
    const auto* const vectors = reinterpret_cast<const uint4*>(stream.base) + first / width + lane();
    if (inside) [[likely]] {
#pragma unroll
        for (int r = 0; r < Rows; ++r) rows[r] = __ldg(vectors + r * warp_lanes);
        return;
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        WordsOf<sizeof(ItemT)> words[width]{};
#pragma unroll
        for (unsigned k = 0; k < width; ++k) {
            const std::uint64_t place = first + (r * warp_lanes + lane()) * width + k;
            if (place >= stream.begin && place < stream.end) {
                words[k] = reinterpret_cast<const WordsOf<sizeof(ItemT)>*>(stream.base)[place];
            }
        }
        memcpy(&rows[r], words, sizeof rows[r]);
    }
}

/// Copies `count` items from shared memory to the output by a whole block of that many threads; each warp
/// stores whole lines.
template <unsigned Threads, typename ItemT>
__device__ void write_lines(const WordsOf<sizeof(ItemT)>* items, unsigned count, ItemT* out) {
    using Words = WordsOf<sizeof(ItemT)>;
    constexpr unsigned line_items = line_bytes / sizeof(ItemT);
    constexpr unsigned at_once = 4;
    static_assert(Threads >= line_items);
    const unsigned before_line = reinterpret_cast<std::uintptr_t>(out) / sizeof(ItemT) % line_items;
    auto* const to = reinterpret_cast<Words*>(out) - before_line;
    const auto item = [&](unsigned i) { return items[i - before_line]; };
    const unsigned end = count + before_line;
    unsigned i = threadIdx.x;
    if (i >= before_line && i < end) to[i] = item(i);
    for (i += Threads; i + (at_once - 1) * Threads < end; i += at_once * Threads) {
        Words words[at_once];
#pragma unroll
        for (unsigned k = 0; k < at_once; ++k) words[k] = item(i + k * Threads);
#pragma unroll
        for (unsigned k = 0; k < at_once; ++k) to[i + k * Threads] = words[k];
    }
    for (; i < end; i += Threads) to[i] = item(i);
}

}  // namespace compaction::cuda::detail
