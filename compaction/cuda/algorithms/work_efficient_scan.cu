// Compaction by map, work-efficient scan and scatter: the scan sums a tree over the array and passes the
// sums down again, with one launch for each level or in tiles in shared memory.
#include "cuda/primitives/scan_compaction.cuh"

namespace compaction {

Registration register_work_efficient_scan() {
    Registration registration = cuda::scan_compaction_registration<cuda::WorkEfficientScan>(
        "Sums up a tree over the flags, clears its root, and passes the sum before each leaf down to it.");
    registration.algorithm.authors = "Harris, Sengupta and Owens; after Blelloch";
    registration.algorithm.year = 2007;
    registration.algorithm.source =
        "Harris, Sengupta, Owens 2007, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, 39.2.2 to 39.2.4 "
        "and 39.3.1; Gilbert and Qian, CUDA Stream Compaction (CIS 565), for trimmed launches";
    registration.algorithm.summary =
        "Scans a flag for every item with a number of additions proportional to the length, padded to a "
        "power of two. \"trimmed\" launches as many threads as a level has nodes, \"all_threads\" one for "
        "every item at every level; \"shared_memory\" scans tiles in shared memory, then the sums of the "
        "tiles. The \"padded\" variants are Gilbert's ladder in a padded copy: first, trimmed launches, "
        "without device pow(), root cleared by a kernel.";
    return registration;
}

}  // namespace compaction
