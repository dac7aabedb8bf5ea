#include "app/labs/runner.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "app/version.hpp"
#include "compaction/error.hpp"
#include "platform/machine.hpp"
#include "platform/profiler.hpp"

namespace warpsieve::labs {
namespace {

using experiments::Measurement;

/// Records which results were measured while the scene was running. It records whole streams, because the
/// settings of a stream are sampled in turn.
class InteractiveResults {
  public:
    explicit InteractiveResults(std::atomic<bool>& scene_ran) : scene_ran_(scene_ran) { scene_ran_ = false; }

    /// Applies `scene_ran` to the current stream and resets it. Returns [num_results] whether each result is
    /// interactive.
    std::vector<bool> update(std::size_t num_results) {
        current_stream_ |= scene_ran_.exchange(false);
        std::vector<bool> all = earlier_streams_;
        all.resize(num_results, current_stream_);
        return all;
    }

    void end_stream(std::size_t num_results) {
        earlier_streams_ = update(num_results);
        current_stream_ = false;
    }

  private:
    std::atomic<bool>& scene_ran_;       ///< whether the scene ran since the last call of update()
    std::vector<bool> earlier_streams_;  ///< [results of earlier streams] whether each is interactive
    bool current_stream_ = false;        ///< whether the results of the current stream are interactive
};

}  // namespace

bool Report::any_interactive() const {
    return std::ranges::find(interactive, true) != interactive.end();
}

Runner::Runner(std::function<double()> now_s, OpenEngine open_engine)
    : now_s_(std::move(now_s)), open_engine_(std::move(open_engine)) {}

Runner::~Runner() {
    cancel();
}

bool Runner::start(Job job) {
    if (running_) return false;
    // The thread has finished its job, so this does not block.
    if (thread_.joinable()) thread_.join();
    Report report;
    report.progress.settings_total = job.settings.size();
    report.progress.activity = "opening the engine";
    report.started_s = now_s_();
    report.job = std::make_shared<const Job>(std::move(job));
    report.measurement = std::make_shared<const Measurement>();
    cancel_ = false;
    running_ = true;
    publish(report);
    try {
        thread_ = std::jthread([this, report]() mutable { run(std::move(report)); });
    } catch (const std::system_error& error) {
        report.failure = std::string("The system refused a thread for the measurement (") + error.what() +
                         "). Close other programs or raise the limit of processes.";
        report.state = State::failed;
        publish(std::move(report));
        running_ = false;
    }
    return true;
}

void Runner::run(Report report) {
    try {
        const auto measured = std::make_shared<const Measurement>(measure(report));
        report.state = measured->interrupted ? State::cancelled : State::done;
        report.failure = measured->failure;
        report.measurement = measured;
    } catch (const compaction::Error& error) {
        report.failure = error.what();
    } catch (const std::exception& error) {
        // An exception that leaves the thread would end the program.
        report.failure = std::string("The measurement failed (") + error.what() +
                         "). Start it again; use fewer slots if memory is short.";
    }
    if (!report.failure.empty()) report.state = State::failed;
    // The heaps would keep the streams, which are freed.
    platform::return_freed_memory();
    report.progress.seconds_left = 0;
    report.progress.activity.clear();
    publish(std::move(report));
    running_ = false;
}

Measurement Runner::measure(Report& report) {
    const Job& job = *report.job;
    const platform::ProfilerRange range(("lab: " + std::string(job.lab)).c_str());
    const std::unique_ptr<compaction::Engine> engine = open_engine_(job.engine, job.device);
    report.machine = experiments::describe_machine(*engine, version, commit, "");
    report.progress.activity = "preparing the streams";
    publish(report);

    InteractiveResults interactive(scene_ran_);
    const auto publish_results = [&](Measurement measurement) {
        report.interactive = interactive.update(measurement.results.size());
        report.measurement = std::make_shared<const Measurement>(std::move(measurement));
        publish(report);
    };
    experiments::Hooks hooks;
    hooks.cancel = &cancel_;
    // measure() calls `so_far` next, which publishes the progress as well.
    hooks.progress = [&](const experiments::Progress& progress) { report.progress = progress; };
    hooks.so_far = publish_results;
    hooks.stream_done = [&](const Measurement& measurement) {
        publish_results(measurement);
        interactive.end_stream(measurement.results.size());
    };
    return experiments::measure(*engine, job.settings, job.policy, hooks);
}

void Runner::publish(Report report) {
    report.changed_s = now_s_();
    std::shared_ptr<const Report> shown = std::make_shared<const Report>(std::move(report));
    const std::lock_guard lock(mutex_);
    const auto same_lab = std::ranges::find(
        reports_, shown->job->lab, [](const auto& each) -> const std::string& { return each->job->lab; });
    if (same_lab == reports_.end()) {
        reports_.push_back(std::move(shown));
    } else {
        // The old report is freed after the lock is released.
        std::swap(*same_lab, shown);
    }
}

std::shared_ptr<const Report> Runner::report(std::string_view lab) const {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find(reports_, lab, [](const auto& each) -> std::string_view { return each->job->lab; });
    return found == reports_.end() ? nullptr : *found;
}

void Runner::copy_reports(std::vector<std::shared_ptr<const Report>>& reports) const {
    const std::lock_guard lock(mutex_);
    reports = reports_;
}

}  // namespace warpsieve::labs
