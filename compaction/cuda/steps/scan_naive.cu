// The naive scan alone: one launch for each level, all data in global memory.
#include "cuda/primitives/scan_step.cuh"
#include "cuda/primitives/scanners.cuh"

namespace compaction {

Registration register_scan_naive() {
    Registration registration = cuda::scan_step_registration<cuda::NaiveScan>(
        "Each level adds the item a power of two before; a last launch shifts the sums by one index.");
    registration.algorithm.authors = "Harris, Sengupta and Owens; after Hillis and Steele";
    registration.algorithm.year = 2007;
    registration.algorithm.source =
        "Harris, Sengupta, Owens 2007, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, 39.2.1; Gilbert and "
        "Qian, CUDA Stream Compaction (CIS 565)";
    registration.algorithm.summary =
        "As many passes over the array as its length has bits. \"trimmed\" launches, at each level, only "
        "threads that add or whose item is not in both buffers yet; \"all_threads\" launches one for every "
        "item. \"padded_all_threads\" and \"padded_n_minus_d\" are Gilbert's, before and after: the array is "
        "padded to a power of two, and a level launches a thread for every item, or n - d threads, d being "
        "the distance of its additions; "
        "both copy the items without a thread by a launch of their own.";
    registration.algorithm.max_items = cuda::max_scan_items;
    registration.algorithm.options = {cuda::every_scan_block_size(), cuda::NaiveScan::legal_variants()};
    return registration;
}

}  // namespace compaction
