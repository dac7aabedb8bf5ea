// A copy by the sequences of Billeter et al.: one for each warp, in whole rows of 32 vectors, the first R
// of them one row longer than the others. Source: Billeter, Olsson, Assarsson 2009, "Efficient Stream
// Compaction on Wide SIMD Many-Core Architectures", for the sequences and the grid; the series "Parallel
// Stream Compaction", part 2, "Size of the sequences", and part 3, "Billeter et al. loops", for the copy.
#include <optional>

#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stamps.cuh"
#include "cuda/primitives/copy_step.cuh"
#include "cuda/primitives/sequences.cuh"
#include "cuda/support/stamps.hpp"

namespace compaction::cuda {
namespace {

template <typename AccessT>
__global__ void __launch_bounds__(max_threads_per_block)
    copy_sequences(CopyView<AccessT> view, EvenShare share, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t end = share.first_row(warp_in_grid() + 1);
    for (std::uint64_t row = share.first_row(warp_in_grid()); row < end; ++row) {
        const std::uint64_t i = row * warp_size + lane_index();
        // Only the last row of the array may be incomplete.
        if (i < view.num_accesses) view.copy_access(i);
    }
    view.copy_ends(thread_in_grid());
}

/// The set-up that the series timed by mistake: writes the begin of each sequence and the end of the last
/// one. bounds: [num_sequences + 1].
__global__ void set_up_sequences(EvenShare share, std::uint64_t num_sequences, std::uint64_t* bounds,
                                 Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t bound = thread_in_grid();
    if (bound <= num_sequences) bounds[bound] = share.first_row(bound);
}

/// Copies sequences whose bounds are in memory.
template <typename AccessT>
__global__ void __launch_bounds__(max_threads_per_block)
    copy_prepared_sequences(CopyView<AccessT> view, const std::uint64_t* bounds, Stamps stamps) {
    const BlockStamp stamp(stamps);
    const std::uint64_t end = bounds[warp_in_grid() + 1];
    for (std::uint64_t row = bounds[warp_in_grid()]; row < end; ++row) {
        const std::uint64_t i = row * warp_size + lane_index();
        if (i < view.num_accesses) view.copy_access(i);
    }
    view.copy_ends(thread_in_grid());
}

struct Sequences {
    static constexpr unsigned set_up_threads = 256;
    /// When the bounds of the sequences are computed: the values of Option::variant.
    enum SetUp : std::uint32_t {
        in_the_copy = 1,  ///< by each warp, from arguments of the copy
        each_call = 2,    ///< into memory, before each copy
        once = 3,         ///< into memory, when memory is reserved for the length
    };

    /// The published grid: 480 warps.
    static Options complete(const Options& requested, std::uint64_t, int) {
        const Options options =
            with_default(with_default(requested, Option::threads_per_block, 128), Option::blocks, 120);
        return with_default(options, Option::variant, in_the_copy);
    }

    /// Sets up the sequences of `num_accesses` accesses.
    void reserve(const Options& options, std::uint64_t num_accesses, cudaStream_t stream) {
        if (options[Option::variant] == in_the_copy) return;
        bounds_.grow_to(num_sequences(options) + 1);
        set_up(options, num_accesses, stream, {});
        prepared_accesses_ = num_accesses;
    }

    template <typename AccessT>
    void launch(const CopyView<AccessT>& view, const Options& options, cudaStream_t stream,
                const Stamps& stamps) {
        const unsigned threads = options[Option::threads_per_block];
        const unsigned blocks = options[Option::blocks];
        if (options[Option::variant] == in_the_copy) {
            check(detail::launch(copy_sequences<AccessT>, {blocks, threads, 0, stream}, view,
                                 share_of(options, view.num_accesses), stamps),
                  "copy_sequences");
            return;
        }
        LaunchStamps launch_stamps(stamps);
        // Another length than the reserved one, or another alignment, needs other bounds.
        if (options[Option::variant] == each_call || prepared_accesses_ != view.num_accesses) {
            set_up(options, view.num_accesses, stream, launch_stamps.next());
            prepared_accesses_.reset();  // a capture may not run the set-up
        }
        check(detail::launch(copy_prepared_sequences<AccessT>, {blocks, threads, 0, stream}, view,
                             bounds_.data(), launch_stamps.last()),
              "copy_prepared_sequences");
    }

  private:
    static unsigned num_sequences(const Options& options) {
        return options[Option::blocks] * (options[Option::threads_per_block] / warp_size);
    }

    static EvenShare share_of(const Options& options, std::uint64_t num_accesses) {
        const std::uint64_t num_rows = (num_accesses + warp_size - 1) / warp_size;
        return {num_rows, num_sequences(options)};
    }

    void set_up(const Options& options, std::uint64_t num_accesses, cudaStream_t stream,
                const Stamps& stamps) {
        const unsigned num_bounds = num_sequences(options) + 1;
        check(detail::launch(set_up_sequences,
                             {blocks_for(num_bounds, set_up_threads), set_up_threads, 0, stream},
                             share_of(options, num_accesses), num_bounds - 1, bounds_.data(), stamps),
              "set_up_sequences");
    }

    DeviceBuffer<std::uint64_t> bounds_;
    std::optional<std::uint64_t> prepared_accesses_;  ///< the length whose bounds are in bounds_
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_copy_sequences() {
    Registration registration =
        cuda::copy_step_registration<cuda::Sequences>("by warps that walk along a sequence each");
    registration.algorithm.authors =
        "Billeter, Olsson and Assarsson; the series \"Parallel Stream Compaction\"";
    registration.algorithm.year = 2009;
    registration.algorithm.source =
        "Billeter, Olsson, Assarsson 2009, Efficient Stream Compaction on Wide SIMD Many-Core "
        "Architectures; " +
        std::string(cuda::copy_series) + "Billeter et al. loops";
    registration.algorithm.summary =
        std::string(
            "Cuts the array into sequences of whole rows of 32 vectors, one to a warp, the first of them a "
            "row longer; 120 blocks of 128 threads, as published, unless set otherwise. \"set_up_timed\" "
            "repeats the mistake that the series corrects: each call sets the sequences up again. "
            "\"set_up_once\" runs the same copy, with the set-up done when memory is reserved.") +
        cuda::narrower_access;
    registration.algorithm.options.push_back(cuda::every_grid_size());
    registration.algorithm.options.push_back(variants({"set_up_before", "set_up_timed", "set_up_once"}));
    return registration;
}

}  // namespace compaction
