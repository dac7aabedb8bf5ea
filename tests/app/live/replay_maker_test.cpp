#include "app/live/replay_maker.hpp"

#include <chrono>
#include <thread>

#include "tests/app/live/live_run_fixture.hpp"

namespace warpsieve {
namespace {

class Replays : public LiveRunFixture {
  protected:
    /// Runs frames until a replay that differs from `last` has arrived.
    std::shared_ptr<trace::MemoryReplay> next_replay(const std::shared_ptr<trace::MemoryReplay>& last = {}) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < deadline) {
            frames(1);
            const auto& replay = snapshot().memory.replay;
            if (replay && replay != last) return replay;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        ADD_FAILURE() << "no replay arrived. " << snapshot_.memory.problem;
        return {};
    }
};

TEST_F(Replays, ComeFromTheSpansOfTheCpu) {
    run_.make_replays(LiveRun::Replays::once);
    run_.configure(settings_.run, false);
    const auto replay = next_replay();
    ASSERT_TRUE(replay);
    EXPECT_FALSE(replay->in_steps());
    EXPECT_EQ(replay->num_items(), min_slots);
    EXPECT_EQ(replay->algorithm().engine, compaction::EngineId::cpu);
    replay->seek(replay->duration());
    EXPECT_EQ(replay->state().num_stored, replay->num_kept());
}

TEST_F(Replays, ComeFromTheAccessesOfASimulatedGpu) {
    settings_.run.engine = compaction::EngineId::simulated;
    run_.make_replays(LiveRun::Replays::once);
    run_.configure(settings_.run, false);
    const auto replay = next_replay();
    ASSERT_TRUE(replay);
    EXPECT_TRUE(replay->in_steps());
    EXPECT_GT(replay->marks().size(), 100U);
}

TEST_F(Replays, KnowThePictureThatTheirSlotsArePixelsOf) {
    run_.make_replays(LiveRun::Replays::once);
    run_.configure(settings_.run, false);
    std::shared_ptr<trace::MemoryReplay> last = next_replay();
    ASSERT_TRUE(last);
    EXPECT_EQ(last->picture_columns(), 0U);
    settings_.run.source = "picture";
    settings_.run.loaded_picture =
        std::make_shared<workloads::Picture>(workloads::Picture{2, 1, {0, 1}, "two pixels", {}});
    for (const compaction::EngineId engine : {compaction::EngineId::cpu, compaction::EngineId::simulated}) {
        settings_.run.engine = engine;
        run_.configure(settings_.run, false);
        const auto replay = next_replay(last);
        ASSERT_TRUE(replay);
        last = replay;
        EXPECT_EQ(replay->picture_columns(),
                  workloads::picture_columns(*settings_.run.loaded_picture, replay->num_items()));
    }
}

TEST_F(Replays, AreKeptUntilTheSettingsChange) {
    run_.make_replays(LiveRun::Replays::once);
    run_.configure(settings_.run, false);
    const auto first = next_replay();
    frames(30);
    EXPECT_EQ(snapshot().memory.replay, first);
    settings_.run.a.algorithm = "cpu_loop";
    run_.configure(settings_.run, false);
    const auto second = next_replay(first);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->algorithm().id, "cpu_loop");
}

TEST_F(Replays, AreNotMadeWhileNobodyWantsThem) {
    run_.configure(settings_.run, false);
    frames(60);
    EXPECT_EQ(snapshot().memory.replay, nullptr);
    EXPECT_EQ(snapshot().runs.a.traced, nullptr) << "nothing is traced";
}

}  // namespace
}  // namespace warpsieve
