#pragma once

#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stream.hpp"
#include "compaction/engine.hpp"
#include "cuda/clock_probe.hpp"

namespace compaction::cuda {

/// The CUDA engine: one device, one stream on which all its work is ordered.
class CudaEngine final : public Engine {
  public:
    explicit CudaEngine(int device);
    ~CudaEngine() override;

    EngineId id() const override { return EngineId::cuda; }
    const DeviceInfo& device() const override { return info_; }
    std::uint64_t free_memory_bytes() const override;
    EngineCounters counters() const override;
    std::unique_ptr<Compactor> make_compactor(const Algorithm& algorithm, const Options& options,
                                              ItemSize item_size) override;
    std::unique_ptr<SpanTimer> make_timer(std::size_t max_spans) override;
    std::unique_ptr<PhaseRecorder> make_recorder(std::size_t max_runs) override;
    std::unique_ptr<Verifier> make_verifier(Comparison comparison, ItemSize item_size) override;
    Buffer allocate(std::size_t size_bytes) override;
    void upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) override;
    void download(void* host_memory, const void* engine_memory, std::size_t size_bytes) override;
    void enqueue_copy(void* to, const void* from, std::size_t size_bytes) override;
    std::optional<std::vector<Launch>> launches(const std::function<void()>& enqueue) override;
    std::vector<std::unique_ptr<Replay>> record_phases(
        const std::function<void(PhaseRecorder*)>& enqueue) override;
    double measure_clock_hz() override;
    std::unique_ptr<ClockProbe> make_clock_probe() override;
    void synchronise() override;
    void* native_stream() const override { return stream_.get(); }

    cudaStream_t stream() const { return stream_.get(); }
    int num_multiprocessors() const { return static_cast<int>(info_.processors); }

  private:
    DeviceInfo info_;
    Stream stream_;
    DeviceBuffer<ClockSample> clock_sample_;
    std::uint64_t synchronisations_ = 0;
};

/// Defined in verifier.cu.
std::unique_ptr<Verifier> make_device_verifier(cudaStream_t stream, Comparison comparison,
                                               ItemSize item_size);

}  // namespace compaction::cuda
