// Single-pass stream compaction: reads the input once, in tiles; each block learns where its tile's output
// starts by adding up what the tiles before it keep.
//
// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back", for
// publishing and looking back. What is ours: only aggregates are published, and a block adds up those since
// its own previous tile, so no prefix ever travels from tile to tile; and a tile's output waits in shared
// memory for one more tile, so that what it looks back at has long been published and the next tile's loads
// are under way meanwhile.
#include <algorithm>
#include <array>
#include <cuda/atomic>
#include <memory>

#include "arguments.hpp"
#include "cuda/engine.hpp"
#include "cuda/primitives/batch_rank.cuh"
#include "cuda/support/memory.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

constexpr int width = 4;
constexpr unsigned threads_per_block = 512;
/// All warps but the last rank and move items; the last takes tickets, publishes and looks back meanwhile.
constexpr unsigned num_workers = threads_per_block / warp_size - 1;
constexpr unsigned max_blocks = 65'536;

/// Items of a tile whose lanes hold Rows vectors each.
template <int Rows>
constexpr unsigned tile_items = num_workers* warp_size* width* Rows;

using DeviceAtomic = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>;

/// Through which the blocks of one launch find their tiles and tell each other what these keep.
///
/// Tickets hand out tiles in rising order, so every tile before a block's own belongs to a block that already
/// runs: no block waits for one that may never start. A status word is the launch's epoch and the tile's
/// count in one, so that it needs neither a fence, since a reader takes nothing but the word itself, nor
/// cleaning, since words of earlier launches carry other epochs.
struct TileBoard {
    std::uint32_t* tickets;      ///< counts up over all launches
    std::uint32_t first_ticket;  ///< of this launch
    std::uint32_t* statuses;     ///< [num_tiles]
    std::uint32_t epoch;         ///< 1 to 65,535

    static constexpr unsigned count_bits = 16;

    __device__ unsigned take_tile() const {
        return DeviceAtomic(*tickets).fetch_add(1, ::cuda::memory_order_relaxed) - first_ticket;
    }

    __device__ void publish(unsigned tile, unsigned count) const {
        DeviceAtomic(statuses[tile]).store(epoch << count_bits | count, ::cuda::memory_order_relaxed);
    }

    /// What tiles [first, last) keep together; waits until all have been published. By a whole warp.
    __device__ std::uint64_t sum(unsigned first, unsigned last) const {
        constexpr int loads_in_flight = 8;
        std::uint64_t mine = 0;
        for (unsigned start = first + lane_index(); start < last; start += loads_in_flight * warp_size) {
            std::uint32_t word[loads_in_flight];
#pragma unroll
            for (int i = 0; i < loads_in_flight; ++i) {
                const unsigned tile = start + i * warp_size;
                word[i] = tile < last ? read(tile) : epoch << count_bits;
            }
#pragma unroll
            for (int i = 0; i < loads_in_flight; ++i) {
                while (word[i] >> count_bits != epoch) word[i] = read(start + i * warp_size);
                mine += word[i] & ((1U << count_bits) - 1);
            }
        }
        __syncwarp();
        return warp_sum(mine);
    }

  private:
    __device__ std::uint32_t read(unsigned tile) const {
        return DeviceAtomic(statuses[tile]).load(::cuda::memory_order_relaxed);
    }
};

/// Copies `count` items from shared memory to the output; each warp stores one whole 128-byte line at a time.
__device__ void write_out(const Item* items, unsigned count, Item* out) {
    constexpr unsigned line_items = 32;
    const unsigned before_line = reinterpret_cast<std::uintptr_t>(out) / sizeof(Item) % line_items;
    for (unsigned i = threadIdx.x; i < count + before_line; i += threads_per_block) {
        if (i >= before_line) out[i - before_line] = items[i - before_line];
    }
}

template <int Rows>
__device__ Batch<width, Rows> load_tile(const RowView<width>& rows, unsigned tile) {
    const std::uint64_t row = (std::uint64_t{tile} * num_workers + warp_in_block()) * Rows;
    const bool inside =
        row * RowView<width>::row_items >= rows.begin && (row + Rows) * RowView<width>::row_items <= rows.end;
    return inside ? rows.template load_full<Rows>(row) : rows.template load_guarded<Rows>(row, row + Rows);
}

/// Takes tiles until there are none. A tile is ranked and published, and its kept items are put together in
/// shared memory; they are written out one tile later, when what they have to look back at has long been
/// published. Meanwhile the loads of the next tile are under way.
///
/// Dynamic shared memory: two stages of a tile's items each, used in turn, as are the arrays of two below.
template <int Rows>
__global__ void __launch_bounds__(threads_per_block, 2)
    single_pass_kernel(RowView<width> rows, unsigned num_tiles, TileBoard board, Item* out,
                       std::uint64_t* num_selected, Keep keep) {
    extern __shared__ uint4 stages[];
    __shared__ unsigned warp_counts[2][warp_size];  // of the tile being ranked
    __shared__ unsigned tile_after[2];              // the tile to load next
    __shared__ std::uint64_t offset;                // where the output of the tile before starts
    const auto stage = [&](unsigned turn) {
        return reinterpret_cast<Item*>(stages) + turn * tile_items<Rows>;
    };
    const bool is_worker = warp_in_block() < num_workers;

    unsigned ticket =
        num_tiles;  // last warp, lane 0: the tile after the next, taken ahead so that no one waits for it
    if (threadIdx.x < 2) warp_counts[threadIdx.x][num_workers] = 0;
    if (!is_worker && lane_index() == 0) {
        tile_after[1] = board.take_tile();
        if (tile_after[1] < num_tiles) ticket = board.take_tile();
    }
    __syncthreads();  // the first tile is known

    unsigned tile = tile_after[1];
    Batch<width, Rows> batch{};
    if (is_worker && tile < num_tiles) batch = load_tile<Rows>(rows, tile);

    unsigned previous_tile = num_tiles;  // none
    unsigned previous_count = 0;
    std::uint64_t kept_before = 0;  // last warp: what tiles [0, num_summed) keep
    unsigned num_summed = 0;
    const auto look_back = [&] {
        kept_before += board.sum(num_summed, previous_tile);
        if (lane_index() == 0) {
            offset = kept_before;
            if (previous_tile == num_tiles - 1) *num_selected = kept_before + previous_count;
        }
        kept_before += previous_count;
        num_summed = previous_tile + 1;
    };

    unsigned turn = 0;
    for (; tile < num_tiles; turn ^= 1) {
        BatchRanks<Rows> ranks;
        if (is_worker) {
            ranks = rank_batch(batch, keep);
            if (lane_index() == 0) warp_counts[turn][warp_in_block()] = ranks.total;
        } else if (lane_index() == 0) {
            tile_after[turn] = ticket;
        }
        __syncthreads();  // all counts and the next tile are there; this turn's stage has been written out

        const unsigned inclusive = warp_inclusive_scan(warp_counts[turn][lane_index()]);
        const unsigned count = __shfl_sync(all_lanes, inclusive, num_workers);
        const unsigned next_tile = tile_after[turn];
        if (is_worker) {
            Item* const warp_stage =
                stage(turn) + __shfl_sync(all_lanes, inclusive, warp_in_block()) - ranks.total;
            place_kept(batch, ranks, keep, [&](unsigned rank, Item item) { warp_stage[rank] = item; });
            if (next_tile < num_tiles) batch = load_tile<Rows>(rows, next_tile);
        } else {
            // Published before looking back: no block's count ever waits for another's.
            if (lane_index() == 0) {
                board.publish(tile, count);
                if (next_tile < num_tiles) ticket = board.take_tile();
            }
            if (previous_tile < num_tiles) look_back();
        }
        if (previous_tile < num_tiles) {
            __syncthreads();  // the offset is there; the previous stage has been complete since the barrier
                              // before
            write_out(stage(turn ^ 1), previous_count, out + offset);
        }
        previous_tile = tile;
        previous_count = count;
        tile = next_tile;
    }
    if (previous_tile < num_tiles) {
        __syncthreads();  // all have read the offset before the last one replaces it
        if (!is_worker) look_back();
        __syncthreads();  // the last offset is there and the last stage is complete
        write_out(stage(turn ^ 1), previous_count, out + offset);
    }
}

/// One tile size, and the longest streams it is best for, as tiles to each multiprocessor.
struct Variant {
    unsigned tile_items;
    unsigned most_tiles_each;
    void (*kernel)(RowView<width>, unsigned, TileBoard, Item*, std::uint64_t*, Keep);

    int shared_bytes() const { return static_cast<int>(2 * tile_items * sizeof(Item)); }
    /// An empty stream still needs a tile, to say that it keeps none.
    std::uint64_t num_tiles(std::uint64_t num_items) const {
        return std::max<std::uint64_t>(1, (num_items + tile_items - 1) / tile_items);
    }
};

template <int Rows>
constexpr Variant variant(unsigned most_tiles_each) {
    return {tile_items<Rows>, most_tiles_each, single_pass_kernel<Rows>};
}

constexpr unsigned any_number = ~0U;

/// In the order they are tried. Short streams: the smallest tile of which each multiprocessor gets one at
/// most. Longer ones: small tiles while there are only few to each, so that the last round leaves little
/// idle; then ever larger ones, which keep more loads in flight. Measured on an H200:
/// docs/notes/single_pass_on_h200.md.
constexpr std::array variants{variant<1>(1), variant<2>(1), variant<3>(1),  variant<5>(1),
                              variant<2>(5), variant<4>(5), variant<5>(16), variant<6>(any_number)};

/// A stream that begins between two vectors begins with up to this many items that are not its own.
constexpr std::uint64_t max_lead = width - 1;

class SinglePass final : public Compactor {
  public:
    SinglePass(CudaEngine& engine, const Options& asked) : engine_(engine), asked_(asked), tickets_(1) {
        int shared_bytes_limit = 0;
        int device = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&shared_bytes_limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
              "cudaDeviceGetAttribute");
        for (std::size_t i = 0; i < variants.size(); ++i) {
            if (variants[i].shared_bytes() > shared_bytes_limit) continue;
            const auto* kernel = reinterpret_cast<const void*>(variants[i].kernel);
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       variants[i].shared_bytes()),
                  "cudaFuncSetAttribute");
            int blocks_each = 0;
            check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                      &blocks_each, kernel, threads_per_block,
                      static_cast<std::size_t>(variants[i].shared_bytes())),
                  "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
            resident_blocks_[i] = static_cast<unsigned>(blocks_each * engine.num_multiprocessors());
        }
        check(cudaMemsetAsync(tickets_.data(), 0, sizeof(std::uint32_t), engine.stream()), "cudaMemsetAsync");
    }

    Options layout(std::uint64_t num_items) const override {
        Options layout = asked_;
        if (asked_[Option::blocks] == automatic) {
            const std::size_t choice = choose(num_items);
            const std::uint64_t num_tiles = variants[choice].num_tiles(num_items + max_lead);
            layout[Option::blocks] =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(num_tiles, resident_blocks_[choice]));
        }
        return layout;
    }

    void reserve(std::uint64_t max_items) override {
        // A shorter stream may be cut into smaller tiles, and so into more of them, but not into more than
        // this.
        std::uint64_t most_tiles = variants[choose(max_items)].num_tiles(max_items + max_lead);
        for (const Variant& each : variants) {
            if (each.most_tiles_each == any_number) continue;
            most_tiles = std::max<std::uint64_t>(
                most_tiles, std::uint64_t{each.most_tiles_each} * engine_.device().processors);
        }
        if (most_tiles > statuses_.size()) {
            statuses_.grow_to(most_tiles);
            forget_epochs();
        }
        reserved_items_ = std::max(reserved_items_, max_items);
    }

    void enqueue(const Item* in, std::uint64_t num_items, Item* out, std::uint64_t* num_selected, Keep keep,
                 PhaseRecorder* recorder) override {
        check_arguments(in, num_items, out, num_selected, reserved_items_);
        const ScopedPhase phase{recorder};
        if (epoch_ == last_epoch) forget_epochs();
        ++epoch_;
        const Variant& variant = variants[choose(num_items)];
        const RowView<width> rows = make_row_view<width>(in, num_items);
        const auto num_tiles = static_cast<unsigned>(variant.num_tiles(rows.end));
        const unsigned blocks = layout(num_items)[Option::blocks];
        const TileBoard board{tickets_.data(), next_ticket_, statuses_.data(), epoch_};
        variant.kernel<<<blocks, threads_per_block, static_cast<std::size_t>(variant.shared_bytes()),
                         engine_.stream()>>>(rows, num_tiles, board, out, num_selected, keep);
        check_launch("single_pass_kernel");
        // Every tile takes a ticket, and every block one more, by which it learns that there are no tiles
        // left.
        next_ticket_ += num_tiles + blocks;
    }

  private:
    static constexpr std::uint32_t last_epoch = 0xffff;

    /// The first variant that fits this card and is meant for streams as long as this; else the largest that
    /// fits.
    std::size_t choose(std::uint64_t num_items) const {
        std::size_t largest = 0;
        for (std::size_t i = 0; i < variants.size(); ++i) {
            if (resident_blocks_[i] == 0) continue;
            const std::uint64_t tiles_each =
                variants[i].num_tiles(num_items + max_lead) / engine_.device().processors;
            if (tiles_each < variants[i].most_tiles_each) return i;
            if (variants[i].tile_items >= variants[largest].tile_items) largest = i;
        }
        return largest;
    }

    void forget_epochs() {
        check(
            cudaMemsetAsync(statuses_.data(), 0, statuses_.size() * sizeof(std::uint32_t), engine_.stream()),
            "cudaMemsetAsync");
        epoch_ = 0;
    }

    CudaEngine& engine_;
    Options asked_;
    std::array<unsigned, variants.size()>
        resident_blocks_{};  ///< 0: the variant needs more shared memory than there is
    DeviceBuffer<std::uint32_t> tickets_;
    DeviceBuffer<std::uint32_t> statuses_;
    std::uint32_t next_ticket_ = 0;
    std::uint32_t epoch_ = 0;
    std::uint64_t reserved_items_ = 0;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_single_pass() {
    Registration registration;
    registration.algorithm.authors = "Warpsieve; after Merrill and Garland";
    registration.algorithm.year = 2026;
    registration.algorithm.source =
        "Warpsieve; look-back after Merrill, Garland 2016, Single-pass Parallel Prefix Scan with Decoupled "
        "Look-back";
    registration.algorithm.summary =
        "Reads the input once, in tiles handed out by ticket. Each block adds up what was kept since its own "
        "previous tile, while the next "
        "tile is already on its way, and writes its kept items in whole lines.";
    registration.algorithm.phases = {
        {PhaseRole::fused, "fused",
         "Count, prefix and move in one sweep; they overlap, so there is nothing to split."}};
    registration.algorithm.options = {{Option::blocks, 1, cuda::max_blocks}};
    registration.make = [](Engine& engine, const Options& options) -> std::unique_ptr<Compactor> {
        return std::make_unique<cuda::SinglePass>(static_cast<cuda::CudaEngine&>(engine), options);
    };
    return registration;
}

}  // namespace compaction
