#pragma once

#include "compaction/cuda/detail/arrivals.cuh"
#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/ranks.cuh"
#include "compaction/cuda/detail/selectors.cuh"
#include "compaction/cuda/detail/stamped.cuh"
#include "compaction/cuda/detail/ticketed.cuh"
#include "compaction/cuda/detail/tile_state.cuh"

/// Persistent pipeline, for long streams on Hopper and later: one block for each multiprocessor, with
/// specialised warps.
///
/// Block b compacts tiles b, b + grid, b + 2 grid, ...; its k-th tile is its round k. The tiles of the last
/// round are shortened to equal length, so that no block is idle in it. A tile is cut into chunks. Each
/// chunk has a few slots in shared memory, which bulk copies fill.
/// - A *count warp* counts a chunk as soon as it arrives, up to `Slots` rounds before it is written out.
///   The last count warp of a tile publishes the tile's count.
/// - The *look-back warp* adds up the counts that the other blocks have published since this block's
///   previous tile. That is one hop: no block publishes later because it waits for another.
/// - A *scatter warp* ranks a chunk, packs the kept items within its slot, stores them with a bulk copy and
///   requests the next chunk for the slot. Each chunk has two, which take alternate rounds. While it waits
///   for the count of its round, it counts later ones.
///
/// All blocks must be resident at once. Where they are not, the launch goes on by tickets (arrivals.cuh).
namespace compaction::cuda::detail {

inline constexpr int chunk_rows = chunk_bytes / (warp_size * vector_bytes);
static_assert(chunk_rows % counted_rows == 0);
/// A slot has room for a whole chunk that begins anywhere within a line.
inline constexpr unsigned slot_bytes = chunk_bytes + line_bytes;
static_assert(initial_rounds % scatter_warps_per_chunk == 0,
              "otherwise a scatter warp waits for a phase that only it can complete");

template <typename ItemT>
inline constexpr unsigned chunk_items = chunk_bytes / sizeof(ItemT);

/// How the tiles of a stream are assigned to blocks: whole rounds, then one round of the rest. Its tiles have
/// fewer chunks, not shorter ones: the code that counts whole chunks is in the instruction cache by then.
struct TileSchedule {
    unsigned num_rounds;
    unsigned last_chunks;  ///< per tile of the last round
};

/// Shared memory of a block. A tile uses slot round % Slots.
template <int Chunks, int Slots>
struct PipelineStorage {
    static constexpr unsigned chunks = Chunks;
    static constexpr unsigned slots_per_chunk = Slots;
    static constexpr unsigned num_threads = ((scatter_warps_per_chunk + 1) * Chunks + 1) * warp_size;

    alignas(128) std::byte slots[Chunks][Slots][slot_bytes];
    unsigned kept[Slots][Chunks][warp_size];  ///< by the count warps: one bit for each item
    /// By the count warps. Twice as deep as the rest: a count warp may count the next chunk of a slot
    /// before all scatter warps have added up the counts of the tile that was in it.
    unsigned chunk_count[2 * Slots][Chunks];
    unsigned next_to_count[Chunks];   ///< the first round of the chunk that no warp has taken to count
    unsigned tally[Slots];            ///< arrived count warps in the upper half, their counts in the lower
    unsigned tile_count[Slots];       ///< by the last count warp
    std::uint64_t tile_start[Slots];  ///< by the look-back warp: where the tile's output begins
    std::uint64_t filled[Chunks][Slots];  ///< barrier: the chunk has arrived
    std::uint64_t counted[Slots];         ///< barrier: all chunks of the tile are counted
    std::uint64_t placed[Slots];          ///< barrier: tile_start is written
    std::uint64_t started;                ///< barrier: first_tag is written
    Tag first_tag;                        ///< of round 0
    Course course;                        ///< by the look-back warp
    unsigned left_in;                     ///< by the look-back warp, where it leaves: the round
};

/// The parameters of a launch beside its stream.
struct PipelineOptions {
    std::uint32_t* tickets;  ///< the words of a TicketState for the stream, of any content
    LaunchTags tags;
    unsigned poll_limit = default_poll_limit;
};

/// Instead of where a tile's output begins.
inline constexpr std::uint64_t leave_pipeline = ~std::uint64_t{0};
/// More counts than any tile has.
inline constexpr unsigned tally_never_complete = 1U << 31;

#if COMPACTION_HAS_BULK_COPIES

template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
struct Pipeline {
    using Storage = PipelineStorage<Chunks, Slots>;
    static constexpr int width = vector_items<ItemT>;
    static constexpr unsigned items = chunk_items<ItemT>;
    /// Each chunk of a tile is counted and scattered, and one warp looks back.
    static constexpr unsigned roles_of_tile = 2 * Chunks + 1;

    StreamView<ItemT> stream;
    TileSchedule schedule;
    PipelineState& state;
    PipelineOptions options;
    ItemT* out;
    CountT* num_selected;
    const SelectorT& selector;
    const typename StampOf<SelectorT>::type& stamp;
    Storage& storage;

    __device__ unsigned chunks_in(unsigned round) const {
        return round == schedule.num_rounds - 1 ? schedule.last_chunks : Chunks;
    }
    __device__ std::uint64_t first_item(unsigned round, unsigned chunk) const {
        return (std::uint64_t{round} * gridDim.x * Chunks + blockIdx.x * chunks_in(round) + chunk) * items;
    }

    /// A scatter warp requests a chunk of that round: lane 0 starts the copy; the other lanes arrive to
    /// release the slot. `sparse`: the previous chunk kept little.
    __device__ void request_chunk(unsigned round, unsigned chunk, bool sparse) const {
        if (round >= schedule.num_rounds) return;
        const unsigned slot = round % Slots;
        const std::uint32_t filled = shared_address(&storage.filled[chunk][slot]);
        const std::uint64_t first = first_item(round, chunk);
        const bool has_items = chunk < chunks_in(round);
        if (has_items) selector.prefetch(first - stream.begin, stream.end - stream.begin, items);
        if (lane_index() != 0 || !has_items) return arrive(filled);
        const std::uint32_t to = shared_address(storage.slots[chunk][slot]);
        const std::uint64_t policy =
            sparse || SelectorT::reads_memory ? evict_first_policy() : evict_normal_policy();
        const std::uint64_t last = first + items;
        if (stream.contains(first, last)) {
            const auto bytes = static_cast<unsigned>((last - first) * sizeof(ItemT));
            arrive_and_expect(filled, bytes);
            load_bulk(to, stream.base + first, bytes, filled, policy);
        } else {
            request_partial_chunk(first, last, to, filled, policy);
        }
    }

    /// At an end of the stream: whole vectors by a bulk copy, the few items beside them one by one, and
    /// nothing outside the stream.
    __device__ void request_partial_chunk(std::uint64_t first, std::uint64_t last, std::uint32_t to,
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

    /// Reads so many rows of a chunk, from `first_row` on.
    template <int Rows>
    __device__ void read_rows(uint4 (&rows)[Rows], unsigned chunk, unsigned slot, int first_row = 0) const {
        const std::uint32_t from = shared_address(storage.slots[chunk][slot]) +
                                   (first_row * warp_size + lane_index()) * vector_bytes;
#pragma unroll
        for (int r = 0; r < Rows; ++r) load_shared(rows[r], from + r * warp_size * vector_bytes);
    }

    /// One bit for each item of the chunk that is kept. Whole chunks skip the bounds test of each item:
    /// with a small keep fraction, the instructions of the count warps limit the speed.
    __device__ unsigned kept_in(unsigned round, unsigned chunk) const {
        if (chunk >= chunks_in(round)) return 0;
        const unsigned slot = round % Slots;
        const std::uint64_t first = first_item(round, chunk);
        const std::uint64_t position = first - stream.begin;
        if (stream.contains(first, first + items)) {
            unsigned bits = 0;
            // Not told how often to unroll, the compiler unrolls all of it unless the predicate is long: its
            // code would not fit the instruction cache.
            for (int row = 0; row < chunk_rows; row += counted_rows) {
                uint4 rows[counted_rows];
                read_rows(rows, chunk, slot, row);
                bits |= kept_bits<ItemT>(rows, position, selector, row);
            }
            return bits;
        }
        uint4 rows[chunk_rows];
        read_rows(rows, chunk, slot);
        const unsigned valid = valid_bits<ItemT, chunk_rows>(stream, first, false);
        return kept_bits<ItemT>(rows, valid, position, selector);
    }

    /// A count warp takes the next round of its chunk and waits until it has arrived. Returns whether there
    /// was one.
    __device__ bool take_next(unsigned chunk, unsigned& round) const {
        round = lane_index() == 0 ? atomicAdd_block(&storage.next_to_count[chunk], 1U) : 0;
        round = __shfl_sync(all_lanes, round, 0);
        if (round >= schedule.num_rounds) return false;
        wait_for_chunk(round, chunk);
        return true;
    }

    /// A scatter warp whose own round is not counted yet takes a later one, if one has arrived that no warp
    /// has taken: with a costly predicate, counting limits the speed. Returns whether it did.
    __device__ bool take_while_waiting(unsigned own_round, unsigned chunk, unsigned& round) const {
        bool taken = false;
        round = 0;
        // One lane decides for all: the lanes could see different states of a barrier.
        if (lane_index() == 0 &&
            !is_complete(shared_address(&storage.counted[own_round % Slots]), own_round / Slots % 2)) {
            round = *static_cast<const volatile unsigned*>(&storage.next_to_count[chunk]);
            // All rounds up to this warp's previous one have arrived. A barrier's parity tells one phase
            // from the next alone, so the round must be within `Slots` of these.
            taken = round < schedule.num_rounds && round + scatter_warps_per_chunk <= own_round + Slots &&
                    is_complete(shared_address(&storage.filled[chunk][round % Slots]), round / Slots % 2) &&
                    atomicCAS_block(&storage.next_to_count[chunk], round, round + 1) == round;
        }
        if (!__shfl_sync(all_lanes, taken, 0)) return false;
        round = __shfl_sync(all_lanes, round, 0);
        // Returns at once; all lanes call, for the visibility.
        wait_for_chunk(round, chunk);
        return true;
    }

    /// Waits until the chunk has arrived. The copy engine's writes are then visible to this lane.
    __device__ void wait_for_chunk(unsigned round, unsigned chunk) const {
        wait(shared_address(&storage.filled[chunk][round % Slots]), round / Slots % 2);
    }

    /// Counts a chunk that has arrived.
    __device__ void count_chunk(unsigned round, unsigned chunk, Tag first_tag) const {
        const unsigned slot = round % Slots;
        const auto begin = stamp.role_begins();
        const unsigned bits = kept_in(round, chunk);
        storage.kept[slot][chunk][lane_index()] = bits;
        const unsigned count = warp_reduce_add(__popc(bits));
        if (lane_index() == 0) {
            storage.chunk_count[round % (2 * Slots)][chunk] = count;
            add_to_tally(slot, count, first_tag + round);
        }
        arrive(shared_address(&storage.counted[slot]));
        stamp.role_ends(WarpRole::count, round, round * roles_of_tile + chunk, begin);
    }

    __device__ Tag wait_for_first_tag() const {
        wait(shared_address(&storage.started), 0);
        return storage.first_tag;
    }

    /// Adds the count of a chunk; the last count warp of a tile publishes the tile at once. One lane calls.
    __device__ void add_to_tally(unsigned slot, unsigned count, Tag tag) const {
        const unsigned before = atomicAdd_block(&storage.tally[slot], (1U << count_bits) + count);
        if (before >> count_bits != Chunks - 1) return;
        const unsigned total = (before & ((1U << count_bits) - 1)) + count;
        publish(state.words[0][tag % pipeline_window], pipeline_window * max_pipeline_blocks, blockIdx.x,
                status_word(tag, total));
        storage.tile_count[slot] = total;
        *static_cast<volatile unsigned*>(&storage.tally[slot]) = 0;  // relaxed, as the additions are
    }

    /// The status words of the tiles between this block's previous tile and its next, spread over the
    /// lanes.
    struct Window {
        static constexpr int words_per_lane = max_pipeline_blocks / warp_size;
        StatusWord words[words_per_lane];

        __device__ static bool this_round(int i) { return lane_index() + i * warp_size < blockIdx.x; }
        __device__ static Tag tag_of(int i, Tag tag) { return this_round(i) ? tag : tag - 1; }
        __device__ static bool needed(int i, unsigned round) {
            const unsigned block = lane_index() + i * warp_size;
            return this_round(i) || (block > blockIdx.x && block < gridDim.x && round > 0);
        }

        /// All loads are in flight before the first word is tested.
        __device__ void load(const PipelineState& state, Tag tag) {
#pragma unroll
            for (int i = 0; i < words_per_lane; ++i) {
                words[i] = load_relaxed(
                    &state.words[blockIdx.x % tile_state_copies][tag_of(i, tag) % pipeline_window]
                                [lane_index() + i * warp_size]);
            }
        }
        __device__ bool complete(unsigned round, Tag tag) const {
            bool all = true;
#pragma unroll
            for (int i = 0; i < words_per_lane; ++i) {
                all = all && (!needed(i, round) || has_tag(words[i], tag_of(i, tag)));
            }
            return __all_sync(all_lanes, all);
        }
        __device__ unsigned sum(unsigned round) const {
            unsigned mine = 0;
#pragma unroll
            for (int i = 0; i < words_per_lane; ++i) mine += needed(i, round) ? count_in(words[i]) : 0;
            return warp_reduce_add(mine);
        }
    };

    /// The look-back warp initialises the barriers of whole tiles. Returns the word of the launch before the
    /// block signs in, in lane 0.
    __device__ std::uint64_t start_tiles() const {
        // In flight while the barriers are initialised, and before the loads of chunks.
        const std::uint64_t arrivals = lane_index() == 0 ? read_arrivals(state, options.tags) : 0;
        if (lane_index() < Slots) {
            storage.tally[lane_index()] = 0;
            init_barrier(shared_address(&storage.counted[lane_index()]), Chunks * warp_size);
            init_barrier(shared_address(&storage.placed[lane_index()]), 1);
        }
        if (lane_index() == 0) init_barrier(shared_address(&storage.started), 1);
        return arrivals;
    }

    /// Waits for the counts that a round needs. Returns false if the launch goes on by tickets instead.
    __device__ bool wait_for_counts(Window& window, unsigned round, Tag tag, unsigned& polls_left) const {
        while (!window.complete(round, tag)) {
            if (polls_left != 0 && --polls_left == 0 && leaves_for_tickets(tag - round)) return false;
            window.load(state, tag);
        }
        return true;
    }

    /// After waiting too long: whether the launch goes on by tickets. If not, all blocks have arrived.
    __device__ bool leaves_for_tickets(Tag first_tag) const {
        __syncwarp();  // all lanes have read the course at the arrival
        if (lane_index() == 0) storage.course = choose_course(state, options.tags, first_tag);
        __syncwarp();  // the course is written
        return storage.course != Course::pipeline;
    }

    /// Lets all warps leave the pipeline: the scatter warps, which own this round and the next, by a mark
    /// instead of the tile's start, and the count warps, because there is no further round to take. A count
    /// warp may wait for a chunk that nobody has requested; the scatter warp that leaves completes its phase.
    /// The tally keeps such a count from being published.
    __device__ void leave_in(unsigned first_round) const {
        const unsigned end = min(first_round + scatter_warps_per_chunk, schedule.num_rounds);
        for (unsigned round = first_round; round < end; ++round) {
            wait(shared_address(&storage.counted[round % Slots]), round / Slots % 2);
            __syncwarp();  // as in run_look_back_warp
        }
        if (lane_index() == 0) storage.left_in = first_round;
        if (lane_index() < Chunks) atomicMax_block(&storage.next_to_count[lane_index()], schedule.num_rounds);
        __syncwarp();  // no warp takes a chunk that was not requested
        for (unsigned round = first_round; round < end; ++round) {
            if (lane_index() != 0) continue;
            storage.tally[round % Slots] = tally_never_complete;
            storage.tile_start[round % Slots] = leave_pipeline;
            arrive(shared_address(&storage.placed[round % Slots]));
        }
    }

    /// `arrivals`: what start_tiles returned.
    __device__ void run_look_back_warp(std::uint64_t arrivals) const {
        // Only lane 0 reads the tag. It reaches the count warps through that lane's barrier.
        const Tag first_tag = first_tag_in(__shfl_sync(all_lanes, arrivals, 0), options.tags);
        std::uint64_t arrivals_before = 0;
        if (lane_index() == 0) {
            storage.first_tag = first_tag;
            arrive(shared_address(&storage.started));
        }
        const bool may_take_two_atomics = options.tags.source == LaunchTags::Source::host;
        const auto sign_in = [&] {
            if (lane_index() == 0) arrivals_before = arrive_at_pipeline(state, options.tags, arrivals);
        };
        Window window;
        if (!may_take_two_atomics) sign_in();
        window.load(state, first_tag);  // in flight while the answer is
        if (may_take_two_atomics) {
            // The words are looked at meanwhile. Where one atomic is enough, that would be too early.
            sign_in();
            if (!window.complete(0, first_tag)) window.load(state, first_tag);
        }
        if (lane_index() == 0)
            storage.course =
                course_at_arrival(state, options.tags, first_tag, arrivals_before, schedule.num_rounds);
        __syncwarp();  // the course is written
        if (storage.course != Course::pipeline) return leave_in(0);
        std::uint64_t kept_before = 0;  // valid in lane 0
        unsigned slot = 0;
        unsigned parity = 0;
        unsigned polls_left = options.poll_limit;
        for (unsigned round = 0; round < schedule.num_rounds; ++round) {
            const Tag tag = first_tag + round;
            const auto begin = stamp.role_begins();
            if (!wait_for_counts(window, round, tag, polls_left)) return leave_in(round);
            kept_before += window.sum(round);
            window.load(state, tag + 1);  // tested in the next round
            wait(shared_address(&storage.counted[slot]), parity);
            // All lanes have seen this phase before lane 0 lets the scatter warps go on. After that the next
            // phase may complete, and its parity would hide this one from a lane that still waits.
            __syncwarp();
            if (lane_index() == 0) {
                const unsigned own_count = storage.tile_count[slot];
                note("tile start", kept_before);
                storage.tile_start[slot] = kept_before;
                arrive(shared_address(&storage.placed[slot]));
                kept_before += own_count;
                if (round == schedule.num_rounds - 1 && blockIdx.x == gridDim.x - 1)
                    *num_selected = static_cast<CountT>(kept_before);
            }
            __syncwarp();  // the lanes test the next words together
            stamp.role_ends(WarpRole::look_back, round, round * roles_of_tile + 2 * Chunks, begin);
            if (++slot == Slots) slot = 0, parity ^= 1;
        }
    }

    /// The first scatter warp of a chunk initialises its barriers and requests round 0.
    __device__ void start_chunk(unsigned chunk) const {
        if (lane_index() == 0) storage.next_to_count[chunk] = 0;
        if (lane_index() < Slots) {
            init_barrier(shared_address(&storage.filled[chunk][lane_index()]), warp_size);
            fence_barrier_init();
        }
        __syncwarp();  // all lanes arrive at barriers that other lanes initialised
        request_chunk(0, chunk, false);
    }

    __device__ void request_first_chunks(unsigned chunk, unsigned turn) const {
        for (unsigned round = turn == 0 ? scatter_warps_per_chunk : turn; round < Slots;
             round += scatter_warps_per_chunk) {
            if (round >= initial_rounds && round < schedule.num_rounds)
                wait(shared_address(&storage.filled[chunk][round - initial_rounds]), 0);
            request_chunk(round, chunk, false);
        }
    }

    /// A scatter warp (turn < scatter_warps_per_chunk) or a count warp. Counting is in one place, because the
    /// code of a costly predicate may fill the instruction cache.
    __device__ void run_warp(unsigned chunk, unsigned turn) const {
        const bool scatters = turn < scatter_warps_per_chunk;
        if (scatters) request_first_chunks(chunk, turn);
        const Tag first_tag = wait_for_first_tag();
        unsigned own_round = turn;
        while (!scatters || own_round < schedule.num_rounds) {
            unsigned round;
            if (scatters ? take_while_waiting(own_round, chunk, round) : take_next(chunk, round)) {
                count_chunk(round, chunk, first_tag);
            } else if (scatters && scatter_round(own_round, chunk)) {
                own_round += scatter_warps_per_chunk;
            } else {
                return;
            }
        }
    }

    /// Writes the tile's chunk out and requests the next chunk for its slot. Returns false if the warp leaves
    /// the pipeline instead.
    __device__ bool scatter_round(unsigned round, unsigned chunk) const {
        const unsigned slot = round % Slots;
        wait(shared_address(&storage.counted[slot]), round / Slots % 2);
        const auto begin = stamp.role_begins();
        wait_for_chunk(round, chunk);  // counted implies arrived, so this returns at once
        uint4 rows[chunk_rows];
        if constexpr (!writes_positions<SelectorT>) read_rows(rows, chunk, slot);
        const unsigned bits = storage.kept[slot][chunk][lane_index()];
        const BitRanks<chunk_rows, width> ranks(bits);
        const unsigned before = warp_reduce_add(
            lane_index() < chunk ? storage.chunk_count[round % (2 * Slots)][lane_index()] : 0);
        const bool few = ranks.total < few_items;
        if (few ? !scatter_few(round, chunk, rows, ranks, before)
                : !scatter_many(round, chunk, rows, ranks, before)) {
            if (round + Slots < schedule.num_rounds) arrive(shared_address(&storage.filled[chunk][slot]));
            return false;
        }
        __syncwarp();  // the copy engine has read the slot, and so have all lanes
        request_chunk(round + Slots, chunk, few);
        stamp.role_ends(WarpRole::scatter, round, round * roles_of_tile + Chunks + chunk, begin);
        return true;
    }

    using Rows = uint4[chunk_rows];
    using Ranks = BitRanks<chunk_rows, width>;
    /// So few items leave with one or a few stores of the warp.
    static constexpr unsigned few_items = items / sparse_divisor;
    static_assert(few_items % warp_size == 0);

    /// Waits until it is known where the tile's output begins. Returns false if the warp leaves the pipeline.
    __device__ bool wait_for_place(unsigned round, std::uint64_t& tile_start) const {
        wait(shared_address(&storage.placed[round % Slots]), round / Slots % 2);
        tile_start = storage.tile_start[round % Slots];
        return tile_start != leave_pipeline;
    }

    /// Packs the kept items of a chunk within its slot.
    __device__ void pack(std::uint32_t from, unsigned round, unsigned chunk, const Rows& rows,
                         const Ranks& ranks) const {
        const std::uint64_t position = first_item(round, chunk) - stream.begin;
        __syncwarp();  // all lanes have read the chunk before it is overwritten
        ranks.for_each_kept([&](unsigned rank, int row, int k) {
            store_shared(from + rank * static_cast<unsigned>(sizeof(ItemT)),
                         output_words<ItemT, SelectorT>(rows[row], position, row, k));
        });
    }

    /// Stores the kept items of a chunk, or returns false. They are in registers, in the order of the output,
    /// before the tile's place is known: what follows is the end of the last round for all blocks.
    __device__ bool scatter_few(unsigned round, unsigned chunk, const Rows& rows, const Ranks& ranks,
                                unsigned before) const {
        constexpr unsigned most = few_items / warp_size;
        using Words = WordsOf<sizeof(ItemT)>;
        const std::uint32_t from = shared_address(storage.slots[chunk][round % Slots]);
        pack(from, round, chunk, rows, ranks);
        __syncwarp();  // all lanes have packed their items
        Words words[most];
#pragma unroll
        for (unsigned k = 0; k < most; ++k) {
            // Without a test: there is room, and what is not an item is not stored.
            const unsigned i = lane_index() + k * warp_size;
            load_shared(words[k], from + i * static_cast<unsigned>(sizeof(ItemT)));
        }
        std::uint64_t tile_start;
        if (!wait_for_place(round, tile_start)) return false;
        auto* const to = reinterpret_cast<Words*>(out + tile_start + before);
#pragma unroll
        for (unsigned k = 0; k < most; ++k) {
            const unsigned i = lane_index() + k * warp_size;
            if (i < ranks.total) to[i] = words[k];
        }
        fence_for_copies();  // what this lane has read of the slot comes before the next chunk
        return true;
    }

    /// Stores the kept items of a chunk by a bulk copy, or returns false.
    __device__ bool scatter_many(unsigned round, unsigned chunk, const Rows& rows, const Ranks& ranks,
                                 unsigned before) const {
        std::uint64_t tile_start;
        if (!wait_for_place(round, tile_start)) return false;
        ItemT* const to = out + tile_start + before;
        // Packed at the output's own phase within a line, so that whole vectors here are whole vectors
        // there.
        const std::uint32_t phase = reinterpret_cast<std::uintptr_t>(to) % line_bytes;
        const std::uint32_t from = shared_address(storage.slots[chunk][round % Slots]) + phase;
        pack(from, round, chunk, rows, ranks);
        store_chunk(to, from, ranks.total);
        if (lane_index() == 0) commit_stores();
        if (lane_index() == 0) wait_stores_read<0>();
        return true;
    }

    /// One bulk copy of the aligned middle; the items before and after it one by one.
    __device__ void store_chunk(ItemT* to, std::uint32_t from, unsigned count) const {
        fence_for_copies();
        __syncwarp();  // all lanes have packed their items
        const unsigned misaligned = from / sizeof(ItemT) % width;
        const unsigned head = min(count, misaligned == 0 ? 0 : width - misaligned);
        const unsigned middle = (count - head) / width * width;
        if (lane_index() == 0 && middle > 0) {
            store_bulk(to + head, from + head * static_cast<unsigned>(sizeof(ItemT)),
                       middle * static_cast<unsigned>(sizeof(ItemT)));
        }
        if constexpr (width > 1) {
            const unsigned i = lane_index() < head ? lane_index() : lane_index() + middle;
            if (i < count) {
                WordsOf<sizeof(ItemT)> words;
                load_shared(words, from + i * static_cast<unsigned>(sizeof(ItemT)));
                reinterpret_cast<WordsOf<sizeof(ItemT)>*>(to)[i] = words;
            }
        }
    }
};

/// Compacts the stream by tickets after all warps of the block have left the pipeline. A function of its own,
/// so that it takes no registers from the pipeline.
template <typename ItemT, typename StorageT, typename SelectorT, typename CountT>
__device__ COMPACTION_NOINLINE_IN_KERNEL void go_on_by_tickets(StreamView<ItemT> stream, unsigned num_rounds,
                                                               PipelineState& state, std::uint32_t* tickets,
                                                               ItemT* out, CountT* num_selected,
                                                               SelectorT selector, StorageT& storage,
                                                               TicketedStorage& ticketed) {
    constexpr auto most_rows = static_cast<int>(
        sizeof storage.slots / (num_ticketed_stages * ticketed_items<ItemT, 1> * sizeof(ItemT)));
    constexpr int rows = most_rows < many_rows ? most_rows : many_rows;
    static_assert(rows >= few_rows, "the tickets have room for no more tiles");
    constexpr unsigned tile_items = ticketed_items<ItemT, rows>;
    const auto num_tiles = static_cast<unsigned>((stream.end + tile_items - 1) / tile_items);
    // Chunks that are still on their way would overwrite what tickets keep in the slots. These rounds were
    // requested, or their phases completed without.
    constexpr unsigned slots = StorageT::slots_per_chunk;
    const unsigned end = min(num_rounds, storage.left_in + scatter_warps_per_chunk + slots);
    if (threadIdx.x < StorageT::chunks * slots && threadIdx.x % slots < end) {
        const unsigned slot = threadIdx.x % slots;
        const unsigned last_round = end - 1 - (end - 1 - slot) % slots;
        wait(shared_address(&storage.filled[threadIdx.x / slots][slot]), last_round / slots % 2);
    }
    if (storage.course == Course::tickets_after_reset) {
        for (unsigned i = threadIdx.x; i <= num_tiles; i += StorageT::num_threads) tickets[i] = 0;
        __syncthreads();  // all tickets are reset
        if (threadIdx.x == 0) store_release(&state.tickets_ready, storage.first_tag);
    } else if (threadIdx.x == 0) {
        wait_for_tickets(state, storage.first_tag);
    }
    __syncthreads();  // the tickets are ready
    compact_by_tickets<ItemT, rows, StorageT::num_threads / warp_size>(
        stream, num_tiles, TicketState{tickets}, out, num_selected, selector, NoStamp{}, storage.slots,
        ticketed);
}

#endif

/// Launched with at most one block for each multiprocessor. Dynamic shared memory: a PipelineStorage.
template <typename ItemT, int Chunks, int Slots, typename SelectorT, typename CountT>
__global__ void __launch_bounds__(PipelineStorage<Chunks, Slots>::num_threads, 1)
    pipeline_kernel(StreamView<ItemT> stream, TileSchedule schedule, TileState* state,
                    PipelineOptions options, ItemT* out, CountT* num_selected, SelectorT selector) {
    static_assert(Chunks * chunk_items<ItemT> <= max_tile_items);
#if COMPACTION_HAS_BULK_COPIES
    COMPACTION_DYNAMIC_SHARED(pipeline_storage, 128, std::byte);
    COMPACTION_SHARED(ticketed, TicketedStorage);
    auto& storage = *reinterpret_cast<PipelineStorage<Chunks, Slots>*>(pipeline_storage);
    const auto& stamp = stamp_block(selector, BlockStart::at_once);
    const Pipeline<ItemT, Chunks, Slots, SelectorT, CountT> pipeline{
        stream, schedule, state->pipeline, options, out, num_selected, selector, stamp, storage};
    constexpr unsigned look_back_warp = (scatter_warps_per_chunk + 1) * Chunks;
    trigger_dependent_launch();
    std::uint64_t arrivals = 0;
    if (warp_in_block() == look_back_warp) arrivals = pipeline.start_tiles();
    if (warp_in_block() < Chunks) pipeline.start_chunk(warp_in_block());
    __syncthreads();  // all barriers are initialised
    if (warp_in_block() < look_back_warp) {
        pipeline.run_warp(warp_in_block() % Chunks, warp_in_block() / Chunks);
    } else {
        pipeline.run_look_back_warp(arrivals);
    }
    __syncthreads();  // all warps have left the pipeline
    if (storage.course != Course::pipeline)
        go_on_by_tickets(stream, schedule.num_rounds, state->pipeline, options.tickets, out, num_selected,
                         selector, storage, ticketed);
#endif
}

}  // namespace compaction::cuda::detail
