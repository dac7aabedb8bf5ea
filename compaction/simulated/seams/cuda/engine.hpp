#pragma once

#include <cstring>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/memory.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"
#include "simulated/card.hpp"

namespace compaction::cuda {

/// The engine that the library's CUDA algorithms get on the simulated GPU. It is not in the catalogue yet, so
/// it makes no compactors, timers, recorders or verifiers.
class CudaEngine final : public Engine {
  public:
    CudaEngine() { info_.processors = schedule_of(current_seed()).multiprocessors; }

    EngineId id() const override { refuse(); }
    const DeviceInfo& device() const override { return info_; }
    std::uint64_t free_memory_bytes() const override { return 0; }
    EngineCounters counters() const override { return {}; }
    std::unique_ptr<Compactor> make_compactor(const Algorithm&, const Options&, ItemSize) override {
        refuse();
    }
    std::unique_ptr<SpanTimer> make_timer(std::size_t) override { refuse(); }
    std::unique_ptr<PhaseRecorder> make_recorder(std::size_t) override { refuse(); }
    std::unique_ptr<Verifier> make_verifier(Comparison, ItemSize) override { refuse(); }
    Buffer allocate(std::size_t size_bytes) override {
        return {detail::device_allocate(size_bytes), size_bytes, detail::device_free};
    }
    void upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) override {
        std::memcpy(engine_memory, host_memory, size_bytes);
    }
    void download(void* host_memory, const void* engine_memory, std::size_t size_bytes) override {
        std::memcpy(host_memory, engine_memory, size_bytes);
    }
    void enqueue_copy(void* to, const void* from, std::size_t size_bytes) override {
        std::memcpy(to, from, size_bytes);
    }
    double measure_clock_hz() override { return 0; }
    std::unique_ptr<ClockProbe> make_clock_probe() override { refuse(); }
    void synchronise() override {}
    void* native_stream() const override { return nullptr; }

    cudaStream_t stream() const { return nullptr; }
    int num_multiprocessors() const { return static_cast<int>(info_.processors); }

  private:
    [[noreturn]] static void refuse() {
        throw Error(ErrorCode::unavailable, "The simulated GPU is not in the catalogue of engines.");
    }

    DeviceInfo info_;
};

}  // namespace compaction::cuda
