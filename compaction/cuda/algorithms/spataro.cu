// Block-wise stream compaction in three phases, with one item per thread and one count per block. Blocks
// count with __syncthreads_count; a scan turns the counts into offsets; blocks read their items again and
// rank them with ballots. The warps of a block are ranked with one ballot per bit of their totals.
//
// Source: Spataro 2015, "Stream Compaction on GPU - Efficient implementation". His scan is
// thrust::exclusive_scan, which calls CUB's DeviceScan; this code calls DeviceScan directly, with memory
// reserved earlier. In his code, threads past the end skip ballots and barriers; here they take part with an
// item that is not kept.
#include "cuda/primitives/block_phases.cuh"
#include "registration.hpp"

namespace compaction {

Registration register_spataro() {
    Registration registration;
    registration.algorithm = cuda::describe_block_phases();
    registration.algorithm.authors = "Spataro";
    registration.algorithm.year = 2015;
    registration.algorithm.source = "Spataro 2015, Stream Compaction on GPU - Efficient implementation";
    registration.algorithm.summary =
        "Each thread reads one item and each block writes one count, so there are no loops, but much "
        "metadata. A thread whose item is kept reads it a second time to write it.";
    registration.make = cuda::make_block_phases<cuda::ItemAccess::reload>;
    return registration;
}

}  // namespace compaction
