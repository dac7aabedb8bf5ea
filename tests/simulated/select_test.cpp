// The tests of select.cuh on the simulated GPU.
// They are written for the warnings of nvcc.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"

#include "tests/cuda/select_test.cu"
#include "tests/cuda/select_flagged_test.cu"
#include "tests/cuda/select_paths_test.cu"

/// Blocks start in order, as on a GPU. Some tests have more blocks than can be resident, and those poll
/// 65,536 times for a block that has not started.
const int compaction::simulated::seed_of_tests = 0;
