#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "experiments/first_calls.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/published/reproduction.hpp"
#include "tests/fake_publication.hpp"

namespace {

using published::ProcessResult;
using published::Reproduction;

/// Two CPU algorithms: the second stands for the form that allocates and copies.
constexpr const char* first_calls_of_two = R"({
  "format": "warpsieve-published-1",
  "document": {"id": "fake", "label": "Part 9", "title": "Made up", "author": null, "date": null,
    "questions": [{"kind": "first_call", "tables": ["calls"], "ask": "Why?", "published": "Allocation."}]},
  "tables": [
    {"id": "calls", "title": "First calls", "section": "One", "form": "text", "card": "A card", "method": "once",
     "setting": {"pattern": "random", "keep_fraction": 0.5},
     "columns": [
       {"name": "First", "unit": "ms", "quantity": "first_call", "setting": {"algorithm": "cpu_loop"}},
       {"name": "Second", "unit": "us", "quantity": "second_call", "setting": {"algorithm": "cpu_loop"}},
       {"name": "Later", "unit": "us", "quantity": "later_calls", "setting": {"algorithm": "cpu_loop"}},
       {"name": "Later, copies", "unit": "us", "quantity": "later_calls", "setting": {"algorithm": "cpu_scan_scatter"}}],
     "rows": [{"name": "2^10", "values": [null, null, null, null], "setting": {"num_items": "2^10"}}]}
  ]
})";

experiments::Machine cpu_machine() {
    return {.engine = "cpu",
            .device = "A processor",
            .driver = "none",
            .version = "0",
            .commit = "c0ffee",
            .command = "warpsieve reproduce",
            .date = "2026-01-01T00:00:00Z"};
}

class FirstCallsOfProcesses : public testing::Test {
  protected:
    /// Starts fake processes and keeps the ids of their algorithms.
    void run(std::size_t processes, const published::StartProcess& start,
             const std::atomic<bool>* cancel = nullptr) {
        experiments::Hooks hooks;
        hooks.cancel = cancel;
        const auto noted = [&](const experiments::Setting& setting) {
            started_.push_back(setting.algorithm->id);
            return start(setting);
        };
        reproduction_.run_first_calls(noted, cpu_machine(), processes, hooks, [&] { ++changes_; });
    }
    const published::MeasuredFigure measured(std::size_t column) {
        report_ = published::report_of(reproduction_);
        return report_.measured(0, 0, 0, column);
    }
    published::RunAnswer answer() {
        report_ = published::report_of(reproduction_);
        return published::answer_questions(published::answer_inputs_of(report_), document_).at(0).runs.at(0);
    }

    published::Document document_ = published::parse_document(first_calls_of_two, "fake.json");
    Reproduction reproduction_{published::choose_tables(std::span(&document_, 1), {}), cpu_only()};
    published::Report report_;
    std::vector<std::string> started_;
    int changes_ = 0;
};

/// Of 11 processes of an algorithm, the first calls take 1010 to 1110 µs; none resembles the one before.
published::StartProcess varying(double later_with_copies) {
    return [later_with_copies, count = 0](const experiments::Setting& setting) mutable {
        const bool loop = setting.algorithm->id == "cpu_loop";
        if (loop) ++count;
        return ProcessResult{
            experiments::FirstCalls{1010.0 + 10 * (5 * count % 11), 60, loop ? 50 : later_with_copies}, ""};
    };
}

TEST_F(FirstCallsOfProcesses, GiveMediansWithIntervalsInTheUnitOfTheColumn) {
    run(11, varying(55));
    EXPECT_EQ(changes_, 22) << "after each process";
    EXPECT_DOUBLE_EQ(measured(0).value.value(), 1.06);
    EXPECT_EQ(measured(0).samples, 11U);
    EXPECT_TRUE(measured(0).interval.trusted());
    EXPECT_LT(measured(0).interval.low, 1.06);
    EXPECT_GT(measured(0).interval.high, 1.06);
    EXPECT_DOUBLE_EQ(measured(1).value.value(), 60);
    EXPECT_DOUBLE_EQ(measured(2).value.value(), 50);
    EXPECT_DOUBLE_EQ(measured(3).value.value(), 55);
    EXPECT_EQ(reproduction_.num_measured(), 2U);
}

TEST_F(FirstCallsOfProcesses, TakeTurns) {
    run(2, varying(55));
    EXPECT_EQ(started_,
              (std::vector<std::string>{"cpu_loop", "cpu_scan_scatter", "cpu_loop", "cpu_scan_scatter"}));
}

TEST_F(FirstCallsOfProcesses, AreComparedWithLaterCallsAndJudgeNothing) {
    run(11, varying(55));
    EXPECT_EQ(answer().verdict, published::Verdict::answered) << "no such figure is published";
    EXPECT_EQ(
        answer().sentence,
        "The first call of a process takes 21.2 times as long as later ones, the second 1.20 times; with "
        "allocation and copies, every call takes 1.10 times as long.");
}

TEST_F(FirstCallsOfProcesses, LeaveOutAnAlgorithmWhoseProcessFails) {
    run(11, [](const experiments::Setting& setting) {
        if (setting.algorithm->id == "cpu_loop") return ProcessResult{std::nullopt, "signal 9 ended it"};
        return ProcessResult{experiments::FirstCalls{3, 2, 1}, ""};
    });
    EXPECT_EQ(std::ranges::count(started_, "cpu_loop"), 1);
    EXPECT_EQ(std::ranges::count(started_, "cpu_scan_scatter"), 11);
    EXPECT_FALSE(measured(0).value);
    EXPECT_EQ(measured(0).why_not, "its process failed: signal 9 ended it");
    EXPECT_DOUBLE_EQ(measured(3).value.value(), 1);
    EXPECT_EQ(answer().verdict, published::Verdict::not_measured);
}

TEST_F(FirstCallsOfProcesses, KeepWhatWasMeasuredWhenCancelled) {
    std::atomic<bool> cancel = false;
    run(
        11,
        [&](const experiments::Setting&) {
            if (started_.size() == 3) cancel = true;
            return cancel ? ProcessResult{} : ProcessResult{experiments::FirstCalls{3, 2, 1}, ""};
        },
        &cancel);
    EXPECT_EQ(started_.size(), 3U);
    EXPECT_TRUE(reproduction_.interrupted());
    EXPECT_EQ(measured(0).samples, 1U);
    EXPECT_EQ(measured(3).samples, 1U);
}

TEST_F(FirstCallsOfProcesses, SayWhereTheyAreMeasured) {
    report_ = published::report_of(reproduction_);
    EXPECT_EQ(report_.measured(0, 0, 0, 0).why_not, published::needs_fresh_processes);
    EXPECT_TRUE(reproduction_.plan().settings.empty());
}

TEST(FirstCalls, AreTimedOnTheCpuEngine) {
    const auto engine = compaction::open_engine(compaction::EngineId::cpu);
    experiments::Setting setting;
    setting.algorithm = &compaction::find_algorithm("cpu_loop");
    setting.stream.num_items = 1 << 16;
    setting.stream.cache = experiments::Cache::hot;
    const experiments::FirstCalls calls = experiments::time_first_calls(*engine, setting);
    EXPECT_GT(calls.first_us, 0);
    EXPECT_GT(calls.second_us, 0);
    EXPECT_GT(calls.later_us, 0);
}

}  // namespace
