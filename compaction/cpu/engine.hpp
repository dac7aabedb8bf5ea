#pragma once

#include <memory>

#include "compaction/engine.hpp"
#include "compaction/verifier.hpp"
#include "cpu/machine.hpp"

namespace compaction::cpu {

/// The engine that is always available: host memory, oneTBB worker threads, Highway SIMD. Its work is
/// complete when `enqueue` returns, so `synchronise` only increments a counter.
class CpuEngine final : public Engine {
  public:
    CpuEngine();

    EngineId id() const override { return EngineId::cpu; }
    const DeviceInfo& device() const override { return device_; }
    std::uint64_t free_memory_bytes() const override;
    EngineCounters counters() const override { return counters_; }

    std::unique_ptr<Compactor> make_compactor(const Algorithm& algorithm, const Options& options,
                                              ItemSize item_size) override;
    std::unique_ptr<SpanTimer> make_timer(std::size_t max_spans) override;
    std::unique_ptr<PhaseRecorder> make_recorder(std::size_t max_runs) override;
    std::unique_ptr<Verifier> make_verifier(Comparison comparison, ItemSize item_size) override;

    Buffer allocate(std::size_t size_bytes) override;
    void upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) override;
    void download(void* host_memory, const void* engine_memory, std::size_t size_bytes) override;
    void enqueue_copy(void* to, const void* from, std::size_t size_bytes) override;
    double measure_clock_hz() override { return cpu::measure_clock_hz(); }
    std::unique_ptr<ClockProbe> make_clock_probe() override;
    void synchronise() override { ++counters_.synchronisations; }
    void* native_stream() const override { return nullptr; }

  private:
    DeviceInfo device_;
    EngineCounters counters_;
};

/// Makes a verifier of scalar code, parallel over fixed chunks of the stream. `enqueue` does all the work, so
/// the verdict is ready at the next poll.
std::unique_ptr<Verifier> make_chunk_verifier(Engine& engine, Comparison comparison, ItemSize item_size);

}  // namespace compaction::cpu
