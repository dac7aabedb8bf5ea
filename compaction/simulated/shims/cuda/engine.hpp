#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stream.hpp"
#include "compaction/engine.hpp"
#include "simulated/gpu.hpp"

namespace compaction::cuda {

/// The simulated GPU as an engine. The files of the CUDA algorithms call it CudaEngine. Work is complete when
/// the call that enqueues it returns.
class CudaEngine final : public Engine {
  public:
    /// `seed`: determines the schedule of every launch on the calling thread, until another engine is opened
    /// on that thread.
    explicit CudaEngine(std::uint64_t seed = current_seed());

    EngineId id() const override { return EngineId::simulated; }
    const DeviceInfo& device() const override { return info_; }
    std::uint64_t free_memory_bytes() const override;
    /// `num_allocations` is that of compaction/cuda/memory.hpp.
    EngineCounters counters() const override { return {num_allocations, synchronisations_}; }
    std::unique_ptr<Compactor> make_compactor(const Algorithm& algorithm, const Options& options,
                                              ItemSize item_size) override;
    std::unique_ptr<SpanTimer> make_timer(std::size_t max_spans) override;
    std::unique_ptr<PhaseRecorder> make_recorder(std::size_t max_runs) override;
    std::unique_ptr<Verifier> make_verifier(Comparison comparison, ItemSize item_size) override;
    Buffer allocate(std::size_t size_bytes) override;
    void upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) override;
    void download(void* host_memory, const void* engine_memory, std::size_t size_bytes) override;
    void enqueue_copy(void* to, const void* from, std::size_t size_bytes) override;
    double measure_clock_hz() override { return 0; }
    std::unique_ptr<ClockProbe> make_clock_probe() override;
    void synchronise() override { ++synchronisations_; }
    /// Null: stream() is no stream of CUDA.
    void* native_stream() const override { return nullptr; }

    cudaStream_t stream() const { return stream_.get(); }
    int num_multiprocessors() const { return static_cast<int>(info_.processors); }

  private:
    DeviceInfo info_;
    Stream stream_;
    std::uint64_t synchronisations_ = 0;
};

/// Defined in cuda/verifier.cu.
std::unique_ptr<Verifier> make_device_verifier(cudaStream_t stream, Comparison comparison,
                                               ItemSize item_size);

}  // namespace compaction::cuda
