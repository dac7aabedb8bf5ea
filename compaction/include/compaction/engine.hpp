#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/buffer.hpp"
#include "compaction/compactor.hpp"
#include "compaction/launch.hpp"
#include "compaction/timing.hpp"
#include "compaction/verifier.hpp"

namespace compaction {

/// Whether an engine can run here and, where not, why in one line.
struct EngineStatus {
    EngineId id;
    std::string name;  ///< "CUDA"
    bool available = false;
    std::string reason;  ///< empty where available
};

/// The device an engine runs on, for captions, reports and the choice of a layout.
struct DeviceInfo {
    std::string name;              ///< "NVIDIA H200", "AMD Ryzen 9 5950X 16-Core Processor"
    std::string driver;            ///< "driver 580.82, CUDA 13.0"; for the CPU, the SIMD target in use
    std::uint32_t processors = 0;  ///< multiprocessors or hardware threads
    std::uint64_t memory_bytes = 0;
    std::uint64_t cache_bytes = 0;  ///< of the last level; 0 where the system does not say
    double max_clock_hz = 0;        ///< of the processors; 0 where the system does not say
    std::string pci_bus_id = {};    ///< of a GPU, "0000:3b:00.0": what tools know it by; empty for the CPU
};

/// What an engine has done that a frame loop must not do.
struct EngineCounters {
    std::uint64_t allocations = 0;
    std::uint64_t synchronisations = 0;
};

/// A place where compaction runs: owns the device, its memory and the order of the work on it. Use from one
/// thread. A CUDA engine makes its device the current one of the thread that opens it, and not again, so
/// engines on two devices need a thread each.
class Engine {
  public:
    virtual ~Engine() = default;

    virtual EngineId id() const = 0;
    virtual const DeviceInfo& device() const = 0;
    virtual std::uint64_t free_memory_bytes() const = 0;
    virtual EngineCounters counters() const = 0;

    /// Makes an algorithm or a step, for items of that size. Validates the options. Throws
    /// Error{invalid_option}; Error{invalid_argument} for another engine's algorithm, or a size that it
    /// cannot be made for.
    virtual std::unique_ptr<Compactor> make_compactor(const Algorithm& algorithm, const Options& options,
                                                      ItemSize item_size = ItemSize::bytes_4) = 0;

    /// A recorder that times up to `max_runs` runs in flight.
    virtual std::unique_ptr<PhaseRecorder> make_recorder(std::size_t max_runs) = 0;

    virtual std::unique_ptr<Verifier> make_verifier(Comparison comparison = Comparison::in_order,
                                                    ItemSize item_size = ItemSize::bytes_4) = 0;

    /// Uninitialised memory, aligned to 256 bytes. Throws Error{out_of_memory} that says what is free.
    virtual Buffer allocate(std::size_t size_bytes) = 0;

    /// Host to engine, engine to host; both wait until the bytes have arrived.
    virtual void upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) = 0;
    virtual void download(void* host_memory, const void* engine_memory, std::size_t size_bytes) = 0;

    /// Copies within the engine's memory as one phase, ordered like a compaction: the speed all others are
    /// held against.
    virtual void enqueue_copy(void* to, const void* from, std::size_t size_bytes,
                              PhaseRecorder* recorder) = 0;

    /// What `enqueue` gives the device to do, found without doing it: for telling, not for running. Nothing
    /// where that cannot be found out: on the CPU engine, which launches nothing, and for an `enqueue` that
    /// waits for the device (Algorithm::synchronises), which must not be asked about.
    virtual std::optional<std::vector<Launch>> launches(const std::function<void()>& enqueue) {
        static_cast<void>(enqueue);
        return std::nullopt;
    }

    /// The clock that the processors run at just now, in Hz, by counting cycles for some microseconds. Waits
    /// for all work enqueued so far. 0 where it cannot be told.
    virtual double measure_clock_hz() = 0;

    /// Tells that clock without waiting: on a GPU from within its stream, on the CPU as the operating system
    /// gives it for the core that asks.
    virtual std::unique_ptr<ClockProbe> make_clock_probe() = 0;

    /// Waits for all work enqueued so far. Throws Error{device_failure}.
    virtual void synchronise() = 0;

    /// The cudaStream_t that the CUDA engine orders its work on, for callers with kernels of their own;
    /// nullptr on the CPU.
    virtual void* native_stream() const = 0;
};

/// The status of both engines, asked once per process. `cpu` is always available.
std::span<const EngineStatus> engine_statuses();
const EngineStatus& status_of(EngineId engine);

/// Opens an engine; `device` counts CUDA devices from 0. Throws Error{unavailable} with the reason, as for a
/// device that is not there.
std::unique_ptr<Engine> open_engine(EngineId engine, int device = 0);

}  // namespace compaction
