#pragma once

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "app/live/live_run.hpp"
#include "app/scene/attributes.hpp"
#include "compaction/error.hpp"

namespace warpsieve {

/// The running scene on the CPU engine, which needs no OpenGL, checked in every frame. Not configured yet.
class LiveRunFixture : public testing::Test {
  protected:
    /// What 2^15 slots of A and B need: their attributes, and the handle, two outputs and scratch of 4 bytes
    /// each.
    static constexpr std::uint64_t memory_limit = (std::uint64_t{1} << 15) * (scene::attribute_bytes() + 16);

    LiveRunFixture() {
        settings_.run.engine = compaction::EngineId::cpu;
        settings_.run.slots = min_slots;
        settings_.run.iterations = 1;
        settings_.run.check_every = 1;
    }

    void frames(int count) {
        for (int i = 0; i < count; ++i) {
            run_.step(1.0 / 60, frame_);
            run_.end_frame(frame_, 1000);
            ++frame_;
        }
        run_.collect();
    }
    const Snapshot& snapshot() {
        run_.fill(snapshot_, true);
        return snapshot_;
    }
    std::vector<compaction::Item> kept(Side side = Side::a) {
        const auto handles = std::get<scene::HostParticles>(run_.drawable(side)).handles;
        return {handles.begin(), handles.end()};
    }

    /// Requests settings that must be refused with a message that contains `words`.
    void expect_refusal(const Settings& asked, compaction::ErrorCode code,
                        const std::vector<std::string>& words) {
        try {
            run_.configure(asked.run, asked.compares());
            ADD_FAILURE() << "it was accepted";
        } catch (const compaction::Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            for (const std::string& word : words)
                EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    }

    Settings settings_;
    LiveRun run_{memory_limit, nullptr};
    Snapshot snapshot_;
    std::uint64_t frame_ = 0;
};

}  // namespace warpsieve
