// Undo and redo, and the file that follows the settings.
#include "app/settings/history.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/settings/settings_file.hpp"
#include "app/settings/settings_writer.hpp"
#include "platform/files.hpp"
#include "tests/app/settings/other_settings.hpp"

namespace warpsieve {
namespace {

class History : public testing::Test {
  protected:
    History() { history_.observe(settings_, false); }
    void set(std::uint64_t slots) {
        settings_.run.slots = slots;
        history_.observe(settings_, false);
    }
    Settings settings_;
    SettingsHistory history_;
};

TEST_F(History, UndoAndRedoWalkTheSteps) {
    set(4096);
    set(8192);
    EXPECT_TRUE(history_.undo(settings_));
    EXPECT_EQ(settings_.run.slots, 4096U);
    EXPECT_TRUE(history_.undo(settings_));
    EXPECT_EQ(settings_.run.slots, 0U);
    EXPECT_FALSE(history_.undo(settings_));
    EXPECT_TRUE(history_.redo(settings_));
    EXPECT_TRUE(history_.redo(settings_));
    EXPECT_EQ(settings_.run.slots, 8192U);
    EXPECT_FALSE(history_.redo(settings_));
    history_.undo(settings_);
    set(16384);
    EXPECT_FALSE(history_.redo(settings_)) << "a new change ends what could be made again";
}

TEST_F(History, AStepIsTheWholeOfAChange) {
    const Settings other = fake::other_settings();
    copy_undoable(settings_, other);
    history_.observe(settings_, false);
    EXPECT_TRUE(same_undoable(settings_, other));
    EXPECT_TRUE(history_.undo(settings_));
    EXPECT_TRUE(settings_ == Settings{});
}

TEST_F(History, ADragIsOneStep) {
    for (const std::uint64_t slots : {5000U, 6000U, 7000U}) {
        settings_.run.slots = slots;
        history_.observe(settings_, true);
    }
    history_.observe(settings_, false);
    history_.undo(settings_);
    EXPECT_EQ(settings_.run.slots, 0U);
}

TEST_F(History, WhatTheWindowShowsIsNoStep) {
    settings_.run.paused = true;
    settings_.window.tab = "labs";
    settings_.labs.lab = "tune";
    settings_.window.window_x = 12;
    history_.observe(settings_, false);
    EXPECT_FALSE(history_.undo(settings_));
    set(4096);
    settings_.window.tab = "timeline";
    history_.undo(settings_);
    EXPECT_EQ(settings_.window.tab, "timeline");
    EXPECT_TRUE(settings_.run.paused);
    EXPECT_EQ(settings_.labs.lab, "tune");
}

TEST_F(History, ARefusedChangeIsNoStep) {
    set(1U << 26);
    set(0);
    EXPECT_FALSE(history_.undo(settings_));
}

class Writer : public testing::Test {
  protected:
    Writer()
        : writer_(file_, Settings{}, [this](const std::string& sentence) { failures_.push_back(sentence); }) {
    }
    Settings saved() const { return load_settings(file_).settings; }

    platform::TemporaryFolder folder_;
    std::filesystem::path file_ = folder_.path() / "new" / "settings.json";
    std::vector<std::string> failures_;
    SettingsWriter writer_;
    Settings settings_;
};

TEST_F(Writer, WritesASecondAfterTheLastChange) {
    writer_.observe(settings_, 0);
    writer_.observe(settings_, 10);
    EXPECT_FALSE(std::filesystem::exists(file_)) << "nothing has changed";
    settings_.run.seed = 7;
    writer_.observe(settings_, 10.1);
    settings_.run.seed = 8;
    writer_.observe(settings_, 10.9);
    writer_.observe(settings_, 11.8);
    writer_.finish();
    EXPECT_FALSE(std::filesystem::exists(file_)) << "0.9 seconds after the last change";
    writer_.observe(settings_, 12);
    writer_.finish();
    EXPECT_EQ(saved().run.seed, 8U);
    settings_.run.seed = 9;
    writer_.observe(settings_, 13);
    writer_.observe(settings_, 14.1);
    writer_.finish();
    EXPECT_EQ(saved().run.seed, 9U);
}

TEST_F(Writer, ReportsAFailureOnce) {
    std::filesystem::create_directories(file_);
    for (int i = 0; i < 3; ++i) {
        settings_.run.seed = 100U + static_cast<unsigned>(i);
        writer_.observe(settings_, 10 * i);
        writer_.observe(settings_, 10 * i + 2);
        writer_.finish();
    }
    ASSERT_EQ(failures_.size(), 1U);
    EXPECT_TRUE(failures_[0].starts_with("The settings cannot be written to ")) << failures_[0];
}

TEST(SettingsWriter, WithoutAFileDoesNothing) {
    SettingsWriter writer({}, Settings{}, [](const std::string&) { FAIL(); });
    Settings settings;
    writer.observe(settings, 0);
    settings.run.seed = 5;
    writer.observe(settings, 5);
    writer.observe(settings, 50);
}

}  // namespace
}  // namespace warpsieve
