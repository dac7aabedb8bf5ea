#include "cuda/engine.hpp"

#include <string>

#include "compaction/error.hpp"
#include "cuda/support/event_timer.hpp"
#include "cuda/support/phase_recorder.hpp"
#include "platform/machine.hpp"
#include "registration.hpp"
#include "simulated/gpu.hpp"

namespace compaction {
namespace {

/// An algorithm that calls a library of NVIDIA. The catalogue lists it with the reason why it cannot run.
Registration calls_library(const std::string& library) {
    Algorithm algorithm;
    algorithm.unavailable_reason = "Not in this build: " + library +
                                   " launches kernels of its own, which only NVIDIA's compiler can build.";
    algorithm.item_sizes = {};
    return {algorithm, nullptr};
}

}  // namespace

Registration register_simulated_cub_select() {
    return calls_library("CUB");
}
Registration register_simulated_scan_cub() {
    return calls_library("CUB");
}
Registration register_simulated_scan_thrust() {
    return calls_library("Thrust");
}
Registration register_simulated_scan_thrust_per_call() {
    return calls_library("Thrust");
}
Registration register_simulated_thrust_copy_if() {
    return calls_library("Thrust");
}

namespace simulated {
namespace {

class NoClock final : public ClockProbe {
  public:
    void enqueue() override {}
    std::optional<double> poll() override { return std::nullopt; }
    const std::string& reason() const override { return reason_; }

  private:
    std::string reason_ = "A simulated GPU has no clock.";
};

/// Names the schedule in each trace.
class SimulatedPhaseRecorder final : public CudaPhaseRecorder {
  public:
    using CudaPhaseRecorder::CudaPhaseRecorder;

    std::optional<RunTrace> poll_trace() override {
        std::optional<RunTrace> trace = CudaPhaseRecorder::poll_trace();
        if (trace) trace->schedule_seed = current_seed();
        return trace;
    }
};

}  // namespace

EngineStatus status() {
    return {EngineId::simulated, "Simulated", true, ""};
}

std::unique_ptr<Engine> open(int device) {
    if (device < 0) throw Error(ErrorCode::unavailable, "The seed of the simulated GPU is 0 or more.");
    return std::make_unique<CudaEngine>(static_cast<std::uint64_t>(device));
}

CudaEngine::CudaEngine(std::uint64_t seed) {
    set_seed(seed);
    info_.processors = schedule_of(seed).multiprocessors;
    info_.name = "Simulated GPU, " + std::to_string(info_.processors) + " multiprocessors";
    info_.driver = "runs on the CPU; seed " + std::to_string(seed);
    info_.memory_bytes = warpsieve::platform::total_memory_bytes();
    info_.phase_clock_step_us = 0.032;
}

std::uint64_t CudaEngine::free_memory_bytes() const {
    return warpsieve::platform::available_memory_bytes();
}

std::unique_ptr<Compactor> CudaEngine::make_compactor(const Algorithm& algorithm, const Options& options,
                                                      ItemSize item_size) {
    return make_registered(*this, algorithm, options, item_size);
}

std::unique_ptr<SpanTimer> CudaEngine::make_timer(std::size_t max_spans) {
    return std::make_unique<EventTimer>(stream(), checked_max_runs(max_spans));
}

std::unique_ptr<PhaseRecorder> CudaEngine::make_recorder(std::size_t max_runs) {
    return std::make_unique<SimulatedPhaseRecorder>(stream(), info_.processors,
                                                    static_cast<float>(info_.phase_clock_step_us),
                                                    checked_max_runs(max_runs));
}

std::unique_ptr<Verifier> CudaEngine::make_verifier(Comparison comparison, ItemSize item_size) {
    return make_device_verifier(stream(), comparison, item_size);
}

Buffer CudaEngine::allocate(std::size_t size_bytes) {
    const std::uint64_t free_bytes = free_memory_bytes();
    if (free_bytes > 0 && size_bytes > free_bytes) {
        throw Error(ErrorCode::out_of_memory, "The simulated GPU has " + std::to_string(free_bytes >> 20) +
                                                  " MiB free, less than the " +
                                                  std::to_string(size_bytes >> 20) +
                                                  " MiB requested. Use fewer slots.");
    }
    return {detail::device_allocate(size_bytes), size_bytes, detail::device_free};
}

void CudaEngine::upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) {
    check(cudaMemcpyAsync(engine_memory, host_memory, size_bytes, cudaMemcpyHostToDevice, stream()),
          "cudaMemcpyAsync to the device");
    synchronise();
}

void CudaEngine::download(void* host_memory, const void* engine_memory, std::size_t size_bytes) {
    check(cudaMemcpyAsync(host_memory, engine_memory, size_bytes, cudaMemcpyDeviceToHost, stream()),
          "cudaMemcpyAsync to the host");
    synchronise();
}

void CudaEngine::enqueue_copy(void* to, const void* from, std::size_t size_bytes) {
    check(cudaMemcpyAsync(to, from, size_bytes, cudaMemcpyDeviceToDevice, stream()),
          "cudaMemcpyAsync on the device");
}

std::unique_ptr<ClockProbe> CudaEngine::make_clock_probe() {
    return std::make_unique<NoClock>();
}

}  // namespace simulated
}  // namespace compaction
