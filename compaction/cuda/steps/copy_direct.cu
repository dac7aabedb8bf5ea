// A copy without a loop: one vector per thread.
// Source: the series "Parallel Stream Compaction", part 3, "No loops" and "Vectorized Memory Access".
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "cuda/primitives/copy_step.cuh"

namespace compaction::cuda {
namespace {

template <typename AccessT>
__global__ void __launch_bounds__(max_threads_per_block) copy_direct(CopyView<AccessT> view, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t thread = thread_in_grid();
    if (thread < view.num_accesses) view.copy_access(thread);
    view.copy_ends(thread);
}

struct NoLoop {
    /// 128 threads are the fastest for single items according to the series.
    static Options complete(const Options& requested, std::uint64_t, int) {
        return with_default(requested, Option::threads_per_block, 128);
    }

    template <typename AccessT>
    static void launch(const CopyView<AccessT>& view, const Options& options, cudaStream_t stream,
                       const Stamps& stamps) {
        const unsigned threads = options[Option::threads_per_block];
        // At least one block: an array shorter than one access still has words to copy.
        const unsigned blocks = std::max(1U, blocks_for(view.num_accesses, threads));
        check(detail::launch(copy_direct<AccessT>, {blocks, threads, 0, stream}, view, stamps),
              "copy_direct");
    }
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_copy_direct() {
    Registration registration = cuda::copy_step_registration<cuda::NoLoop>("one vector by each thread");
    registration.algorithm.authors = "the series \"Parallel Stream Compaction\"";
    registration.algorithm.year = 2018;
    registration.algorithm.source = std::string(cuda::copy_series) + "No loops";
    registration.algorithm.summary =
        std::string("The plainest copy: as many threads as vectors, each of which copies one.") +
        cuda::narrower_access;
    // With one word per thread, in the smallest blocks.
    registration.algorithm.max_items = std::uint64_t{cuda::max_blocks_per_grid} * cuda::warp_size;
    return registration;
}

}  // namespace compaction
