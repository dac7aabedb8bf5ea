#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/launch_shape.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/ranks.cuh"
#include "compaction/cuda/detail/selectors.cuh"
#include "compaction/cuda/detail/unstamped.cuh"

/// Ticketed kernel, for any input on any GPU: blocks take tiles from a ticket counter, so a block waits
/// only for blocks that already run.
///
/// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back", for
/// publishing and looking back. Two things are new here. Only aggregates are published, and a block adds up
/// the aggregates since its own previous tile, so no prefix passes from tile to tile. The output of a tile
/// waits in shared memory for two further tiles, so that the aggregates it needs have been published by then,
/// even if another block is late.
namespace compaction::cuda::detail {

/// The last warp takes tickets, publishes and looks back; meanwhile all other warps rank and move items.
inline constexpr unsigned ticketed_workers = ticketed_threads / warp_size - 1;

template <typename ItemT, int Rows>
inline constexpr unsigned ticketed_items = ticketed_workers* warp_size* vector_items<ItemT>* Rows;

template <typename ItemT, int Rows>
inline constexpr LaunchShape ticketed_shape{
    ticketed_items<ItemT, Rows>, ticketed_threads,
    num_ticketed_stages* ticketed_items<ItemT, Rows>* static_cast<unsigned>(sizeof(ItemT))};

/// Device memory: [1 + num_tiles] words, all zero before the launch (reset_tickets_kernel). The first counts
/// tickets. Each of the others belongs to a tile: 0 until its counts, packed in one word, are published.
struct TicketState {
    std::uint32_t* words;

    static constexpr std::uint32_t published_flag = 1U << 31;

    __device__ unsigned take_tile() const { return atomicAdd(words, 1U); }

    __device__ void publish(unsigned tile, unsigned counts) const {
        store_relaxed(words + std::size_t{1} + tile, published_flag | counts);
    }

    /// Loads the words of the first tiles of [first, last), as many as the warp's `loaded` hold together,
    /// without waiting until they are published. Elements past the last tile read as a published count of 0.
    /// A whole warp calls.
    __device__ void load(std::uint32_t (&loaded)[look_back_loads], unsigned first, unsigned last) const {
#pragma unroll
        for (int i = 0; i < look_back_loads; ++i) {
            const unsigned tile = first + lane_index() + i * warp_size;
            loaded[i] = tile < last ? read(tile) : published_flag;
        }
    }

    /// The sum of the counts of tiles [first, last), after load() with the same arguments; waits until all
    /// are published. A whole warp calls.
    __device__ PartCounts<std::uint64_t, 1> sum(std::uint32_t (&loaded)[look_back_loads], unsigned first,
                                                unsigned last) const {
        PartCounts<std::uint64_t, 1> sum{};
        while (true) {
            PartCounts<unsigned, 1> lane_sum{};
#pragma unroll
            for (int i = 0; i < look_back_loads; ++i) {
                while (!(loaded[i] & published_flag)) loaded[i] = read(first + lane_index() + i * warp_size);
                lane_sum += counts_in<1>(loaded[i]);
            }
            __syncwarp();
            sum += warp_reduce_counts(lane_sum);
            if (last - first <= tiles_at_once) return sum;
            first += tiles_at_once;
            load(loaded, first, last);
        }
    }

    /// What a lane has loaded where a tile has two counts. The words themselves would take registers that the
    /// kernel does not have.
    struct PartialSums {
        PartCounts<unsigned, 2> sum;  ///< of the words that were published when they were loaded
        unsigned missing_mask;        ///< a bit for each word that was not
    };

    /// The same for two parts. Waits for the loads.
    __device__ void load(PartialSums& partial, unsigned first, unsigned last) const {
        std::uint32_t loaded[look_back_loads];
        load(loaded, first, last);
        partial = {};
#pragma unroll
        for (int i = 0; i < look_back_loads; ++i) {
            if (loaded[i] & published_flag)
                partial.sum += counts_in<2>(loaded[i]);
            else
                partial.missing_mask |= 1U << i;
        }
    }
    __device__ PartCounts<std::uint64_t, 2> sum(PartialSums& partial, unsigned first, unsigned last) const {
        PartCounts<std::uint64_t, 2> sum{};
        while (true) {
            for (; partial.missing_mask != 0; partial.missing_mask &= partial.missing_mask - 1) {
                const int i = __ffs(static_cast<int>(partial.missing_mask)) - 1;
                std::uint32_t word = 0;
                while (!(word & published_flag)) word = read(first + lane_index() + i * warp_size);
                partial.sum += counts_in<2>(word);
            }
            __syncwarp();
            sum += warp_reduce_counts(partial.sum);
            if (last - first <= tiles_at_once) return sum;
            first += tiles_at_once;
            load(partial, first, last);
        }
    }

  private:
    static constexpr unsigned tiles_at_once = look_back_loads * warp_size;

    template <unsigned Parts>
    __device__ static PartCounts<unsigned, Parts> counts_in(std::uint32_t word) {
        return unpack_counts<Parts>(word & (published_flag - 1));  // without the flag
    }
    __device__ std::uint32_t read(unsigned tile) const {
        return load_relaxed(words + std::size_t{1} + tile);
    }
};

/// A warp's part of a tile, in registers.
template <typename ItemT, int Rows>
struct TilePart {
    VectorOf<ItemT> rows[static_cast<unsigned>(Rows)];
    std::uint64_t first = 0;  ///< position of the part in the input
    unsigned valid = 0;       ///< a bit for each of this lane's items that belongs to the input

    template <typename SelectorT>
    __device__ void load(const AlignedSpan<ItemT>& input, unsigned tile, const SelectorT& selector) {
        constexpr unsigned part_items = Rows * warp_size * vector_items<ItemT>;
        first = (std::uint64_t{tile} * ticketed_workers + warp_in_block()) * part_items;
        const bool inside = input.contains(first, first + part_items);
        valid = valid_bits<ItemT, Rows>(input, first, inside);
        load_items(rows, input, first, inside, selector);
    }
};

/// Shared memory of a block besides its stages. Successive turns use the two elements of an array in
/// alternation.
template <unsigned Parts = 1>
struct TicketedStorage {
    /// Packed counts of the tile being ranked; 0 for the last warp.
    unsigned warp_counts[2][ticketed_workers + 1];
    unsigned tile_after[2];                   ///< the tile to load next
    PartCounts<std::uint64_t, Parts> offset;  ///< the start of the oldest tile's output, in each part
};

/// A tile whose kept items wait in a stage.
struct GatheredTile {
    unsigned tile;    ///< the number of tiles if there is no such tile
    unsigned counts;  ///< packed
};

/// The work of the last warp: takes tickets one tile ahead, so that no warp waits for them, publishes and
/// looks back.
template <unsigned Parts>
struct TicketWarp {
    TicketState state;
    unsigned num_tiles;
    TicketedStorage<Parts>& storage;
    unsigned ticket;                                     ///< the tile after the next one; valid in lane 0
    PartCounts<std::uint64_t, Parts> selected_before{};  ///< kept items in tiles [0, num_summed)
    unsigned num_summed = 0;
    std::conditional_t<Parts == 1, std::uint32_t[look_back_loads], TicketState::PartialSums> loaded;

    __device__ void start() {
        if (lane_index() != 0) return;
        // The block's first tile. Turn 0 writes element 0.
        storage.tile_after[1] = state.take_tile();
        if (storage.tile_after[1] < num_tiles) ticket = state.take_tile();
    }

    /// Called while the items of this turn's tile arrive. `turn` alternates between 0 and 1. `oldest`: the
    /// tile to look back for.
    __device__ void begin_turn(unsigned turn, unsigned oldest) {
        if (lane_index() == 0) {
            storage.tile_after[turn] = ticket;
            if (ticket < num_tiles) ticket = state.take_tile();
        }
        if (oldest < num_tiles) state.load(loaded, num_summed, oldest);
    }

    /// Called before looking back, so that no block publishes later because it waits for another.
    __device__ void publish(unsigned tile, unsigned counts) const {
        if (lane_index() == 0) state.publish(tile, counts);
    }

    /// Called after begin_turn or `load` has loaded the words for the tile.
    template <typename CountT>
    __device__ void look_back(const GatheredTile& oldest, CountT* num_selected) {
        const auto counts = unpack_counts<Parts>(oldest.counts);
        selected_before += state.sum(loaded, num_summed, oldest.tile);
        if (lane_index() == 0) {
            storage.offset = selected_before;
            if (oldest.tile == num_tiles - 1) store_counts(num_selected, selected_before, counts);
        }
        selected_before += counts;
        num_summed = oldest.tile + 1;
    }
};

/// Sums of the packed counts of a tile's warps.
struct WarpOffset {
    unsigned tile_counts;  ///< of the whole tile
    unsigned warp_starts;  ///< of the warps before this one

    __device__ explicit WarpOffset(const unsigned* warp_counts) {
        // Only the scan of the first ticketed_workers + 1 lanes is read; the others repeat their counts.
        const unsigned warp_count = warp_counts[lane_index() % (ticketed_workers + 1)];
        const unsigned inclusive = warp_inclusive_scan(warp_count);
        tile_counts = __shfl_sync(all_lanes, inclusive, ticketed_workers);
        warp_starts = __shfl_sync(all_lanes, inclusive - warp_count, warp_in_block());
    }
};

/// Takes tiles until there are none. A tile is ranked and published, and its kept items are gathered in a
/// stage; they are written out two tiles later. All threads of a block of `Warps` warps call; warps beyond
/// `ticketed_threads` only help to write. stages: shared memory for the items of `num_ticketed_stages` tiles,
/// aligned to a vector. Always inlined: as a function, it would use too many registers in debug code.
template <typename ItemT, int Rows, unsigned Warps, typename SelectorT, typename CountT, typename StampT>
__device__ __forceinline__ void compact_by_tickets(const AlignedSpan<ItemT>& input, unsigned num_tiles,
                                                   TicketState state, ItemT* out, CountT* num_selected,
                                                   const SelectorT& selector, const StampT& stamp,
                                                   void* stages,
                                                   TicketedStorage<num_parts<SelectorT>>& storage) {
    using Words = WordsOf<sizeof(ItemT)>;
    static_assert(ticketed_items<ItemT, Rows> < 1U << packed_bits);
    constexpr unsigned parts = num_parts<SelectorT>;
    constexpr int width = vector_items<ItemT>;
    constexpr int max_gathered = num_ticketed_stages - 1;
    const auto stage = [&](unsigned index) {
        return static_cast<Words*>(stages) + index % num_ticketed_stages * ticketed_items<ItemT, Rows>;
    };
    [[maybe_unused]] const auto first_of = [](unsigned tile) {
        return std::uint64_t{tile} * ticketed_items<ItemT, Rows>;
    };
    [[maybe_unused]] constexpr unsigned tile_items = ticketed_items<ItemT, Rows>;
    const auto write_out = [&](const Words* from, const GatheredTile& tile) {
        const auto counts = unpack_counts<parts>(tile.counts);
        if constexpr (moves_columns<SelectorT>)
            selector.template write_gathered<Warps * warp_size, tile_items>(from, counts.of[0],
                                                                            storage.offset.of[0]);
        else if (changes_tile<SelectorT>(input, first_of(tile.tile + 1),
                                         storage.offset.total() + counts.total()))
            write_lines<Warps * warp_size>(from, counts.of[0], out + storage.offset.of[0]);
        if constexpr (parts == 2) {
            write_lines<Warps * warp_size>(from + counts.of[0], counts.of[1],
                                           selector.second_out + storage.offset.of[1]);
        }
        if constexpr (partitions<SelectorT>) {
            const std::uint64_t first = first_of(tile.tile);
            const unsigned rejected = num_rejected(input, first, ticketed_items<ItemT, Rows>, counts.total());
            write_lines<Warps * warp_size>(
                from + counts.total(), rejected,
                selector.rejected_at(input.items_before(first) - storage.offset.total(), rejected));
        }
    };
    const bool is_worker = warp_in_block() < ticketed_workers;
    // Both cases select the same warp; in the first, the compiler sees that every other warp is a worker.
    const bool takes_tickets =
        Warps == ticketed_workers + 1 ? !is_worker : warp_in_block() == ticketed_workers;
    TicketWarp<parts> ticket_warp{state, num_tiles, storage, /*ticket=*/num_tiles};
    if (threadIdx.x < 2) storage.warp_counts[threadIdx.x][ticketed_workers] = 0;
    if (takes_tickets) ticket_warp.start();
    __syncthreads();  // the first tile is written

    unsigned tile = storage.tile_after[1];
    TilePart<ItemT, Rows> part;
    if (is_worker && tile < num_tiles) part.load(input, tile, selector);
    GatheredTile gathered[max_gathered];  // the newest first
#pragma unroll
    for (GatheredTile& each : gathered) each = {num_tiles, 0};  // none
    unsigned turn = 0;
    // The stages form a ring: stage(next_stage) is for the next tile, gathered[i] is in
    // stage(next_stage - 1 - i). So the oldest is in stage(next_stage + 1).
    unsigned next_stage = 0;
    for (; tile < num_tiles; turn ^= 1) {
        const GatheredTile oldest = gathered[max_gathered - 1];
        if (takes_tickets) ticket_warp.begin_turn(turn, oldest.tile);
        const std::uint64_t position = part.first - input.begin;
        const unsigned bits = is_worker ? selected_bits<ItemT>(part.rows, part.valid, position, selector) : 0;
        const BitRanks<Rows, width> ranks(bits);
        unsigned second = 0, num_second = 0;
        if constexpr (parts == 2) {
            if (is_worker)
                second = selected_bits<ItemT>(part.rows, part.valid & ~bits, position, selector.second);
            num_second = warp_reduce_add(__popc(second));
        }
        if (is_worker && lane_index() == 0)
            storage.warp_counts[turn][warp_in_block()] = pack_counts(ranks.total, num_second);
        __syncthreads();  // all counts and the next tile are written; the next stage has been written out

        const unsigned next_tile = storage.tile_after[turn];
        const WarpOffset offset(storage.warp_counts[turn]);
        if (is_worker) {
            const auto counts = unpack_counts<parts>(offset.tile_counts);
            const auto warp_starts = unpack_counts<parts>(offset.warp_starts);
            Words* const warp_stage = stage(next_stage) + warp_starts.of[0];
            ranks.for_each_selected([&](unsigned rank, int row, int k) {
                if constexpr (moves_columns<SelectorT>)
                    selector.template gather<tile_items>(shared_address(stage(next_stage)),
                                                         warp_starts.of[0] + rank,
                                                         words_in<sizeof(ItemT)>(part.rows[row], k));
                else
                    warp_stage[rank] = output_words<ItemT, SelectorT>(part.rows[row], position, row, k);
            });
            if constexpr (parts == 2) {
                store_items<ItemT>(part.rows, second, stage(next_stage) + counts.of[0] + warp_starts.of[1]);
            }
            if constexpr (partitions<SelectorT>) {
                const std::uint64_t first = first_of(tile);
                const RejectedRows rejected{
                    part.valid & ~(bits | second), input.items_in(first, part.first) - warp_starts.total(),
                    num_rejected(input, first, ticketed_items<ItemT, Rows>, counts.total())};
                store_rejected<ItemT, SelectorT>(part.rows, rejected, stage(next_stage) + counts.total());
            }
            if (next_tile < num_tiles) part.load(input, next_tile, selector);
        } else if (takes_tickets) {
            fence_if_in_place<SelectorT>();
            ticket_warp.publish(tile, offset.tile_counts);
            if (lane_index() == 0) stamp.note_posted(tile);
            if (oldest.tile < num_tiles) {
                ticket_warp.look_back(oldest, num_selected);
                fence_if_in_place<SelectorT>();
            }
        }
        if (oldest.tile < num_tiles) {
            __syncthreads();  // the offset is written; the oldest stage was complete at an earlier barrier
            if (takes_tickets && lane_index() == 0) stamp.note_summed(oldest.tile);
            write_out(stage(next_stage + 1), oldest);
        }
#pragma unroll
        for (int i = max_gathered - 1; i > 0; --i) gathered[i] = gathered[i - 1];
        gathered[0] = {tile, offset.tile_counts};
        next_stage = (next_stage + 1) % num_ticketed_stages;
        if (threadIdx.x == 0) stamp.add_ticket(tile, unpack_counts<parts>(offset.tile_counts).total());
        tile = next_tile;
    }
#pragma unroll
    for (int i = max_gathered - 1; i >= 0; --i) {
        if (gathered[i].tile == num_tiles) continue;  // the block had fewer tiles
        __syncthreads();                              // all have read the offset before it is overwritten
        if (takes_tickets) {
            state.load(ticket_warp.loaded, ticket_warp.num_summed, gathered[i].tile);
            ticket_warp.look_back(gathered[i], num_selected);
            fence_if_in_place<SelectorT>();
        }
        __syncthreads();  // the offset is written, and the stage is complete
        if (takes_tickets && lane_index() == 0) stamp.note_summed(gathered[i].tile);
        write_out(stage(next_stage + max_gathered - i), gathered[i]);
    }
}

inline namespace COMPACTION_ARCHITECTURES {

/// Resets the words of a TicketState. Lets the ticketed kernel start at once.
template <typename TicketStateT>
__global__ void __launch_bounds__(reset_threads)
    reset_tickets_kernel(TicketStateT state, unsigned num_words) {
    trigger_dependent_launch();
    wait_for_previous_launch();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < num_words) state.words[i] = 0;
}

/// May start while the previous launch runs. Most blocks take the tile of their number first, so they
/// prefetch it.
template <typename ItemT, int Rows, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(ticketed_threads, ticketed_blocks_per_multiprocessor)
    ticketed_kernel(AlignedSpan<ItemT> input, unsigned num_tiles, TicketState state, ItemT* out,
                    CountT* num_selected, SelectorT selector) {
    COMPACTION_DYNAMIC_SHARED(ticketed_stages, 16, uint4);
    COMPACTION_SHARED(storage, TicketedStorage<num_parts<SelectorT>>);
    const auto& stamp = stamp_block(selector, BlockStart::after_wait);
    if (reads_array<SelectorT> && threadIdx.x == 0 && blockIdx.x < num_tiles)
        prefetch_tile<ticketed_items<ItemT, Rows>>(input, blockIdx.x);
    trigger_dependent_launch();
    wait_for_previous_launch();
    stamp.begin();
    compact_by_tickets<ItemT, Rows, ticketed_workers + 1>(input, num_tiles, state, out, num_selected,
                                                          selector, stamp, ticketed_stages, storage);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
