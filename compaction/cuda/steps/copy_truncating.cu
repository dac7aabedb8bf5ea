// The warp-stride copy as the series prints it: the size of a sequence is rounded down, and the rest of the
// array is left uncopied. It is not a complete copy; it is measured to show how much of the published lead is
// due to the uncopied rest. Source: the series "Parallel Stream Compaction", part 3, "Billeter et al. loops,
// Warp stride loops": seq_size = ARRAY_SIZE / warp_cnt.
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "cuda/primitives/copy_step.cuh"

namespace compaction::cuda {
namespace {

struct Truncating {
    static constexpr unsigned max_sequences = 1U << 21;

    /// The grid of the published winner with pairs and quads. By default there are as many sequences as
    /// warps.
    static Options complete(const Options& requested, std::uint64_t, int) {
        const Options options =
            with_default(with_default(requested, Option::threads_per_block, 256), Option::blocks, 38'912);
        return with_default(options, Option::sequences, num_warps_of(options));
    }

    static Partition covered_parts(const Options& options, std::uint64_t num_items) {
        const std::uint64_t width = options[Option::vector_width];
        const std::uint64_t part_items = num_items / width / options[Option::sequences] * width;
        // Warps beyond the number of sequences would copy past the end, so they get no part.
        const std::uint64_t num_parts = std::min(num_warps_of(options), options[Option::sequences]);
        return equal_parts(PartKind::sequence, num_parts * part_items,
                           std::max<std::uint64_t>(part_items, 1));
    }

    template <typename AccessT>
    static void launch(const CopyView<AccessT>& view, const Options& options, cudaStream_t stream,
                       const Stamps& stamps) {
        const std::uint64_t num_parts = std::min(num_warps_of(options), options[Option::sequences]);
        // The view has only the covered items. Their accesses divide evenly among the parts unless the view
        // is misaligned.
        const std::uint64_t part_accesses = (view.num_accesses + num_parts - 1) / num_parts;
        check(detail::launch(copy_parts<AccessT>,
                             {options[Option::blocks], options[Option::threads_per_block], 0, stream}, view,
                             part_accesses, stamps),
              "copy_parts");
    }

  private:
    static unsigned num_warps_of(const Options& options) {
        return options[Option::blocks] * (options[Option::threads_per_block] / warp_size);
    }
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_copy_truncating() {
    Registration registration = cuda::copy_step_registration<cuda::Truncating>(
        "by warps that stride along a part each; the rest is not");
    // The phase moves less than the whole array.
    registration.algorithm.phases = {
        {PhaseRole::scatter, "copy",
         "Copies only whole sequences and leaves the rest of the array unchanged."}};
    registration.algorithm.truncates = true;
    registration.algorithm.authors = "the series \"Parallel Stream Compaction\", after Billeter et al.";
    registration.algorithm.year = 2018;
    registration.algorithm.source = std::string(cuda::copy_series) + "Warp stride loops";
    registration.algorithm.summary =
        std::string(
            "NOT A COMPLETE COPY. The warp-stride copy with the rounded-down sequences of the publication: "
            "the default grid of 256 x 38,912 threads leaves 3.52 % of 2^24 items uncopied. \"sequences\" is "
            "the number that the length is divided by.") +
        cuda::narrower_access;
    registration.algorithm.options.push_back(cuda::every_grid_size());
    registration.algorithm.options.push_back({Option::sequences, 1, cuda::Truncating::max_sequences});
    return registration;
}

}  // namespace compaction
