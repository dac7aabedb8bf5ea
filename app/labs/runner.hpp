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

/// Measurements that run behind the window, and what the window makes of them. No Dear ImGui here.
namespace warpsieve::labs {

/// What is not among the settings of a job.
struct LeftOut {
    const compaction::Algorithm* algorithm;
    std::string reason;  ///< one sentence
};

/// What is to be measured behind the window.
struct Job {
    std::string lab;         ///< id of the lab that asked for it: "compare"
    std::string title = {};  ///< what is measured, in a line: "24 algorithms, n = 2^20, random, 0.5 kept"
    compaction::EngineId engine = compaction::EngineId::cpu;
    int device = 0;  ///< of the CUDA engine, counted from 0
    std::vector<experiments::Setting> settings = {};
    std::vector<LeftOut> left_out = {};
    experiments::Policy policy = {};
    std::string axis = {};  ///< id of what varies, where the settings are a sweep
};

enum class State : std::uint8_t { running, done, cancelled, failed };

/// What is known of a job at one moment. Never changed once it is shown.
struct Report {
    std::shared_ptr<const Job> job;  ///< never null
    State state = State::running;
    experiments::Progress progress;
    experiments::Machine machine;  ///< empty until the engine is open
    /// Never null. While the job runs, the results of the stream being measured are among it, unsettled.
    std::shared_ptr<const experiments::Measurement> measurement;
    /// One a result: the window's scene ran while its stream was measured, so the number is no more than
    /// interactive.
    std::vector<bool> interactive;
    std::string failure;   ///< why it ended early, in a sentence; empty unless it failed
    double started_s = 0;  ///< on the runner's clock
    double changed_s = 0;  ///< when this was known

    bool is_interactive(std::size_t result) const {
        return result < interactive.size() && interactive[result];
    }
    bool any_interactive() const;
};

/// Runs one job at a time on a thread and an engine of its own, and keeps the last report of every lab. All
/// members may be called from the window's thread at any time: none waits for what is being measured, except
/// the destructor, which waits for the sample being taken.
class Runner {
  public:
    using Open = std::function<std::unique_ptr<compaction::Engine>(compaction::EngineId engine, int device)>;

    /// `now_s`: the clock of Report::changed_s, called from both threads; `open`: makes the engine, on the
    /// thread that uses it.
    explicit Runner(std::function<double()> now_s, Open open = compaction::open_engine);
    /// Cancels what runs.
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    /// Starts a job; its report takes the place of the one its lab had. False, and nothing done, while
    /// another runs.
    bool start(Job job);
    /// Asks the job to stop; what it measured until then stays.
    void cancel() { cancel_ = true; }
    bool running() const { return running_; }

    /// Says that the window's scene used the machine just now: what is being measured is interactive.
    void disturb() { disturbed_ = true; }

    /// The last report of that lab, or nullptr.
    std::shared_ptr<const Report> report(std::string_view lab) const;
    /// The last report of every lab that has one. Does not allocate where `reports` has room.
    void copy_reports(std::vector<std::shared_ptr<const Report>>& reports) const;

  private:
    void run(Report report);
    experiments::Measurement measure(Report& report);
    void publish(Report report);

    std::function<double()> now_s_;
    Open open_;
    std::atomic<bool> cancel_ = false;
    std::atomic<bool> running_ = false;
    std::atomic<bool> disturbed_ = false;
    mutable std::mutex mutex_;                            ///< held to copy pointers only
    std::vector<std::shared_ptr<const Report>> reports_;  ///< one a lab
    std::jthread thread_;                                 ///< last: it is joined before what it uses goes
};

}  // namespace warpsieve::labs
