#pragma once

#include <type_traits>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/launch_shape.cuh"
#include "compaction/cuda/detail/ranks.cuh"
#include "compaction/cuda/detail/selectors.cuh"
#include "compaction/cuda/detail/tile_state.cuh"
#include "compaction/cuda/detail/unstamped.cuh"

/// Single-wave kernel, for short streams: every block compacts one tile, and all blocks are resident at
/// once.
///
/// Source: Smith, Levien and Owens 2025, "Decoupled Fallback: A Portable Single-Pass GPU Scan": a block
/// that has waited too long counts the missing tile itself, so the kernel terminates, whatever the order in
/// which its blocks run.
namespace compaction::cuda::detail {

template <typename ItemT, typename PolicyT>
inline constexpr unsigned single_wave_items = PolicyT::threads* PolicyT::rows* vector_items<ItemT>;

template <typename ItemT, typename PolicyT>
inline constexpr LaunchShape single_wave_shape{
    single_wave_items<ItemT, PolicyT>, PolicyT::threads,
    PolicyT::staged ? single_wave_items<ItemT, PolicyT>* static_cast<unsigned>(sizeof(ItemT)) : 0};

/// Whether a policy is used with a selector. With the largest tiles, little L1 cache is left for a predicate
/// that reads memory.
template <typename PolicyT, typename SelectorT>
inline constexpr bool is_policy_for = !SelectorT::reads_memory || !std::is_same_v<PolicyT, LargestTile>;

/// The minimum number of resident blocks per multiprocessor in __launch_bounds__.
///
/// For large tiles in place, and for large tiles whose predicate reads memory: half of
/// tiles_per_two_multiprocessors, rounded up. In place, the kernel would otherwise use so many registers that
/// the longest streams do not fit one wave. With a predicate that reads memory, the compiler keeps more loads
/// in flight: 12.0 to 9.8 us at 2^20 with a table of 128 KB. Otherwise 0: the compiler chooses, so that other
/// launches fit beside this one. Relocatable code also uses 0, because functions that it calls need more
/// registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(__CUDACC_RDC__)
template <typename PolicyT, typename SelectorT>
inline constexpr bool limits_registers =
    selects_in_place<SelectorT> ? PolicyT::rows >= LargeTile::rows
                                : SelectorT::reads_memory&& PolicyT::rows == LargeTile::rows;
template <typename PolicyT, typename SelectorT>
inline constexpr unsigned min_resident_blocks = limits_registers<PolicyT, SelectorT>
                                                    ? (PolicyT::tiles_per_two_multiprocessors + 1) / 2
                                                    : 0;
#else
template <typename PolicyT, typename SelectorT>
inline constexpr unsigned min_resident_blocks = 0;
#endif

/// The parameters of a launch besides its input.
struct SingleWaveOptions {
    LaunchTags tags;
    unsigned spin_limit = default_spin_limit;
};

/// How count_tile takes a selector. A reference to one that holds columns would put it in local memory, which
/// every thread of the kernel would write.
template <typename SelectorT>
using CountingSelector = std::conditional_t<moves_columns<SelectorT>, SelectorT, const SelectorT&>;

/// The packed counts of a tile, computed by one thread.
template <typename ItemT, typename PolicyT, typename SelectorT>
__device__ COMPACTION_NOINLINE unsigned count_tile(const AlignedSpan<ItemT>& input, unsigned tile,
                                                   CountingSelector<SelectorT> selector) {
    const std::uint64_t first = std::uint64_t{tile} * single_wave_items<ItemT, PolicyT>;
    const std::uint64_t end = min(first + single_wave_items<ItemT, PolicyT>, input.end);
    unsigned count = 0;
    for (std::uint64_t i = max(first, input.begin); i < end; ++i) {
        bool is_selected;
        if constexpr (reads_array<SelectorT>)
            is_selected = selector(input.base[i], i - input.begin);
        else if constexpr (reads_iterator<SelectorT> || moves_columns<SelectorT>)
            is_selected = selector(selector.item(i), i);
        else
            is_selected = selector(ItemT{}, i);
        if (is_selected) {
            ++count;
        } else if constexpr (num_parts<SelectorT> == 2) {
            if (selector.second(input.base[i], i - input.begin)) count += pack_counts(0, 1);
        }
    }
    return count;
}

/// The copies of a status word that hold the count of one part. Those of the second part follow those of the
/// first.
template <unsigned Parts>
inline constexpr unsigned copies_of_part = tile_state_copies / Parts;

/// Looks back: each thread of the block returns a share of the numbers of kept items in earlier tiles.
template <typename ItemT, typename PolicyT, typename SelectorT>
__device__ PartCounts<unsigned, num_parts<SelectorT>> look_back(const AlignedSpan<ItemT>& input,
                                                                const SingleWaveState& state, Tag tag,
                                                                unsigned spin_limit,
                                                                const SelectorT& selector) {
    constexpr unsigned parts = num_parts<SelectorT>;
    constexpr unsigned num_words = PolicyT::words_per_thread * parts;  // word i is of part i % parts
    const auto tile_of = [](unsigned i) { return threadIdx.x + i / parts * PolicyT::threads; };
    const StatusWord* const words = state.words[blockIdx.x % copies_of_part<parts>] + threadIdx.x;
    const auto load = [&](unsigned i) {
        return load_relaxed(words + i % parts * copies_of_part<parts> * max_single_wave_blocks +
                            i / parts * PolicyT::threads);
    };
    StatusWord word[num_words];
#pragma unroll
    for (unsigned i = 0; i < num_words; ++i)  // all loads in flight before the first test
        word[i] = tile_of(i) < blockIdx.x ? load(i) : status_word(tag, 0);
    PartCounts<unsigned, parts> sum{};
    unsigned missing_mask = 0;
#pragma unroll
    for (unsigned i = 0; i < num_words; ++i) {
        for (unsigned spins = 0; !has_tag(word[i], tag) && spins < spin_limit; ++spins) word[i] = load(i);
        if (has_tag(word[i], tag))
            sum.of[i % parts] += count_in(word[i]);
        else
            missing_mask |= 1U << i;
    }
    for (; missing_mask != 0; missing_mask &= missing_mask - 1) {
        const unsigned i = static_cast<unsigned>(__ffs(static_cast<int>(missing_mask))) - 1;
        const unsigned counts = count_tile<ItemT, PolicyT, SelectorT>(input, tile_of(i), selector);
        const unsigned count = unpack_count<parts>(counts, i % parts);
#pragma unroll
        for (unsigned part = 0; part < parts; ++part) sum.of[part] += part == i % parts ? count : 0;
    }
    return sum;
}

// --- Selection in place ---
//
// A thread that counted a missing tile might read what another block has written over it. So the tiles are
// claimed, each by one block: by its own when that starts, or by a later one that has waited too long and
// then compacts the tile itself. A block loads its tile while it claims it. If it finds the tile claimed,
// other blocks may have written there before or during the load: it drops the items and has nothing left to
// do.

/// Claims a tile for this block. Returns false if another block of the launch has. One thread calls.
__device__ inline bool claim_tile(SingleWaveState& state, unsigned tile, Tag tag) {
    return exchange_relaxed(&state.claims[tile], tag) != tag;
}

/// Shared memory of a block that compacts the tile of another block.
template <unsigned Warps>
struct RescueStorage {
    unsigned tile;    ///< the first tile whose count is missing
    unsigned offset;  ///< where its output begins
    bool claimed;     ///< by this block
    unsigned warp_counts[Warps];
};

/// Compacts a tile in place, one item for each thread at a time, and returns the number of kept items. All
/// earlier counts are published, and this tile's is not, so no other block writes over the tile or uses what
/// it reads there.
template <typename ItemT, typename PolicyT, typename SelectorT>
__device__ unsigned compact_claimed_tile(const AlignedSpan<ItemT>& input, ItemT* out,
                                         const SelectorT& selector, RescueStorage<PolicyT::warps>& storage) {
    using Words = WordsOf<sizeof(ItemT)>;
    const std::uint64_t tile_first = std::uint64_t{storage.tile} * single_wave_items<ItemT, PolicyT>;
    const std::uint64_t last = min(tile_first + single_wave_items<ItemT, PolicyT>, input.end);
    auto* const to = reinterpret_cast<Words*>(out) + storage.offset;
    unsigned count = 0;
    for (std::uint64_t first = max(tile_first, input.begin); first < last; first += PolicyT::threads) {
        const std::uint64_t i = first + threadIdx.x;
        const Words words = i < last ? reinterpret_cast<const Words*>(input.base)[i] : Words{};
        const bool kept = i < last && selector(__builtin_bit_cast(ItemT, words), i - input.begin);
        const unsigned kept_lanes = __ballot_sync(all_lanes, kept);
        if (lane_index() == 0) storage.warp_counts[warp_in_block()] = __popc(kept_lanes);
        __syncthreads();  // all counts are written, and all items of this step are in registers
        const unsigned count_of_lane = lane_index() < PolicyT::warps ? storage.warp_counts[lane_index()] : 0;
        const unsigned before = warp_reduce_add(lane_index() < warp_in_block() ? count_of_lane : 0);
        const unsigned rank = count + before + __popc(kept_lanes & lanes_below());
        if (kept && i - input.begin != storage.offset + rank) to[rank] = words;  // see changes_tile
        count += warp_reduce_add(count_of_lane);
        __syncthreads();  // all warps have read the counts, and all items of this step are written
    }
    return count;
}

/// Compacts the first tile whose count is missing in this block's status words. If another block has claimed
/// it, waits for the count: that block runs, and publishes without waiting for later ones. `published`: the
/// first word of this thread; `first_missing`: the first of its tiles without a count. All threads of the
/// block call, and at least one has a missing tile.
template <typename ItemT, typename PolicyT, typename SelectorT>
__device__ COMPACTION_NOINLINE void rescue_tile(const AlignedSpan<ItemT>& input, ItemT* out,
                                                SingleWaveState& state, Tag tag, const SelectorT& selector,
                                                const StatusWord* published, unsigned first_missing) {
    COMPACTION_SHARED(storage, RescueStorage<PolicyT::warps>);
    if (threadIdx.x == 0) storage.tile = ~0U, storage.offset = 0;
    __syncthreads();  // both are initialised
    atomicMin(&storage.tile, first_missing);
    __syncthreads();  // the tile is final
    for (unsigned tile = threadIdx.x; tile < storage.tile; tile += PolicyT::threads)
        atomicAdd(&storage.offset, count_in(load_relaxed(published + (tile - threadIdx.x))));
    if (threadIdx.x == 0) storage.claimed = claim_tile(state, storage.tile, tag);
    __syncthreads();  // the offset is final, and the claim is known
    unsigned count = 0;
    if (storage.claimed) count = compact_claimed_tile<ItemT, PolicyT>(input, out, selector, storage);
    if (threadIdx.x != 0) return;
    if (storage.claimed) {
        fence_acq_rel();
        publish(state.words[0], max_single_wave_blocks, storage.tile, status_word(tag, count));
    } else {
        while (!has_tag(load_relaxed(&state.words[0][storage.tile]), tag)) {
        }
    }
}

/// look_back for a selection in place.
template <typename ItemT, typename PolicyT, typename SelectorT>
__device__ unsigned look_back_in_place(const AlignedSpan<ItemT>& input, ItemT* out, SingleWaveState& state,
                                       Tag tag, unsigned spin_limit, const SelectorT& selector) {
    const StatusWord* const published = state.words[blockIdx.x % tile_state_copies] + threadIdx.x;
    StatusWord words[PolicyT::words_per_thread];
#pragma unroll
    for (unsigned i = 0; i < PolicyT::words_per_thread; ++i) {
        const bool needed = threadIdx.x + i * PolicyT::threads < blockIdx.x;
        words[i] = needed ? load_relaxed(published + i * PolicyT::threads) : status_word(tag, 0);
    }
    while (true) {
        constexpr unsigned none = ~0U;
        unsigned first_missing = none;
        unsigned sum = 0;
#pragma unroll
        for (unsigned i = 0; i < PolicyT::words_per_thread; ++i) {
            for (unsigned spins = 0; !has_tag(words[i], tag) && spins < spin_limit; ++spins)
                words[i] = load_relaxed(published + i * PolicyT::threads);
            sum += count_in(words[i]);
            if (!has_tag(words[i], tag))
                first_missing = min(first_missing, threadIdx.x + i * PolicyT::threads);
        }
        fence_acq_rel();
        if (!__syncthreads_or(first_missing != none)) return sum;
        rescue_tile<ItemT, PolicyT>(input, out, state, tag, selector, published, first_missing);
#pragma unroll
        for (unsigned i = 0; i < PolicyT::words_per_thread; ++i) {
            if (!has_tag(words[i], tag)) words[i] = load_relaxed(published + i * PolicyT::threads);
        }
    }
}

inline namespace COMPACTION_ARCHITECTURES {

/// Launched with one block for each tile. A single block does not touch the tile state. Dynamic shared
/// memory: the items of a tile, if the policy is staged. May start while the previous launch runs.
template <typename ItemT, typename PolicyT, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(PolicyT::threads, min_resident_blocks<PolicyT, SelectorT>)
    single_wave_kernel(AlignedSpan<ItemT> input, SingleWaveOptions options, TileState* state, ItemT* out,
                       CountT* num_selected, SelectorT selector) {
    using Words = WordsOf<sizeof(ItemT)>;
    static_assert(!partitions<SelectorT> || (!selects_in_place<SelectorT> && !writes_positions<SelectorT>));
    static_assert(PolicyT::max_blocks <= max_single_wave_blocks);
    constexpr unsigned tile_items = single_wave_items<ItemT, PolicyT>;
    static_assert(tile_items <= max_tile_items);
    static_assert(tile_items < 1U << packed_bits);
    constexpr unsigned parts = num_parts<SelectorT>;
    using Counts = PartCounts<unsigned, parts>;
    constexpr int num_rows = PolicyT::rows;
    constexpr int width = vector_items<ItemT>;
    COMPACTION_DYNAMIC_SHARED(single_wave_stage, 16, uint4);
    COMPACTION_SHARED(warp_counts, unsigned[PolicyT::warps]);  // packed
    COMPACTION_SHARED(warp_sums_before, Counts[PolicyT::warps]);
    COMPACTION_SHARED(shared_tag, Tag);
    COMPACTION_SHARED(is_claimed, bool);  // by this block; in place only
    const auto& stamp = stamp_block(selector, BlockStart::after_wait);

    // Load. The next launch is usually triggered only after publishing, because its blocks take resources.
    // With long tiles it is triggered at once, because its blocks need time to prefetch their tiles.
    constexpr bool triggers_early = PolicyT::rows >= min_rows_for_early_trigger;
    if (reads_array<SelectorT> && threadIdx.x == 0) prefetch_tile<tile_items>(input, blockIdx.x);
    if constexpr (moves_columns<SelectorT>)
        if (threadIdx.x == 0) selector.prefetch_columns(blockIdx.x * tile_items, tile_items, input.end);
    wait_for_previous_launch();
    const auto begin = stamp.begin_time();
    if constexpr (triggers_early) trigger_dependent_launch();
    constexpr unsigned warp_items = num_rows * warp_size * width;
    const unsigned first = (blockIdx.x * PolicyT::warps + warp_in_block()) * warp_items;
    const std::uint64_t tile_first = std::uint64_t{blockIdx.x} * tile_items;
    const bool inside = input.contains(tile_first, tile_first + tile_items);
    VectorOf<ItemT> rows[num_rows];
    load_items<selects_in_place<SelectorT>>(rows, input, first, inside, selector);
    stamp.note_begin(begin);
    const std::uint64_t position = first - input.begin;
    selector.prefetch(position, input.end - input.begin, warp_items);  // while the items are in flight
    if (threadIdx.x == 0) {
        shared_tag = gridDim.x > 1
                         ? first_tag_of_launch(state->single_wave.launches, options.tags, /*num_tags=*/1)
                         : 0;
        if constexpr (selects_in_place<SelectorT>)
            is_claimed = gridDim.x == 1 || claim_tile(state->single_wave, blockIdx.x, shared_tag);
    }

    // Classify
    const unsigned bits =
        inside ? selected_bits<ItemT>(rows, position, selector)
               : selected_bits<ItemT>(rows, valid_bits<ItemT, num_rows>(input, first, /*inside=*/false),
                                      position, selector);
    unsigned second = 0;
    if constexpr (parts == 2) {
        const unsigned others = valid_bits<ItemT, num_rows>(input, first, inside) & ~bits;
        // Opaque: the compiler would keep a predicate for each bit, and needs twice as many registers.
        second = opaque(selected_bits<ItemT>(rows, others, position, selector.second));
    }
    const unsigned warp_count = warp_reduce_add(pack_counts(__popc(bits), __popc(second)));
    if (lane_index() == 0) warp_counts[warp_in_block()] = warp_count;
    __syncthreads();  // all counts, the tag and the claim are written
    // Another block compacts the tile.
    if (selects_in_place<SelectorT> && !is_claimed) return;

    // Scan: publish first, so that no other block waits for this block's ranks.
    const unsigned count_of_lane = lane_index() < PolicyT::warps ? warp_counts[lane_index()] : 0;
    const Counts counts = unpack_counts<parts>(warp_reduce_add(count_of_lane));
    if (threadIdx.x == 0) stamp.add_selected(counts.total());
    const Tag tag = shared_tag;
    if (threadIdx.x == 0 && gridDim.x > 1) {
        fence_if_in_place<SelectorT>();
#pragma unroll
        for (unsigned part = 0; part < parts; ++part) {
            publish<copies_of_part<parts>>(state->single_wave.words[part * copies_of_part<parts>],
                                           max_single_wave_blocks, blockIdx.x,
                                           status_word(tag, counts.of[part]));
        }
    }
    if (threadIdx.x == 0) stamp.note_posted(blockIdx.x);
    if constexpr (!triggers_early) trigger_dependent_launch();
    const Counts warp_starts =
        unpack_counts<parts>(warp_reduce_add(lane_index() < warp_in_block() ? count_of_lane : 0));
    const BitRanks<num_rows, width> ranks(bits);
    auto* const stage = reinterpret_cast<Words*>(single_wave_stage);
    if constexpr (PolicyT::staged && moves_columns<SelectorT>) {
        ranks.for_each_selected([&](unsigned rank, int row, int k) {
            selector.template gather<tile_items>(shared_address(stage), warp_starts.of[0] + rank,
                                                 words_in<sizeof(ItemT)>(rows[row], k));
        });
    } else if constexpr (PolicyT::staged) {
        const std::uint32_t to = shared_address(stage + warp_starts.of[0]);
        ranks.for_each_selected([&](unsigned rank, int row, int k) {
            store_shared(to + rank * static_cast<unsigned>(sizeof(ItemT)),
                         output_words<ItemT, SelectorT>(rows[row], position, row, k));
        });
    }
    // The second part is stored behind the first, and the rejected items of a partition behind all others.
    if constexpr (parts == 2 && PolicyT::staged)
        store_items<ItemT>(rows, second, stage + counts.of[0] + warp_starts.of[1]);
    [[maybe_unused]] RejectedRows rejected{};
    if constexpr (partitions<SelectorT>) {
        rejected = {valid_bits<ItemT, num_rows>(input, first, inside) & ~(bits | second),
                    input.items_in(tile_first, first) - warp_starts.total(),
                    num_rejected(input, tile_first, tile_items, counts.total())};
        if constexpr (PolicyT::staged)
            store_rejected<ItemT, SelectorT>(rows, rejected, stage + counts.total());
    }

    // Prefix
    Counts sum_before;
    if constexpr (selects_in_place<SelectorT>) {
        sum_before = {{look_back_in_place<ItemT, PolicyT>(input, out, state->single_wave, tag,
                                                          options.spin_limit, selector)}};
    } else {
        sum_before = look_back<ItemT, PolicyT>(input, state->single_wave, tag, options.spin_limit, selector);
    }
    const Counts warp_sum_before = warp_reduce_counts(sum_before);
    if (lane_index() == 0) warp_sums_before[warp_in_block()] = warp_sum_before;
    __syncthreads();  // all sums are written, and the stage is complete
    if (threadIdx.x == 0) stamp.note_summed(blockIdx.x);
    const Counts offset =
        warp_reduce_counts(lane_index() < PolicyT::warps ? warp_sums_before[lane_index()] : Counts{});
    note("offset", offset.of[0]);

    // Scatter
    const bool changes =
        changes_tile<SelectorT>(input, tile_first + tile_items, offset.total() + counts.total());
    if constexpr (PolicyT::staged && moves_columns<SelectorT>) {
        selector.template write_gathered<PolicyT::threads, tile_items>(stage, counts.of[0], offset.of[0]);
    } else if constexpr (moves_columns<SelectorT>) {
        ranks.for_each_selected([&](unsigned rank, int row, int k) {
            selector.write_item(offset.of[0] + warp_starts.of[0] + rank,
                                words_in<sizeof(ItemT)>(rows[row], k));
        });
    } else if constexpr (PolicyT::staged) {
        write_lines<PolicyT::threads>(stage, changes ? counts.of[0] : 0, out + offset.of[0]);
    } else if (changes) {
        auto* const to = reinterpret_cast<Words*>(out) + (offset.of[0] + warp_starts.of[0]);
        ranks.for_each_selected([&](unsigned rank, int row, int k) {
            to[rank] = output_words<ItemT, SelectorT>(rows[row], position, row, k);
        });
    }
    if constexpr (parts == 2) {
        ItemT* const to = selector.second_out + offset.of[1];
        if constexpr (PolicyT::staged)
            write_lines<PolicyT::threads>(stage + counts.of[0], counts.of[1], to);
        else
            store_items<ItemT>(rows, second, reinterpret_cast<Words*>(to) + warp_starts.of[1]);
    }
    if constexpr (partitions<SelectorT>) {
        ItemT* const to =
            selector.rejected_at(input.items_before(tile_first) - offset.total(), rejected.count);
        if constexpr (PolicyT::staged)
            write_lines<PolicyT::threads>(stage + counts.total(), rejected.count, to);
        else
            store_rejected<ItemT, SelectorT>(rows, rejected, reinterpret_cast<Words*>(to));
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) store_counts(num_selected, offset, counts);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
