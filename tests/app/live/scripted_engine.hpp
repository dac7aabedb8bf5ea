#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compaction/engine.hpp"
#include "compaction/error.hpp"

namespace warpsieve::scripted {

/// A recorder whose phases take what the test says, and whose runs finish when the test says: a GPU that is
/// repeatable.
class Recorder final : public compaction::PhaseRecorder {
  public:
    explicit Recorder(std::size_t max_runs) : max_runs_(max_runs) {}

    /// What the phases of the next run take, in microseconds; those past the last take nothing.
    void script(std::vector<float> phase_us) { script_ = std::move(phase_us); }
    /// While held back, runs do not finish, as on a device that is behind.
    void hold_back(bool hold) { held_ = hold; }

    void begin_run(std::uint64_t run) override {
        recording_ = runs_.size() < max_runs_;
        if (!recording_) ++dropped_;
        current_ = {};
        current_.run = run;
    }
    void end_phase() override {
        const std::size_t phase = current_.num_phases++;
        current_.phase_us[phase] = phase < script_.size() ? script_[phase] : 0;
    }
    void end_run() override {
        if (recording_) runs_.push_back(current_);
    }
    void poll(std::vector<compaction::RunTiming>& finished) override {
        if (held_) return;
        finished.insert(finished.end(), runs_.begin(), runs_.end());
        runs_.clear();
    }
    std::uint64_t dropped() const override { return dropped_; }

  private:
    std::size_t max_runs_;
    std::vector<float> script_;
    bool held_ = false;
    bool recording_ = false;
    compaction::RunTiming current_;
    std::deque<compaction::RunTiming> runs_;
    std::uint64_t dropped_ = 0;
};

/// A clock that shows what the test says.
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

/// An engine that gives scripted recorders and a scripted clock and refuses all else.
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
    void enqueue_copy(void*, const void*, std::size_t, compaction::PhaseRecorder*) override { refuse(); }
    double measure_clock_hz() override { return 0; }
    std::unique_ptr<compaction::ClockProbe> make_clock_probe() override { return std::make_unique<Clock>(); }
    void synchronise() override {}
    void* native_stream() const override { return nullptr; }

  private:
    [[noreturn]] static void refuse() {
        throw compaction::Error(compaction::ErrorCode::unavailable,
                                "The scripted engine only gives recorders and a clock.");
    }

    compaction::DeviceInfo device_{.name = "scripted", .driver = "none", .processors = 1};
};

}  // namespace warpsieve::scripted
