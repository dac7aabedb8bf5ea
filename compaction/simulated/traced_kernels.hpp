#pragma once

#include "compaction/algorithm.hpp"
#include "simulated/device.hpp"

/// Included first in every CUDA file that is compiled for the simulated GPU with its accesses traced.
/// Namespace cuda becomes traced, so that one program may hold the kernels with and without traces. Kernels
/// inline all that they call, as nvcc does, so that an instruction tells by which path it was reached.
namespace compaction::traced {
using namespace simulated;
}
#define cuda traced
#undef __global__
#define __global__ [[gnu::flatten]]
