#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/machine.hpp"
#include "experiments/measure.hpp"

/// Background measurements of the labs.
namespace warpsieve::labs {

/// An algorithm that a job leaves out.
struct LeftOut {
    const compaction::Algorithm* algorithm;
    std::string reason;  ///< one sentence
};

/// A background measurement.
struct Job {
    std::string lab;         ///< id of the lab: "compare"
    std::string title = {};  ///< "24 algorithms, n = 2^20, random, 0.5 kept"
    compaction::EngineId engine = compaction::EngineId::cpu;
    int device = 0;  ///< index of the CUDA device
    std::vector<experiments::Setting> settings = {};
    std::vector<LeftOut> left_out = {};
    experiments::Policy policy = {};
    std::string axis = {};  ///< id of the axis, if it is a sweep
};

enum class State : std::uint8_t { running, done, cancelled, failed };

/// The state of a job at one moment. Immutable once published.
struct Report {
    std::shared_ptr<const Job> job;  ///< never null
    State state = State::running;
    experiments::Progress progress;
    experiments::Machine machine;  ///< empty until the engine is open
    /// Never null. While the job runs, includes unsettled results of the current stream.
    std::shared_ptr<const experiments::Measurement> measurement;
    /// [num_results] Whether the scene of the window was running while the stream of a result was measured.
    std::vector<bool> interactive;
    std::string failure;   ///< one sentence if it failed, else empty
    double started_s = 0;  ///< start of the job, on the clock of the runner
    double changed_s = 0;  ///< time of this report, on the clock of the runner

    /// Whether the scene was running while the stream of that result was measured.
    bool is_interactive(std::size_t result) const {
        return result < interactive.size() && interactive[result];
    }
    bool any_interactive() const;
};

/// Runs one job at a time on its own thread and engine, and keeps the last report of every lab. Call all
/// members from the window's thread. None blocks, except the destructor, which waits for the current sample.
class Runner {
  public:
    using OpenEngine =
        std::function<std::unique_ptr<compaction::Engine>(compaction::EngineId engine, int device)>;

    /// `now_s`: the clock of the reports; both threads call it. `open_engine`: runs on the runner's
    /// thread.
    explicit Runner(std::function<double()> now_s, OpenEngine open_engine = compaction::open_engine);
    /// Cancels the running job.
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    /// Starts a job; its report replaces the last one of its lab. Returns false and does nothing while a job
    /// is running.
    bool start(Job job);
    /// Asks the job to stop. It keeps its results so far.
    void cancel() { cancel_ = true; }
    bool running() const { return running_; }
    /// Whether a cancelled job has not ended yet.
    bool cancelling() const { return running_ && cancel_; }

    /// Marks the results of the current stream as interactive, because the scene of the window uses the
    /// machine. No effect on a job that is being cancelled.
    void mark_interactive() {
        if (!cancel_) scene_ran_ = true;
    }

    /// The last report of that lab, or nullptr.
    std::shared_ptr<const Report> report(std::string_view lab) const;
    /// The last report of every lab that has one. Does not allocate if `reports` has the capacity.
    void copy_reports(std::vector<std::shared_ptr<const Report>>& reports) const;

  private:
    void run(Report report);
    experiments::Measurement measure(Report& report);
    void publish(Report report);

    std::function<double()> now_s_;
    OpenEngine open_engine_;
    std::atomic<bool> cancel_ = false;
    std::atomic<bool> running_ = false;
    std::atomic<bool> scene_ran_ = false;  ///< whether it ran since the results were last marked
    mutable std::mutex mutex_;             ///< held to copy pointers only
    std::vector<std::shared_ptr<const Report>> reports_;  ///< one per lab
    std::jthread thread_;  ///< last member: joined before the others are destroyed
};

}  // namespace warpsieve::labs
