// Spataro's block-wise compaction with wider reads: one scalar, pair or quad per thread, one count per
// block. It shows how much of the advantage of sequences comes from their vectors: with quads, the series
// found the block-wise count as fast as the sequence-wise one.
//
// Source: the blog series "Parallel Stream Compaction", part 4, "Block wise algorithm", for the count;
// Spataro 2015 for the phases. The series vectorises only the count; the vectorised move is new here.
#include <memory>

#include "cuda/primitives/block_phases.cuh"
#include "cuda/primitives/dispatch.cuh"
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
        "Spataro's scheme with a vector of up to four items per thread, in the count and in the move. "
        "It shows that wide reads, not sequences, made the difference between the algorithms of the time.";
    registration.algorithm.options.insert(registration.algorithm.options.begin(), every_vector_width());
    registration.make = [](Engine& engine, const Options& options,
                           ItemSize item_size) -> std::unique_ptr<Compactor> {
        // 512 threads: the only block size for this algorithm that the series names.
        const Options completed = cuda::with_default(
            cuda::with_default_width(options, /*preferred=*/4, item_size), Option::threads_per_block, 512);
        return std::make_unique<cuda::BlockPhases>(
            engine, completed,
            cuda::visit_vectors(item_size, completed[Option::vector_width],
                                []<typename ItemT, int Width>(cuda::Vectors<ItemT, Width>) {
                                    return cuda::block_kernels<ItemT, Width, cuda::ItemAccess::in_register>();
                                }));
    };
    return registration;
}

}  // namespace compaction
