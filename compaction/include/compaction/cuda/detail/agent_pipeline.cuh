#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/cuda/detail/arrivals.cuh"
#include "compaction/cuda/detail/launch_shape.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/ranks.cuh"
#include "compaction/cuda/detail/rows.cuh"
#include "compaction/cuda/detail/selectors.cuh"
#include "compaction/cuda/detail/tile_state.cuh"
#include "compaction/cuda/detail/tuning.cuh"
#include "compaction/cuda/detail/unstamped.cuh"

/// Persistent pipeline, for long inputs on Hopper and later: one block for each multiprocessor, with
/// specialised warps.
///
/// Block b compacts tiles b, b + grid, b + 2 grid, ...; its k-th tile is its round k. A tile is cut into
/// chunks, fewer of them in the last round. Each chunk has a ring of `Stages` buffers in shared memory, which
/// bulk copies fill; a stage holds one round.
/// - A *count warp* counts a chunk as soon as it arrives, up to `Stages` rounds before it is written out. The
///   last count warp of a tile publishes the tile's count.
/// - The *look-back warp* adds up the counts that the other blocks have published since this block's previous
///   tile. That is one hop: no block publishes later because it waits for another.
/// - A *scatter warp* ranks a chunk, packs the selected items within its buffer and stores them, many with
///   a bulk copy. It then requests the next chunk for the buffer.
///   Each chunk has two scatter warps, which take alternate rounds. While such a warp waits for the count of
///   its round, it counts later rounds.
///
/// Four barriers order the warps. A chunk goes through `filled` (the copy has arrived), `counted` (all chunks
/// of the tile are counted) and `located` (the start of the tile's output is known); its scatter warp then
/// arrives at `filled` again when it requests the next chunk for the buffer. `started` releases the launch's
/// first tag to all warps. A barrier holds one bit of its phase, the parity, so a waiting warp must never be
/// more than one phase behind. It never is: the next phase cannot complete without a warp that has itself
/// waited for the current one.
///
/// All blocks must be resident at once. Where they are not, the launch falls back to tickets (arrivals.cuh).
namespace compaction::cuda::detail {

/// The rows of a chunk: a multiple of counted_rows.
template <typename ItemT>
inline constexpr int chunk_rows =
    max_chunk_bytes /
    (warp_size * (sizeof(ItemT) > vector_bytes ? sizeof(ItemT) : vector_bytes)) / counted_rows* counted_rows;
/// A buffer holds a whole chunk at any offset within a line.
inline constexpr unsigned chunk_buffer_bytes = max_chunk_bytes + line_bytes;
static_assert(initial_rounds % scatter_warps_per_chunk == 0,
              "otherwise a scatter warp waits for a phase that only it can complete");

template <typename ItemT>
inline constexpr unsigned chunk_items = chunk_rows<ItemT>* warp_size* vector_items<ItemT>;

/// How the tiles of an input are assigned to blocks: whole rounds, then one round of the rest. Its tiles have
/// fewer chunks of the same size: the code that counts whole chunks is in the instruction cache by then.
struct TileSchedule {
    unsigned num_rounds;
    unsigned chunks_in_last_round;  ///< per tile
};

/// The tile schedule of the pipeline for an input that ends at `end` (AlignedSpan::end).
template <typename ItemT>
COMPACTION_HOST_DEVICE constexpr TileSchedule schedule_tiles(std::uint64_t end, unsigned blocks,
                                                             int chunks_per_tile) {
    const auto chunks = static_cast<unsigned>(chunks_per_tile);
    const std::uint64_t items_with_one_chunk_per_block = std::uint64_t{blocks} * chunk_items<ItemT>;
    const std::uint64_t chunks_per_block =
        (end + items_with_one_chunk_per_block - 1) / items_with_one_chunk_per_block;
    const std::uint64_t whole_rounds = chunks_per_block / chunks;
    const auto remaining_chunks = static_cast<unsigned>(chunks_per_block % chunks);
    if (remaining_chunks == 0) return {static_cast<unsigned>(whole_rounds), chunks};
    return {static_cast<unsigned>(whole_rounds + 1), remaining_chunks};
}

/// The parameters of a launch besides its input.
struct PipelineOptions {
    std::uint32_t* tickets;  ///< the words of a TicketState for the input, of any content
    LaunchTags tags;
    unsigned poll_limit = default_poll_limit;
};

/// The position of a round in a ring of stages: the stage, and the parity of the phase that the round
/// completes in the barriers of that stage.
///
/// Source: NVIDIA, CUTLASS 3, PipelineState.
template <int Stages>
struct RingPosition {
    unsigned stage = 0;
    unsigned parity = 0;

    RingPosition() = default;
    __device__ explicit RingPosition(unsigned round) : stage(round % Stages), parity(round / Stages % 2) {}

    __device__ void advance() {
        if (++stage == Stages) stage = 0, parity ^= 1;
    }
};

/// Shared memory of a block. Declared apart from the agent, because the host needs its size.
template <int Chunks, int Stages>
struct PipelineStorage {
    static constexpr unsigned chunks = Chunks;
    static constexpr unsigned stages = Stages;
    static constexpr unsigned num_threads = ((scatter_warps_per_chunk + 1) * Chunks + 1) * warp_size;
    using Barrier = std::uint64_t;

    alignas(128) std::byte buffers[chunks][stages][chunk_buffer_bytes];
    unsigned selection_bits[stages][chunks][warp_size];  ///< one bit for each item; written by count warps
    /// Written by count warps. Holds twice as many rounds as the other arrays: a count warp may count the
    /// next chunk of a stage before all scatter warps have added up the counts of the previous tile in that
    /// stage.
    unsigned chunk_counts[2 * stages][chunks];
    unsigned next_to_count[chunks];    ///< the first round of the chunk that no warp has taken to count
    unsigned packed_count[stages];     ///< upper half: counted chunks; lower half: the sum of their counts
    unsigned tile_counts[stages];      ///< written by the last count warp of the tile
    std::uint64_t tile_start[stages];  ///< where the tile's output begins; written by the look-back warp
    Barrier filled[chunks][stages];    ///< the chunk has arrived
    Barrier counted[stages];           ///< all chunks of the tile are counted
    Barrier located[stages];           ///< tile_start is written
    Barrier started;                   ///< first_tag is written
    Tag first_tag;                     ///< the tag of round 0
    Fallback fallback;                 ///< written by the look-back warp
    /// From this round on, the block compacts tiles by tickets. Written by the look-back warp.
    unsigned first_abandoned_round;
};

template <typename ItemT, int Chunks = pipeline_chunks, int Stages = pipeline_stages>
inline constexpr LaunchShape pipeline_shape{Chunks * chunk_items<ItemT>,
                                            PipelineStorage<Chunks, Stages>::num_threads,
                                            static_cast<unsigned>(sizeof(PipelineStorage<Chunks, Stages>))};

/// Value of first_abandoned_round while the block stays in the pipeline; adding `Stages` cannot overflow.
inline constexpr unsigned none_abandoned = 1U << 31;
/// Value of tile_start for an abandoned tile.
inline constexpr std::uint64_t abandoned_tile = ~std::uint64_t{0};
/// Value of packed_count for an abandoned tile: its number of chunks never becomes that of a whole tile.
inline constexpr unsigned abandoned_count = 1U << 31;

#if COMPACTION_HAS_BULK_COPIES

/// The status words of the tiles between this block's previous tile and its next, spread over the lanes: word
/// i of a lane is that of block lane_index() + i * warp_size.
struct StatusWindow {
    static constexpr int words_per_lane = max_pipeline_blocks / warp_size;
    StatusWord words[words_per_lane];

    /// A tile follows those of earlier blocks in the same round, and those of later blocks in the round
    /// before.
    __device__ static bool is_same_round(int i) { return lane_index() + i * warp_size < blockIdx.x; }
    __device__ static Tag tag_of(int i, Tag tag) { return is_same_round(i) ? tag : tag - 1; }
    __device__ static bool is_needed(int i, unsigned round) {
        const unsigned block = lane_index() + i * warp_size;
        return is_same_round(i) || (block > blockIdx.x && block < gridDim.x && round > 0);
    }

    /// All loads are in flight before the first word is tested.
    __device__ void load(const PipelineState& state, Tag tag) {
#pragma unroll
        for (int i = 0; i < words_per_lane; ++i) {
            words[i] =
                load_relaxed(&state.words[blockIdx.x % tile_state_copies][tag_of(i, tag) % pipeline_window]
                                         [lane_index() + i * warp_size]);
        }
    }
    __device__ bool is_complete(unsigned round, Tag tag) const {
        bool all = true;
#pragma unroll
        for (int i = 0; i < words_per_lane; ++i) {
            all = all && (!is_needed(i, round) || has_tag(words[i], tag_of(i, tag)));
        }
        return __all_sync(all_lanes, all);
    }
    __device__ unsigned sum(unsigned round) const {
        unsigned lane_sum = 0;
#pragma unroll
        for (int i = 0; i < words_per_lane; ++i) lane_sum += is_needed(i, round) ? count_in(words[i]) : 0;
        return warp_reduce_add(lane_sum);
    }
};

/// A block of the pipeline.
template <typename ItemT, int Chunks, int Stages, typename SelectorT, typename CountT>
struct AgentPipeline {
    using TempStorage = PipelineStorage<Chunks, Stages>;
    using Position = RingPosition<Stages>;
    using Words = WordsOf<sizeof(ItemT)>;
    using Vector = VectorOf<ItemT>;
    static constexpr int num_rows = chunk_rows<ItemT>;
    using Rows = Vector[static_cast<unsigned>(num_rows)];
    static constexpr int width = vector_items<ItemT>;
    static constexpr unsigned aligned = aligned_items<ItemT>;
    static constexpr unsigned items = chunk_items<ItemT>;
    static constexpr unsigned item_bytes = sizeof(ItemT);
    using Ranks = BitRanks<num_rows, width>;
    static constexpr unsigned look_back_warp = (scatter_warps_per_chunk + 1) * Chunks;
    /// Each chunk of a tile is counted and scattered, and one warp looks back.
    static constexpr unsigned roles_of_tile = 2 * Chunks + 1;
    /// A chunk with fewer selected items is stored with a few stores of the warp.
    static constexpr unsigned few_items =
        items / sparse_divisor > warp_size ? items / sparse_divisor : warp_size;
    static_assert(few_items % warp_size == 0);

    AlignedSpan<ItemT> input;
    TileSchedule schedule;
    PipelineState& state;
    PipelineOptions options;
    ItemT* out;
    CountT* num_selected;
    const SelectorT& selector;
    const typename StampOf<SelectorT>::type& stamp;
    TempStorage& storage;

    // --- Tiles and chunks ---

    __device__ unsigned chunks_in(unsigned round) const {
        return round == schedule.num_rounds - 1 ? schedule.chunks_in_last_round : Chunks;
    }

    __device__ unsigned tile_of(unsigned round) const { return round * gridDim.x + blockIdx.x; }

    __device__ std::uint64_t first_item(unsigned round, unsigned chunk) const {
        return (std::uint64_t{round} * gridDim.x * Chunks + blockIdx.x * chunks_in(round) + chunk) * items;
    }

    // --- Prepare: possibly while the previous launch runs ---

    /// The look-back warp initialises the barriers of whole tiles.
    __device__ void prepare_tiles() const {
        if (lane_index() < Stages) {
            storage.packed_count[lane_index()] = 0;
            init_barrier(shared_address(&storage.counted[lane_index()]), Chunks * warp_size);
            init_barrier(shared_address(&storage.located[lane_index()]), 1);
        }
        if (lane_index() == 0) {
            storage.first_abandoned_round = none_abandoned;
            init_barrier(shared_address(&storage.started), 1);
        }
    }

    /// The first scatter warp of a chunk prefetches a part of round 0 and initialises the chunk's barriers.
    __device__ void prepare_chunk(unsigned chunk) const {
        const std::uint64_t first = first_item(0, chunk);
        if (reads_array<SelectorT> && lane_index() == 0 && chunk < chunks_in(0) &&
            input.contains(first, first + items))
            prefetch_to_l2(input.base + first, items * item_bytes / prefetched_divisor);
        if constexpr (moves_columns<SelectorT>)
            if (lane_index() == 0 && chunk < chunks_in(0))
                selector.prefetch_columns(first, items / prefetched_divisor, input.end);
        if (lane_index() == 0) storage.next_to_count[chunk] = 0;
        if (lane_index() < Stages) {
            init_barrier(shared_address(&storage.filled[chunk][lane_index()]), warp_size);
            fence_barrier_init();
        }
        __syncwarp();  // all lanes arrive at barriers that other lanes initialised
    }

    // --- Load ---

    /// A scatter warp requests its chunk of a round: lane 0 starts the copy, if the items are read; the other
    /// lanes arrive to release the buffer. `sparse`: few items of the previous chunk were selected.
    __device__ void request_chunk(unsigned round, unsigned chunk, bool sparse) const {
        if (round >= schedule.num_rounds) return;  // no warp waits for such a round
        const Position at(round);
        const std::uint32_t filled = shared_address(&storage.filled[chunk][at.stage]);
        const std::uint64_t first = first_item(round, chunk);
        const bool has_items = chunk < chunks_in(round);
        if (has_items) selector.prefetch(first - input.begin, input.end - input.begin, items);
        constexpr bool copies = reads_array<SelectorT> || moves_columns<SelectorT>;
        if (!copies || lane_index() != 0 || !has_items) return arrive(filled);
        const std::uint32_t to = shared_address(storage.buffers[chunk][at.stage]);
        const std::uint64_t policy =
            sparse || SelectorT::reads_memory ? evict_first_policy() : evict_normal_policy();
        const std::uint64_t last = first + items;
        if constexpr (moves_columns<SelectorT>) {
            selector.template request<items>(first, last, input.end, to, filled, policy);
        } else if (input.contains(first, last)) {
            const auto bytes = static_cast<unsigned>((last - first) * sizeof(ItemT));
            arrive_and_expect(filled, bytes);
            load_bulk(to, input.base + first, bytes, filled, policy);
        } else {
            request_partial_chunk(first, last, to, filled, policy);
        }
    }

    /// Requests a chunk at an end of the input: what is aligned by a bulk copy, the few items before and
    /// after that one by one, and no item outside the input.
    __device__ void request_partial_chunk(std::uint64_t first, std::uint64_t last, std::uint32_t to,
                                          std::uint32_t filled, std::uint64_t policy) const {
        const auto* const source = reinterpret_cast<const Words*>(input.base) + first;
        const auto begin = static_cast<unsigned>(min(max(input.begin, first), last) - first);
        const auto end = static_cast<unsigned>(max(first, min(input.end, last)) - first);
        const unsigned whole_begin = min((begin + aligned - 1) / aligned * aligned, end);
        const unsigned whole_end = max(end / aligned * aligned, whole_begin);
        for (unsigned i = begin; i < whole_begin; ++i) store_shared(to + i * sizeof(Words), source[i]);
        for (unsigned i = whole_end; i < end; ++i) store_shared(to + i * sizeof(Words), source[i]);
        const unsigned bytes = (whole_end - whole_begin) * static_cast<unsigned>(sizeof(Words));
        arrive_and_expect(filled, bytes);
        if (bytes > 0)
            load_bulk(to + whole_begin * sizeof(Words), source + whole_begin, bytes, filled, policy);
    }

    /// A scatter warp requests its first rounds, one for each of its stages of the ring: `turn`, then every
    /// scatter_warps_per_chunk-th. Round 0 has been requested (run). Rounds from `initial_rounds` on wait
    /// until earlier ones have arrived.
    __device__ void request_first_chunks(unsigned chunk, unsigned turn) const {
        for (unsigned round = turn == 0 ? scatter_warps_per_chunk : turn; round < Stages;
             round += scatter_warps_per_chunk) {
            if (round >= initial_rounds && round < schedule.num_rounds)
                wait(shared_address(&storage.filled[chunk][round - initial_rounds]), 0);
            request_chunk(round, chunk, /*sparse=*/false);
        }
    }

    /// Waits until the chunk has arrived. The copy engine's writes are then visible to this lane.
    __device__ void wait_for_chunk(unsigned round, unsigned chunk) const {
        const Position at(round);
        wait(shared_address(&storage.filled[chunk][at.stage]), at.parity);
    }

    static constexpr auto row_bytes = static_cast<unsigned>(warp_size * sizeof(Vector));

    /// The address of this lane's vector in a row of a chunk.
    __device__ std::uint32_t row_address(unsigned chunk, unsigned stage, int row) const {
        return shared_address(storage.buffers[chunk][stage]) +
               (row * warp_size + lane_index()) * static_cast<unsigned>(sizeof(Vector));
    }

    /// Reads NumRows rows of a chunk, from `first_row` on.
    template <unsigned NumRows>
    __device__ void read_rows(Vector (&rows)[NumRows], unsigned chunk, unsigned stage,
                              int first_row = 0) const {
        if constexpr (moves_columns<SelectorT>) {
            selector.template read_rows<items>(rows, shared_address(storage.buffers[chunk][stage]),
                                               first_row);
        } else {
            const std::uint32_t from = row_address(chunk, stage, first_row);
#pragma unroll
            for (unsigned r = 0; r < NumRows; ++r) load_shared(rows[r], from + r * row_bytes);
        }
    }

    // --- Count ---

    /// Takes rows of a chunk to count. Those of an iterator are loaded, and stay in the buffer for the
    /// scatter warp. `first`: the chunk's position; `inside`: whether all of it belongs to the input.
    template <unsigned NumRows>
    __device__ void take_rows(Vector (&rows)[NumRows], unsigned chunk, unsigned stage,
                              [[maybe_unused]] std::uint64_t first, [[maybe_unused]] bool inside,
                              int first_row = 0) const {
        if constexpr (reads_iterator<SelectorT>) {
            load_items(rows, input, first + first_row * warp_size * width, inside, selector);
            const std::uint32_t to = row_address(chunk, stage, first_row);
#pragma unroll
            for (unsigned r = 0; r < NumRows; ++r) store_shared(to + r * row_bytes, rows[r]);
        } else if constexpr (needs_items<SelectorT>) {
            read_rows(rows, chunk, stage, first_row);
        }
    }

    /// One bit for each selected item of the chunk. Whole chunks skip the bounds test of each item: where few
    /// items are selected, the instructions of the count warps limit the speed.
    __device__ unsigned select_items(unsigned round, unsigned chunk) const {
        if (chunk >= chunks_in(round)) return 0;  // the last round has fewer chunks
        const unsigned stage = Position(round).stage;
        const std::uint64_t first = first_item(round, chunk);
        const std::uint64_t position = first - input.begin;
        if (input.contains(first, first + items)) {
            // The loads of an iterator overlap if all are made before the first item is used.
            if constexpr (compares_neighbours<SelectorT> || reads_iterator<SelectorT>) {
                Rows rows;
                take_rows(rows, chunk, stage, first, /*inside=*/true);
                return selected_bits<ItemT>(rows, position, selector);
            } else {
                unsigned bits = 0;
                // No unroll pragma: the compiler unrolls the whole loop unless the predicate is long. The
                // unrolled code of a long predicate would not fit the instruction cache.
                for (int row = 0; row < num_rows; row += counted_rows) {
                    Vector rows[counted_rows];
                    take_rows(rows, chunk, stage, first, /*inside=*/true, row);
                    bits |= selected_bits<ItemT>(rows, position, selector, row);
                }
                return bits;
            }
        }
        Rows rows;
        take_rows(rows, chunk, stage, first, /*inside=*/false);
        const unsigned valid = valid_bits<ItemT, num_rows>(input, first, /*inside=*/false);
        return selected_bits<ItemT>(rows, valid, position, selector);
    }

    /// A count warp takes the next round and waits until its chunk of that round has arrived. Returns false
    /// if no round is left, or if the chunk was never requested: when the block leaves the pipeline, the
    /// phase of an unrequested chunk also completes.
    __device__ bool take_next(unsigned chunk, unsigned& round) const {
        round = lane_index() == 0 ? atomicAdd_block(&storage.next_to_count[chunk], 1U) : 0;
        round = __shfl_sync(all_lanes, round, 0);
        if (round >= schedule.num_rounds) return false;
        wait_for_chunk(round, chunk);
        return round < *static_cast<const volatile unsigned*>(&storage.first_abandoned_round) + Stages;
    }

    /// A scatter warp whose own round is not counted yet takes a later round to count, if that round's chunk
    /// has arrived and no warp has taken it: with a costly predicate, counting limits the speed. Returns
    /// whether the warp took one.
    __device__ bool take_while_waiting(unsigned own_round, unsigned chunk, unsigned& round) const {
        const Position own(own_round);
        bool taken = false;
        round = 0;
        // One lane decides for all: the lanes could see different states of a barrier.
        if (lane_index() == 0 && !is_complete(shared_address(&storage.counted[own.stage]), own.parity)) {
            round = *static_cast<const volatile unsigned*>(&storage.next_to_count[chunk]);
            const Position at(round);
            // All rounds up to this warp's previous one have arrived. A parity distinguishes a phase only
            // from the next one, so the round taken is at most `Stages` after that one.
            taken = round < schedule.num_rounds && round + scatter_warps_per_chunk <= own_round + Stages &&
                    is_complete(shared_address(&storage.filled[chunk][at.stage]), at.parity) &&
                    atomicCAS_block(&storage.next_to_count[chunk], round, round + 1) == round;
        }
        if (!__shfl_sync(all_lanes, taken, 0)) return false;
        round = __shfl_sync(all_lanes, round, 0);
        wait_for_chunk(round, chunk);  // returns at once; makes the chunk visible to every lane
        return true;
    }

    /// Counts a chunk that has arrived.
    __device__ void count_chunk(unsigned round, unsigned chunk, Tag first_tag) const {
        const unsigned stage = Position(round).stage;
        const auto begin_time = stamp.role_begin_time();
        const unsigned bits = select_items(round, chunk);
        storage.selection_bits[stage][chunk][lane_index()] = bits;
        const unsigned count = warp_reduce_add(__popc(bits));
        if (lane_index() == 0) {
            storage.chunk_counts[round % (2 * Stages)][chunk] = count;
            add_chunk_count(round, stage, count, first_tag + round);
        }
        // Releases the bits and counts to the scatter warps, and the tile's count to the look-back warp.
        arrive(shared_address(&storage.counted[stage]));
        stamp.note_role_end(WarpRole::count, round, round * roles_of_tile + chunk, begin_time);
    }

    /// Adds the count of a chunk to the count of its tile. The warp that adds the last chunk publishes the
    /// sum at once, because other blocks wait for it. Chunks that the last round lacks add 0. One lane calls.
    __device__ void add_chunk_count(unsigned round, unsigned stage, unsigned count, Tag tag) const {
        const unsigned before = atomicAdd_block(&storage.packed_count[stage], (1U << count_bits) + count);
        if (before >> count_bits != Chunks - 1) return;
        const unsigned total = (before & ((1U << count_bits) - 1)) + count;
        publish(state.words[0][tag % pipeline_window], pipeline_window * max_pipeline_blocks, blockIdx.x,
                status_word(tag, total));
        storage.tile_counts[stage] = total;
        *static_cast<volatile unsigned*>(&storage.packed_count[stage]) = 0;  // relaxed, as the additions are
        stamp.note_posted(tile_of(round));
    }

    // --- Look back ---

    /// `tag_in_lane_0`: the first tag of the launch.
    __device__ void run_look_back_warp(Tag tag_in_lane_0) const {
        const Tag first_tag = __shfl_sync(all_lanes, tag_in_lane_0, 0);
        if (lane_index() == 0) {
            arrive_at_pipeline(state, first_tag);
            storage.first_tag = first_tag;
            // Only this lane writes the tag, so it alone arrives for the other warps, which read it.
            arrive(shared_address(&storage.started));
        }
        wait_cycles(cycles_before_look_back);
        StatusWindow window;
        window.load(state, first_tag);
        if (lane_index() == 0) storage.fallback = fallback_at_arrival(state, first_tag);
        __syncwarp();  // the fallback is written
        if (storage.fallback != Fallback::none) return abandon_from(0);
        std::uint64_t selected_before = 0;  // valid in lane 0
        unsigned polls = 0;
        Position at;
        for (unsigned round = 0; round < schedule.num_rounds; ++round) {
            const Tag tag = first_tag + round;
            const auto begin_time = stamp.role_begin_time();
            if (!wait_for_counts(window, round, tag, polls)) return abandon_from(round);
            if (round == 0 && polls < prompt_polls) trigger_dependent_launch();
            selected_before += window.sum(round);
            window.load(state, tag + 1);  // tested in the next round
            wait(shared_address(&storage.counted[at.stage]), at.parity);
            // All lanes have seen this phase before lane 0 lets the scatter warps go on. After that the next
            // phase may complete, and its parity would hide this one from a lane that still waits.
            __syncwarp();
            if (lane_index() == 0) {
                const unsigned own_count = storage.tile_counts[at.stage];
                note("tile start", selected_before);
                storage.tile_start[at.stage] = selected_before;
                arrive(shared_address(&storage.located[at.stage]));
                stamp.note_summed(tile_of(round));
                selected_before += own_count;
                stamp.add_selected(own_count);
                if (round == schedule.num_rounds - 1 && blockIdx.x == gridDim.x - 1)
                    *num_selected = static_cast<CountT>(selected_before);
            }
            __syncwarp();  // the lanes test the next words together
            stamp.note_role_end(WarpRole::look_back, round, round * roles_of_tile + 2 * Chunks, begin_time);
            at.advance();
        }
    }

    /// Waits for the counts that a round needs, and counts the polls. Returns false if the launch falls back.
    __device__ bool wait_for_counts(StatusWindow& window, unsigned round, Tag tag, unsigned& polls) const {
        while (!window.is_complete(round, tag)) {
            if (++polls % options.poll_limit == 0 && falls_back(tag - round)) return false;
            window.load(state, tag);
        }
        return true;
    }

    /// Decides, after a long wait, whether the launch falls back to tickets.
    __device__ bool falls_back(Tag first_tag) const {
        const bool all_arrived = have_all_arrived(state, first_tag);
        __syncwarp();  // all lanes have read the fallback before
        if (lane_index() == 0) storage.fallback = decide_fallback(state, first_tag, all_arrived);
        __syncwarp();  // the fallback is written
        return storage.fallback != Fallback::none;
    }

    /// Lets all warps leave the pipeline. The scatter warps, which own `first_round` and the next round, find
    /// a mark instead of the tile's start. The count warps find no further round to take. A count warp may be
    /// waiting for a chunk that nobody has requested; the scatter warp that leaves completes the chunk's
    /// phase, and the mark in packed_count prevents such a chunk from publishing a tile.
    __device__ void abandon_from(unsigned first_round) const {
        const unsigned end = min(first_round + scatter_warps_per_chunk, schedule.num_rounds);
        for (unsigned round = first_round; round < end; ++round) {
            const Position at(round);
            wait(shared_address(&storage.counted[at.stage]), at.parity);
            __syncwarp();  // as in run_look_back_warp
        }
        // Atomic, as count warps of earlier rounds may read it now.
        if (lane_index() == 0) atomicCAS_block(&storage.first_abandoned_round, none_abandoned, first_round);
        if (lane_index() < Chunks) atomicMax_block(&storage.next_to_count[lane_index()], schedule.num_rounds);
        __syncwarp();  // no warp takes a chunk that was not requested
        for (unsigned round = first_round; round < end; ++round) {
            if (lane_index() != 0) continue;
            const unsigned stage = Position(round).stage;
            storage.packed_count[stage] = abandoned_count;
            storage.tile_start[stage] = abandoned_tile;
            arrive(shared_address(&storage.located[stage]));
        }
    }

    // --- Scatter ---

    /// Writes the tile's chunk out and requests the next chunk for its buffer. Returns false if the warp
    /// leaves the pipeline instead.
    __device__ bool scatter_chunk(unsigned round, unsigned chunk) const {
        const Position at(round);
        wait(shared_address(&storage.counted[at.stage]), at.parity);
        const auto begin_time = stamp.role_begin_time();
        wait_for_chunk(round, chunk);  // counted implies arrived, so this returns at once
        Rows rows;
        if constexpr (!writes_positions<SelectorT>) read_rows(rows, chunk, at.stage);
        const unsigned bits = storage.selection_bits[at.stage][chunk][lane_index()];
        const Ranks ranks(bits);
        const unsigned before = warp_reduce_add(
            lane_index() < chunk ? storage.chunk_counts[round % (2 * Stages)][lane_index()] : 0);
        const bool few = !partitions<SelectorT> && ranks.total < few_items;
        bool stored;
        if constexpr (partitions<SelectorT>)
            stored = scatter_both(round, chunk, rows, ranks, before);
        else if constexpr (moves_columns<SelectorT>)
            stored = few ? scatter_few(round, chunk, rows, ranks, before)
                         : scatter_columns(round, chunk, rows, ranks, before);
        else
            stored = few ? scatter_few(round, chunk, rows, ranks, before)
                         : scatter_many(round, chunk, rows, ranks, before);
        if (!stored) {
            // Completes the phase of the next chunk, which nobody requests: a count warp may wait for it.
            if (round + Stages < schedule.num_rounds)
                arrive(shared_address(&storage.filled[chunk][at.stage]));
            return false;
        }
        __syncwarp();  // the copy engine has read the buffer, and so have all lanes
        request_chunk(round + Stages, chunk, few);
        stamp.note_role_end(WarpRole::scatter, round, round * roles_of_tile + Chunks + chunk, begin_time);
        return true;
    }

    /// Waits until the start of the tile's output is known. Returns false if the warp leaves the pipeline.
    __device__ bool wait_for_tile_start(unsigned round, std::uint64_t& tile_start) const {
        const Position at(round);
        wait(shared_address(&storage.located[at.stage]), at.parity);
        tile_start = storage.tile_start[at.stage];
        return tile_start != abandoned_tile;
    }

    /// Packs the selected items of a chunk within its buffer.
    __device__ void pack(std::uint32_t from, unsigned round, unsigned chunk, const Rows& rows,
                         const Ranks& ranks) const {
        const std::uint64_t position = first_item(round, chunk) - input.begin;
        __syncwarp();  // all lanes have read the chunk before it is overwritten
        ranks.for_each_selected([&](unsigned rank, int row, int k) {
            store_shared(from + rank * item_bytes,
                         output_words<ItemT, SelectorT>(rows[row], position, row, k));
        });
    }

    /// Stores the selected items of a chunk, or returns false if the warp leaves the pipeline. `before`: the
    /// selected items in earlier chunks of the tile. Loads the items into registers, in the order of the
    /// output, before the start of the tile's output is known: in the last round, nothing overlaps what
    /// follows the wait.
    __device__ bool scatter_few(unsigned round, unsigned chunk, const Rows& rows, const Ranks& ranks,
                                unsigned before) const {
        constexpr unsigned max_stores = few_items / warp_size;
        const std::uint32_t from = shared_address(storage.buffers[chunk][Position(round).stage]);
        pack(from, round, chunk, rows, ranks);
        __syncwarp();  // all lanes have packed their items
        Words words[max_stores];
#pragma unroll
        for (unsigned k = 0; k < max_stores; ++k) {
            // No bounds test: the buffer is long enough, and words beyond the last item are not stored.
            const unsigned i = lane_index() + k * warp_size;
            load_shared(words[k], from + i * item_bytes);
        }
        std::uint64_t tile_start;
        if (!wait_for_tile_start(round, tile_start)) return false;
        auto* const to = reinterpret_cast<Words*>(out + tile_start + before);
#pragma unroll
        for (unsigned k = 0; k < max_stores; ++k) {
            const unsigned i = lane_index() + k * warp_size;
            if (i >= ranks.total) continue;
            if constexpr (moves_columns<SelectorT>)
                selector.write_item(tile_start + before + i, words[k]);
            else
                to[i] = words[k];
        }
        if constexpr (pending_stores > 0) wait_until_read();
        fence_for_copies();  // this lane's reads of the buffer come before the copy of the next chunk
        return true;
    }

    /// Stores the selected items of a chunk by a bulk copy, or returns false if the warp leaves the pipeline.
    __device__ bool scatter_many(unsigned round, unsigned chunk, const Rows& rows, const Ranks& ranks,
                                 unsigned before) const {
        std::uint64_t tile_start;
        if (!wait_for_tile_start(round, tile_start)) return false;
        ItemT* const to = out + tile_start + before;
        // The buffer has the same offset within a line as the output, so whole vectors of one are whole
        // vectors of the other.
        const std::uint32_t offset = reinterpret_cast<std::uintptr_t>(to) % line_bytes;
        const std::uint32_t from = shared_address(storage.buffers[chunk][Position(round).stage]) + offset;
        pack(from, round, chunk, rows, ranks);
        store_chunk(to, from, ranks.total);
        wait_until_read();
        return true;
    }

    /// Stores each column of the selected items of a chunk by a bulk copy, or returns false if the warp
    /// leaves the pipeline.
    __device__ bool scatter_columns(unsigned round, unsigned chunk, const Rows& rows, const Ranks& ranks,
                                    unsigned before) const {
        std::uint64_t tile_start;
        if (!wait_for_tile_start(round, tile_start)) return false;
        const std::uint64_t first = tile_start + before;
        static_assert(items * item_bytes + SelectorT::num_columns * vector_bytes <= chunk_buffer_bytes);
        std::uint32_t from[SelectorT::num_columns];
        const std::uint32_t buffer = shared_address(storage.buffers[chunk][Position(round).stage]);
        __syncwarp();  // all lanes have read the chunk before it is overwritten
        selector.template pack<items>(from, buffer, first, rows, ranks);
        selector.for_each_column([&](auto column) {
            store_chunk(selector.output(column) + first, from[column.index], ranks.total);
        });
        wait_until_read();
        return true;
    }

    /// Stores the selected and the rejected items of a chunk, each by a bulk copy, or returns false if the
    /// warp leaves the pipeline.
    __device__ bool scatter_both(unsigned round, unsigned chunk, const Rows& rows, const Ranks& ranks,
                                 unsigned before) const {
        const std::uint64_t first = first_item(round, chunk);
        // The last round lacks some chunks.
        const unsigned valid =
            chunk < chunks_in(round)
                ? valid_bits<ItemT, num_rows>(input, first, input.contains(first, first + items))
                : 0;
        const Ranks rejected(valid & ~ranks.bits);
        std::uint64_t tile_start;
        if (!wait_for_tile_start(round, tile_start)) return false;
        const std::uint64_t selected_before = tile_start + before;
        ItemT* const to = out + selected_before;
        ItemT* const rejected_to =
            selector.rejected_at(input.items_before(first) - selected_before, rejected.total);
        // Both lie in the buffer, each with the same offset within a vector as its output.
        const auto into_vector = [](const ItemT* address, std::uint32_t from) {
            return (static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address)) - from) %
                   vector_bytes;
        };
        const std::uint32_t buffer = shared_address(storage.buffers[chunk][Position(round).stage]);
        const std::uint32_t from = buffer + into_vector(to, buffer);
        const std::uint32_t end = from + ranks.total * item_bytes;
        const std::uint32_t rejected_from = end + into_vector(rejected_to, end);
        pack(from, round, chunk, rows, ranks);
        rejected.for_each_selected([&](unsigned rank, int row, int k) {
            store_shared(rejected_from + SelectorT::index_in_memory(rank, rejected.total) * item_bytes,
                         words_in<item_bytes>(rows[row], k));
        });
        store_chunk(to, from, ranks.total);
        store_chunk(rejected_to, rejected_from, rejected.total);
        wait_until_read();
        return true;
    }

    /// How many of its chunks bulk copies may still read while a scatter warp goes on. Items are loaded into
    /// the buffer at once, so then none; positions are packed into it when the warp comes back to its stage.
    static constexpr int pending_stores = needs_items<SelectorT> || Stages % scatter_warps_per_chunk != 0
                                              ? 0
                                              : Stages / scatter_warps_per_chunk - 1;

    /// Waits until bulk copies have read the buffer that the warp uses next. Called for each chunk.
    __device__ void wait_until_read() const {
        if (lane_index() == 0) commit_stores();
        if (lane_index() == 0) wait_stores_read<pending_stores>();
    }

    /// The number of items of type T from an address on to the first one that is aligned to a vector.
    template <typename T>
    __device__ static unsigned items_before_vector(std::uint32_t from) {
        constexpr unsigned bytes = sizeof(T);
        if constexpr (alignment_in<bytes> == bytes) {
            const unsigned misaligned = from / bytes % aligned_items<T>;
            return misaligned == 0 ? 0 : aligned_items<T> - misaligned;
        } else {
            unsigned before = 0;
            while ((from + before * bytes) % vector_bytes != 0) ++before;
            return before;
        }
    }

    /// Stores the aligned middle by one bulk copy, and the items before and after it one by one. T: the items
    /// or, where columns are moved, their elements.
    template <typename T>
    __device__ void store_chunk(T* to, std::uint32_t from, unsigned count) const {
        constexpr unsigned bytes = sizeof(T);
        constexpr unsigned multiple = aligned_items<T>;
        fence_for_copies();  // the copy engine sees the items that this lane has packed
        __syncwarp();        // all lanes have packed their items
        const unsigned head = min(count, items_before_vector<T>(from));
        const unsigned middle = (count - head) / multiple * multiple;
        if (lane_index() == 0 && middle > 0) store_bulk(to + head, from + head * bytes, middle * bytes);
        if constexpr (multiple > 1) {
            const unsigned i = lane_index() < head ? lane_index() : lane_index() + middle;
            if (i < count) {
                WordsOf<bytes> words;
                load_shared(words, from + i * bytes);
                reinterpret_cast<WordsOf<bytes>*>(to)[i] = words;
            }
        }
    }

    // --- Run ---

    /// All threads of the block call. Returns when all warps have left the pipeline.
    __device__ void run() const {
        const unsigned warp = warp_in_block();
        if (warp == look_back_warp) prepare_tiles();
        if (warp < Chunks) prepare_chunk(warp);
        wait_for_previous_launch();
        stamp.begin();
        Tag first_tag = 0;
        if (warp == look_back_warp && lane_index() == 0)
            first_tag = first_tag_of_launch(state.rounds, options.tags, schedule.num_rounds);
        if (warp < Chunks) request_chunk(0, warp, /*sparse=*/false);
        __syncthreads();  // all barriers are initialised
        if (warp < look_back_warp) {
            run_chunk_warp(warp % Chunks, warp / Chunks);
        } else {
            run_look_back_warp(first_tag);
        }
        __syncthreads();  // all warps have left the pipeline
    }

    /// A scatter warp (turn < scatter_warps_per_chunk) or a count warp. Both call count_chunk here and
    /// nowhere else, because the code of a costly predicate may fill the instruction cache.
    __device__ void run_chunk_warp(unsigned chunk, unsigned turn) const {
        const bool scatters = turn < scatter_warps_per_chunk;
        if (scatters) request_first_chunks(chunk, turn);
        wait(shared_address(&storage.started), 0);
        const Tag first_tag = storage.first_tag;
        unsigned own_round = turn;  // the next round to scatter; a count warp has none
        while (!scatters || own_round < schedule.num_rounds) {
            unsigned round;
            if (scatters ? take_while_waiting(own_round, chunk, round) : take_next(chunk, round)) {
                count_chunk(round, chunk, first_tag);
            } else if (scatters && scatter_chunk(own_round, chunk)) {
                own_round += scatter_warps_per_chunk;
            } else {
                break;
            }
        }
        if constexpr (pending_stores > 0) {
            if (lane_index() == 0) wait_stores_read<0>();
        }
    }
};

#endif

}  // namespace compaction::cuda::detail
