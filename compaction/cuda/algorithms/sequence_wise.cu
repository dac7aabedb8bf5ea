// Sequence-wise stream compaction with vectorised memory access, in three phases: count, prefix, move.
//
// The stream is divided into sequences: ordered, contiguous, non-overlapping parts, one for each warp, read
// with a warp stride. Source: Billeter, Olsson and Assarsson 2009, "Efficient Stream Compaction on Wide SIMD
// Many-Core Architectures", for the sequences; the blog series "Parallel Stream Compaction", part 5 (2018),
// for shuffles instead of shared-memory scans, for vectors of up to four items and for rounded lengths. New
// here: any length, any options, and output staged into whole lines.
#include <algorithm>
#include <string>

#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/launch.cuh"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/scan_counts.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "compaction/error.hpp"
#include "cuda/engine.hpp"
#include "cuda/primitives/batch.cuh"
#include "cuda/primitives/batch_rank.cuh"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/primitives/sequences.cuh"
#include "cuda/primitives/staged_writer.cuh"
#include "cuda/support/stamps.hpp"
#include "cuda/support/working_buffers.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

constexpr unsigned max_sequences = 65'536;
/// A count has 32 bits, so every sequence is shorter than this.
constexpr std::uint64_t sequence_items_limit = std::uint64_t{1} << 32;

/// The values of Option::variant: how the stream is divided.
enum Variant : std::uint32_t {
    scaled = 1,           ///< one sequence for each resident warp, of lengths that differ by at most one row
    rounded_64k = 2,      ///< equal sequences of a multiple of 128 items; 512 of them round up to 64 Ki items
    rounded = 3,          ///< equal sequences, with a multiple of 32 vectors of the chosen width each
    count_scalar = 4,     ///< rounded_64k, whose count phase reads scalars, whatever the width of the move
    count_pair = 5,       ///< the same with a count phase that reads pairs
    count_quad = 6,       ///< the same with a count phase that reads quads
    published = 7,        ///< rounded_64k, read a row at a time, whose items are stored one by one
    published_exact = 8,  ///< the same with sequences of lengths that differ by at most one row
};

bool is_rounded(std::uint32_t variant) {
    return variant != scaled && variant != published_exact;
}

bool reads_single_rows(std::uint32_t variant) {
    return variant == published || variant == published_exact;
}

/// The vector width of the count phase, which may differ from that of the move in the variants count_*.
std::uint32_t count_width(const Options& options, ItemSize item_size) {
    const std::uint32_t variant = options[Option::variant];
    if (variant < count_scalar || variant > count_quad) return options[Option::vector_width];
    return std::min(1U << (variant - count_scalar), max_vector_width(item_size));
}

/// Part 5 gives the number of sequences, part 4 the number of threads: 128 blocks of 128 threads have 512
/// warps, one for each sequence.
constexpr unsigned published_sequences = 512;
constexpr unsigned published_threads = 128;
constexpr unsigned items_per_rounding_unit = warp_size * 4;

/// Divides a stream that ends at `end` into sequences of rows. The rounded variants first round the length
/// up, so that all sequences are equal and the last ones may lie past the end: to a multiple of
/// items_per_rounding_unit x num_sequences, or of row_items x num_sequences with the variant `rounded`. Items
/// past the end read as not kept, so the caller need not pad the stream, which the published library
/// requires.
EvenShare even_share_for(const Options& options, std::uint64_t end, unsigned row_items) {
    const unsigned num_sequences = options[Option::sequences];
    const std::uint32_t variant = options[Option::variant];
    const std::uint64_t sequence_unit = variant == rounded ? row_items : items_per_rounding_unit;
    const std::uint64_t unit = is_rounded(variant) ? sequence_unit * num_sequences : row_items;
    const std::uint64_t rounded_items = (end + unit - 1) / unit * unit;
    return {rounded_items / row_items, num_sequences};
}

/// Appends the kept items of a batch in the order of the stream.
template <typename ItemT, int Width>
__device__ void stage_kept(StagedWriter<ItemT, Width>& writer, const Batch<ItemT, Width>& batch,
                           Predicate keep) {
    const auto ranks = rank_batch(batch, keep);
    for_each_selected(batch, ranks, keep, [&](unsigned rank, const ItemT& item) {
        detail::note("rank", rank);
        writer.item(rank) = item;
    });
    writer.append(ranks.total);
}

/// Move: copies the kept items of each sequence to its offset in the output. The launch may overlap the scan.
/// The scan itself waits for the count, so after the wait for the scan the results of both are visible.
/// Dynamic shared memory: one stage per warp.
template <typename ItemT, int Width>
__global__ void __launch_bounds__(max_threads_per_block, 1)
    move_kernel(RowView<ItemT, Width> rows, EvenShare share, unsigned num_sequences,
                const std::uint64_t* offsets, ItemT* out, Predicate keep, Stamps stamps) {
    const BlockStamp stamp(stamps, BlockStart::after_wait);
    using Writer = StagedWriter<ItemT, Width>;
    COMPACTION_DYNAMIC_SHARED(stages, 16, uint4);
    ItemT* stage = reinterpret_cast<ItemT*>(stages) + warp_in_block() * Writer::stage_items;
    detail::wait_for_previous_launch();
    stamp.begin();
    for (unsigned s = warp_in_grid(); s < num_sequences; s += num_warps()) {
        detail::note("sequence", s);
        Writer writer(stage, out + (detail::is_left_out() ? 0 : offsets[s]));
        for_each_batch(rows, share.first_row(s), share.first_row(s + 1),
                       [&](const Batch<ItemT, Width>& batch) { stage_kept(writer, batch, keep); });
        writer.finish();
    }
}

/// Move of the published variants: a row at a time, ranked by shuffles. Each lane stores its kept items
/// itself.
template <typename ItemT, int Width>
__global__ void __launch_bounds__(max_threads_per_block, 1)
    move_single_rows(RowView<ItemT, Width> rows, EvenShare share, unsigned num_sequences,
                     const std::uint64_t* offsets, ItemT* out, Predicate keep, Stamps stamps) {
    const BlockStamp stamp(stamps);
    for (unsigned s = warp_in_grid(); s < num_sequences; s += num_warps()) {
        ItemT* to = out + offsets[s];
        for_each_batch<ItemT, Width, 1>(
            rows, share.first_row(s), share.first_row(s + 1), [&](const Batch<ItemT, Width, 1>& row) {
                const auto ranks = rank_batch(row, keep);
                for_each_selected(row, ranks, keep,
                                  [&](unsigned rank, const ItemT& item) { to[rank] = item; });
                to += ranks.total;
            });
    }
}

template <typename ItemT>
constexpr std::size_t stage_bytes(unsigned threads_per_block) {
    return threads_per_block / warp_size * StagedWriter<ItemT, 1>::stage_items * sizeof(ItemT);
}

struct Run;
using CountLauncher = void (*)(const Run&, const void* base, std::uint64_t begin, std::uint64_t end,
                               Predicate);

/// One compaction: its options and its metadata.
struct Run {
    Options options;
    CountLauncher launch_count;  ///< launches the count phase
    unsigned count_width;
    std::uint32_t* counts;
    std::uint64_t* offsets;
    cudaStream_t stream;
    PhaseRecorder* recorder;
    bool overlapping;  ///< a phase may start before the previous one ends
};

/// The count phase with vectors of `Width` items, `Rows` rows at a time. The stream is [begin, end) from
/// `base`, which is aligned for the wider vectors of the two phases, so rows of either width can begin there.
template <typename ItemT, int Width, int Rows>
void launch_count(const Run& run, const void* base, std::uint64_t begin, std::uint64_t end, Predicate keep) {
    const unsigned num_sequences = run.options[Option::sequences];
    const RowView<ItemT, Width> rows{{static_cast<const ItemT*>(base), begin, end}};
    const unsigned threads = run.options[Option::threads_per_block];
    const EvenShare share = even_share_for(run.options, end, rows.row_items);
    const auto parts = [&] {
        return share.block_parts(rows, num_sequences, threads / warp_size, /*counts_selected=*/true);
    };
    const TimedPhase phase{run.recorder, PhaseEnd::start_of_next_phase};
    // The published variants, a row at a time, read in the order of the stream.
    constexpr bool backwards = Rows > 1;
    check(detail::launch(count_sequences<ItemT, Width, Rows, backwards>,
                         {run.options[Option::blocks], threads, 0, run.stream}, rows, share, num_sequences,
                         run.counts, keep, with_parts(phase.stamps(), parts)),
          "count_sequences");
}

template <typename ItemT, int Width, bool SingleRows>
void launch(const Run& run, const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
            Predicate keep) {
    const unsigned threads = run.options[Option::threads_per_block];
    const unsigned blocks = run.options[Option::blocks];
    const unsigned num_sequences = run.options[Option::sequences];
    // The sequences of both phases must begin at the same items. So both phases use a base that is aligned
    // for the wider of their two vectors.
    const unsigned widest = std::max<unsigned>(Width, run.count_width);
    const auto lead = reinterpret_cast<std::uintptr_t>(in) / sizeof(ItemT) % widest;
    const RowView<ItemT, Width> rows{{static_cast<const ItemT*>(in) - lead, lead, lead + num_items}};
    const EvenShare share = even_share_for(run.options, rows.end, rows.row_items);
    const auto parts = [&] {
        return share.block_parts(rows, num_sequences, threads / warp_size, /*counts_selected=*/false);
    };
    run.launch_count(run, rows.base, rows.begin, rows.end, keep);
    {
        const TimedPhase phase{run.recorder, PhaseEnd::start_of_next_phase};
        // Eight counts a thread: the block scans 8,192 counts at a time, about one for each resident warp of
        // a large GPU.
        check(detail::launch(scan_in_one_block<max_threads_per_block, 8>,
                             {.blocks = 1,
                              .threads = max_threads_per_block,
                              .shared_bytes = 0,
                              .stream = run.stream,
                              .overlapping = run.overlapping},
                             run.counts, num_sequences, run.offsets, num_selected, phase.stamps()),
              "scan_in_one_block");
    }
    {
        const TimedPhase phase{run.recorder};
        constexpr auto move = SingleRows ? move_single_rows<ItemT, Width> : move_kernel<ItemT, Width>;
        check(detail::launch(move,
                             {.blocks = blocks,
                              .threads = threads,
                              .shared_bytes = SingleRows ? 0 : stage_bytes<ItemT>(threads),
                              .stream = run.stream,
                              .overlapping = run.overlapping},
                             rows, share, num_sequences, run.offsets, static_cast<ItemT*>(out), keep,
                             with_parts(phase.stamps(), parts)),
              "move");
    }
}

/// The kernels for one size of items, one vector width and one variant.
struct Kernels {
    void (*launch)(const Run&, const void*, std::uint64_t, void*, std::uint64_t*, Predicate);
    const void* move;
    std::size_t (*stage_bytes)(unsigned threads_per_block);
    unsigned items_per_batch;
};

template <typename ItemT, int Width>
Kernels kernels(bool single_rows) {
    if (single_rows) {
        return {launch<ItemT, Width, true>, reinterpret_cast<const void*>(move_single_rows<ItemT, Width>),
                [](unsigned) { return std::size_t{0}; }, RowView<ItemT, Width>::row_items};
    }
    return {launch<ItemT, Width, false>, reinterpret_cast<const void*>(move_kernel<ItemT, Width>),
            stage_bytes<ItemT>, items_per_batch<ItemT>};
}

template <typename ItemT, int Width>
CountLauncher count_launcher(bool single_rows) {
    return single_rows ? launch_count<ItemT, Width, 1>
                       : launch_count<ItemT, Width, rows_per_batch<ItemT, Width>>;
}

class SequenceWise final : public Compactor {
  public:
    SequenceWise(Engine& engine, const Options& requested, ItemSize item_size)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(with_default(with_default_width(requested, 4, item_size), Option::variant, scaled)),
          count_width_(count_width(options_, item_size)) {
        const bool single_rows = reads_single_rows(options_[Option::variant]);
        kernels_ = visit_vectors(item_size, options_[Option::vector_width],
                                 [=]<typename ItemT, int Width>(Vectors<ItemT, Width>) {
                                     return kernels<ItemT, Width>(single_rows);
                                 });
        launch_count_ =
            visit_vectors(item_size, count_width_, [=]<typename ItemT, int Width>(Vectors<ItemT, Width>) {
                return count_launcher<ItemT, Width>(single_rows);
            });
        const bool is_scaled = options_[Option::variant] == scaled;
        if (!is_scaled) options_ = with_default(options_, Option::sequences, published_sequences);
        options_ = with_default(options_, Option::threads_per_block, is_scaled ? 256 : published_threads);
        raise_shared_limit();
        check(detail::query_compiled_for_hopper(kernels_.move, can_overlap_), "cudaFuncGetAttributes");
        can_overlap_ = can_overlap_ && !single_rows;
        int blocks_per_multiprocessor = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_multiprocessor, kernels_.move,
                                                            static_cast<int>(threads()),
                                                            kernels_.stage_bytes(threads())),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        resident_blocks_ =
            static_cast<unsigned>(std::max(1, blocks_per_multiprocessor * engine_.num_multiprocessors()));
    }

    Options resolved_options(std::uint64_t num_items) const override {
        const unsigned warps_per_block = threads() / warp_size;
        Options options = options_;
        if (options_[Option::blocks] == automatic) {
            // Fill the GPU with resident blocks; use fewer if there are fewer sequences or batches.
            const std::uint64_t num_batches =
                (num_items + kernels_.items_per_batch - 1) / kernels_.items_per_batch;
            const std::uint64_t useful_warps =
                options_[Option::sequences] == automatic ? num_batches : options_[Option::sequences];
            const std::uint64_t useful_blocks = (useful_warps + warps_per_block - 1) / warps_per_block;
            options[Option::blocks] =
                static_cast<std::uint32_t>(std::clamp<std::uint64_t>(useful_blocks, 1, resident_blocks_));
        }
        if (options_[Option::sequences] == automatic) {
            options[Option::sequences] = std::min(options[Option::blocks] * warps_per_block, max_sequences);
        }
        return options;
    }

    Partition partition(std::uint64_t num_items) const override {
        const Options resolved = resolved_options(num_items);
        const unsigned row_items = warp_size * resolved[Option::vector_width];
        return even_share_for(resolved, num_items, row_items)
            .partition(num_items, resolved[Option::sequences], row_items);
    }

    std::vector<WorkingBuffer> working_buffers() const override {
        return count_buffers("sequences", counts_, offsets_);
    }

    void do_reserve(std::uint64_t max_items) override {
        const std::uint64_t num_sequences = resolved_options(max_items)[Option::sequences];
        // Half of the limit leaves room for an extra row and for rounding.
        if (max_items / num_sequences >= sequence_items_limit / 2) {
            throw Error(ErrorCode::invalid_argument,
                        std::to_string(max_items) + " items are too many for " +
                            std::to_string(num_sequences) +
                            " sequences, whose counts have 32 bits. Use more sequences.");
        }
        counts_.grow_to(num_sequences);
        offsets_.grow_to(num_sequences);
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const Run run{resolved_options(num_items),
                      launch_count_,
                      count_width_,
                      counts_.data(),
                      offsets_.data(),
                      engine_.stream(),
                      recorder,
                      can_overlap_};
        kernels_.launch(run, in, num_items, out, num_selected, keep);
    }

  private:
    /// Raises the shared memory limit of the move kernel for blocks of any size. Throws Error{invalid_option}
    /// if one block of this size needs more than the GPU has.
    void raise_shared_limit() {
        int device = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        int limit = 0;
        check(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
              "cudaDeviceGetAttribute");
        const int needed = static_cast<int>(kernels_.stage_bytes(threads()));
        if (needed > limit) {
            throw Error(ErrorCode::invalid_option,
                        std::to_string(threads()) + " threads per block need " + std::to_string(needed) +
                            " bytes of shared memory, but this GPU has only " + std::to_string(limit) +
                            " per block. Use fewer threads.");
        }
        // The limit belongs to the kernel, not to this object: set it for the largest block, or the
        // launches of another object may fail.
        const int max_bytes = static_cast<int>(kernels_.stage_bytes(max_threads_per_block));
        check(cudaFuncSetAttribute(kernels_.move, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   std::min(max_bytes, limit)),
              "cudaFuncSetAttribute");
    }

    unsigned threads() const { return options_[Option::threads_per_block]; }

    CudaEngine& engine_;
    Options options_;  ///< with blocks and sequences left automatic where they depend on the length
    unsigned count_width_;
    Kernels kernels_{};
    CountLauncher launch_count_ = nullptr;
    bool can_overlap_ = false;
    unsigned resident_blocks_ = 0;
    DeviceBuffer<std::uint32_t> counts_;
    DeviceBuffer<std::uint64_t> offsets_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_sequence_wise() {
    Registration registration;
    registration.algorithm.authors =
        "Billeter, Olsson and Assarsson; after the series \"Parallel Stream Compaction\"";
    registration.algorithm.year = 2018;
    registration.algorithm.source =
        "Billeter, Olsson, Assarsson 2009, Efficient Stream Compaction on Wide SIMD Many-Core Architectures; "
        "Parallel Stream Compaction, part 5 (2018)";
    registration.algorithm.summary =
        "Cuts the stream into sequences, one for each warp, read with a warp stride in vectors of up to four "
        "items. Counts the kept items of each, scans the counts in one block, then moves the kept items to "
        "their offsets. Scaled: as many sequences as fill this GPU. published: the library of part 5: 512 "
        "equal sequences of the length rounded up to a multiple of 65,536, read a row at a time, kept items "
        "stored one by one; items past the end read as not kept. published_exact: the same without the "
        "rounding. rounded_64k: its sequences, read 64 bytes of a lane at a time and written in whole lines. "
        "rounded: up to a multiple of 32 x vector width x sequences. count_scalar, count_pair and "
        "count_quad: rounded_64k, whose count has its own vector width, while vector_width is that of the "
        "move.";
    registration.algorithm.phases = {
        {PhaseRole::count, "count",
         "Each warp counts the kept items of its sequence and adds up its lanes by shuffles.",
         traffic::reads_all},
        {PhaseRole::prefix, "prefix",
         "One block turns the counts into the offsets of the outputs of the sequences.",
         traffic::metadata_alone},
        {PhaseRole::scatter, "move",
         "Each warp reads its sequence again, ranks the kept items and writes them in whole lines; the "
         "published variants store each item by itself.",
         traffic::reads_all_writes_selected}};
    registration.algorithm.options = {every_vector_width(),
                                      cuda::every_block_size(),
                                      cuda::every_grid_size(),
                                      {Option::sequences, 1, cuda::max_sequences},
                                      variants({"scaled", "rounded_64k", "rounded", "count_scalar",
                                                "count_pair", "count_quad", "published", "published_exact"})};
    registration.make = make_with_item_size<cuda::SequenceWise>;
    return registration;
}

}  // namespace compaction
