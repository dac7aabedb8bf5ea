#include "app/settings/settings_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpsieve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Fields that files of earlier versions do not have.
/// Those that a file of an earlier version does not have.
const std::set<std::string> later_fields{
    "divider",        "ghost",         "labs",   "pattern", "plot_theme",      "rival",       "show_timings",
    "slot_map_first", "slot_map_zoom", "source", "tab",     "timeline_frames", "timeline_log"};

class SettingsFileTest : public testing::Test {
  protected:
    SettingsFileTest() : folder_(fs::path(testing::TempDir()) / ("settings-" + name_of_test())) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~SettingsFileTest() override {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    static std::string name_of_test() {
        return testing::UnitTest::GetInstance()->current_test_info()->name();
    }
    static std::string text_of(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }

    /// Settings that differ from the defaults in every field that is kept.
    static Settings other_settings() {
        Settings settings;
        settings.run.source = "synthetic";
        settings.run.pattern = workloads::Pattern::first_only;
        settings.run.slots = 1'000'003;
        settings.run.density = 0.125F;
        settings.run.seed = 4'294'967'295U;
        settings.run.speed = 2.5F;
        settings.run.engine = compaction::EngineId::cpu;
        settings.run.a.algorithm = "cpu_sequence_wise";
        settings.run.a.options[compaction::Option::vector_width] = 2;
        settings.run.b.algorithm = "cpu_single_pass";
        settings.run.b.options[compaction::Option::vector_width] = 4;
        settings.window.divider = 0.3F;
        settings.run.iterations = 64;
        settings.run.check = false;
        settings.run.check_every = 7;
        settings.labs = {.lab = "tune",
                         .quality = labs::Quality::careful,
                         .hold_scene = false,
                         .pattern = workloads::Pattern::runs,
                         .item_size = compaction::ItemSize::bytes_16,
                         .cache = experiments::Cache::hot,
                         .base = "cpu_loop",
                         .tuned = "cpu_copy",
                         .sweep = {},
                         .steps = {},
                         .reproduce = {}};
        settings.window.controls_width = 401.5F;
        settings.window.timings_height = 199;
        settings.window.show_timings = false;
        settings.window.tab = "particles of a later version";
        settings.window.slot_map_zoom = 4;
        settings.window.slot_map_first = 77'000;
        settings.window.timeline_frames = 2'500;
        settings.window.timeline_log = true;
        settings.window.ghost = "/tmp/runs of Zürich/a.csv";
        settings.window.scale = 1.25F;
        settings.window.theme = Theme::light;
        settings.window.plot_theme = Theme::dark;
        settings.window.capture_folder = "/tmp/pictures of Zürich";
        return settings;
    }
    /// What save_settings writes, to be spoilt.
    json good_document() const {
        save_settings(file_, other_settings());
        return json::parse(text_of(file_));
    }

    /// The file cannot be used: defaults, one warning that names the file kept aside, and nothing of it lost.
    void expect_set_aside(const std::string& text, const std::string& aside = "settings.json.bad") const {
        write(text);
        const LoadedSettings loaded = load_settings(file_);
        EXPECT_TRUE(loaded.settings == Settings{}) << "defaults, not half of the file";
        ASSERT_TRUE(loaded.warning.has_value());
        EXPECT_NE(loaded.warning->find(file_.string()), std::string::npos) << *loaded.warning;
        EXPECT_NE(loaded.warning->find("kept as " + aside + "."), std::string::npos) << *loaded.warning;
        EXPECT_FALSE(fs::exists(file_));
        EXPECT_EQ(text_of(folder_ / aside), text);
    }

    fs::path folder_;
    fs::path file_ = folder_ / "settings.json";
};

TEST_F(SettingsFileTest, EveryFieldComesBack) {
    const Settings saved = other_settings();
    save_settings(file_, saved);
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_EQ(loaded.warning.value_or(""), "");
    EXPECT_TRUE(loaded.settings == saved) << text_of(file_);
}

TEST_F(SettingsFileTest, APauseIsNotKept) {
    Settings saved = other_settings();
    saved.run.paused = true;
    save_settings(file_, saved);
    EXPECT_FALSE(load_settings(file_).settings.run.paused);
}

TEST_F(SettingsFileTest, NoFileMeansDefaultsWithoutAWord) {
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_TRUE(loaded.settings == Settings{});
    EXPECT_FALSE(loaded.warning.has_value());
}

TEST_F(SettingsFileTest, WhatIsNotASettingsFileIsKeptAside) {
    expect_set_aside("");
}

TEST_F(SettingsFileTest, GarbageIsKeptAside) {
    expect_set_aside(std::string("\x00\xff\xfe{]\x01 not settings", 20));
}

TEST_F(SettingsFileTest, AFileCutOffAnywhereIsKeptAside) {
    const std::string whole = good_document().dump();
    int number = 0;
    for (std::size_t length = 0; length < whole.size(); length += 37, ++number) {
        SCOPED_TRACE(length);
        expect_set_aside(whole.substr(0, length),
                         number == 0 ? "settings.json.bad" : "settings.json.bad-" + std::to_string(number));
    }
    // The first is still there, under the first name.
    EXPECT_EQ(text_of(folder_ / "settings.json.bad"), "");
}

TEST_F(SettingsFileTest, AValueOutOfRangeIsKeptAside) {
    const json good = good_document();
    const std::vector<std::pair<const char*, json>> spoilt{{"source", "no_such"},
                                                           {"source", 3},
                                                           {"pattern", "no_such"},
                                                           {"slots", 17},
                                                           {"slots", std::uint64_t{1} << 40},
                                                           {"slots", -4096},
                                                           {"slots", "many"},
                                                           {"density", 1.5},
                                                           {"density", -0.1},
                                                           {"density", nullptr},
                                                           {"speed", 1e9},
                                                           {"engine", "tpu"},
                                                           {"engine", 3},
                                                           {"algorithm", "no_such"},
                                                           {"algorithm", json::array()},
                                                           {"iterations", 0},
                                                           {"iterations", 65},
                                                           {"check", "yes"},
                                                           {"check_every", 0},
                                                           {"scale", 0.01},
                                                           {"scale", 99},
                                                           {"theme", "pink"},
                                                           {"controls_width", 1e30},
                                                           {"timings_height", -5},
                                                           {"options", json::array()},
                                                           {"capture_folder", 5}};
    int number = 0;
    for (const auto& [key, value] : spoilt) {
        json document = good;
        document[key] = value;
        SCOPED_TRACE(document.dump());
        expect_set_aside(document.dump(),
                         number == 0 ? "settings.json.bad" : "settings.json.bad-" + std::to_string(number));
        ++number;
    }
}

TEST_F(SettingsFileTest, AFileOfAnEarlierVersionIsTaken) {
    json document = good_document();
    for (const std::string& key : later_fields) ASSERT_EQ(document.erase(key), 1U) << key;
    write(document.dump());
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_EQ(loaded.warning.value_or(""), "");
    EXPECT_EQ(loaded.settings.run.a.algorithm, other_settings().run.a.algorithm);
    EXPECT_TRUE(loaded.settings.run.b == Choice{});
    EXPECT_EQ(loaded.settings.window.tab, Settings{}.window.tab);
}

TEST_F(SettingsFileTest, ARivalThatCannotBeIsKeptAside) {
    json document = good_document();
    document["rival"]["algorithm"] = "no_such";
    expect_set_aside(document.dump());
}

TEST_F(SettingsFileTest, AMissingFieldIsKeptAside) {
    const json good = good_document();
    int number = 0;
    for (const auto& [key, value] : good.items()) {
        if (later_fields.contains(key)) continue;
        json document = good;
        document.erase(key);
        SCOPED_TRACE(key);
        expect_set_aside(document.dump(),
                         number == 0 ? "settings.json.bad" : "settings.json.bad-" + std::to_string(number));
        ++number;
    }
}

TEST_F(SettingsFileTest, AFileOfAnEarlierVersionLacksTheLaterFields) {
    for (const std::string& key : later_fields) {
        SCOPED_TRACE(key);
        json document = good_document();
        ASSERT_EQ(document.erase(key), 1U);
        write(document.dump());
        const LoadedSettings loaded = load_settings(file_);
        EXPECT_FALSE(loaded.warning.has_value()) << *loaded.warning;
        EXPECT_EQ(loaded.settings.run.slots, other_settings().run.slots);
        EXPECT_FALSE(loaded.settings == other_settings()) << "it has its default";
    }
}

TEST_F(SettingsFileTest, AnIllegalOptionIsKeptAside) {
    json document = good_document();
    document["options"]["vector-width"] = 3;
    expect_set_aside(document.dump());
}

TEST_F(SettingsFileTest, AFolderOfThatNameIsLeftAlone) {
    fs::create_directory(file_);
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_TRUE(loaded.settings == Settings{});
    ASSERT_TRUE(loaded.warning.has_value());
    EXPECT_NE(loaded.warning->find("is a folder"), std::string::npos) << *loaded.warning;
    EXPECT_TRUE(fs::is_directory(file_));
}

TEST_F(SettingsFileTest, SavingMakesTheFoldersItNeedsAndReplacesWhatWasThere) {
    const fs::path deep = folder_ / "a" / "b" / "settings.json";
    save_settings(deep, Settings{});
    save_settings(deep, other_settings());
    EXPECT_TRUE(load_settings(deep).settings == other_settings());
    EXPECT_EQ(std::distance(fs::directory_iterator(deep.parent_path()), fs::directory_iterator{}), 1)
        << "no half-written file is left beside it";
}

TEST_F(SettingsFileTest, ANameWithoutAFolderIsInTheCurrentOne) {
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    EXPECT_NO_THROW(save_settings("settings.json", other_settings()));
    fs::current_path(before);
    EXPECT_TRUE(load_settings(file_).settings == other_settings());
}

TEST_F(SettingsFileTest, ANameThatIsNotUnicodeDoesNotLoseTheRest) {
    Settings settings = other_settings();
    settings.window.capture_folder = "/tmp/\xff\xfe";
    save_settings(file_, settings);
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_FALSE(loaded.warning.has_value());
    EXPECT_EQ(loaded.settings.run.slots, settings.run.slots);
}

TEST_F(SettingsFileTest, AFolderThatCannotBeWrittenIsToldInASentence) {
    // A file where a folder should be refuses everyone, the superuser included.
    write("in the way");
    try {
        save_settings(file_ / "settings.json", Settings{});
        FAIL() << "saving below a file succeeded";
    } catch (const fs::filesystem_error& error) {
        EXPECT_NE(std::string(error.what()).find(file_.string()), std::string::npos) << error.what();
        EXPECT_TRUE(error.code()) << "the reason is known";
        EXPECT_FALSE(error.path1().empty());
    }
    EXPECT_EQ(text_of(file_), "in the way");
}

}  // namespace
}  // namespace warpsieve
