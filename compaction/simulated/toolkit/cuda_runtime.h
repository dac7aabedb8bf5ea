#pragma once

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <cuda_runtime_api.h>

#define COMPACTION_ALIGNED_VECTORS
#include "simulated/device.hpp"
#include "simulated/memory.hpp"
#include "simulated/toolkit/pitched_memory.hpp"
#include "simulated/toolkit/runtime_calls.hpp"

/// Stands in for the toolkit's header of this name, for CUDA files that translate.py has translated. All work
/// is complete when a call returns. A launch that fails throws compaction::Error.

// The C library declares some of these names without defining them.
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf

namespace compaction::simulated {

/// Sets the checks of accesses, and the seed of WARPSIEVE_SIMULATED_SEED, for launches of this thread.
inline bool configure_from_environment() {
    set_checks({.accesses = true, .uninitialised = true});
    if (const char* const seed = std::getenv("WARPSIEVE_SIMULATED_SEED"))
        set_seed(std::strtoull(seed, nullptr, 10));
    return true;
}
inline const bool is_configured = configure_from_environment();

/// What translate.py makes of kernel<<<grid, block, shared_bytes, stream>>>.
template <typename KernelT>
class Launcher {
  public:
    Launcher(const char* name, KernelT kernel, dim3 grid, dim3 block, std::size_t shared_bytes = 0,
             cudaStream_t = nullptr)
        : name_(name), kernel_(std::move(kernel)), shape_(shape_of(grid, block, shared_bytes)) {
        shape_.stack_bytes = std::size_t{64} * 1024;
    }
    template <typename... ArgumentsT>
    void operator()(const ArgumentsT&... arguments) const {
        run_grid(KernelName{.text = name_}, shape_, schedule_of(current_seed()),
                 [&] { kernel_(arguments...); });
    }

  private:
    const char* name_;
    KernelT kernel_;
    LaunchShape shape_;
};

/// Dynamic shared memory that is declared outside functions.
template <typename T>
struct DynamicShared {
    // NOLINTNEXTLINE(google-explicit-constructor): it is used as an array
    operator T*() const { return static_cast<T*>(dynamic_shared()); }
    template <typename U>
    explicit operator U*() const {
        return static_cast<U*>(dynamic_shared());
    }
};

}  // namespace compaction::simulated

using namespace compaction::simulated::builtins;  // NOLINT: CUDA's names are global
