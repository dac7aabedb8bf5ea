#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/ranks.cuh"
#include "compaction/cuda/detail/rows.cuh"

namespace compaction::cuda {

/// Whether a predicate reads device memory, such as a table. The kernels of long streams then leave the
/// predicate more L1 cache. The default is a guess: the predicate could hold a pointer, as it has members and
/// pointer alignment. Specialise it for your type where the guess is wrong; only the speed depends on it.
template <typename PredicateT>
inline constexpr bool reads_memory = !std::is_empty_v<PredicateT> && alignof(PredicateT) >= alignof(void*);

}  // namespace compaction::cuda

/// Selectors, which decide which items are kept, and the bits of the kept items of a warp's rows.
namespace compaction::cuda::detail {

/// Calls a predicate with an item. A predicate that changes itself, or takes its item by a reference
/// that is not const, works on copies.
template <typename PredicateT, typename ItemT>
__device__ bool call_predicate(const PredicateT& predicate, const ItemT& item) {
    static_assert(std::is_invocable_v<PredicateT&, ItemT&>, "the predicate must be callable with an item");
    if constexpr (std::is_invocable_v<const PredicateT&, const ItemT&>) {
        return static_cast<bool>(predicate(item));
    } else {
        PredicateT own_predicate = predicate;
        ItemT own_item = item;
        return static_cast<bool>(own_predicate(own_item));
    }
}

/// Keeps the items for which a predicate returns true.
template <typename PredicateT>
struct ByPredicate {
    static constexpr bool reads_memory = cuda::reads_memory<PredicateT>;
    PredicateT predicate;

    template <typename ItemT>
    __device__ bool operator()(const ItemT& item, std::uint64_t) const {
        return call_predicate(predicate, item);
    }

    __device__ void prefetch(std::uint64_t, std::uint64_t, unsigned) const {}
};

/// Prefetches the flags of items [position, position + count) of a stream of `num_items` to the L2 cache. A
/// whole warp calls.
template <typename FlagT>
__device__ void prefetch_flags(const FlagT* flags, std::uint64_t position, std::uint64_t num_items,
                               unsigned count) {
    if constexpr (!std::is_volatile_v<FlagT>) {
        const std::uint64_t lane_position = position + lane_index() * (count / warp_size);
        if (lane_position < num_items) prefetch_line_to_l2(flags + lane_position);
    }
}

/// Whether flags are prefetched while items are copied: wider ones gain nothing, and cost 2 % in the
/// pipeline.
template <typename FlagT>
inline constexpr bool prefetches_beside_items = sizeof(FlagT) == 1;

/// Keeps the items whose flag is set.
template <typename FlagT>
struct ByFlag {
    static constexpr bool reads_memory = false;  // beyond the flags, which are read in order
    const FlagT* flags;

    template <typename ItemT>
    __device__ bool operator()(const ItemT&, std::uint64_t position) const {
        return static_cast<bool>(flags[position]);
    }

    __device__ void prefetch(std::uint64_t position, std::uint64_t num_items, unsigned count) const {
        if constexpr (prefetches_beside_items<FlagT>) prefetch_flags(flags, position, num_items, count);
    }
};

/// Keeps the items for whose flag a predicate returns true.
template <typename FlagT, typename PredicateT>
struct ByFlagIf {
    static constexpr bool reads_memory = cuda::reads_memory<PredicateT>;
    const FlagT* flags;
    PredicateT predicate;

    template <typename ItemT>
    __device__ bool operator()(const ItemT&, std::uint64_t position) const {
        return call_predicate(predicate, flags[position]);
    }

    __device__ void prefetch(std::uint64_t position, std::uint64_t num_items, unsigned count) const {
        if constexpr (prefetches_beside_items<FlagT>) prefetch_flags(flags, position, num_items, count);
    }
};

/// Keeps the first item of every run: the items that differ from the one before them in the input.
template <typename ItemT, typename EqualT>
struct FirstOfRun {
    static constexpr bool reads_memory = false;  // beyond the input, which is read in order
    const ItemT* in;                             ///< the input
    EqualT equal;

    /// Reads the item before. selected_bits, which has the items of a warp, compares those instead.
    __device__ bool operator()(const ItemT& item, std::uint64_t position) const {
        return position == 0 || differ(item_at(in + position - 1), item);
    }
    __device__ bool differ(const ItemT& before, const ItemT& item) const {
        return !static_cast<bool>(equal(before, item));
    }

    __device__ void prefetch(std::uint64_t, std::uint64_t, unsigned) const {}
};

/// Whether a selector compares each item with the one before it. selected_bits is then called once for all
/// rows of a chunk, because each call reads an item.
template <typename SelectorT>
inline constexpr bool compares_neighbours = false;
template <typename ItemT, typename EqualT>
inline constexpr bool compares_neighbours<FirstOfRun<ItemT, EqualT>> = true;

template <typename SelectorT>
struct PositionsOf;

/// Whether the kernels need the items. They do not if flags select and positions are written.
template <typename SelectorT>
inline constexpr bool needs_items = true;
template <typename FlagT>
inline constexpr bool needs_items<PositionsOf<ByFlag<FlagT>>> = false;
template <typename FlagT, typename PredicateT>
inline constexpr bool needs_items<PositionsOf<ByFlagIf<FlagT, PredicateT>>> = false;

/// Keeps the items that another selector keeps; the kernels write their positions in the stream instead of
/// the items.
template <typename SelectorT>
struct PositionsOf {
    static constexpr bool reads_memory = SelectorT::reads_memory;
    SelectorT selector;

    template <typename ItemT>
    __device__ bool operator()(const ItemT& item, std::uint64_t position) const {
        return selector(item, position);
    }

    __device__ void prefetch(std::uint64_t position, std::uint64_t num_items, unsigned count) const {
        if constexpr (needs_items<PositionsOf>)
            selector.prefetch(position, num_items, count);
        else
            prefetch_flags(selector.flags, position, num_items, count);
    }
};

/// Whether the items come from an iterator, by selector.item(position) (from_iterator.cuh).
template <typename SelectorT>
inline constexpr bool reads_iterator = false;

/// Whether each element of an item is read from an array of its own, and written to one
/// (zipped_columns.cuh).
template <typename SelectorT>
inline constexpr bool moves_columns = false;

template <typename SelectorT>
inline constexpr bool reads_array =
    needs_items<SelectorT> && !reads_iterator<SelectorT> && !moves_columns<SelectorT>;

template <typename SelectorT>
inline constexpr bool writes_positions = false;
template <typename SelectorT>
inline constexpr bool writes_positions<PositionsOf<SelectorT>> = true;

/// Keeps the items that another selector keeps, and writes them over the input: the output is the input's
/// array. A tile's output begins at or before the tile, so a block writes over its own tile and earlier ones.
/// It must not do so before their items are on chip:
/// - A tile's count is published after its items have been loaded, and a block writes after it has read the
///   counts of all earlier tiles. Fences on both sides order the loads before the stores.
/// - A block never counts a tile that another one may move: see single_wave.cuh. The pipeline, which may
///   begin again by tickets after it has written, does not select in place.
template <typename SelectorT>
struct InPlace : SelectorT {};

template <typename SelectorT>
inline constexpr bool selects_in_place = false;
template <typename SelectorT>
inline constexpr bool selects_in_place<InPlace<SelectorT>> = true;

template <typename SelectorT>
inline constexpr bool compares_neighbours<InPlace<SelectorT>> = compares_neighbours<SelectorT>;

/// Keeps two parts: the items that one selector keeps, and those of the others that a second selector keeps.
/// The second part has an output of its own.
template <typename FirstT, typename SecondT, typename ItemT>
struct TwoParts : FirstT {
    static constexpr bool reads_memory = FirstT::reads_memory || SecondT::reads_memory;
    SecondT second;
    ItemT* second_out;
};

/// Whether a tile has to be written. It ends at position `tile_end`, and `selected` items are selected up to
/// there. In place the tile stays as it is if these are all items. So no block writes the last item of a
/// tile before the block of the next tile, which may compare it with its first item, has loaded that tile.
template <typename SelectorT, typename ItemT>
__device__ bool changes_tile(const AlignedSpan<ItemT>& input, std::uint64_t tile_end,
                             std::uint64_t selected) {
    return !selects_in_place<SelectorT> || selected != input.items_before(tile_end);
}

/// Called before the count of a tile is published, when the block has loaded the tile's items, and again
/// before a block writes, by the threads that have read the counts of other tiles.
template <typename SelectorT>
__device__ void fence_if_in_place() {
    if constexpr (selects_in_place<SelectorT>) fence_acq_rel();
}

/// Keeps the items that another selector keeps, and writes the others to a second output: forwards from
/// `rejected` on, or backwards from the item before it.
template <typename SelectorT, typename ItemT, bool Backwards>
struct Partitioned : SelectorT {
    ItemT* rejected;

    /// The lowest address of `count` rejected items with ranks from `first_rank` on.
    __device__ ItemT* rejected_at(std::uint64_t first_rank, unsigned count) const {
        return Backwards ? rejected - first_rank - count : rejected + first_rank;
    }
    /// The index of a rejected item among `count` that lie together in memory, by its rank among them.
    __device__ static unsigned index_in_memory(unsigned rank, unsigned count) {
        return Backwards ? count - 1 - rank : rank;
    }
};

template <typename SelectorT>
inline constexpr bool partitions = false;
template <typename SelectorT, typename ItemT, bool Backwards>
inline constexpr bool partitions<Partitioned<SelectorT, ItemT, Backwards>> = true;

/// How many parts a selector keeps, each with a count.
template <typename SelectorT>
inline constexpr unsigned num_parts = 1;
template <typename FirstT, typename SecondT, typename ItemT>
inline constexpr unsigned num_parts<TwoParts<FirstT, SecondT, ItemT>> = 2;
template <typename SelectorT, typename ItemT, bool Backwards>
inline constexpr unsigned num_parts<Partitioned<SelectorT, ItemT, Backwards>> = num_parts<SelectorT>;

/// Whether the pipeline runs a selector: not in place (see InPlace), nor with two counts for each tile.
template <typename SelectorT>
inline constexpr bool fits_pipeline = !selects_in_place<SelectorT> && num_parts<SelectorT> == 1;

/// The numbers of kept items, one for each part.
template <typename T, unsigned Parts>
struct PartCounts {
    T of[Parts];

    template <typename OtherT>
    __device__ PartCounts& operator+=(const PartCounts<OtherT, Parts>& other) {
#pragma unroll
        for (unsigned part = 0; part < Parts; ++part) of[part] += other.of[part];
        return *this;
    }
    /// The kept items of all parts.
    __device__ T total() const {
        if constexpr (Parts == 1)
            return of[0];
        else
            return of[0] + of[1];
    }
};

/// The sums over the warp, on every lane.
template <unsigned Parts>
__device__ PartCounts<unsigned, Parts> warp_reduce_counts(PartCounts<unsigned, Parts> counts) {
#pragma unroll
    for (unsigned part = 0; part < Parts; ++part) counts.of[part] = warp_reduce_add(counts.of[part]);
    return counts;
}

/// The counts of a tile in one word, so that one sum over a warp adds up those of both parts. A tile has
/// fewer than 2^packed_bits items.
inline constexpr unsigned packed_bits = 15;

__device__ inline unsigned pack_counts(unsigned first, unsigned second) {
    return first | second << packed_bits;
}
template <unsigned Parts>
__device__ unsigned unpack_count(unsigned packed, unsigned part) {
    return Parts == 1 ? packed : packed >> part * packed_bits & ((1U << packed_bits) - 1);
}
template <unsigned Parts>
__device__ PartCounts<unsigned, Parts> unpack_counts(unsigned packed) {
    PartCounts<unsigned, Parts> counts;
#pragma unroll
    for (unsigned part = 0; part < Parts; ++part) counts.of[part] = unpack_count<Parts>(packed, part);
    return counts;
}

/// Stores the counts of a stream: those before its last tile, and those of that tile. num_selected: [Parts].
template <typename CountT, typename T, unsigned Parts>
__device__ void store_counts(CountT* num_selected, PartCounts<T, Parts> before,
                             const PartCounts<unsigned, Parts>& last) {
    before += last;
#pragma unroll
    for (unsigned part = 0; part < Parts; ++part) num_selected[part] = static_cast<CountT>(before.of[part]);
}

/// The output word for item k of this lane in a row: the item, or its position. `vector`: the items of the
/// lane; `position`: the position of row 0 in the stream.
template <typename ItemT, typename SelectorT>
__device__ WordsOf<sizeof(ItemT)> output_words(const VectorOf<ItemT>& vector, std::uint64_t position, int row,
                                               int k) {
    if constexpr (writes_positions<SelectorT>) {
        using Index = std::conditional_t<sizeof(ItemT) == 4, std::uint32_t, std::uint64_t>;
        const unsigned index_in_rows = (row * warp_size + lane_index()) * vector_items<ItemT> + k;
        return __builtin_bit_cast(WordsOf<sizeof(ItemT)>, static_cast<Index>(position + index_in_rows));
    } else {
        return words_in<sizeof(ItemT)>(vector, k);
    }
}

/// Loads the rows that begin at position `first` from the array, the columns or the iterator, like load_rows.
/// If the items are not needed, leaves the rows as they are.
template <bool Speculative = false, typename ItemT, unsigned Rows, typename SelectorT>
__device__ void load_items(VectorOf<ItemT> (&rows)[Rows], const AlignedSpan<ItemT>& input,
                           std::uint64_t first, [[maybe_unused]] bool inside,
                           [[maybe_unused]] const SelectorT& selector) {
    if constexpr (reads_array<SelectorT>) {
        load_rows<Speculative>(rows, input, first, inside);
    } else if constexpr (moves_columns<SelectorT>) {
        selector.load_rows(rows, first, inside, input.end);
    } else if constexpr (reads_iterator<SelectorT>) {
        constexpr unsigned width = vector_items<ItemT>;
#pragma unroll
        for (unsigned r = 0; r < Rows; ++r) {
            WordsOf<sizeof(ItemT)> words[width]{};
#pragma unroll
            for (unsigned k = 0; k < width; ++k) {
                const std::uint64_t position = first + (r * warp_size + lane_index()) * width + k;
                if (inside || position < input.end)
                    words[k] = __builtin_bit_cast(WordsOf<sizeof(ItemT)>, selector.item(position));
            }
            memcpy(&rows[r], words, sizeof rows[r]);
        }
    }
}

/// Item k of a lane's vector; an empty item if the items are not needed.
template <typename ItemT, typename SelectorT, typename VectorT>
__device__ ItemT item_for(const VectorT& vector, int k) {
    if constexpr (needs_items<SelectorT>)
        return item_in<ItemT>(vector, k);
    else
        return ItemT{};
}

/// Which of this lane's items belong to the input. Bit row * width + k is item k of the vector in that row.
/// `first`: the position of the rows. `inside`: whether all items of the rows belong to it; all 32 bits are
/// then set, also those beyond the rows.
template <typename ItemT, int Rows>
__device__ unsigned valid_bits(const AlignedSpan<ItemT>& input, std::uint64_t first, bool inside) {
    constexpr int width = vector_items<ItemT>;
    constexpr int row_items = warp_size * width;
    static_assert(Rows * width <= 32, "one bit for each item");
    if (inside) return ~0U;
    const std::uint64_t left = input.end - min(first, input.end);
    const int lane_left =
        static_cast<int>(min(left, std::uint64_t{Rows * row_items})) - static_cast<int>(lane_index()) * width;
    unsigned bits = 0;
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
        const int valid = min(max(lane_left - row * row_items, 0), width);
        bits |= ((1U << valid) - 1) << row * width;
    }
    if constexpr (width == aligned_items<ItemT>) {
        // Items before the stream's first one are in the first vector only.
        return first + lane_index() == 0 ? bits & ~0U << input.begin : bits;
    } else {
        const int before = static_cast<int>(input.begin) - static_cast<int>(lane_index()) * width;
        return first == 0 ? bits & ~0U << min(max(before, 0), width) : bits;
    }
}

/// selected_bits for a selector that compares neighbours. A lane gets the item before each of its vectors
/// from the lane before it; only the first lane reads one, the item before the first row.
template <typename ItemT, typename VectorT, unsigned Rows, typename SelectorT>
__device__ unsigned first_of_run_bits(const VectorT (&rows)[Rows], unsigned valid, std::uint64_t position,
                                      const SelectorT& selector) {
    constexpr std::size_t bytes = sizeof(ItemT);
    constexpr int width = vector_items<ItemT>;
    const bool is_first_lane = lane_index() == 0;
    // Negative if the input begins within the first vector: its first item is then not at bit 0.
    const auto rows_begin = static_cast<std::int64_t>(position);
    const unsigned first_bit =
        is_first_lane && rows_begin <= 0 && rows_begin > -width ? 1U << -rows_begin : 0;
    const unsigned compared = valid & ~first_bit;  // no other items may be compared
    unsigned bits = 0;
#pragma unroll
    for (unsigned row = 0; row < Rows; ++row) {
        // The last lane passes its item of the previous row, since the first lane is after it.
        WordsOf<bytes> passed = words_in<bytes>(rows[row], width - 1);
        if (row > 0 && lane_index() == warp_size - 1) passed = words_in<bytes>(rows[row - 1], width - 1);
        WordsOf<bytes> before = from_lane_before(passed);
        if (row == 0 && is_first_lane && (valid & 1U) && rows_begin > 0)
            before = words_at(selector.in + (rows_begin - 1));
#pragma unroll
        for (int k = 0; k < width; ++k) {
            const WordsOf<bytes> words = words_in<bytes>(rows[row], k);
            const unsigned bit = 1U << (static_cast<int>(row) * width + k);
            if ((compared & bit) &&
                selector.differ(__builtin_bit_cast(ItemT, before), __builtin_bit_cast(ItemT, words)))
                bits |= bit;
            before = words;
        }
    }
    return bits | (first_bit & valid);
}

/// The bits of the valid items that are kept. The selector does not see the other items. `position`: the
/// position of the first row in the stream.
template <typename ItemT, typename VectorT, unsigned Rows, typename SelectorT>
__device__ unsigned selected_bits(const VectorT (&rows)[Rows], unsigned valid, std::uint64_t position,
                                  const SelectorT& selector) {
    if constexpr (compares_neighbours<SelectorT>)
        return first_of_run_bits<ItemT>(rows, valid, position, selector);
    constexpr int width = vector_items<ItemT>;
    const std::uint64_t lane_position = position + lane_index() * width;
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < static_cast<int>(Rows) * width; ++i) {
        const std::uint64_t item_position = lane_position + i / width * (warp_size * width) + i % width;
        if ((valid >> i & 1U) &&
            selector(item_for<ItemT, SelectorT>(rows[i / width], i % width), item_position))
            bits |= 1U << i;
    }
    return bits;
}

/// Overload for rows inside the stream, whose items are all valid. The rows begin `first_row` rows after
/// `position`, and their bits begin at `first_row` * width. A selector that compares neighbours takes all
/// rows at once.
template <typename ItemT, typename VectorT, unsigned Rows, typename SelectorT>
__device__ unsigned selected_bits(const VectorT (&rows)[Rows], std::uint64_t position,
                                  const SelectorT& selector, int first_row = 0) {
    if constexpr (compares_neighbours<SelectorT>)
        return first_of_run_bits<ItemT>(rows, /*valid=*/~0U, position, selector);
    constexpr int width = vector_items<ItemT>;
    const std::uint64_t lane_position = position + lane_index() * width;
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < static_cast<int>(Rows) * width; ++i) {
        const int bit = first_row * width + i;
        const std::uint64_t item_position = lane_position + bit / width * (warp_size * width) + i % width;
        if (selector(item_for<ItemT, SelectorT>(rows[i / width], i % width), item_position))
            bits |= 1U << bit;
    }
    return bits;
}

/// Stores those items of a warp whose bits are set, in order, from `to` on.
template <typename ItemT, unsigned Rows>
__device__ void store_items(const VectorOf<ItemT> (&rows)[Rows], unsigned bits, WordsOf<sizeof(ItemT)>* to) {
    const BitRanks<static_cast<int>(Rows), static_cast<int>(vector_items<ItemT>)> ranks(bits);
    ranks.for_each_selected(
        [&](unsigned rank, int row, int k) { to[rank] = words_in<sizeof(ItemT)>(rows[row], k); });
}

/// How many items a tile of a partition rejects. `tile_first`: the tile's first position.
template <typename ItemT>
__device__ unsigned num_rejected(const AlignedSpan<ItemT>& input, std::uint64_t tile_first,
                                 unsigned tile_items, unsigned num_selected) {
    return input.items_in(tile_first, tile_first + tile_items) - num_selected;
}

/// The items that a warp's rows of a partition reject.
struct RejectedRows {
    unsigned bits;   ///< one bit for each rejected item of this lane
    unsigned start;  ///< rejected items of the tile before this warp
    unsigned count;  ///< rejected items of the tile
};

/// Stores the rejected items of a warp. `to`: the lowest address of the tile's rejected items.
template <typename ItemT, typename SelectorT, unsigned Rows>
__device__ void store_rejected(const VectorOf<ItemT> (&rows)[Rows], const RejectedRows& rejected,
                               WordsOf<sizeof(ItemT)>* to) {
    const BitRanks<static_cast<int>(Rows), static_cast<int>(vector_items<ItemT>)> ranks(rejected.bits);
    ranks.for_each_selected([&](unsigned rank, int row, int k) {
        to[SelectorT::index_in_memory(rejected.start + rank, rejected.count)] =
            words_in<sizeof(ItemT)>(rows[row], k);
    });
}

}  // namespace compaction::cuda::detail
