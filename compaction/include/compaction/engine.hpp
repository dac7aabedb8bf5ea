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

/// Whether an engine can run on this machine.
struct EngineStatus {
    EngineId id;             ///< the engine
    std::string name;        ///< "CUDA"
    bool available = false;  ///< whether open_engine can succeed
    std::string reason;      ///< why it is not available, in one line; else empty
};

/// The device an engine runs on. Captions, reports and automatic options use it.
struct DeviceInfo {
    std::string name;                ///< "NVIDIA H200", "AMD Ryzen 9 5950X 16-Core Processor"
    std::string driver;              ///< "CUDA 13.0 (580.82)"; for the CPU, the SIMD target in use
    std::uint32_t processors = 0;    ///< multiprocessors or hardware threads
    std::uint64_t memory_bytes = 0;  ///< installed memory; 0 if unknown
    std::uint64_t cache_bytes = 0;   ///< last-level cache; 0 if unknown
    double max_clock_hz = 0;         ///< maximum processor clock; 0 if unknown
    std::string pci_bus_id = {};     ///< "0000:3b:00.0"; empty for the CPU
    double phase_clock_step_us = 0;  ///< the resolution of phase times
};

/// Counts operations that a frame loop must not perform.
struct EngineCounters {
    std::uint64_t allocations = 0;       ///< allocations since the engine was opened
    std::uint64_t synchronisations = 0;  ///< waits for the device since the engine was opened
};

/// Work that was recorded once and can be enqueued again.
class Replay {
  public:
    virtual ~Replay() = default;

    /// Enqueues the work. Neither allocates nor synchronises.
    virtual void enqueue() = 0;
};

/// Runs compaction on one device. Owns the device, its memory and the order of work on it. Use it from one
/// thread. A CUDA engine makes its device current only on the thread that opens it, so engines on two devices
/// need one thread each.
class Engine {
  public:
    virtual ~Engine() = default;

    /// The id of this engine.
    virtual EngineId id() const = 0;

    /// The device; stays the same while the engine is open.
    virtual const DeviceInfo& device() const = 0;

    /// Memory that `allocate` can still grant now; 0 if unknown.
    virtual std::uint64_t free_memory_bytes() const = 0;

    /// The counters of the engine so far.
    virtual EngineCounters counters() const = 0;

    /// Creates an algorithm or a step for items of the given size. Validates the options. Throws
    /// Error{invalid_option}; Error{invalid_argument} for an algorithm of another engine or an item size that
    /// it does not support.
    virtual std::unique_ptr<Compactor> make_compactor(const Algorithm& algorithm, const Options& options,
                                                      ItemSize item_size = ItemSize::bytes_4) = 0;

    /// Creates a timer with room for `max_spans` spans in flight, from 1 to max_recorded_runs. Throws
    /// Error{invalid_argument} for other numbers.
    virtual std::unique_ptr<SpanTimer> make_timer(std::size_t max_spans) = 0;

    /// Creates a recorder for Compactor::enqueue with room for `max_runs` runs in flight, from 1 to
    /// max_recorded_runs. Throws Error{invalid_argument} for other numbers.
    virtual std::unique_ptr<PhaseRecorder> make_recorder(std::size_t max_runs) = 0;

    /// Creates a verifier for items of the given size. Throws Error{invalid_argument} for
    /// Comparison::exclusive_sums with items wider than 4 bytes.
    virtual std::unique_ptr<Verifier> make_verifier(Comparison comparison = Comparison::in_order,
                                                    ItemSize item_size = ItemSize::bytes_4) = 0;

    /// Allocates uninitialised memory, aligned to 256 bytes. Throws Error{out_of_memory}, which names the
    /// free memory.
    virtual Buffer allocate(std::size_t size_bytes) = 0;

    /// Copies from host memory to engine memory. Waits until the copy is complete.
    virtual void upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) = 0;

    /// Copies from engine memory to host memory. Waits until the copy is complete.
    virtual void download(void* host_memory, const void* engine_memory, std::size_t size_bytes) = 0;

    /// Copies within engine memory, ordered like a compaction. Its speed is the baseline for all algorithms.
    virtual void enqueue_copy(void* to, const void* from, std::size_t size_bytes) = 0;

    /// The work that calling `enqueue` submits to the device, found by stream capture, without running it.
    /// nullopt if it cannot be found, as on the CPU engine, which launches nothing. Do not pass an `enqueue`
    /// that waits for the device (Algorithm::synchronises).
    virtual std::optional<std::vector<Launch>> launches(const std::function<void()>& enqueue) {
        static_cast<void>(enqueue);
        return std::nullopt;
    }

    /// Records calls that end after one of their phases, so that phases can be timed by subtraction.
    /// `enqueue` makes one or more runs with the recorder that it gets, all with the same number of phases;
    /// nothing is executed. Element p replays all these runs one after the other, each up to the end of phase
    /// p; the last element replays whole runs. The buffers of the runs must outlive the replays. Empty if the
    /// engine cannot end a call early, as the CPU engine, or if the runs cannot be recorded, as those of an
    /// algorithm with Algorithm::synchronises or Algorithm::launches_on_device. Allocates.
    virtual std::vector<std::unique_ptr<Replay>> record_phases(
        const std::function<void(PhaseRecorder* recorder)>& enqueue) {
        static_cast<void>(enqueue);
        return {};
    }

    /// Measures the current processor clock in Hz by counting cycles for some microseconds. Waits for all
    /// work enqueued so far. 0 if the clock is unknown.
    virtual double measure_clock_hz() = 0;

    /// Creates a probe that reads the clock without waiting: on a GPU from a kernel in its stream, on the CPU
    /// from the operating system for the calling thread's core.
    virtual std::unique_ptr<ClockProbe> make_clock_probe() = 0;

    /// Waits for all work enqueued so far. Throws Error{device_failure}.
    virtual void synchronise() = 0;

    /// The cudaStream_t of the CUDA engine, for callers that launch their own kernels; nullptr on the CPU.
    virtual void* native_stream() const = 0;
};

/// The status of all engines, determined once per process. `cpu` is always available.
std::span<const EngineStatus> engine_statuses();

/// The status of one engine.
const EngineStatus& status_of(EngineId engine);

/// Opens an engine. `device` is a CUDA device index from 0; the CPU engine has only device 0; for the
/// simulated GPU it is the seed of the schedule, which also sets the number of multiprocessors. Throws
/// Error{unavailable} with the reason if the engine cannot run or the device does not exist.
std::unique_ptr<Engine> open_engine(EngineId engine, int device = 0);

}  // namespace compaction
