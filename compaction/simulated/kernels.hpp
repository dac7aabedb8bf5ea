#pragma once

#include "compaction/algorithm.hpp"
#include "simulated/device.hpp"

/// Included first in every CUDA file that is compiled for the simulated GPU. Namespace cuda becomes
/// simulated, so that one program may hold both.
#define cuda simulated
