#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compaction/engine.hpp"
#include "compaction/error.hpp"

namespace warpsieve::scripted {

/// Finished timings, delivered when the test says: a repeatable GPU.
template <typename TimingT>
class Finished {
  public:
    explicit Finished(std::size_t capacity) : capacity_(capacity) {}

    /// While held back, nothing finishes, as on a slow device.
    void hold_back(bool hold) { held_ = hold; }
    /// Whether there is room for one more; if not, counts it as dropped.
    bool try_begin_next() {
        if (timings_.size() < capacity_) return true;
        ++dropped_;
        return false;
    }
    void push(const TimingT& timing) { timings_.push_back(timing); }
    void pop_all(std::vector<TimingT>& finished) {
        if (held_) return;
        finished.insert(finished.end(), timings_.begin(), timings_.end());
        timings_.clear();
    }
    std::uint64_t dropped() const { return dropped_; }

  private:
    std::size_t capacity_;
    bool held_ = false;
    std::deque<TimingT> timings_;
    std::uint64_t dropped_ = 0;
};

/// A timer whose spans take the times of the test.
class Timer final : public compaction::SpanTimer {
  public:
    explicit Timer(std::size_t max_spans) : finished_(max_spans) {}

    /// Length of the next span, in microseconds.
    void script(float us) { us_ = us; }
    void hold_back(bool hold) { finished_.hold_back(hold); }

    void begin(std::uint64_t span) override {
        timing_ = finished_.try_begin_next();
        span_ = span;
    }
    void end() override {
        if (timing_) finished_.push({span_, us_});
    }
    void poll(std::vector<compaction::SpanTiming>& finished) override { finished_.pop_all(finished); }
    std::uint64_t dropped() const override { return finished_.dropped(); }

  private:
    Finished<compaction::SpanTiming> finished_;
    float us_ = 0;
    bool timing_ = false;
    std::uint64_t span_ = 0;
};

/// A recorder whose runs have the times of the test.
class Recorder final : public compaction::PhaseRecorder {
  public:
    explicit Recorder(std::size_t max_runs) : finished_(max_runs) {}

    /// The times of the next runs.
    void script(const compaction::RunTiming& timing) { script_ = timing; }
    void hold_back(bool hold) { finished_.hold_back(hold); }
    /// Limits the number of recorded runs of each batch.
    void limit_batch(std::size_t max_runs) { max_in_batch_ = max_runs; }
    std::size_t largest_batch() const { return largest_batch_; }

    void begin_run(std::uint64_t run) override {
        const bool fits = open_.size() < max_in_batch_;
        if (!fits) ++dropped_in_batches_;
        recording_ = fits && finished_.try_begin_next();
        run_ = run;
    }
    void begin_phase() override {}
    void end_phase() override {}
    void end_run() override {
        if (!recording_) return;
        open_.push_back(script_);
        open_.back().run = run_;
    }
    void collect() override {
        largest_batch_ = std::max(largest_batch_, open_.size());
        for (const compaction::RunTiming& timing : open_) finished_.push(timing);
        open_.clear();
    }
    void poll(std::vector<compaction::RunTiming>& finished) override { finished_.pop_all(finished); }
    std::uint64_t dropped() const override { return finished_.dropped() + dropped_in_batches_; }
    void request_trace(std::uint32_t) override {}
    std::optional<compaction::RunTrace> poll_trace() override { return std::nullopt; }

  private:
    Finished<compaction::RunTiming> finished_;
    compaction::RunTiming script_;
    std::vector<compaction::RunTiming> open_;
    std::size_t max_in_batch_ = compaction::max_recorded_runs;
    std::size_t largest_batch_ = 0;
    std::uint64_t dropped_in_batches_ = 0;
    bool recording_ = false;
    std::uint64_t run_ = 0;
};

/// A clock that shows the time of the test.
class Clock final : public compaction::ClockProbe {
  public:
    void show(double hz) { hz_ = hz; }
    std::size_t times_enqueued() const { return times_enqueued_; }

    void enqueue() override {
        ++times_enqueued_;
        measured_ = hz_;
    }
    std::optional<double> poll() override { return std::exchange(measured_, std::nullopt); }
    const std::string& reason() const override { return reason_; }

  private:
    double hz_ = 0;
    std::size_t times_enqueued_ = 0;
    std::optional<double> measured_;
    std::string reason_;
};

/// An engine with scripted timers, recorders and clock that refuses everything else.
class Engine final : public compaction::Engine {
  public:
    compaction::EngineId id() const override { return compaction::EngineId::cpu; }
    const compaction::DeviceInfo& device() const override { return device_; }
    std::uint64_t free_memory_bytes() const override { return 0; }
    compaction::EngineCounters counters() const override { return {}; }
    std::unique_ptr<compaction::Compactor> make_compactor(const compaction::Algorithm&,
                                                          const compaction::Options&,
                                                          compaction::ItemSize) override {
        refuse();
    }
    std::unique_ptr<compaction::SpanTimer> make_timer(std::size_t max_spans) override {
        return std::make_unique<Timer>(max_spans);
    }
    std::unique_ptr<compaction::PhaseRecorder> make_recorder(std::size_t max_runs) override {
        return std::make_unique<Recorder>(max_runs);
    }
    std::unique_ptr<compaction::Verifier> make_verifier(compaction::Comparison,
                                                        compaction::ItemSize) override {
        refuse();
    }
    compaction::Buffer allocate(std::size_t) override { refuse(); }
    void upload(void*, const void*, std::size_t) override { refuse(); }
    void download(void*, const void*, std::size_t) override { refuse(); }
    void enqueue_copy(void*, const void*, std::size_t) override { refuse(); }
    double measure_clock_hz() override { return 0; }
    std::unique_ptr<compaction::ClockProbe> make_clock_probe() override { return std::make_unique<Clock>(); }
    void synchronise() override {}
    void* native_stream() const override { return nullptr; }

  private:
    [[noreturn]] static void refuse() {
        throw compaction::Error(compaction::ErrorCode::unavailable,
                                "The scripted engine only gives timers, recorders and a clock.");
    }

    compaction::DeviceInfo device_{.name = "scripted", .driver = "none", .processors = 1};
};

}  // namespace warpsieve::scripted
