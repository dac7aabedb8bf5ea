// The work-efficient scan alone: one launch for each level, or tiles in shared memory.
#include "cuda/primitives/scan_step.cuh"
#include "cuda/primitives/scanners.cuh"

namespace compaction {

Registration register_scan_work_efficient() {
    Registration registration = cuda::scan_step_registration<cuda::WorkEfficientScan>(
        "Sums up a tree over the items, clears its root, and passes the sum before each leaf down to it.");
    registration.algorithm.authors = "Harris, Sengupta and Owens; after Blelloch";
    registration.algorithm.year = 2007;
    registration.algorithm.source =
        "Harris, Sengupta, Owens 2007, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, 39.2.2 to 39.2.4; "
        "Gilbert and Qian, CUDA Stream Compaction (CIS 565)";
    registration.algorithm.summary =
        "A number of additions proportional to the length, padded to a power of two. \"trimmed\" launches as "
        "many threads as a level has nodes, \"all_threads\" one for every item at every level; "
        "\"shared_memory\" scans tiles in shared memory, then the sums of the tiles. The \"padded\" variants "
        "are Gilbert's ladder in a padded copy: first, trimmed launches, without device pow(), root cleared "
        "by a kernel.";
    registration.algorithm.max_items = cuda::max_scan_items;
    registration.algorithm.options = {cuda::every_scan_block_size(),
                                      cuda::WorkEfficientScan::legal_variants()};
    return registration;
}

}  // namespace compaction
