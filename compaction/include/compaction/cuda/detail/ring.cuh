#pragma once

#include "compaction/cuda/detail/async_copy.cuh"
#include "compaction/cuda/detail/board.cuh"
#include "compaction/cuda/detail/lanes.cuh"
#include "compaction/cuda/detail/neighbours.cuh"

/// Long streams on Hopper and later: one persistent block to a multiprocessor, whose warps have roles.
///
/// Block b compacts tiles b, b + grid, b + 2 grid, ...; its k-th tile is its round k. The last round's tiles
/// are as short as makes them all alike, so that no block is idle in it. A tile is cut into chunks, and each
/// chunk has a few slots in shared memory, filled by bulk copies. A *counter* counts a chunk as soon as it
/// has arrived, which is up to `Slots` rounds before it is written out; the last one to arrive publishes the
/// tile's count. The *look-back* warp adds up what the grid's other blocks published since the block's own
/// tile before: one hop, and no block's count ever waits for another's. A *finisher* ranks a chunk, puts the
/// kept items together where they lie, sends them off by a bulk copy, and asks for what comes next into that
/// slot; two take turns with each chunk.
namespace compaction::cuda::detail {

inline constexpr unsigned chunk_bytes = 4096;
inline constexpr int chunk_rows = chunk_bytes / (warp_lanes * vector_bytes);
/// A slot has room for a whole chunk that begins anywhere within a line.
inline constexpr unsigned slot_bytes = chunk_bytes + line_bytes;

inline constexpr int finishers_each = 2;  ///< of a chunk
/// How many rounds are asked for at once in the beginning: as much as keeps the memory busy. What is asked
/// for beyond only queues, and the status words of the first rounds queue behind it.
inline constexpr unsigned rounds_at_once = 2;
static_assert(rounds_at_once % finishers_each == 0, "a finisher waits for a phase that only it can end");

template <typename ItemT>
inline constexpr unsigned chunk_items = chunk_bytes / sizeof(ItemT);

/// How a stream is dealt out to the blocks: whole rounds, then one of what is left.
struct Deal {
    unsigned num_rounds;
    unsigned last_items;  ///< to a chunk of the last round
};

/// Shared memory of a block. A tile's slot is its round modulo Slots.
template <int Chunks, int Slots>
struct RingStore {
    static constexpr unsigned num_threads = ((finishers_each + 1) * Chunks + 1) * warp_lanes;

    alignas(128) std::byte slots[Chunks][Slots][slot_bytes];
    unsigned kept[Slots][Chunks][warp_lanes];  ///< by the counters: a bit to an item
    /// By the counters. Twice as deep as the rest: a counter may count a chunk again before all finishers
    /// have added up the counts of the tile that was in the slot.
    unsigned chunk_count[2 * Slots][Chunks];
    unsigned tally[Slots];            ///< arrived counters in the upper half, what they counted in the lower
    unsigned tile_count[Slots];       ///< by the last counter
    std::uint64_t tile_start[Slots];  ///< by the look-back warp: where the tile's output begins
    std::uint64_t filled[Chunks][Slots];  ///< barrier: the chunk is there
    std::uint64_t counted[Slots];         ///< barrier: all chunks of the tile are counted
    std::uint64_t placed[Slots];          ///< barrier: tile_start is there
    std::uint64_t begun;                  ///< barrier: first_tag is there
    Tag first_tag;                        ///< of round 0
};

#if COMPACTION_HAS_BULK_COPIES

template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
struct Ring {
    using Store = RingStore<Chunks, Slots>;
    static constexpr int width = vector_items<ItemT>;
    static constexpr unsigned items = chunk_items<ItemT>;

    Stream<ItemT> stream;
    Deal deal;
    RingBoard& board;
    ItemT* out;
    CountT* num_selected;
    const SelectorT& keeps;
    Store& store;

    __device__ unsigned items_in(unsigned round) const {
        return round == deal.num_rounds - 1 ? deal.last_items : items;
    }
    __device__ std::uint64_t first_item(unsigned round, unsigned chunk) const {
        return std::uint64_t{round} * gridDim.x * Chunks * items +
               std::uint64_t{blockIdx.x * Chunks + chunk} * items_in(round);
    }

    /// A finisher asks for a chunk of that round's tile: lane 0 does, and the others say that they are
    /// through with the slot. Where little is kept, what has been read is not worth a place in the L2 cache;
    /// where much is, evicting it early gets in the way of the writes.
    __device__ void ask_for(unsigned round, unsigned chunk, bool sparse) const {
        if (round >= deal.num_rounds) return;
        const unsigned slot = round % Slots;
        const std::uint32_t filled = shared_address(&store.filled[chunk][slot]);
        const std::uint64_t first = first_item(round, chunk);
        keeps.prefetch(first - stream.begin, stream.end - stream.begin, items_in(round));
        if (lane() != 0) return arrive(filled);
        const std::uint32_t to = shared_address(store.slots[chunk][slot]);
        const std::uint64_t policy = sparse ? evict_first_policy() : evict_normal_policy();
        const std::uint64_t last = first + items_in(round);
        if (stream.holds(first, last)) {
            const auto bytes = static_cast<unsigned>((last - first) * sizeof(ItemT));
            arrive_and_expect(filled, bytes);
            load_bulk(to, stream.base + first, bytes, filled, policy);
        } else {
            ask_for_part(first, last, to, filled, policy);
        }
    }

    /// At an end of the stream: whole vectors by a bulk copy, the few items beside them one by one, and
    /// nothing that lies outside it.
    __device__ void ask_for_part(std::uint64_t first, std::uint64_t last, std::uint32_t to,
                                 std::uint32_t filled, std::uint64_t policy) const {
        using Words = WordsOf<sizeof(ItemT)>;
        const auto* const source = reinterpret_cast<const Words*>(stream.base) + first;
        const auto begin = static_cast<unsigned>(min(max(stream.begin, first), last) - first);
        const auto end = static_cast<unsigned>(max(first, min(stream.end, last)) - first);
        const unsigned whole_begin = min((begin + width - 1) / width * width, end);
        const unsigned whole_end = max(end / width * width, whole_begin);
        for (unsigned i = begin; i < whole_begin; ++i) store_shared(to + i * sizeof(Words), source[i]);
        for (unsigned i = whole_end; i < end; ++i) store_shared(to + i * sizeof(Words), source[i]);
        const unsigned bytes = (whole_end - whole_begin) * static_cast<unsigned>(sizeof(Words));
        arrive_and_expect(filled, bytes);
        if (bytes > 0)
            load_bulk(to + whole_begin * sizeof(Words), source + whole_begin, bytes, filled, policy);
    }

    __device__ void read_chunk(uint4 (&rows)[chunk_rows], unsigned chunk, unsigned slot) const {
        const std::uint32_t from = shared_address(store.slots[chunk][slot]) + lane() * vector_bytes;
#pragma unroll
        for (int r = 0; r < chunk_rows; ++r) load_shared(rows[r], from + r * warp_lanes * vector_bytes);
    }

    /// A bit for every item of the chunk that is kept. Whole chunks are spared the question which of their
    /// items are in the stream: where little is kept, the counters' instructions are what the time goes by.
    __device__ unsigned kept_of(const uint4 (&rows)[chunk_rows], unsigned round, unsigned chunk) const {
        const std::uint64_t first = first_item(round, chunk);
        const Stream<ItemT> part = stream.until(first + items_in(round));
        if (part.holds(first, first + items)) return kept_bits<ItemT>(rows, first - stream.begin, keeps);
        const unsigned valid = valid_bits<ItemT, chunk_rows>(part, first, false);
        return kept_bits<ItemT>(rows, valid, first - stream.begin, keeps);
    }

    __device__ void run_counter(unsigned chunk) const {
        wait(shared_address(&store.begun), 0);
        const Tag first_tag = store.first_tag;
        unsigned slot = 0;
        unsigned parity = 0;
        for (unsigned round = 0; round < deal.num_rounds; ++round) {
            wait(shared_address(&store.filled[chunk][slot]), parity);
            uint4 rows[chunk_rows];
            read_chunk(rows, chunk, slot);
            const unsigned bits = kept_of(rows, round, chunk);
            store.kept[slot][chunk][lane()] = bits;
            const unsigned count = add_over_lanes(__popc(bits));
            if (lane() == 0) {
                store.chunk_count[round % (2 * Slots)][chunk] = count;
                tally(slot, count, first_tag + round);
            }
            arrive(shared_address(&store.counted[slot]));
            if (++slot == Slots) slot = 0, parity ^= 1;
        }
    }

    /// The last counter of a tile publishes it at once. By one lane.
    __device__ void tally(unsigned slot, unsigned count, Tag tag) const {
        const unsigned before = atomicAdd_block(&store.tally[slot], (1U << count_bits) + count);
        if (before >> count_bits != Chunks - 1) return;
        const unsigned total = (before & ((1U << count_bits) - 1)) + count;
        publish(board.words[0][tag % ring_window], ring_window * max_ring_blocks, blockIdx.x,
                status_word(tag, total));
        store.tile_count[slot] = total;
        store.tally[slot] = 0;
    }

    /// The status words of the tiles between this block's last one and its next, spread over the lanes.
    struct Window {
        static constexpr int words_each = max_ring_blocks / warp_lanes;
        StatusWord words[words_each];

        __device__ static bool this_round(int i) { return lane() + i * warp_lanes < blockIdx.x; }
        __device__ static Tag tag_of(int i, Tag tag) { return this_round(i) ? tag : tag - 1; }
        __device__ static bool wanted(int i, unsigned round) {
            const unsigned block = lane() + i * warp_lanes;
            return this_round(i) || (block > blockIdx.x && block < gridDim.x && round > 0);
        }

        /// All loads are under way before the first is looked at.
        __device__ void load(const RingBoard& board, Tag tag) {
#pragma unroll
            for (int i = 0; i < words_each; ++i) {
                words[i] = read_word(&board.words[blockIdx.x % board_copies][tag_of(i, tag) % ring_window]
                                                 [lane() + i * warp_lanes]);
            }
        }
        __device__ bool complete(unsigned round, Tag tag) const {
            bool all = true;
#pragma unroll
            for (int i = 0; i < words_each; ++i) {
                all = all && (!wanted(i, round) || has_tag(words[i], tag_of(i, tag)));
            }
            return __all_sync(whole_warp, all);
        }
        __device__ unsigned sum(unsigned round) const {
            unsigned mine = 0;
#pragma unroll
            for (int i = 0; i < words_each; ++i) mine += wanted(i, round) ? count_in(words[i]) : 0;
            return add_over_lanes(mine);
        }
    };

    /// By the look-back warp: the barriers of whole tiles. Returns the rounds so far, as one lane reads them:
    /// that lane's barriers and words are then what orders the read before the last block's write.
    __device__ Tag begin_tiles() const {
        // Under way while the barriers are made.
        const Tag rounds_before = lane() == 0 ? read_word(&board.rounds) : 0;
        if (lane() < Slots) {
            store.tally[lane()] = 0;
            init_barrier(shared_address(&store.counted[lane()]), Chunks * warp_lanes);
            init_barrier(shared_address(&store.placed[lane()]), 1);
        }
        if (lane() == 0) init_barrier(shared_address(&store.begun), 1);
        return __shfl_sync(whole_warp, rounds_before, 0);
    }

    __device__ void run_look_back(Tag rounds_before) const {
        const Tag first_tag = rounds_before + 1;
        if (lane() == 0) {
            store.first_tag = first_tag;
            arrive(shared_address(&store.begun));
        }
        std::uint64_t kept_before = 0;  // of lane 0
        unsigned slot = 0;
        unsigned parity = 0;
        Window window;
        window.load(board, first_tag);
        for (unsigned round = 0; round < deal.num_rounds; ++round) {
            const Tag tag = first_tag + round;
            while (!window.complete(round, tag)) window.load(board, tag);
            kept_before += window.sum(round);
            window.load(board, tag + 1);  // looked at in the next round
            wait(shared_address(&store.counted[slot]), parity);
            if (lane() == 0) {
                const unsigned own_count = store.tile_count[slot];
                store.tile_start[slot] = kept_before;
                arrive(shared_address(&store.placed[slot]));
                kept_before += own_count;
                if (round == deal.num_rounds - 1 && blockIdx.x == gridDim.x - 1) {
                    *num_selected = static_cast<CountT>(kept_before);
                    // Every block has published all its tiles by now, and read the old number of rounds
                    // before.
                    write_word(&board.rounds, tag);
                }
            }
            __syncwarp();  // the lanes look at the next words together
            if (++slot == Slots) slot = 0, parity ^= 1;
        }
    }

    /// By a chunk's first finisher: its barriers, and the first loads of all.
    __device__ void begin_chunk(unsigned chunk) const {
        if (lane() < Slots) {
            init_barrier(shared_address(&store.filled[chunk][lane()]), warp_lanes);
            fence_barrier_init();
        }
        __syncwarp();  // all lanes arrive at what others of them have initialised
        ask_for(0, chunk, false);
    }

    __device__ void run_finisher(unsigned chunk, unsigned turn) const {
        bool sparse = false;
        for (unsigned round = turn == 0 ? finishers_each : turn; round < Slots; round += finishers_each) {
            if (round >= rounds_at_once && round < deal.num_rounds)
                wait(shared_address(&store.filled[chunk][round - rounds_at_once]), 0);
            ask_for(round, chunk, sparse);
        }
        for (unsigned round = turn; round < deal.num_rounds; round += finishers_each) {
            const unsigned slot = round % Slots;
            const unsigned parity = round / Slots % 2;
            wait(shared_address(&store.counted[slot]), parity);
            // Counted, hence filled, so this wait is over at once; it is there to see what the copy engine
            // wrote.
            wait(shared_address(&store.filled[chunk][slot]), parity);
            sparse = finish(round, chunk, slot, parity) < items / 8;
            if (lane() == 0) wait_stores_read<0>();
            __syncwarp();  // the slot has been read by the copy engine, and its ragged ends by all lanes
            ask_for(round + Slots, chunk, sparse);
        }
    }

    /// Puts a chunk's kept items together where the chunk lies, and sends them off; returns how many.
    __device__ unsigned finish(unsigned round, unsigned chunk, unsigned slot, unsigned parity) const {
        uint4 rows[chunk_rows];
        read_chunk(rows, chunk, slot);
        const unsigned bits = store.kept[slot][chunk][lane()];
        const Ranks<chunk_rows, width> ranks(bits);
        const unsigned before =
            add_over_lanes(lane() < chunk ? store.chunk_count[round % (2 * Slots)][lane()] : 0);

        // All that could be done without knowing where the tile's output begins has been done.
        wait(shared_address(&store.placed[slot]), parity);
        ItemT* const to = out + store.tile_start[slot] + before;
        // At the output's own phase within a line, so that whole vectors here are whole vectors there.
        const std::uint32_t phase = reinterpret_cast<std::uintptr_t>(to) % line_bytes;
        const std::uint32_t from = shared_address(store.slots[chunk][slot]) + phase;
        __syncwarp();  // all lanes have read the chunk before it is overwritten
        ranks.for_each_kept(bits, [&](unsigned rank, int row, int k) {
            store_shared(from + rank * static_cast<unsigned>(sizeof(ItemT)),
                         words_in<sizeof(ItemT)>(rows[row], k));
        });
        send(to, from, ranks.total);
        if (lane() == 0) commit_stores();
        return ranks.total;
    }

    /// One bulk copy of the aligned middle; the items before and after it one by one.
    __device__ void send(ItemT* to, std::uint32_t from, unsigned count) const {
        fence_for_copies();
        __syncwarp();  // all lanes have placed their items
        const unsigned misaligned = from / sizeof(ItemT) % width;
        const unsigned head = min(count, misaligned == 0 ? 0 : width - misaligned);
        const unsigned middle = (count - head) / width * width;
        if (lane() == 0 && middle > 0) {
            store_bulk(to + head, from + head * static_cast<unsigned>(sizeof(ItemT)),
                       middle * static_cast<unsigned>(sizeof(ItemT)));
        }
        if constexpr (width > 1) {
            const unsigned i = lane() < head ? lane() : lane() + middle;
            if (i < count) {
                WordsOf<sizeof(ItemT)> words;
                load_shared(words, from + i * static_cast<unsigned>(sizeof(ItemT)));
                reinterpret_cast<WordsOf<sizeof(ItemT)>*>(to)[i] = words;
            }
        }
    }
};

#endif

/// Launched with at most one block to a multiprocessor, all co-resident.
/// Dynamic shared memory: a RingStore.
template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(RingStore<Chunks, Slots>::num_threads, 1)
    ring_kernel(Stream<ItemT> stream, Deal deal, Board* board, ItemT* out, CountT* num_selected,
                SelectorT keeps) {
#if COMPACTION_HAS_BULK_COPIES
    extern __shared__ __align__(128) std::byte ring_store[];
    auto& store = *reinterpret_cast<RingStore<Chunks, Slots>*>(ring_store);
    const Ring<ItemT, Chunks, Slots, SelectorT, CountT> ring{stream,       deal,  board->ring, out,
                                                             num_selected, keeps, store};
    constexpr unsigned look_back_warp = (finishers_each + 1) * Chunks;
    let_next_launch_begin();
    Tag rounds_before = 0;
    if (warp() == look_back_warp) rounds_before = ring.begin_tiles();
    if (warp() < Chunks) ring.begin_chunk(warp());
    __syncthreads();  // the barriers can be waited for
    if (warp() < finishers_each * Chunks) {
        ring.run_finisher(warp() % Chunks, warp() / Chunks);
    } else if (warp() < look_back_warp) {
        ring.run_counter(warp() - finishers_each * Chunks);
    } else {
        ring.run_look_back(rounds_before);
    }
#endif
}

}  // namespace compaction::cuda::detail
