#pragma once

/// Marks a function for host and device code; empty outside CUDA code.
#ifdef __CUDACC__
#define COMPACTION_HOST_DEVICE __host__ __device__
#else
#define COMPACTION_HOST_DEVICE
#endif
