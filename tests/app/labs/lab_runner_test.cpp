#include "app/labs/runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <stdexcept>

#include "tests/support/fake_engine.hpp"

namespace {

using namespace warpsieve;
using compaction::Algorithm;
using compaction::EngineId;
using experiments::Measurement;
using experiments::Setting;
using labs::Job;
using labs::Report;
using labs::Runner;
using labs::State;
using namespace std::chrono_literals;

constexpr auto timeout = 20s;

/// Jobs on an engine with fake times. While a job runs, the script belongs to the thread of the runner;
/// tests change only its atomic members.
class LabRunnerTest : public testing::Test {
  protected:
    LabRunnerTest() {
        for (Algorithm* algorithm : {&fast_, &slow_}) {
            algorithm->engine = EngineId::cuda;
            algorithm->phases = {{compaction::PhaseRole::fused, "all", ""}};
        }
        fast_.id = "fast";
        slow_.id = "slow";
        script_.phase_us = {{"fast", {1000}}, {"slow", {4000}}};
        script_.more_us = [this](const std::string&, std::size_t) {
            ++num_calls_;
            if (nap_) std::this_thread::sleep_for(1ms);
            return 0.0;
        };
    }

    Job job(std::vector<std::uint64_t> lengths = {1024}) {
        Job job{.lab = "compare", .title = "both", .engine = EngineId::cuda};
        for (const std::uint64_t length : lengths) {
            for (const Algorithm* algorithm : {&fast_, &slow_})
                job.settings.push_back({algorithm, {}, {.num_items = length}});
        }
        job.policy = experiments::Policy::within(0.4);
        return job;
    }

    void wait_for(const std::function<bool()>& ready) {
        const auto deadline = std::chrono::steady_clock::now() + timeout;
        while (!ready()) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "timed out";
            std::this_thread::sleep_for(1ms);
        }
    }
    void wait_for_the_end() {
        wait_for([&] { return !runner_->running(); });
    }

    std::shared_ptr<const Report> report(std::string_view lab = "compare") { return runner_->report(lab); }

    testing_support::Script script_;
    std::atomic<bool> nap_ = false;
    std::atomic<std::size_t> num_calls_ = 0;
    Algorithm fast_;
    Algorithm slow_;
    std::atomic<double> now_s_ = 1;
    Runner::OpenEngine open_ = [this](EngineId, int) {
        return std::make_unique<testing_support::FakeEngine>(script_);
    };
    std::unique_ptr<Runner> runner_ =
        std::make_unique<Runner>([this] { return now_s_.load(); },
                                 [this](EngineId engine, int device) { return open_(engine, device); });
};

TEST_F(LabRunnerTest, MeasuresAJobToTheEnd) {
    EXPECT_FALSE(runner_->running());
    EXPECT_EQ(report(), nullptr);
    ASSERT_TRUE(runner_->start(job()));
    ASSERT_NE(report(), nullptr) << "there is a report as soon as there is a job";
    wait_for_the_end();
    const auto last = report();
    EXPECT_EQ(last->state, State::done);
    EXPECT_EQ(last->failure, "");
    EXPECT_EQ(last->machine.device, "Fake device");
    EXPECT_EQ(last->job->title, "both");
    EXPECT_EQ(last->changed_s, 1);
    const Measurement& measurement = *last->measurement;
    ASSERT_EQ(measurement.results.size(), 2U);
    EXPECT_NEAR(measurement.results[0].us.median, 1000, 1e-2);
    EXPECT_NEAR(measurement.results[1].us.median, 4000, 1e-2);
    EXPECT_TRUE(measurement.results[0].settled);
    EXPECT_EQ(last->interactive, std::vector<bool>(2, false));
}

TEST_F(LabRunnerTest, ShowsResultsAndProgressWhileItRuns) {
    nap_ = true;
    ASSERT_TRUE(runner_->start(job({1024, 2048})));
    wait_for([&] { return report()->measurement->results.size() == 2; });
    const auto early = report();
    EXPECT_EQ(early->state, State::running);
    EXPECT_EQ(early->progress.settings_total, 4U);
    EXPECT_GT(early->progress.seconds_left, 0);
    EXPECT_NE(early->progress.activity, "");
    EXPECT_TRUE(runner_->running());
    nap_ = false;
    wait_for_the_end();
    EXPECT_EQ(report()->measurement->results.size(), 4U);
    EXPECT_EQ(early->measurement->results.size(), 2U) << "what was shown once stays as it was";
}

TEST_F(LabRunnerTest, OneJobAtATime) {
    nap_ = true;
    ASSERT_TRUE(runner_->start(job()));
    EXPECT_FALSE(runner_->start(job()));
    nap_ = false;
    wait_for_the_end();
    EXPECT_TRUE(runner_->start(job()));
    wait_for_the_end();
}

TEST_F(LabRunnerTest, KeepsTheLastReportOfEachLab) {
    ASSERT_TRUE(runner_->start(job()));
    wait_for_the_end();
    const auto compared = report();
    Job tune = job();
    tune.lab = "tune";
    ASSERT_TRUE(runner_->start(tune));
    wait_for_the_end();
    EXPECT_EQ(report(), compared);
    ASSERT_NE(report("tune"), nullptr);
    std::vector<std::shared_ptr<const Report>> all;
    runner_->copy_reports(all);
    EXPECT_EQ(all.size(), 2U);
    ASSERT_TRUE(runner_->start(job()));
    EXPECT_NE(report(), compared);
    wait_for_the_end();
    runner_->copy_reports(all);
    EXPECT_EQ(all.size(), 2U);
}

TEST_F(LabRunnerTest, CancelKeepsWhatWasMeasured) {
    nap_ = true;
    Job long_job = job({1024, 2048});
    long_job.policy.min_samples = 1'000'000;  // never ends by itself
    ASSERT_TRUE(runner_->start(long_job));
    wait_for([&] { return report()->measurement->results.size() == 2; });
    runner_->cancel();
    runner_->mark_interactive();  // the scene runs again while the lab ends
    wait_for_the_end();
    EXPECT_EQ(report()->state, State::cancelled);
    EXPECT_FALSE(report()->any_interactive());
    EXPECT_EQ(report()->failure, "");
    ASSERT_EQ(report()->measurement->results.size(), 2U);
    EXPECT_FALSE(report()->measurement->results[0].settled);
    nap_ = false;
    ASSERT_TRUE(runner_->start(job()));
    wait_for_the_end();
    EXPECT_EQ(report()->state, State::done) << "a cancellation applies to one job";
}

TEST_F(LabRunnerTest, GoesAwayWhileItRuns) {
    nap_ = true;
    Job long_job = job();
    long_job.policy.min_samples = 1'000'000;
    ASSERT_TRUE(runner_->start(long_job));
    wait_for([&] { return !report()->measurement->results.empty(); });
    runner_.reset();
    EXPECT_LT(num_calls_, long_job.policy.min_samples);
}

TEST_F(LabRunnerTest, ReportsWhyAnEngineIsMissing) {
    open_ = [](EngineId, int) -> std::unique_ptr<compaction::Engine> {
        throw compaction::Error(compaction::ErrorCode::unavailable, "No NVIDIA GPU is visible.");
    };
    ASSERT_TRUE(runner_->start(job()));
    wait_for_the_end();
    EXPECT_EQ(report()->state, State::failed);
    EXPECT_EQ(report()->failure, "No NVIDIA GPU is visible.");
    EXPECT_TRUE(report()->measurement->results.empty());
}

TEST_F(LabRunnerTest, SurvivesExceptions) {
    open_ = [](EngineId, int) -> std::unique_ptr<compaction::Engine> { throw std::bad_alloc(); };
    ASSERT_TRUE(runner_->start(job()));
    wait_for_the_end();
    EXPECT_EQ(report()->state, State::failed);
    EXPECT_NE(report()->failure.find("std::bad_alloc"), std::string::npos);
}

TEST_F(LabRunnerTest, KeepsResultsWhenTheDeviceFails) {
    script_.fails_at_call = 2000;
    Job both = job({1024, 2048, 4096, 8192});
    // Only the minimum number of samples decides when a stream is done: 1,000 calls, and a few to warm up.
    both.policy.min_samples = 500;
    both.policy.time_limit_s = 1e-4;
    ASSERT_TRUE(runner_->start(both));
    wait_for_the_end();
    EXPECT_EQ(report()->state, State::failed);
    EXPECT_EQ(report()->failure, "The fake device broke.");
    EXPECT_FALSE(report()->measurement->results.empty());
    EXPECT_LT(report()->measurement->results.size(), both.settings.size());
}

TEST_F(LabRunnerTest, MarksTheStreamsThatTheSceneDisturbed) {
    script_.more_us = [this](const std::string& id, std::size_t call) {
        if (id == "fast" && call == 5) runner_->mark_interactive();
        return 0.0;
    };
    ASSERT_TRUE(runner_->start(job({1024, 2048})));
    wait_for_the_end();
    // Both settings of the first stream, which are measured in turn.
    EXPECT_EQ(report()->interactive, (std::vector<bool>{true, true, false, false}));
    EXPECT_TRUE(report()->any_interactive());
    EXPECT_TRUE(report()->is_interactive(1));
    EXPECT_FALSE(report()->is_interactive(7));
}

TEST_F(LabRunnerTest, ADisturbanceBeforeAJobDoesNotCount) {
    runner_->mark_interactive();
    ASSERT_TRUE(runner_->start(job()));
    wait_for_the_end();
    EXPECT_FALSE(report()->any_interactive());
}

TEST_F(LabRunnerTest, NothingToMeasureIsNoError) {
    ASSERT_TRUE(runner_->start({.lab = "compare"}));
    wait_for_the_end();
    EXPECT_EQ(report()->state, State::done);
}

}  // namespace
