// Counting by sequences: one warp per sequence, whose lanes add up their counts. The count phase of
// `sequence_wise` alone, and a sum.
// Source: the series "Parallel Stream Compaction", part 4, "Sequence wise algorithm"; after Billeter,
// Olsson, Assarsson 2009, "Efficient Stream Compaction on Wide SIMD Many-Core Architectures".
#include <algorithm>
#include <cstdint>

#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/memory.hpp"
#include "cuda/engine.hpp"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/primitives/sequences.cuh"
#include "cuda/primitives/words.hpp"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

/// Two sequences for each warp of the largest grid.
constexpr unsigned max_sequences = 1U << 22;

/// How many rows a warp has in flight: the values of Option::variant.
enum RowsInFlight : std::uint32_t { batch_of_rows = 1, row_at_a_time = 2 };

/// The longest sequence: its count, even with an extra row, fits 32 bits.
constexpr std::uint64_t max_sequence_items = std::uint64_t{1} << 31;

/// The kernel for one size of items and one vector width.
struct Kernel {
    void (*launch)(const Options& options, unsigned num_sequences, cudaStream_t stream, const void* in,
                   std::uint64_t num_items, std::uint32_t* counts, Predicate keep, const Stamps& stamps);
    const void* function;
    unsigned items_per_batch;
};

template <typename ItemT, int Width, int Rows>
Kernel kernel() {
    constexpr auto count = count_sequences<ItemT, Width, Rows>;
    return {[](const Options& options, unsigned num_sequences, cudaStream_t stream, const void* in,
               std::uint64_t num_items, std::uint32_t* counts, Predicate keep, const Stamps& stamps) {
                const auto rows = make_row_view<ItemT, Width>(static_cast<const ItemT*>(in), num_items);
                check(detail::launch(count,
                                     {options[Option::blocks], options[Option::threads_per_block], 0, stream},
                                     rows, EvenShare(rows.num_rows(), num_sequences), num_sequences, counts,
                                     keep, stamps),
                      "count_sequences");
            },
            reinterpret_cast<const void*>(count), unsigned{Rows} * Width * warp_size};
}

class CountSequenceWise final : public Compactor {
  public:
    CountSequenceWise(Engine& engine, const Options& requested, ItemSize item_size)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(with_default(with_default(with_default_width(requested, /*preferred=*/4, item_size),
                                             Option::threads_per_block, 256),
                                Option::variant, batch_of_rows)),
          kernel_(visit_vectors(item_size, options_[Option::vector_width],
                                [one_row = options_[Option::variant] ==
                                           row_at_a_time]<typename ItemT, int Width>(Vectors<ItemT, Width>) {
                                    return one_row ? kernel<ItemT, Width, 1>()
                                                   : kernel<ItemT, Width, rows_per_batch<ItemT, Width>>();
                                })) {
        int blocks_per_multiprocessor = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                  &blocks_per_multiprocessor, kernel_.function,
                  static_cast<int>(options_[Option::threads_per_block]), /*dynamicSMemSize=*/0),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        resident_blocks_ =
            static_cast<unsigned>(std::max(1, blocks_per_multiprocessor * engine_.num_multiprocessors()));
    }

    /// Fills the GPU with resident blocks; uses fewer if there are fewer batches.
    Options resolved_options(std::uint64_t num_items) const override {
        const std::uint64_t block_items =
            std::uint64_t{options_[Option::threads_per_block] / warp_size} * kernel_.items_per_batch;
        const std::uint64_t useful_blocks = (num_items + block_items - 1) / block_items;
        const auto limit = std::min(max_blocks, resident_blocks_);
        const Options options =
            with_default(options_, Option::blocks,
                         static_cast<std::uint32_t>(std::clamp<std::uint64_t>(useful_blocks, 1, limit)));
        // One sequence per warp, or several for very long streams.
        const std::uint64_t num_warps_launched =
            std::uint64_t{options[Option::blocks]} * (options[Option::threads_per_block] / warp_size);
        const std::uint64_t turns = num_items / (num_warps_launched * max_sequence_items) + 1;
        return with_default(options, Option::sequences,
                            static_cast<std::uint32_t>(num_warps_launched * turns));
    }

    void do_reserve(std::uint64_t max_items) override { counts_.grow_to(num_sequences(max_items)); }

    void do_enqueue(const void* in, std::uint64_t num_items, void*, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const unsigned sequences = num_sequences(num_items);
        {
            const TimedPhase phase{recorder};
            kernel_.launch(resolved_options(num_items), sequences, engine_.stream(), in, num_items,
                           counts_.data(), keep, phase.stamps());
        }
        {
            const TimedPhase phase{recorder};
            enqueue_sum(counts_.data(), sequences, num_selected, engine_.stream(), phase.stamps());
        }
    }

  private:
    /// The requested number, or more if counts of 32 bits need it.
    unsigned num_sequences(std::uint64_t num_items) const {
        const std::uint64_t min_sequences = num_items / max_sequence_items + 1;
        return static_cast<unsigned>(
            std::max<std::uint64_t>(resolved_options(num_items)[Option::sequences], min_sequences));
    }

    CudaEngine& engine_;
    Options options_;  ///< options that depend on the length stay automatic
    Kernel kernel_;
    unsigned resident_blocks_ = 0;
    DeviceBuffer<std::uint32_t> counts_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_count_sequence_wise() {
    Registration registration;
    registration.algorithm.operation = Operation::count;
    registration.algorithm.authors =
        "the series \"Parallel Stream Compaction\", after Billeter, Olsson and Assarsson";
    registration.algorithm.year = 2018;
    registration.algorithm.source =
        "Parallel Stream Compaction, part 4 (2018), Sequence wise algorithm; Billeter, Olsson, Assarsson "
        "2009, Efficient Stream Compaction on Wide SIMD Many-Core Architectures";
    registration.algorithm.summary =
        "Each warp walks along one sequence and leaves one count, so there are few counts however long the "
        "stream is. The series compares it with counting by blocks. \"row_at_a_time\" is the loop of the "
        "series, \"batch_of_rows\" keeps 64 bytes per lane in flight. More sequences than warps change the "
        "volume of the metadata alone.";
    registration.algorithm.phases = {
        {PhaseRole::count, "count",
         "Each warp counts the kept items of its sequence and adds up its lanes by shuffles.",
         traffic::reads_all},
        {PhaseRole::prefix, "sum", "The counts of the sequences are added up; the series leaves this out.",
         traffic::metadata_alone}};
    registration.algorithm.options = {every_vector_width(),
                                      cuda::every_block_size(),
                                      cuda::every_grid_size(),
                                      {Option::sequences, 1, cuda::max_sequences},
                                      variants({"batch_of_rows", "row_at_a_time"})};
    registration.make = make_with_item_size<cuda::CountSequenceWise>;
    return registration;
}

}  // namespace compaction
