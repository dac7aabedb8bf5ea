#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/rows.cuh"
#include "compaction/cuda/detail/selectors.cuh"
#include "compaction/cuda/detail/tuning.cuh"
#include "compaction/cuda/select_length.cuh"
#include "compaction/cuda/warp.cuh"

/// Kernels that select by a mask: the first marks each kept item with a bit and counts the kept items of each
/// tile, the second scans the counts (scan_counts.cuh), the third moves the kept items. If there are few
/// counts, the scan is left out: each block that moves adds them up. The mask is made once for any number of
/// columns, and no block waits for another.
///
/// Source: Hillis and Steele 1986, "Data Parallel Algorithms", for compaction by a scan of marks.
namespace compaction::cuda::detail {

inline constexpr unsigned mask_warps = mask_threads / warp_size;
inline constexpr unsigned mask_words_per_warp = mask_tile_words / mask_warps;
inline constexpr unsigned mask_tile_items = mask_tile_words * warp_size;
static_assert(mask_words_per_warp <= warp_size, "a lane holds one word");
static_assert(mask_tile_items <= 1U << 16, "a position in a tile has 16 bits");

/// Device memory of a selection by mask.
struct MaskState {
    std::uint64_t* total;    ///< [1] the number of selected items
    std::uint64_t* offsets;  ///< [num_tiles] kept items in earlier tiles; null if there are few tiles
    std::uint32_t* counts;   ///< [num_tiles] kept items in each tile
    std::uint32_t* words;    ///< [num_tiles][mask_tile_words] a bit for each item
};

/// How many items a thread loads before it uses the first, so that the loads overlap: a power of two.
__host__ __device__ constexpr unsigned mask_batch(std::size_t item_bytes, unsigned max_batch) {
    unsigned batch = max_batch;
    while (batch > 1 && batch * item_bytes > mask_batch_bytes) batch /= 2;
    return batch;
}

/// The bytes of an item that has no default constructor, for arrays of such items.
template <typename ItemT>
struct ItemBytes {
    alignas(ItemT) unsigned char bytes[sizeof(ItemT)];
};
/// Stores an item between its load and its use.
template <typename ItemT>
using Held = std::conditional_t<std::is_default_constructible_v<ItemT>, ItemT, ItemBytes<ItemT>>;
template <typename ItemT>
__device__ Held<ItemT> hold(ItemT item) {
    if constexpr (std::is_default_constructible_v<ItemT>) {
        return item;
    } else {
        return __builtin_bit_cast(ItemBytes<ItemT>, item);
    }
}
template <typename ItemT>
__device__ const ItemT& held_item(const ItemT& item) {
    return item;
}
template <typename ItemT>
__device__ ItemT held_item(const ItemBytes<ItemT>& item) {
    return __builtin_bit_cast(ItemT, item);
}

// --- Marks: test(load(position), position) returns whether the item is kept ---

/// Marks the items for which a predicate returns true. Flags are items, too.
template <typename IteratorT, typename PredicateT>
struct MarkIf {
    IteratorT in;
    PredicateT predicate;
    using Item = ItemOf<IteratorT>;
    using Loaded = Held<Item>;

    __device__ Loaded load(std::uint64_t position) {
        return hold<Item>(in[static_cast<DifferenceOf<IteratorT>>(position)]);
    }
    __device__ bool test(const Loaded& item, std::uint64_t) const {
        return call_predicate(predicate, held_item(item));
    }
};
template <typename IteratorT, typename PredicateT>
MarkIf(IteratorT, PredicateT) -> MarkIf<IteratorT, PredicateT>;

/// Marks the items that differ from the one before.
template <typename IteratorT, typename EqualT>
struct MarkUnique {
    IteratorT in;
    EqualT equal;
    using Item = ItemOf<IteratorT>;
    struct Loaded {
        Held<Item> before, item;
    };

    __device__ Loaded load(std::uint64_t position) {
        const std::uint64_t before = position == 0 ? 0 : position - 1;
        return {hold<Item>(in[static_cast<DifferenceOf<IteratorT>>(before)]),
                hold<Item>(in[static_cast<DifferenceOf<IteratorT>>(position)])};
    }
    __device__ bool test(const Loaded& pair, std::uint64_t position) const {
        if (position == 0) return true;
        // Copies, as for a predicate: an equality may change itself or its items.
        EqualT own_equal = equal;
        Item before = held_item(pair.before);
        Item item = held_item(pair.item);
        return !static_cast<bool>(own_equal(before, item));
    }
};

/// The predicate for flags: converts a flag to bool.
struct IsSet {
    template <typename T>
    __device__ bool operator()(const T& flag) const {
        return static_cast<bool>(flag);
    }
};

// --- Columns: store(rank, part, load(position, part)) moves a part of an item. An item is one part, or
// several parts of one word each. into_line(rank): the number of parts between the start of a line of the
// output and the first part of the item at `rank`; 0 if the output need not be written in whole lines ---

/// The word in which items are moved: as wide as their alignment allows, up to a vector.
template <typename ItemT, std::size_t Alignment = alignof(ItemT)>
using PartOf = std::conditional_t<
    Alignment >= 16, uint4,
    std::conditional_t<Alignment == 8, uint2,
                       std::conditional_t<Alignment == 4, std::uint32_t,
                                          std::conditional_t<Alignment == 2, std::uint16_t, std::uint8_t>>>>;

template <typename T>
inline constexpr bool points_to_volatile = std::is_volatile_v<std::remove_pointer_t<T>>;

/// Whether items can be moved bitwise: from one array to another of the same type.
template <typename InT, typename OutT>
constexpr bool moves_bits() {
    if constexpr (std::is_pointer_v<InT> && std::is_pointer_v<OutT>) {
        return std::is_same_v<ItemOf<InT>, ItemOf<OutT>> && std::is_trivially_copyable_v<ItemOf<InT>> &&
               !points_to_volatile<InT> && !points_to_volatile<OutT>;
    } else {
        return false;
    }
}

/// Parts per line of an output; 1 if the output need not be written in whole lines.
template <typename OutT, unsigned Parts>
__host__ __device__ constexpr unsigned parts_of_line() {
    if constexpr (std::is_pointer_v<OutT>) {
        constexpr std::size_t part_bytes = sizeof(std::remove_pointer_t<OutT>) / Parts;
        return line_bytes % part_bytes == 0 ? line_bytes / part_bytes : 1;
    } else {
        return 1;
    }
}

/// The number of parts between the start of a line of the output and the first part of the item at `rank`.
template <unsigned Parts, typename OutT>
__device__ unsigned parts_into_line(const OutT& out, std::uint64_t rank) {
    constexpr unsigned line_parts = parts_of_line<OutT, Parts>();
    if constexpr (line_parts > 1) {
        return words_into_line<line_bytes / line_parts>(out + rank);
    } else {
        return 0;
    }
}

template <typename IteratorT, typename ItemT>
__device__ void store_at(IteratorT& out, std::uint64_t rank, const ItemT& item) {
    out[static_cast<DifferenceOf<IteratorT>>(rank)] = item;
}
template <typename IteratorT, typename FillT, typename ItemT>
__device__ void store_at(PaddedOutput<IteratorT, FillT>& to, std::uint64_t rank, const ItemT& item) {
    if (rank < to.size) store_at(to.out, rank, item);
}

/// Copies the selected items of an array. From array to array, consecutive threads move consecutive words,
/// however large the items are.
template <typename InT, typename OutT>
struct ItemColumn {
    InT in;
    OutT out;
    using Item = ItemOf<InT>;
    static constexpr bool by_words = moves_bits<InT, OutT>();
    using Loaded = std::conditional_t<by_words, PartOf<Item>, Held<Item>>;
    static constexpr unsigned parts = by_words ? sizeof(Item) / sizeof(Loaded) : 1;

    __device__ Loaded load(std::uint64_t position, unsigned part) {
        if constexpr (by_words) {
            return reinterpret_cast<const Loaded*>(in)[position * parts + part];
        } else {
            return hold<Item>(in[static_cast<DifferenceOf<InT>>(position)]);
        }
    }
    __device__ void store(std::uint64_t rank, unsigned part, const Loaded& loaded) {
        if constexpr (by_words) {
            reinterpret_cast<Loaded*>(out)[rank * parts + part] = loaded;
        } else {
            store_at(out, rank, held_item(loaded));
        }
    }
    __device__ unsigned into_line(std::uint64_t rank) const { return parts_into_line<parts>(out, rank); }
};

/// Writes the positions of the selected items.
template <typename IndexT, typename OutT>
struct IndexColumn {
    OutT out;
    using Loaded = IndexT;
    static constexpr unsigned parts = 1;

    __device__ Loaded load(std::uint64_t position, unsigned) const { return static_cast<IndexT>(position); }
    __device__ void store(std::uint64_t rank, unsigned, const Loaded& index) { store_at(out, rank, index); }
    __device__ unsigned into_line(std::uint64_t rank) const { return parts_into_line<parts>(out, rank); }
};

inline namespace COMPACTION_ARCHITECTURES {

// --- Kernels ---

/// The mask words of a warp's items, which begin at `first`; lane w holds word w. `Inside`: all items lie
/// within the stream.
template <bool Inside, typename MarkT>
__device__ unsigned mark_words(MarkT& mark, std::uint64_t first, std::uint64_t num_items) {
    using Loaded = typename MarkT::Loaded;
    constexpr unsigned batch = mask_batch(sizeof(Loaded), mask_words_per_warp);
    static_assert(mask_words_per_warp % batch == 0);
    unsigned my_word = 0;
#pragma unroll 1
    for (unsigned start = 0; start < mask_words_per_warp; start += batch) {
        Loaded items[batch];
        const std::uint64_t lane_first = first + start * warp_size + lane_index();
#pragma unroll
        for (unsigned i = 0; i < batch; ++i) {
            if (Inside || lane_first + i * warp_size < num_items)
                items[i] = mark.load(lane_first + i * warp_size);
        }
#pragma unroll
        for (unsigned i = 0; i < batch; ++i) {
            const std::uint64_t position = lane_first + i * warp_size;
            const bool kept = (Inside || position < num_items) && mark.test(items[i], position);
            const unsigned word = __ballot_sync(all_lanes, kept);
            if (lane_index() == start + i) my_word = word;
        }
    }
    return my_word;
}

/// Launched with one block for each tile of the longest possible stream.
template <typename MarkT, typename LengthT>
__global__ void __launch_bounds__(mask_threads) mark_kernel(MarkT mark, LengthT length, MaskState state) {
    const std::uint64_t num_items = length.num_items();
    const std::uint64_t tile_first = std::uint64_t{blockIdx.x} * mask_tile_items;
    if (tile_first >= num_items) {
        if (threadIdx.x == 0) state.counts[blockIdx.x] = 0;
        return;
    }
    constexpr unsigned warp_items = mask_words_per_warp * warp_size;
    const std::uint64_t first = tile_first + warp_in_block() * warp_items;
    const unsigned word = first + warp_items <= num_items ? mark_words<true>(mark, first, num_items)
                                                          : mark_words<false>(mark, first, num_items);
    // Triggers only now: blocks of the next kernel would take multiprocessors from blocks that still read.
    trigger_dependent_launch();
    if (lane_index() < mask_words_per_warp) state.words[first / warp_size + lane_index()] = word;

    COMPACTION_SHARED(warp_counts, unsigned[mask_warps]);
    const unsigned kept = warp_reduce_add(static_cast<unsigned>(__popc(word)));
    if (lane_index() == 0) warp_counts[warp_in_block()] = kept;
    __syncthreads();  // all counts are written
    if (threadIdx.x == 0) {
        unsigned count = 0;
        for (const unsigned warp_count : warp_counts) count += warp_count;
        state.counts[blockIdx.x] = count;
    }
}

/// Writes the positions of a tile's marked items to shared memory, in order. The whole block calls; the
/// caller adds the final barrier.
__device__ inline void list_positions(const std::uint32_t* tile_words, std::uint16_t* positions) {
    COMPACTION_SHARED(warp_counts, unsigned[mask_warps]);
    const unsigned first_word = warp_in_block() * mask_words_per_warp;
    const unsigned my_word = lane_index() < mask_words_per_warp ? tile_words[first_word + lane_index()] : 0;
    const auto lane_count = static_cast<unsigned>(__popc(my_word));
    const unsigned inclusive = warp_inclusive_scan(lane_count);
    if (lane_index() == warp_size - 1) warp_counts[warp_in_block()] = inclusive;
    __syncthreads();  // all counts are written
    unsigned before = inclusive - lane_count;
    for (unsigned warp = 0; warp < warp_in_block(); ++warp) before += warp_counts[warp];
#pragma unroll 4
    for (unsigned i = 0; i < mask_words_per_warp; ++i) {
        const unsigned word = __shfl_sync(all_lanes, my_word, static_cast<int>(i));
        const unsigned rank = __shfl_sync(all_lanes, before, static_cast<int>(i)) +
                              static_cast<unsigned>(__popc(word & lanes_below()));
        if (word >> lane_index() & 1U)
            positions[rank] = static_cast<std::uint16_t>((first_word + i) * warp_size + lane_index());
    }
}

/// Moves the listed items of one column: consecutive threads write consecutive parts, and each warp writes
/// whole lines where it can. Warps that share lines take longer. `first`: the position of the tile in the
/// stream, to which `positions` are relative; `offset`: the index of its output.
template <typename ColumnT>
__device__ void move_column(ColumnT& column, const std::uint16_t* positions, unsigned count,
                            std::uint64_t first, std::uint64_t offset) {
    using Loaded = typename ColumnT::Loaded;
    constexpr unsigned batch =
        mask_batch(sizeof(Loaded), ColumnT::parts == 1 ? mask_move_batch : mask_move_parts);
    constexpr unsigned parts = ColumnT::parts;
    const unsigned num_parts = count * parts;
    const unsigned into_line = column.into_line(offset);
    for (unsigned start = threadIdx.x; start < into_line + num_parts; start += batch * mask_threads) {
        Loaded loaded[batch];
#pragma unroll
        for (unsigned i = 0; i < batch; ++i) {
            const unsigned at = start + i * mask_threads - into_line;  // wraps around before the first part
            if (at < num_parts) loaded[i] = column.load(first + positions[at / parts], at % parts);
        }
#pragma unroll
        for (unsigned i = 0; i < batch; ++i) {
            const unsigned at = start + i * mask_threads - into_line;
            if (at < num_parts) column.store(offset + at / parts, at % parts, loaded[i]);
        }
    }
}

/// This thread's share of the sum of the counts of all tiles before its block's tile. There are at most
/// `mask_summed_tiles` tiles.
__device__ inline unsigned partial_sum_before_tile(const std::uint32_t* counts) {
    unsigned sum = 0;
#pragma unroll
    for (unsigned first = 0; first < mask_summed_tiles; first += mask_threads) {
        const unsigned tile = first + threadIdx.x;
        sum += tile < blockIdx.x ? counts[tile] : 0;
    }
    return sum;
}

/// Launched with one block for each tile, after the counts have been scanned unless they are few. The last
/// block writes the number of selected items.
template <typename CountIteratorT, typename... ColumnsT>
__global__ void __launch_bounds__(mask_threads)
    move_kernel(MaskState state, CountIteratorT num_selected, ColumnsT... columns) {
    wait_for_previous_launch();
    const unsigned count = state.counts[blockIdx.x];
    if (count == 0 && blockIdx.x != gridDim.x - 1) return;
    COMPACTION_SHARED(warp_sums, unsigned[mask_warps]);
    if (!state.offsets) {
        const unsigned warp_sum = warp_reduce_add(partial_sum_before_tile(state.counts));
        if (lane_index() == 0) warp_sums[warp_in_block()] = warp_sum;
    }
    COMPACTION_SHARED(positions, std::uint16_t[mask_tile_items]);
    if (count > 0) list_positions(state.words + std::uint64_t{blockIdx.x} * mask_tile_words, positions);
    __syncthreads();  // all positions and sums are written
    const std::uint64_t first = std::uint64_t{blockIdx.x} * mask_tile_items;
    const std::uint64_t offset =
        state.offsets ? state.offsets[blockIdx.x]
                      : warp_reduce_add(lane_index() < mask_warps ? warp_sums[lane_index()] : 0);
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *num_selected = *state.total = offset + count;
    (move_column(columns, positions, count, first, offset), ...);
}

/// Writes the fill value after the last selected item.
template <typename IteratorT, typename FillT>
__global__ void __launch_bounds__(mask_threads)
    fill_kernel(PaddedOutput<IteratorT, FillT> to, const std::uint64_t* num_selected) {
    const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = *num_selected + thread_in_grid(); i < to.size; i += threads)
        store_at(to.out, i, to.fill);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
