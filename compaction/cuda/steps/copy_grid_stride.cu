// A copy by a grid-stride loop: each thread copies a vector, then advances by the number of threads of the
// grid.
// Source: Harris 2013, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops"; the series "Parallel
// Stream Compaction", part 3, "Grid stride loops" and "Vectorized Memory Access".
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "cuda/primitives/copy_step.cuh"

namespace compaction::cuda {
namespace {

template <typename AccessT>
__global__ void __launch_bounds__(max_threads_per_block)
    copy_grid_stride(CopyView<AccessT> view, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t num_threads = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = thread_in_grid(); i < view.num_accesses; i += num_threads) view.copy_access(i);
    view.copy_ends(thread_in_grid());
}

struct GridStride {
    /// 256 threads and 32 blocks per multiprocessor, as in Harris, but no more blocks than have work.
    static Options complete(const Options& requested, std::uint64_t num_items, int num_multiprocessors) {
        constexpr unsigned blocks_per_multiprocessor = 32;
        Options options = with_default(requested, Option::threads_per_block, 256);
        if (options[Option::blocks] == automatic) {
            const std::uint64_t threads = options[Option::threads_per_block];
            const std::uint64_t useful_blocks = (num_vectors(num_items, options) + threads - 1) / threads;
            const auto limit =
                std::min(max_blocks, blocks_per_multiprocessor * static_cast<unsigned>(num_multiprocessors));
            options[Option::blocks] =
                static_cast<std::uint32_t>(std::clamp<std::uint64_t>(useful_blocks, 1, limit));
        }
        return options;
    }

    template <typename AccessT>
    static void launch(const CopyView<AccessT>& view, const Options& options, cudaStream_t stream,
                       const Stamps& stamps) {
        check(detail::launch(copy_grid_stride<AccessT>,
                             {options[Option::blocks], options[Option::threads_per_block], 0, stream}, view,
                             stamps),
              "copy_grid_stride");
    }
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_copy_grid_stride() {
    Registration registration =
        cuda::copy_step_registration<cuda::GridStride>("by threads that stride over the array with the grid");
    registration.algorithm.authors = "Harris; the series \"Parallel Stream Compaction\"";
    registration.algorithm.year = 2013;
    registration.algorithm.source =
        "Harris 2013, CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops; " +
        std::string(cuda::copy_series) + "Grid stride loops";
    registration.algorithm.summary =
        std::string(
            "A grid of any size walks over the array together: neighbouring threads copy neighbouring "
            "vectors, then all step on by the width of the grid.") +
        cuda::narrower_access;
    registration.algorithm.options.push_back(cuda::every_copy_grid_size());
    return registration;
}

}  // namespace compaction
