// Stream compaction by 480 warp sequences, on the grid of 2009: 120 blocks of 128 threads, whatever the card.
// A data block is 32 vectors; every sequence gets the same number of data blocks, and of the R left over each
// of the first R sequences gets one.
//
// Source: Billeter, Olsson and Assarsson 2009, "Efficient Stream Compaction on Wide SIMD Many-Core
// Architectures"; the blog series "Parallel Stream Compaction", part 2, for the sizes of grid and sequences.
#include <memory>

#include "cuda/primitives/warp_sequences.cuh"
#include "registration.hpp"

namespace compaction {
namespace {

/// The longest stream there is, of 2^40 items, gives each of the 480 sequences fewer than 2^32: counts fit.
constexpr unsigned published_blocks = 120;

}  // namespace

Registration register_billeter() {
    Registration registration;
    registration.algorithm = cuda::warp_sequences::describe();
    registration.algorithm.summary =
        "The fastest of its time: 480 sequences, one to a warp, read in pairs, so that the counts fit one "
        "block's scan. Its grid is the published one, which leaves most of a large card idle.";
    registration.make = [](Engine& engine, const Options& options,
                           ItemSize item_size) -> std::unique_ptr<Compactor> {
        return std::make_unique<cuda::warp_sequences::WarpSequences>(static_cast<cuda::CudaEngine&>(engine),
                                                                     options, item_size, published_blocks);
    };
    return registration;
}

}  // namespace compaction
