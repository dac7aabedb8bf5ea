#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "compaction/error.hpp"

/// An engine with simulated time: work takes the time that the test sets, on a clock that nothing else
/// advances, so that the result of a measurement is known beforehand. The work itself is done in host memory.
namespace testing_support {

using compaction::Comparison;
using compaction::Error;
using compaction::ErrorCode;
using compaction::Item;

/// The settings of a test, and the records of the engine.
struct Script {
    double now_us = 0;
    double copy_us_per_kib = 1;
    double copy_overhead_us = 2;
    double between_us = 0;         ///< before each call
    double hidden_us = 0;          ///< hidden time per phase
    double gap_us = 0;             ///< gap per phase
    std::size_t gaps_in_run = 1;   ///< the recorder knows them in every n-th run; 0: in none
    double faster_if_last_us = 0;  ///< how much faster the first phase is if the call ends after it
    double check_us = 1;           ///< time to verify a result
    std::map<std::string, std::vector<double>> phase_us;                     ///< per algorithm
    std::function<double(const std::string& id, std::size_t call)> more_us;  ///< additional time
    /// Whether a call leaves its output unwritten.
    std::function<bool(const std::string& id, std::size_t call)> lazy;
    std::function<double()> clock_hz = [] { return 2e9; };
    std::uint64_t free_bytes = std::uint64_t{1} << 30;
    std::optional<std::size_t> fails_at_call;
    std::set<std::string> refused;    ///< algorithms that do not fit this device
    std::set<std::string> unstamped;  ///< algorithms whose phases no recorder sees
    /// Has effect in a replay: how many phases of each call run.
    std::optional<std::size_t> phases_to_run;
    std::size_t phases_of_last_call = 0;  ///< including those that did not run
    bool records_phases = true;           ///< whether record_phases can record
    std::optional<std::uint64_t> max_items;
    std::size_t max_host_bytes = ~std::size_t{0};  ///< limit of one allocation

    std::map<std::string, std::size_t> calls;
    std::vector<std::string> timed_runs;  ///< the first work of each timed run
    std::set<const void*> inputs;
    std::set<const void*> outputs;
    std::uint64_t copied_bytes = 0;
    std::function<void(std::size_t size_bytes)> on_copy = [](std::size_t) {};
    std::uint64_t allocations = 0;
    std::uint64_t allocations_at_first_timed_run = 0;
    bool recording = false;
    bool run_has_work = false;

    void work(const std::string& who, double us) {
        now_us += us;
        if (recording && !run_has_work) timed_runs.push_back(who);
        run_has_work = recording;
    }
};

class FakeTimer final : public compaction::SpanTimer {
  public:
    explicit FakeTimer(Script& script) : script_(script) {}
    void begin(std::uint64_t span) override {
        if (script_.timed_runs.empty()) script_.allocations_at_first_timed_run = script_.allocations;
        span_ = span;
        begin_us_ = script_.now_us;
        script_.recording = true;
        script_.run_has_work = false;
    }
    void end() override {
        script_.recording = false;
        finished_.push_back({span_, static_cast<float>(script_.now_us - begin_us_)});
    }
    void poll(std::vector<compaction::SpanTiming>& finished) override {
        finished.insert(finished.end(), finished_.begin(), finished_.end());
        finished_.clear();
    }
    std::uint64_t dropped() const override { return 0; }

  private:
    Script& script_;
    std::uint64_t span_ = 0;
    double begin_us_ = 0;
    std::vector<compaction::SpanTiming> finished_;
};

class FakeRecorder final : public compaction::PhaseRecorder {
  public:
    explicit FakeRecorder(Script& script) : script_(script) {}
    void begin_run(std::uint64_t run) override {
        timing_ = {};
        timing_.run = run;
    }
    void begin_phase() override { begin_us_ = script_.now_us; }
    void end_phase() override {
        const std::size_t phase = timing_.num_phases++;
        timing_.phase_us[phase] = static_cast<float>(script_.now_us - begin_us_);
        timing_.hidden_us[phase] = static_cast<float>(script_.hidden_us);
        timing_.gap_us[phase] = static_cast<float>(script_.gap_us);
    }
    void end_run() override {
        timing_.gaps_known = script_.gaps_in_run > 0 && ++runs_ % script_.gaps_in_run == 0;
        if (!timing_.gaps_known) timing_.gap_us = {};
        batch_.push_back(timing_);
    }
    void collect() override {
        collected_.insert(collected_.end(), batch_.begin(), batch_.end());
        batch_.clear();
    }
    void poll(std::vector<compaction::RunTiming>& finished) override {
        finished.insert(finished.end(), collected_.begin(), collected_.end());
        collected_.clear();
    }
    std::uint64_t dropped() const override { return 0; }
    void request_trace(std::uint32_t) override {}
    std::optional<compaction::RunTrace> poll_trace() override { return std::nullopt; }

  private:
    Script& script_;
    std::size_t runs_ = 0;
    compaction::RunTiming timing_;
    double begin_us_ = 0;
    std::vector<compaction::RunTiming> batch_;
    std::vector<compaction::RunTiming> collected_;
};

/// Repeats the calls, each up to the end of one phase.
class FakeReplay final : public compaction::Replay {
  public:
    FakeReplay(Script& script, std::function<void(compaction::PhaseRecorder*)> calls, std::size_t num_phases)
        : script_(script), calls_(std::move(calls)), num_phases_(num_phases) {}
    void enqueue() override {
        FakeRecorder nowhere(script_);
        script_.phases_to_run = num_phases_;
        calls_(&nowhere);
        script_.phases_to_run.reset();
    }

  private:
    Script& script_;
    std::function<void(compaction::PhaseRecorder*)> calls_;
    std::size_t num_phases_;
};

class FakeCompactor final : public compaction::Compactor {
  public:
    FakeCompactor(Script& script, compaction::Algorithm algorithm)
        : script_(script), algorithm_(std::move(algorithm)) {}
    compaction::Options resolved_options(std::uint64_t) const override { return {}; }
    void do_reserve(std::uint64_t num_items) override {
        ++script_.allocations;
        if (num_items > script_.max_items.value_or(num_items))
            throw Error(ErrorCode::invalid_argument, "The fake device takes no more items.");
    }
    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    compaction::Predicate keep, compaction::PhaseRecorder* recorder) override {
        const std::size_t call = script_.calls[algorithm_.id]++;
        if (script_.fails_at_call == call) throw Error(ErrorCode::device_failure, "The fake device broke.");
        script_.inputs.insert(in);
        script_.outputs.insert(out);
        const bool lazy = script_.lazy && script_.lazy(algorithm_.id, call);
        const std::vector<double>& phase_us = script_.phase_us.at(algorithm_.id);
        script_.phases_of_last_call = phase_us.size();
        const std::size_t num_phases = script_.phases_to_run.value_or(phase_us.size());
        if (num_phases == 0) return;
        if (!lazy && num_phases == phase_us.size()) {
            const Item* items = static_cast<const Item*>(in);
            Item* const end = std::copy_if(items, items + num_items, static_cast<Item*>(out), keep);
            *num_selected = static_cast<std::uint64_t>(end - static_cast<Item*>(out));
        }
        const double more_us = script_.more_us ? script_.more_us(algorithm_.id, call) : 0;
        script_.now_us += script_.between_us;
        if (num_phases == 1 && phase_us.size() > 1) script_.now_us -= script_.faster_if_last_us;
        for (std::size_t i = 0; i < num_phases; ++i) {
            const compaction::ScopedPhase phase{script_.unstamped.contains(algorithm_.id) ? nullptr
                                                                                          : recorder};
            script_.work(algorithm_.id, phase_us[i]);
        }
        script_.now_us += more_us;
    }

  private:
    Script& script_;
    compaction::Algorithm algorithm_;
};

class FakeVerifier final : public compaction::Verifier {
  public:
    FakeVerifier(Script& script, Comparison comparison) : script_(script), comparison_(comparison) {}
    void reserve(std::uint64_t) override { ++script_.allocations; }
    bool enqueue(std::uint64_t run, const void* in, std::uint64_t num_items, const void* out,
                 const std::uint64_t* num_selected, compaction::Predicate keep) override {
        const Item* items = static_cast<const Item*>(in);
        std::vector<Item> expected(items, items + num_items);
        if (comparison_ == Comparison::in_order)
            std::erase_if(expected, [&](Item item) { return !keep(item); });
        const std::uint64_t count = comparison_ == Comparison::copy ? num_items : *num_selected;
        verdict_.emplace();
        verdict_->run = run;
        verdict_->expected_count = expected.size();
        verdict_->actual_count = count;
        if (count == expected.size() && std::memcmp(expected.data(), out, count * sizeof(Item)) != 0)
            verdict_->first_wrong = 0;
        script_.now_us += script_.check_us;
        return true;
    }
    std::optional<compaction::Verdict> poll() override { return std::exchange(verdict_, std::nullopt); }

  private:
    Script& script_;
    Comparison comparison_;
    std::optional<compaction::Verdict> verdict_;
};

class FakeEngine final : public compaction::Engine {
  public:
    explicit FakeEngine(Script& script, std::uint64_t cache_bytes = 1 << 16)
        : script_(script),
          device_{.name = "Fake device",
                  .driver = "fake driver",
                  .processors = 1,
                  .memory_bytes = 1 << 30,
                  .cache_bytes = cache_bytes,
                  .max_clock_hz = 2e9} {}

    compaction::EngineId id() const override { return compaction::EngineId::cuda; }
    const compaction::DeviceInfo& device() const override { return device_; }
    std::uint64_t free_memory_bytes() const override { return script_.free_bytes; }
    compaction::EngineCounters counters() const override { return {script_.allocations, 0}; }
    std::unique_ptr<compaction::Compactor> make_compactor(const compaction::Algorithm& algorithm,
                                                          const compaction::Options&,
                                                          compaction::ItemSize) override {
        if (script_.refused.contains(algorithm.id))
            throw Error(ErrorCode::invalid_option, "The fake device has no room for that.");
        return std::make_unique<FakeCompactor>(script_, algorithm);
    }
    std::unique_ptr<compaction::SpanTimer> make_timer(std::size_t) override {
        return std::make_unique<FakeTimer>(script_);
    }
    std::unique_ptr<compaction::PhaseRecorder> make_recorder(std::size_t) override {
        return std::make_unique<FakeRecorder>(script_);
    }
    std::unique_ptr<compaction::Verifier> make_verifier(Comparison comparison,
                                                        compaction::ItemSize) override {
        return std::make_unique<FakeVerifier>(script_, comparison);
    }
    compaction::Buffer allocate(std::size_t size_bytes) override {
        ++script_.allocations;
        if (size_bytes > script_.free_bytes)
            throw Error(ErrorCode::out_of_memory, "The fake device is full.");
        if (size_bytes > script_.max_host_bytes) throw std::bad_alloc();
        return {::operator new(size_bytes), size_bytes, [](void* data) noexcept { ::operator delete(data); }};
    }
    void upload(void* to, const void* from, std::size_t size_bytes) override {
        std::memcpy(to, from, size_bytes);
    }
    void download(void* to, const void* from, std::size_t size_bytes) override {
        std::memcpy(to, from, size_bytes);
    }
    void enqueue_copy(void* to, const void* from, std::size_t size_bytes) override {
        std::memcpy(to, from, size_bytes);
        script_.copied_bytes += size_bytes;
        script_.on_copy(size_bytes);
        script_.work(
            "copy of " + std::to_string(size_bytes),
            script_.copy_overhead_us + script_.copy_us_per_kib * static_cast<double>(size_bytes) / 1024);
    }
    std::vector<std::unique_ptr<compaction::Replay>> record_phases(
        const std::function<void(compaction::PhaseRecorder*)>& enqueue) override {
        if (!script_.records_phases) return {};
        // Runs no phase; counts those of a call.
        FakeReplay(script_, enqueue, /*num_phases=*/0).enqueue();
        std::vector<std::unique_ptr<compaction::Replay>> replays;
        for (std::size_t phases = 1; phases <= script_.phases_of_last_call; ++phases)
            replays.push_back(std::make_unique<FakeReplay>(script_, enqueue, phases));
        return replays;
    }
    double measure_clock_hz() override { return script_.clock_hz(); }
    std::unique_ptr<compaction::ClockProbe> make_clock_probe() override {
        throw Error(ErrorCode::unavailable, "The fake engine has no clock probe.");
    }
    void synchronise() override {}
    void* native_stream() const override { return nullptr; }

  private:
    Script& script_;
    compaction::DeviceInfo device_;
};

}  // namespace testing_support
