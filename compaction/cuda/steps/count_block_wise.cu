// Counting by blocks: no loop, one vector per thread, one count per block. The count phase of `block_wise`
// alone, and a sum.
// Source: Spataro 2015, "Stream Compaction on GPU - Efficient implementation"; the series "Parallel Stream
// Compaction", part 4, "Block wise algorithm", for vectors.
#include <algorithm>
#include <cstdint>

#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/warp.cuh"
#include "cuda/engine.hpp"
#include "cuda/primitives/block_phases.cuh"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/primitives/words.hpp"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

/// Launches the kernel for one size of items and one vector width.
using Launch = void (*)(unsigned blocks, unsigned threads, cudaStream_t stream, const void* in,
                        std::uint64_t num_items, std::uint32_t* counts, Predicate keep, const Stamps& stamps);

template <typename ItemT, int Width>
void launch(unsigned blocks, unsigned threads, cudaStream_t stream, const void* in, std::uint64_t num_items,
            std::uint32_t* counts, Predicate keep, const Stamps& stamps) {
    const auto rows = make_row_view<ItemT, Width>(static_cast<const ItemT*>(in), num_items);
    check(
        detail::launch(count_blocks<ItemT, Width>, {blocks, threads, 0, stream}, rows, counts, keep, stamps),
        "count_blocks");
}

class CountBlockWise final : public Compactor {
  public:
    /// 512 threads: the only block size for this algorithm that the series names.
    CountBlockWise(Engine& engine, const Options& requested, ItemSize item_size)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(with_default(with_default_width(requested, /*preferred=*/4, item_size),
                                Option::threads_per_block, 512)),
          launch_(visit_vectors(item_size, options_[Option::vector_width],
                                []<typename ItemT, int Width>(Vectors<ItemT, Width>) -> Launch {
                                    return launch<ItemT, Width>;
                                })) {}

    Options resolved_options(std::uint64_t) const override { return options_; }

    void do_reserve(std::uint64_t max_items) override { counts_.grow_to(num_blocks(max_items)); }

    void do_enqueue(const void* in, std::uint64_t num_items, void*, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const unsigned blocks = num_blocks(num_items);
        {
            const TimedPhase phase{recorder};
            launch_(blocks, options_[Option::threads_per_block], engine_.stream(), in, num_items,
                    counts_.data(), keep, phase.stamps());
        }
        {
            const TimedPhase phase{recorder};
            enqueue_sum(counts_.data(), blocks, num_selected, engine_.stream(), phase.stamps());
        }
    }

  private:
    /// At least one. Enough for any alignment: the first vector may begin up to `width` - 1 items before
    /// the stream.
    unsigned num_blocks(std::uint64_t num_items) const {
        const std::uint64_t width = options_[Option::vector_width];
        const std::uint64_t max_vectors = (num_items + 2 * (width - 1)) / width;
        return std::max(1U, blocks_for(max_vectors, options_[Option::threads_per_block]));
    }

    CudaEngine& engine_;
    Options options_;
    Launch launch_;
    DeviceBuffer<std::uint32_t> counts_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_count_block_wise() {
    Registration registration;
    registration.algorithm.operation = Operation::count;
    registration.algorithm.authors = "Spataro; the series \"Parallel Stream Compaction\"";
    registration.algorithm.year = 2018;
    registration.algorithm.source =
        "Parallel Stream Compaction, part 4 (2018), Block wise algorithm; Spataro 2015, Stream Compaction on "
        "GPU - Efficient implementation";
    registration.algorithm.summary =
        "Each thread reads one vector and each block leaves one count, by the barrier that counts votes. "
        "With quads the series found it as fast as counting by sequences.";
    // With one item per thread, in the smallest blocks.
    registration.algorithm.max_items = std::uint64_t{cuda::max_blocks_per_grid} * cuda::warp_size;
    registration.algorithm.phases = {
        {PhaseRole::count, "count",
         "Each thread reads its items, and the block counts the kept ones with a barrier that counts votes, "
         "__syncthreads_count.",
         traffic::reads_all},
        {PhaseRole::prefix, "sum", "The counts of the blocks are added up; the series leaves this out.",
         traffic::metadata_alone}};
    registration.algorithm.options = {every_vector_width(), cuda::every_block_size()};
    registration.make = make_with_item_size<cuda::CountBlockWise>;
    return registration;
}

}  // namespace compaction
