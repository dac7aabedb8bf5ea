#pragma once

#include <memory>

#include "compaction/engine.hpp"

namespace testing_support {

/// The CPU engine with a simulated machine. With a small cache, it treats short outputs like those larger
/// than the cache. Make compactors with compaction::make_registered.
class OtherMachineEngine final : public compaction::Engine {
  public:
    OtherMachineEngine()
        : engine_(compaction::open_engine(compaction::EngineId::cpu)), device_(engine_->device()) {}

    /// The simulated machine; initially the real one.
    compaction::DeviceInfo& machine() { return device_; }

    compaction::EngineId id() const override { return engine_->id(); }
    const compaction::DeviceInfo& device() const override { return device_; }
    std::uint64_t free_memory_bytes() const override { return engine_->free_memory_bytes(); }
    compaction::EngineCounters counters() const override { return engine_->counters(); }
    std::unique_ptr<compaction::Compactor> make_compactor(const compaction::Algorithm& algorithm,
                                                          const compaction::Options& options,
                                                          compaction::ItemSize item_size) override {
        return engine_->make_compactor(algorithm, options, item_size);
    }
    std::unique_ptr<compaction::SpanTimer> make_timer(std::size_t max_spans) override {
        return engine_->make_timer(max_spans);
    }
    std::unique_ptr<compaction::PhaseRecorder> make_recorder(std::size_t max_runs) override {
        return engine_->make_recorder(max_runs);
    }
    std::unique_ptr<compaction::Verifier> make_verifier(compaction::Comparison comparison,
                                                        compaction::ItemSize item_size) override {
        return engine_->make_verifier(comparison, item_size);
    }
    compaction::Buffer allocate(std::size_t size_bytes) override { return engine_->allocate(size_bytes); }
    void upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) override {
        engine_->upload(engine_memory, host_memory, size_bytes);
    }
    void download(void* host_memory, const void* engine_memory, std::size_t size_bytes) override {
        engine_->download(host_memory, engine_memory, size_bytes);
    }
    void enqueue_copy(void* to, const void* from, std::size_t size_bytes) override {
        engine_->enqueue_copy(to, from, size_bytes);
    }
    double measure_clock_hz() override { return engine_->measure_clock_hz(); }
    std::unique_ptr<compaction::ClockProbe> make_clock_probe() override {
        return engine_->make_clock_probe();
    }
    void synchronise() override { engine_->synchronise(); }
    void* native_stream() const override { return engine_->native_stream(); }

  private:
    std::unique_ptr<compaction::Engine> engine_;
    compaction::DeviceInfo device_;
};

}  // namespace testing_support
