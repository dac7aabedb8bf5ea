#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#define COMPACTION_ALIGNED_VECTORS
#include "simulated/device.hpp"
#include "simulated/memory.hpp"
#include "simulated/toolkit/math_functions.hpp"
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

/// Sets the checks of accesses, the patience of WARPSIEVE_SIMULATED_PATIENCE and the seed of
/// WARPSIEVE_SIMULATED_SEED, for launches of this thread. Only the first call has an effect.
inline bool configure_thread() {
    static thread_local bool is_configured = false;
    if (std::exchange(is_configured, true)) return true;
    Checks checks{.accesses = true, .uninitialised = true, .host_memory = true};
    if (const char* const patience = std::getenv("WARPSIEVE_SIMULATED_PATIENCE"))
        checks.patience = std::max(1.0, std::strtod(patience, nullptr));
    set_checks(checks);
    if (const char* const seed = std::getenv("WARPSIEVE_SIMULATED_SEED"))
        set_seed(std::strtoull(seed, nullptr, 10));
    return true;
}
inline const bool main_thread_is_configured = configure_thread();

/// The heap of the device, which kernels allocate from, while a launch runs. The addresses of what they free
/// are not used again before its end, so that later accesses of them are found.
class DeviceHeap {
  public:
    DeviceHeap() { running = this; }
    ~DeviceHeap() {
        running = nullptr;
        for (void* const data : freed_) std::free(data);
    }
    DeviceHeap(const DeviceHeap&) = delete;
    DeviceHeap& operator=(const DeviceHeap&) = delete;

    /// What translate.py makes of malloc() and free(), which the host calls too.
    static void* allocate(std::size_t bytes) {
        return running ? allocate_on_heap(bytes) : std::malloc(bytes);
    }
    static void free(void* data, const Site& site = Site::current()) {
        if (!running) return std::free(data);
        if (!data) return;
        if (!release_from_heap(data))
            fail_at(
                "wrong free: malloc() in a kernel has not returned this address, or it is free already; "
                "pass what malloc() returned, once, and free memory of cudaMalloc() by cudaFree()",
                site);
        running->freed_.push_back(data);
    }

  private:
    static inline thread_local DeviceHeap* running = nullptr;
    std::vector<void*> freed_;
};

/// What translate.py makes of clock(), which the host calls too. In a kernel, it counts steps and is no time.
inline std::clock_t clock_of_lane_or_host() {
    return is_lane_running() ? static_cast<std::clock_t>(clock64()) : std::clock();
}

/// CUDA's limit of local memory, and what the engine needs. An odd number of pages, so that the tops of the
/// stacks do not share cache sets. Pages that a lane does not touch take no memory.
inline constexpr std::size_t stack_bytes_of_lane = std::size_t{512 + 64 + 4} * 1024;

/// A kernel and copies of its arguments, which lanes may read.
template <typename KernelT, typename... ArgumentsT>
class Call {
  public:
    explicit Call(const KernelT& kernel, const ArgumentsT&... arguments)
        : kernel_(kernel), arguments_(arguments...), body_([this] { std::apply(kernel_, arguments_); }) {
        register_host_memory(this, sizeof *this);
    }
    ~Call() { unregister_host_memory(this); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    void run(const KernelName& name, const LaunchShape& shape) const {
        configure_thread();
        const DeviceHeap heap;
        run_grid(name, shape, schedule_of(current_seed()), body_);
    }

  private:
    KernelT kernel_;
    std::tuple<ArgumentsT...> arguments_;
    std::function<void()> body_;
};

/// The barrier of the blocks of a cooperative launch; none exists in others.
class BarrierOfGrid {
  public:
    BarrierOfGrid() { num_arrived = static_cast<unsigned*>(allocate_zeroed_global(sizeof(unsigned))); }
    ~BarrierOfGrid() { free_global(std::exchange(num_arrived, nullptr)); }
    BarrierOfGrid(const BarrierOfGrid&) = delete;
    BarrierOfGrid& operator=(const BarrierOfGrid&) = delete;

    static bool exists() { return num_arrived; }
    static void wait(const Site& site) {
        constexpr const char* name = "grid.sync()";
        if (!exists()) fail_at("wrong launch: grid.sync() needs cudaLaunchCooperativeKernel", site);
        wait_for_block(/*value=*/false, name, site);
        if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
            const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
            const unsigned before = update(
                num_arrived, [](unsigned count) { return count + 1; }, MemoryOrder::acquire_release, site);
            const unsigned end = before - before % blocks + blocks;
            while (load_word(num_arrived, MemoryOrder::acquire, site) < end) continue;
        }
        wait_for_block(/*value=*/false, name, site);
    }

  private:
    static inline thread_local unsigned* num_arrived = nullptr;
};

/// What translate.py makes of kernel<<<grid, block, shared_bytes, stream>>>.
template <typename KernelT>
class Launcher {
  public:
    Launcher(const char* name, KernelT kernel, dim3 grid, dim3 block, std::size_t shared_bytes = 0,
             cudaStream_t = nullptr)
        : name_(name), kernel_(std::move(kernel)), shape_(shape_of(grid, block, shared_bytes)) {
        shape_.stack_bytes = stack_bytes_of_lane;
    }
    template <typename... ArgumentsT>
    void operator()(ArgumentsT... arguments) const {
        Call(kernel_, arguments...).run({.text = name_}, shape_);
    }

  private:
    const char* name_;
    KernelT kernel_;
    LaunchShape shape_;
};

/// Runs a kernel with the arguments at these addresses.
template <typename... ParametersT>
void launch_at(void (*kernel)(ParametersT...), LaunchShape shape, void** arguments) {
    shape.stack_bytes = stack_bytes_of_lane;
    const auto launch = [&]<std::size_t... Indices>(std::index_sequence<Indices...>) {
        Call(kernel, *static_cast<ParametersT*>(arguments[Indices])...)
            .run({.code = reinterpret_cast<const void*>(kernel)}, shape);
    };
    launch(std::index_sequence_for<ParametersT...>());
}

inline namespace builtins {

template <typename... ParametersT>
cudaError_t cudaLaunchKernel(void (*kernel)(ParametersT...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t = nullptr) {
    launch_at(kernel, shape_of(grid, block, shared_bytes), arguments);
    return cudaSuccess;
}
template <typename... ParametersT>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(ParametersT...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t = nullptr) {
    const BarrierOfGrid barrier;
    LaunchShape shape = shape_of(grid, block, shared_bytes);
    shape.cooperative = true;
    launch_at(kernel, shape, arguments);
    return cudaSuccess;
}

}  // namespace builtins

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
