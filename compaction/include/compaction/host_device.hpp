#pragma once

/// Marks a function that host and device code share. The one place that asks whether this is CUDA code.
#ifdef __CUDACC__
#define COMPACTION_HOST_DEVICE __host__ __device__
#else
#define COMPACTION_HOST_DEVICE
#endif
