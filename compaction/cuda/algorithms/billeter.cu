// Stream compaction by 480 warp sequences, on the grid of 2009: 120 blocks of 128 threads on any GPU. A
// data block is 32 vectors. All sequences have the same number of data blocks; if R data blocks are left
// over, each of the first R sequences has one more.
//
// Source: Billeter, Olsson and Assarsson 2009, "Efficient Stream Compaction on Wide SIMD Many-Core
// Architectures"; the blog series "Parallel Stream Compaction", part 2, for the sizes of grid and
// sequences.
#include <memory>

#include "cuda/primitives/warp_sequences.cuh"
#include "registration.hpp"

namespace compaction {
namespace {

/// 480 warps, one for each sequence. Counts of 32 bits suffice: the longest possible stream, of 2^40 items,
/// gives each sequence fewer than 2^32.
constexpr unsigned published_blocks = 120;

}  // namespace

Registration register_billeter() {
    Registration registration;
    registration.algorithm = cuda::warp_sequences::describe();
    registration.algorithm.summary =
        "The fastest of its time: 480 sequences, one for each warp, read in pairs, so that one block can "
        "scan the counts. The grid is the published one, which leaves most of a large GPU idle. The "
        "published variants add up and scan in shared memory, as the code of 2009; the others use ballots "
        "and shuffles.";
    registration.make = [](Engine& engine, const Options& options,
                           ItemSize item_size) -> std::unique_ptr<Compactor> {
        return std::make_unique<cuda::warp_sequences::WarpSequences>(static_cast<cuda::CudaEngine&>(engine),
                                                                     options, item_size, published_blocks);
    };
    return registration;
}

}  // namespace compaction
