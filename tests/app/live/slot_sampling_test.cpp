// When the running scene is sampled for the slot map, and what the samples say.
#include "app/live/slot_sampling.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "app/live/live_run.hpp"
#include "app/trace/stream_parts.hpp"

namespace warpsieve {
namespace {

using compaction::EngineId;
using scene::SampleRequest;
using scene::SlotSample;

/// The running scene, looked at.
class SlotSamplingTest : public testing::Test {
  protected:
    SlotSamplingTest() {
        settings_.run.engine = EngineId::cpu;
        settings_.run.slots = min_slots;
        settings_.run.iterations = 1;
        run_.configure(settings_.run, settings_.compares());
        request_.window = {0, 64, 64, 1};
    }

    const Snapshot& snapshot() {
        run_.fill(snapshot_, true);
        return snapshot_;
    }
    const SlotSample* frame() {
        run_.request_slot_sample(&request_, false, traces_);
        run_.step(1.0 / 60, frame_);
        run_.end_frame(frame_++, 1000);
        return snapshot().slot_map.sample.get();
    }

    Settings settings_;
    LiveRun run_{0, nullptr};
    Snapshot snapshot_;
    SampleRequest request_;
    bool traces_ = false;
    std::uint64_t frame_ = 0;
};

TEST_F(SlotSamplingTest, NothingIsSampledUntilSomebodyLooks) {
    run_.step(1.0 / 60, frame_++);
    EXPECT_EQ(snapshot().slot_map.sample, nullptr);
}

TEST_F(SlotSamplingTest, WhatAViewShowsOutlivesItsRun) {
    const compaction::EngineStatus& simulated = compaction::status_of(EngineId::simulated);
    if (!simulated.available) GTEST_SKIP() << simulated.reason;
    ASSERT_NE(frame(), nullptr);
    run_.collect();
    const Snapshot shown = snapshot();
    ASSERT_EQ(shown.timings.timeline->size(), 1U);
    const auto cells = shown.slot_map.sample->in;
    settings_.run.engine = EngineId::simulated;
    run_.configure(settings_.run, settings_.compares());
    EXPECT_EQ(shown.timings.timeline->size(), 1U);
    EXPECT_EQ((*shown.timings.timeline)[0].frame, 0U);
    EXPECT_EQ(shown.slot_map.sample->in, cells);
}

TEST_F(SlotSamplingTest, ASampleIsOfOneFrameAndAgreesWithTheRun) {
    const SlotSample* const sample = frame();
    ASSERT_NE(sample, nullptr);
    EXPECT_EQ(sample->frame, 0U);
    EXPECT_EQ(sample->algorithm, &compaction::default_algorithm(EngineId::cpu));
    EXPECT_EQ(sample->kept, snapshot_.runs.a.num_kept);
    EXPECT_EQ(sample->live, snapshot_.runs.a.num_kept);
    EXPECT_EQ(snapshot_.slot_map.traced, nullptr) << "none was requested";
}

/// On the CPU and on the simulated GPU.
TEST_F(SlotSamplingTest, ASampleHasTheTraceOfItsFrame) {
    traces_ = true;
    for (const EngineId engine : {EngineId::cpu, EngineId::simulated}) {
        if (!compaction::status_of(engine).available) continue;
        settings_.run.engine = engine;
        run_.configure(settings_.run, settings_.compares());
        for (int i = 0; i < 3; ++i) {
            request_.window.rows = 30 + static_cast<std::uint32_t>(i);
            const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
            const SlotSample* sample = frame();
            while ((!sample || sample->request != request_ || !snapshot_.slot_map.traced) &&
                   std::chrono::steady_clock::now() < deadline)
                sample = frame();
            const std::shared_ptr<const trace::TracedRun> run = snapshot_.slot_map.traced;
            ASSERT_TRUE(sample && run);
            EXPECT_EQ(run->frame, sample->frame);
            std::uint64_t kept = 0;
            for (const trace::PartGroup& group : trace::stream_parts(*run).groups)
                kept += group.kept.value_or(0);
            EXPECT_EQ(kept, sample->kept);
        }
    }
}

TEST_F(SlotSamplingTest, SamplesAreFarApartUnlessSomethingElseIsLookedAt) {
    ASSERT_NE(frame(), nullptr);
    EXPECT_EQ(frame()->frame, 0U) << "a tenth of a second has not gone by";
    request_.window.rows = 32;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (frame()->frame == 0U && std::chrono::steady_clock::now() < deadline) {
    }
    EXPECT_GT(frame()->frame, 0U) << "another window shows soon";
}

TEST_F(SlotSamplingTest, ARequestBehindTheStreamWaits) {
    request_.window.first_slot = min_slots;
    EXPECT_EQ(frame(), nullptr) << "there is nothing behind the last slot";
    request_.window.first_slot = 0;
    EXPECT_NE(frame(), nullptr);
}

TEST_F(SlotSamplingTest, LookingNeitherAllocatesNorWaits) {
    frame();
    const compaction::EngineCounters before = run_.engine().counters();
    for (int i = 0; i < 20; ++i) {
        request_.window.rows = 10 + static_cast<std::uint32_t>(i);
        frame();
    }
    EXPECT_EQ(run_.engine().counters().allocations, before.allocations);
    EXPECT_EQ(run_.engine().counters().synchronisations, before.synchronisations);
}

TEST_F(SlotSamplingTest, AnotherLengthIsSampledAfterTheResize) {
    frame();
    settings_.run.slots = 10'007;
    run_.configure(settings_.run, settings_.compares());
    EXPECT_EQ(snapshot().slot_map.sample, nullptr) << "what was sampled before is gone";
    const SlotSample* const sample = frame();
    ASSERT_NE(sample, nullptr);
    EXPECT_EQ(sample->slots, 10'007U);
    EXPECT_EQ(sample->live, snapshot_.runs.a.num_kept);
}

}  // namespace
}  // namespace warpsieve
