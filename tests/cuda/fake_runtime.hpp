#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

/// A fake CUDA runtime, to test host code without a GPU: GPUs of any kind, calls that fail, and a record of
/// the enqueued work. No kernel runs, and device memory is only an address.
struct FakeRuntime {
    struct Gpu {
        int multiprocessors;
        int threads_per_multiprocessor;
        int shared_bytes_per_multiprocessor;
        int shared_bytes_per_block;
        int compute_capability_major;
        int code_version;  ///< 90: the kernels were compiled for compute_90
    };
    struct Launch {
        std::string kernel;  ///< the mangled name of the kernel
        unsigned blocks = 0;
        bool overlaps = false;
        void** arguments = nullptr;  ///< valid while `on_launch` runs

        bool is(const char* name) const { return kernel.find(name) != std::string::npos; }
    };

    Gpu gpu{};
    int device = 0;
    cudaError_t malloc_result = cudaSuccess;
    cudaError_t memset_result = cudaSuccess;
    cudaError_t synchronise_result = cudaSuccess;
    cudaError_t capture_info_result = cudaSuccess;
    cudaError_t user_object_result = cudaSuccess;
    cudaError_t retain_result = cudaSuccess;
    cudaError_t last_error = cudaSuccess;  ///< left by an earlier call, until somebody fetches it
    bool captures = false;                 ///< all streams, into one graph
    std::function<void(const Launch&)> on_launch;
    std::function<void(void* begin, std::size_t bytes)> on_memset;

    std::map<const void*, std::string> kernels;
    std::map<const void*, int> raised_shared_limits;  ///< by kernel
    std::vector<Launch> launches;
    std::set<void*> allocated;
    std::map<cudaMemPool_t, std::uint64_t> kept_bytes;  ///< the release threshold of each pool
    std::size_t trimmed_to = 0;                         ///< by the last cudaMemPoolTrimTo
    std::set<cudaUserObject_t> owned_by_graph;
    int kernels_queried = 0;  ///< for their occupancy

    /// Destroys the captured graph, and calls the destructors of the user objects that it owns.
    void destroy_graph();
};

FakeRuntime& fake_runtime();
