// Spataro's block-wise compaction with wider reads: each thread one scalar, pair or quad, each block one
// count. It asks how much of what sequences gain is due to their vectors: with quads, the series found the
// block-wise count as fast as the sequence-wise one.
//
// Source: the blog series "Parallel Stream Compaction", part 4, "Block wise algorithm", for the count;
// Spataro 2015 for the phases. The series vectorises the count alone; the move, vectorised alike, is ours.
#include <memory>

#include "cuda/primitives/block_phases.cuh"
#include "cuda/support/layout.cuh"
#include "registration.hpp"

namespace compaction {

Registration register_block_wise() {
    Registration registration;
    registration.algorithm = cuda::describe_block_phases();
    registration.algorithm.authors = "the series \"Parallel Stream Compaction\", after Spataro";
    registration.algorithm.year = 2018;
    registration.algorithm.source =
        "Parallel Stream Compaction, part 4 (2018), Block wise algorithm; Spataro 2015";
    registration.algorithm.summary =
        "Spataro's scheme with a vector of up to four items to a thread, in the count and in the move. "
        "It shows that wide reads, not sequences, made the difference between the algorithms of the time.";
    registration.algorithm.options.insert(registration.algorithm.options.begin(),
                                          {Option::vector_width, 1, 4, LegalRange::Spacing::powers_of_two});
    registration.make = [](Engine& engine, const Options& options) -> std::unique_ptr<Compactor> {
        using cuda::block_kernels, cuda::Held;
        // 512 threads: the one block-wise layout that the series names.
        const Options layout = cuda::with_default(cuda::with_default(options, Option::vector_width, 4),
                                                  Option::threads_per_block, 512);
        const std::uint32_t width = layout[Option::vector_width];
        return std::make_unique<cuda::BlockPhases>(static_cast<cuda::CudaEngine&>(engine), layout,
                                                   width == 1   ? block_kernels<1, Held::in_register>()
                                                   : width == 2 ? block_kernels<2, Held::in_register>()
                                                                : block_kernels<4, Held::in_register>());
    };
    return registration;
}

}  // namespace compaction
