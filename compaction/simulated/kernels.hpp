#pragma once

#include "compaction/algorithm.hpp"
#include "simulated/device.hpp"

/// Comes before everything else in a file of CUDA code that is compiled for the simulated GPU. Namespace cuda
/// becomes simulated, so that one program may hold both.
#define cuda simulated
