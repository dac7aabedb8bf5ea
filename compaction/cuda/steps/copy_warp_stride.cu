// A copy by warp-stride loops: the array is divided into equal parts, one for each warp of any grid, whose
// lanes advance by 32 vectors. Source: the series "Parallel Stream Compaction", part 3, "Billeter et al.
// loops, Warp stride loops" and "Vectorized Memory Access".
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "cuda/primitives/copy_step.cuh"

namespace compaction::cuda {
namespace {

struct WarpStride {
    static constexpr std::uint64_t best_part_size = 64;

    /// Parts of 64 vectors in blocks of 128 threads, the fastest for single items according to the series.
    /// The parts are longer if there would be too many blocks.
    static Options complete(const Options& requested, std::uint64_t num_items, int) {
        Options options = with_default(requested, Option::threads_per_block, 128);
        if (options[Option::blocks] == automatic) {
            const std::uint64_t block_vectors =
                options[Option::threads_per_block] / warp_size * best_part_size;
            const std::uint64_t useful_blocks =
                (num_vectors(num_items, options) + block_vectors - 1) / block_vectors;
            options[Option::blocks] =
                static_cast<std::uint32_t>(std::clamp<std::uint64_t>(useful_blocks, 1, max_blocks));
        }
        return options;
    }

    template <typename AccessT>
    static void launch(const CopyView<AccessT>& view, const Options& options, cudaStream_t stream,
                       const Stamps& stamps) {
        const unsigned threads = options[Option::threads_per_block];
        const unsigned blocks = options[Option::blocks];
        const std::uint64_t num_parts = std::uint64_t{blocks} * (threads / warp_size);
        // Rounded up; the series rounds down and needs lengths without a remainder.
        const std::uint64_t part_accesses = (view.num_accesses + num_parts - 1) / num_parts;
        check(detail::launch(copy_parts<AccessT>, {blocks, threads, 0, stream}, view, part_accesses, stamps),
              "copy_parts");
    }
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_copy_warp_stride() {
    Registration registration =
        cuda::copy_step_registration<cuda::WarpStride>("by warps that stride along a part of the array each");
    registration.algorithm.authors = "the series \"Parallel Stream Compaction\", after Billeter et al.";
    registration.algorithm.year = 2018;
    registration.algorithm.source = std::string(cuda::copy_series) + "Warp stride loops";
    registration.algorithm.summary =
        std::string(
            "The sequences of Billeter et al. with any grid: equal parts, one to a warp, not cut at whole "
            "rows. With many short parts the series found it the fastest of its copies.") +
        cuda::narrower_access;
    registration.algorithm.options.push_back(cuda::every_copy_grid_size());
    return registration;
}

}  // namespace compaction
