#pragma once

#include "compaction/cuda/detail/lanes.cuh"

/// Any stream on any card: blocks take tiles by ticket, in the order they come, and so wait only for blocks
/// that already run.
///
/// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back", for
/// publishing and looking back. What is ours: only aggregates are published, and a block adds up those since
/// its own last tile, so no prefix travels from tile to tile; and a tile's output waits in shared memory for
/// one more tile, so that what it looks back at has long been published, and the next tile's loads are under
/// way meanwhile.
namespace compaction::cuda::detail {

inline constexpr unsigned ticketed_threads = 512;
/// All warps but the last rank and move items; the last takes tickets, publishes and looks back meanwhile.
inline constexpr unsigned ticketed_workers = ticketed_threads / warp_lanes - 1;

template <typename ItemT, int Rows>
inline constexpr unsigned ticketed_items = ticketed_workers* warp_lanes* vector_items<ItemT>* Rows;

/// Device memory: [1 + num_tiles] words, all zero before the launch. The first counts tickets; the others are
/// one to a tile, 0 until what the tile keeps is known.
struct TicketBoard {
    std::uint32_t* words;

    static constexpr std::uint32_t known = 1U << 31;

    __device__ unsigned take_tile() const { return atomicAdd(words, 1U); }

    __device__ void publish(unsigned tile, unsigned count) const {
        asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(
                         __cvta_generic_to_global(words + std::size_t{1} + tile)),
                     "r"(known | count));
    }

    /// What tiles [first, last) keep together; waits until all have been published. By a whole warp.
    __device__ std::uint64_t sum(unsigned first, unsigned last) const {
        constexpr int loads_in_flight = 8;
        std::uint64_t mine = 0;
        for (unsigned start = first + lane(); start < last; start += loads_in_flight * warp_lanes) {
            std::uint32_t word[loads_in_flight];
#pragma unroll
            for (int i = 0; i < loads_in_flight; ++i) {
                const unsigned tile = start + i * warp_lanes;
                word[i] = tile < last ? read(tile) : known;
            }
#pragma unroll
            for (int i = 0; i < loads_in_flight; ++i) {
                while (!(word[i] & known)) word[i] = read(start + i * warp_lanes);
                mine += word[i] & (known - 1);
            }
        }
        __syncwarp();
        return sum_over_lanes(mine);
    }

  private:
    __device__ std::uint32_t read(unsigned tile) const {
        std::uint32_t word;
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                     : "=r"(word)
                     : "l"(__cvta_generic_to_global(words + std::size_t{1} + tile)));
        return word;
    }
};

/// A warp's part of a tile, in registers, and which of it is kept.
template <typename ItemT, int Rows>
struct TilePart {
    uint4 rows[Rows];
    std::uint64_t first = 0;
    unsigned valid = 0;

    __device__ void load(const Stream<ItemT>& stream, unsigned tile) {
        constexpr unsigned part_items = Rows * warp_lanes * vector_items<ItemT>;
        first = (std::uint64_t{tile} * ticketed_workers + warp()) * part_items;
        const bool inside = stream.holds(first, first + part_items);
        valid = valid_bits<ItemT, Rows>(stream, first, inside);
        load_rows(rows, stream, first, inside);
    }
};

/// Shared memory of a block beside its stages. What there are two of is used in turn.
struct TicketedStore {
    unsigned warp_counts[2][ticketed_workers + 1];  ///< of the tile being ranked
    unsigned tile_after[2];                         ///< the tile to load next
    std::uint64_t offset;                           ///< where the output of the tile before starts
};

/// What the last warp does: takes tickets one tile ahead, so that no one waits for them, publishes and looks
/// back.
struct TicketKeeper {
    TicketBoard board;
    unsigned num_tiles;
    TicketedStore& store;
    unsigned ticket;                ///< lane 0: the tile after the next
    std::uint64_t kept_before = 0;  ///< what tiles [0, num_summed) keep
    unsigned num_summed = 0;

    __device__ void begin() {
        if (lane() != 0) return;
        store.tile_after[1] = board.take_tile();
        if (store.tile_after[1] < num_tiles) ticket = board.take_tile();
    }

    /// Published before looking back: no block's count ever waits for another's.
    __device__ void publish(unsigned tile, unsigned count, bool more) {
        if (lane() != 0) return;
        board.publish(tile, count);
        if (more) ticket = board.take_tile();
    }

    template <typename CountT>
    __device__ void look_back(unsigned tile, unsigned count, CountT* num_selected) {
        kept_before += board.sum(num_summed, tile);
        if (lane() == 0) {
            store.offset = kept_before;
            if (tile == num_tiles - 1) *num_selected = static_cast<CountT>(kept_before + count);
        }
        kept_before += count;
        num_summed = tile + 1;
    }
};

/// A warp's place in a tile, from what the tile's warps keep.
struct PlaceInTile {
    unsigned count;  ///< of the whole tile
    unsigned start;  ///< what the warps before this one keep

    __device__ explicit PlaceInTile(const unsigned* warp_counts) {
        const unsigned kept = warp_counts[lane() % (ticketed_workers + 1)];
        const unsigned inclusive = scan_over_lanes(kept);
        count = __shfl_sync(whole_warp, inclusive, ticketed_workers);
        start = __shfl_sync(whole_warp, inclusive - kept, warp());
    }
};

/// Takes tiles until there are none. A tile is ranked and published, and its kept items are put together in
/// shared memory; they are written out one tile later. Dynamic shared memory: two stages of a tile's items
/// each.
template <typename ItemT, int Rows, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(ticketed_threads, 2)
    ticketed_kernel(Stream<ItemT> stream, unsigned num_tiles, TicketBoard board, ItemT* out,
                    CountT* num_selected, SelectorT keeps) {
    using Words = WordsOf<sizeof(ItemT)>;
    constexpr int width = vector_items<ItemT>;
    extern __shared__ uint4 ticketed_stages[];
    __shared__ TicketedStore store;
    const auto stage = [&](unsigned turn) {
        return reinterpret_cast<Words*>(ticketed_stages) + turn * ticketed_items<ItemT, Rows>;
    };
    const bool is_worker = warp() < ticketed_workers;
    TicketKeeper keeper{board, num_tiles, store, num_tiles};
    if (threadIdx.x < 2) store.warp_counts[threadIdx.x][ticketed_workers] = 0;
    if (!is_worker) keeper.begin();
    __syncthreads();  // the first tile is known

    unsigned tile = store.tile_after[1];
    TilePart<ItemT, Rows> part;
    if (is_worker && tile < num_tiles) part.load(stream, tile);
    unsigned previous_tile = num_tiles;  // none
    unsigned previous_count = 0;
    unsigned turn = 0;
    for (; tile < num_tiles; turn ^= 1) {
        const unsigned bits =
            is_worker ? kept_bits<ItemT>(part.rows, part.valid, part.first - stream.begin, keeps) : 0;
        const Ranks<Rows, width> ranks(bits);
        if (lane() == 0) {
            if (is_worker)
                store.warp_counts[turn][warp()] = ranks.total;
            else
                store.tile_after[turn] = keeper.ticket;
        }
        __syncthreads();  // all counts and the next tile are there; this turn's stage has been written out

        const unsigned next_tile = store.tile_after[turn];
        const PlaceInTile in_tile(store.warp_counts[turn]);
        if (is_worker) {
            Words* const warp_stage = stage(turn) + in_tile.start;
            ranks.for_each_kept(bits, [&](unsigned rank, int row, int k) {
                warp_stage[rank] = words_in<sizeof(ItemT)>(part.rows[row], k);
            });
            if (next_tile < num_tiles) part.load(stream, next_tile);
        } else {
            keeper.publish(tile, in_tile.count, next_tile < num_tiles);
            if (previous_tile < num_tiles) keeper.look_back(previous_tile, previous_count, num_selected);
        }
        if (previous_tile < num_tiles) {
            __syncthreads();  // the offset is there; the stage before was complete at the barrier before
            write_lines<ticketed_threads>(stage(turn ^ 1), previous_count, out + store.offset);
        }
        previous_tile = tile;
        previous_count = in_tile.count;
        tile = next_tile;
    }
    if (previous_tile == num_tiles) return;  // there was no tile for this block
    __syncthreads();                         // all have read the offset before the last one replaces it
    if (!is_worker) keeper.look_back(previous_tile, previous_count, num_selected);
    __syncthreads();  // the last offset is there and the last stage is complete
    write_lines<ticketed_threads>(stage(turn ^ 1), previous_count, out + store.offset);
}

}  // namespace compaction::cuda::detail
