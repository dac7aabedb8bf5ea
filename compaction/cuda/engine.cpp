#include "cuda/engine.hpp"

#include <fstream>
#include <memory>
#include <string>

#include "compaction/error.hpp"
#include "cuda/captures.hpp"
#include "cuda/support/event_timer.hpp"
#include "cuda/support/phase_recorder.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

constexpr int oldest_compute_capability = 75;  // 10 * major + minor

/// `version`: 1000 * major + 10 * minor, as CUDA reports it.
std::string cuda_version(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string driver_description() {
    int cuda_version_of_driver = 0;
    check(cudaDriverGetVersion(&cuda_version_of_driver), "cudaDriverGetVersion");
    std::string driver_version;
    std::ifstream("/sys/module/nvidia/version") >> driver_version;
    return "CUDA " + cuda_version(cuda_version_of_driver) +
           (driver_version.empty() ? "" : " (" + driver_version + ")");
}

std::string pci_bus_id_of(int device) {
    char id[32] = "";
    check(cudaDeviceGetPCIBusId(id, sizeof id, device), "cudaDeviceGetPCIBusId");
    return id;
}

/// Empty if the CUDA engine can run on that device.
std::string unavailable_reason(int device) {
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    cudaGetLastError();
    int cuda_version_of_driver = 0;
    const bool has_driver =
        cudaDriverGetVersion(&cuda_version_of_driver) == cudaSuccess && cuda_version_of_driver > 0;
    if (!has_driver) return "No NVIDIA driver is installed, so there is no GPU to run the CUDA engine on.";
    if (result == cudaErrorInsufficientDriver) {
        return "The NVIDIA driver supports CUDA " + cuda_version(cuda_version_of_driver) +
               ", older than this build (CUDA " + cuda_version(CUDART_VERSION) +
               "). Update the driver to use the GPU.";
    }
    if (result == cudaErrorNoDevice || (result == cudaSuccess && count == 0)) {
        return "No NVIDIA GPU is visible. Check nvidia-smi and CUDA_VISIBLE_DEVICES.";
    }
    if (result != cudaSuccess) {
        return std::string("CUDA cannot start: ") + cudaGetErrorString(result) + ". Check nvidia-smi.";
    }
    if (device < 0 || device >= count) {
        return "There is no CUDA device " + std::to_string(device) + "; " + std::to_string(count) +
               (count == 1 ? " is" : " are") + " visible, counted from 0. Check CUDA_VISIBLE_DEVICES.";
    }
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess)
        return "CUDA cannot read the GPU's properties.";
    if (properties.major * 10 + properties.minor < oldest_compute_capability) {
        return std::string(properties.name) + " has compute capability " + std::to_string(properties.major) +
               "." + std::to_string(properties.minor) + "; the CUDA engine needs 7.5 or newer.";
    }
    return {};
}

}  // namespace

EngineStatus status() {
    const std::string reason = unavailable_reason(/*device=*/0);
    return {EngineId::cuda, "CUDA", reason.empty(), reason};
}

std::unique_ptr<Engine> open(int device) {
    const std::string reason = unavailable_reason(device);
    if (!reason.empty()) throw Error(ErrorCode::unavailable, reason);
    return std::make_unique<CudaEngine>(device);
}

CudaEngine::CudaEngine(int device)
    : info_([device] {
          check(cudaSetDevice(device), "cudaSetDevice");
          cudaDeviceProp properties{};
          check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
          int max_clock_khz = 0;
          check(cudaDeviceGetAttribute(&max_clock_khz, cudaDevAttrClockRate, device),
                "cudaDeviceGetAttribute");
          return DeviceInfo{properties.name,
                            driver_description(),
                            static_cast<std::uint32_t>(properties.multiProcessorCount),
                            properties.totalGlobalMem,
                            static_cast<std::uint64_t>(properties.l2CacheSize),
                            max_clock_khz * 1e3,
                            pci_bus_id_of(device)};
      }()) {
    info_.phase_clock_step_us = static_cast<double>(measure_timer_step_us(stream_.get()));
}

CudaEngine::~CudaEngine() {
    log_failure(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
}

std::uint64_t CudaEngine::free_memory_bytes() const {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free;
}

EngineCounters CudaEngine::counters() const {
    return {num_allocations, synchronisations_};
}

std::unique_ptr<Compactor> CudaEngine::make_compactor(const Algorithm& algorithm, const Options& options,
                                                      ItemSize item_size) {
    return make_registered(*this, algorithm, options, item_size);
}

std::unique_ptr<SpanTimer> CudaEngine::make_timer(std::size_t max_spans) {
    return std::make_unique<EventTimer>(stream_.get(), checked_max_runs(max_spans));
}

std::unique_ptr<PhaseRecorder> CudaEngine::make_recorder(std::size_t max_runs) {
    return std::make_unique<CudaPhaseRecorder>(stream_.get(), info_.processors,
                                               static_cast<float>(info_.phase_clock_step_us),
                                               checked_max_runs(max_runs));
}

std::unique_ptr<Verifier> CudaEngine::make_verifier(Comparison comparison, ItemSize item_size) {
    return make_device_verifier(stream_.get(), comparison, item_size);
}

Buffer CudaEngine::allocate(std::size_t size_bytes) {
    ++num_allocations;
    void* data = nullptr;
    const cudaError_t result = cudaMalloc(&data, size_bytes);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw Error(ErrorCode::out_of_memory,
                    "The GPU has " + std::to_string(free_memory_bytes() >> 20) + " MiB free, less than the " +
                        std::to_string(size_bytes >> 20) + " MiB requested. Use fewer slots.");
    }
    check(result, "cudaMalloc");
    return {data, size_bytes, detail::device_free};
}

void CudaEngine::upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) {
    check(cudaMemcpyAsync(engine_memory, host_memory, size_bytes, cudaMemcpyHostToDevice, stream_.get()),
          "cudaMemcpyAsync to the device");
    synchronise();
}

void CudaEngine::download(void* host_memory, const void* engine_memory, std::size_t size_bytes) {
    check(cudaMemcpyAsync(host_memory, engine_memory, size_bytes, cudaMemcpyDeviceToHost, stream_.get()),
          "cudaMemcpyAsync to the host");
    synchronise();
}

void CudaEngine::enqueue_copy(void* to, const void* from, std::size_t size_bytes) {
    check(cudaMemcpyAsync(to, from, size_bytes, cudaMemcpyDeviceToDevice, stream_.get()),
          "cudaMemcpyAsync on the device");
}

std::optional<std::vector<Launch>> CudaEngine::launches(const std::function<void()>& enqueue) {
    return launches_of(stream_.get(), enqueue);
}

std::vector<std::unique_ptr<Replay>> CudaEngine::record_phases(
    const std::function<void(PhaseRecorder*)>& enqueue) {
    return phase_replays(stream_.get(), enqueue);
}

double CudaEngine::measure_clock_hz() {
    clock_sample_.grow_to(1);
    enqueue_clock_probe(clock_sample_.data(), stream_.get());
    ClockSample sample{};
    download(&sample, clock_sample_.data(), sizeof sample);
    return sample.hz();
}

std::unique_ptr<ClockProbe> CudaEngine::make_clock_probe() {
    return std::make_unique<StreamClockProbe>(stream_.get());
}

void CudaEngine::synchronise() {
    ++synchronisations_;
    check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
}

}  // namespace compaction::cuda
