#include "app/live/side_run.hpp"

#include <utility>

namespace warpsieve {
namespace {

std::unique_ptr<compaction::Compactor> make_compactor(compaction::Engine& engine,
                                                      const compaction::Algorithm& algorithm,
                                                      const compaction::Options& options,
                                                      std::uint64_t slots) {
    auto compactor = engine.make_compactor(algorithm, options);
    compactor->reserve(slots);
    return compactor;
}

std::unique_ptr<compaction::Verifier> make_verifier(compaction::Engine& engine,
                                                    const compaction::Algorithm& algorithm,
                                                    std::uint64_t slots) {
    auto verifier = engine.make_verifier(comparison_of(algorithm));
    verifier->reserve(slots);
    return verifier;
}

}  // namespace

SideRun::SideRun(compaction::Engine& engine, const compaction::Algorithm& algorithm,
                 const compaction::Options& options, std::uint64_t slots, CheckMonitor& check,
                 std::vector<experiments::FrameSample>* log, std::uint64_t first_round)
    : engine_(engine),
      timing_(engine, log, first_round),
      check_(check),
      algorithm_(&algorithm),
      options_(options),
      verifier_(make_verifier(engine, algorithm, slots)),
      compactor_(make_compactor(engine, algorithm, options, slots)) {}

SideRun::Change SideRun::prepare(const compaction::Algorithm& algorithm, const compaction::Options& options,
                                 std::uint64_t slots) const {
    Change change{&algorithm, options, nullptr, nullptr};
    if (&algorithm != algorithm_ || options != options_)
        change.compactor = make_compactor(engine_, algorithm, options, slots);
    if (comparison_of(algorithm) != comparison_of(*algorithm_))
        change.verifier = make_verifier(engine_, algorithm, slots);
    return change;
}

bool SideRun::apply(Change change) {
    const bool is_changed = change.compactor != nullptr;
    if (is_changed) {
        changed_ = true;
        newest_trace_.reset();
        counting_.reset();
    }
    if (change.compactor) compactor_ = std::move(change.compactor);
    if (change.verifier) verifier_ = std::move(change.verifier);
    algorithm_ = change.algorithm;
    options_ = change.options;
    return is_changed;
}

void SideRun::reserve(std::uint64_t slots) {
    verifier_->reserve(slots);
    compactor_->reserve(slots);
}

std::optional<std::vector<compaction::Launch>> SideRun::launches(const scene::FrameBuffers& buffers,
                                                                 std::uint64_t slots) const {
    // Only an algorithm that never waits for the device can be captured without running it.
    if (algorithm_->synchronises) return std::nullopt;
    return engine_.launches([&] {
        // OpenGL's buffers are mapped only within a frame; a scratch buffer of that size stands in for the
        // output.
        compactor_->enqueue(buffers.in, slots, buffers.scratch, buffers.num_selected,
                            compaction::keep_non_zero(), nullptr);
    });
}

void SideRun::compact(const scene::FrameBuffers& buffers, std::uint64_t slots, const RunConfig& config,
                      std::uint64_t frame, bool takes_turns) {
    if (std::exchange(changed_, false)) first_frame_ = frame;
    if (requested_roles_block_ && !trace_awaited_) {
        timing_.phase_recorder_of(/*iteration=*/0)->request_trace(*requested_roles_block_);
        trace_awaited_ = true;
        requested_roles_block_.reset();
    }
    timing_.begin_frame(frame, config.iterations, *algorithm_);
    check_.set_enabled(config.check);
    // What is traced or checked must be the output of the timed calls.
    is_output_due_ = takes_turns && !trace_awaited_ && !is_check_due(config, frame);
    compaction::Item* const out = is_output_due_ ? buffers.scratch : buffers.out;
    {
        const compaction::ScopedSpan batch{timing_.total_timer(), frame};
        for (std::uint32_t iteration = 0; iteration < config.iterations; ++iteration) {
            compaction::PhaseRecorder* const recorder = timing_.phase_recorder_of(iteration);
            const compaction::ScopedRun run{recorder, frame};
            compactor_->enqueue(buffers.in, slots, out, buffers.num_selected, compaction::keep_non_zero(),
                                recorder);
        }
    }
    timing_.enqueue_phase_copies(frame);
}

void SideRun::fill_output(const scene::FrameBuffers& buffers, std::uint64_t slots) {
    if (!std::exchange(is_output_due_, false)) return;
    compactor_->enqueue(buffers.in, slots, buffers.out, buffers.num_selected, compaction::keep_non_zero(),
                        nullptr);
}

bool SideRun::is_check_due(const RunConfig& config, std::uint64_t frame) const {
    return config.check && check_.due(config.check_every, frame, algorithm_->id);
}

void SideRun::check(const scene::FrameBuffers& buffers, std::uint64_t slots, const RunConfig& config,
                    std::uint64_t frame) {
    if (!is_check_due(config, frame)) return;
    if (verifier_->enqueue(frame, buffers.in, slots, buffers.out, buffers.num_selected,
                           compaction::keep_non_zero())) {
        check_.begin(frame, algorithm_->id);
    }
}

void SideRun::count_accesses(const scene::FrameBuffers& buffers, std::uint64_t slots, std::uint64_t seed,
                             std::uint64_t frame) {
    counting_.collect();
    // The simulated engine has done all work of the frame, and its memory is host memory.
    if (engine_.id() == compaction::EngineId::simulated && counting_.due(frame))
        counting_.begin(*algorithm_, options_, {buffers.in, slots}, seed, frame);
}

void SideRun::restart_statistics() {
    timing_.restart_statistics();
    counting_.reset();
}

void SideRun::collect_trace() {
    if (!trace_preparation_.busy()) {
        auto trace = timing_.phase_recorder_of(/*iteration=*/0)->poll_trace();
        if (!trace) return;
        const std::uint64_t frame = trace->run;
        // A trace of an earlier algorithm has other phases.
        if (frame >= first_frame_ && !changed_)
            trace_preparation_.begin(*algorithm_, frame, *std::move(trace), timing_.recent_total_us());
    }
    const auto prepared = trace_preparation_.collect();
    trace_awaited_ = trace_preparation_.busy();
    if (prepared && prepared->frame >= first_frame_ && !changed_) newest_trace_ = prepared;
}

void SideRun::drain_trace() {
    collect_trace();
    trace_preparation_.wait();
    collect_trace();
}

void SideRun::collect_verdict() {
    if (const auto verdict = verifier_->poll()) check_.add(*verdict);
}

void CheckMonitor::set_enabled(bool enabled) {
    if (!enabled) {
        result_.state = result_.wrong > 0 ? CheckState::wrong : CheckState::off;
    } else if (result_.state == CheckState::off) {
        result_.state = CheckState::waiting;
    }
}

bool CheckMonitor::due(std::uint32_t every, std::uint64_t frame, const std::string& algorithm) const {
    return algorithm != compared_algorithm_ || frame - last_frame_ >= every;
}

void CheckMonitor::begin(std::uint64_t frame, const std::string& algorithm) {
    last_frame_ = frame;
    compared_algorithm_ = algorithm;
}

void CheckMonitor::add(const compaction::Verdict& verdict) {
    ++result_.checked;
    result_.last = verdict.describe();
    if (!verdict.correct()) {
        ++result_.wrong;
        if (result_.first_failure.empty()) {
            result_.first_failure =
                compared_algorithm_ + ", frame " + std::to_string(verdict.run) + ": " + verdict.describe();
        }
    }
    if (result_.wrong > 0) {
        result_.state = CheckState::wrong;
    } else if (result_.state != CheckState::off) {
        result_.state = CheckState::correct;
    }
}

}  // namespace warpsieve
