#include "app/settings/settings_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/settings/schema.hpp"
#include "compaction/error.hpp"
#include "platform/files.hpp"
#include "tests/app/settings/other_settings.hpp"
#include "tests/platform/child.hpp"

namespace warpsieve {
namespace {

namespace fs = std::filesystem;
using fake::other_settings;
using nlohmann::json;

class SettingsFileTest : public testing::Test {
  protected:
    static std::string text_of(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }

    /// What save_settings writes.
    json good_document() const {
        save_settings(file_, other_settings(), Settings{});
        return json::parse(text_of(file_));
    }

    /// The file cannot be used: defaults, one warning that names the renamed file, and nothing of it lost.
    void expect_set_aside(const std::string& text, const std::string& aside = "settings.json.bad") const {
        write(text);
        const LoadedSettings loaded = load_settings(file_);
        EXPECT_TRUE(loaded.settings == Settings{}) << "defaults, not half of the file";
        ASSERT_TRUE(loaded.warning.has_value());
        EXPECT_NE(loaded.warning->find(file_.string()), std::string::npos) << *loaded.warning;
        EXPECT_NE(loaded.warning->find("renamed to " + aside + "."), std::string::npos) << *loaded.warning;
        EXPECT_FALSE(fs::exists(file_));
        EXPECT_EQ(text_of(folder_ / aside), text);
    }

    platform::TemporaryFolder temporary_;
    fs::path folder_ = temporary_.path();
    fs::path file_ = folder_ / "settings.json";
};

TEST_F(SettingsFileTest, EveryFieldComesBack) {
    const Settings saved = other_settings();
    save_settings(file_, saved, Settings{});
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_EQ(loaded.warning.value_or(""), "");
    EXPECT_TRUE(loaded.settings == saved) << text_of(file_);
}

TEST_F(SettingsFileTest, APauseIsNotSaved) {
    Settings saved = other_settings();
    saved.run.paused = true;
    save_settings(file_, saved, Settings{});
    EXPECT_FALSE(load_settings(file_).settings.run.paused);
}

TEST_F(SettingsFileTest, NoFileMeansDefaultsWithoutAWord) {
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_TRUE(loaded.settings == Settings{});
    EXPECT_FALSE(loaded.warning.has_value());
}

TEST_F(SettingsFileTest, WhatIsNotASettingsFileIsRenamed) {
    expect_set_aside("");
}

TEST_F(SettingsFileTest, GarbageIsRenamed) {
    expect_set_aside(std::string("\x00\xff\xfe{]\x01 not settings", 20));
}

TEST_F(SettingsFileTest, AFileCutOffAnywhereIsRenamed) {
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

TEST_F(SettingsFileTest, ABadKeyIsNamedAndAllOthersAreRead) {
    struct Bad {
        const char* key;
        json value;
        const char* legal;
    };
    const std::vector<Bad> all{{"source", "no_such", "fountain, galaxy, fireworks"},
                               {"source", nullptr, "fountain"},
                               {"pattern", "no_such", "random"},
                               {"slots", 17, "4096 to 16777216"},
                               {"slots", std::uint64_t{1} << 40, "4096 to 16777216"},
                               {"slots", -4096, "4096 to 16777216"},
                               {"slots", "many", "4096 to 16777216"},
                               {"density", 1.5, "0 to 1"},
                               {"density", -0.1, "0 to 1"},
                               {"density", nullptr, "0 to 1"},
                               {"speed", 1e9, "0 to 10"},
                               {"seed", 2.5, "0 to 4294967295"},
                               {"seed", -1, "0 to 4294967295"},
                               {"ghost", nullptr, "a text"},
                               {"show_timings", 1, "true or false"},
                               {"engine", "tpu", "cuda, cpu or simulated"},
                               {"iterations", 0, "1 to 64"},
                               {"iterations", 65, "1 to 64"},
                               {"check", "yes", "true or false"},
                               {"check_every", 0, "1 to 100000"},
                               {"scale", 0.01, "0.75 to 3, or 0"},
                               {"scale", 99, "0.75 to 3, or 0"},
                               {"theme", "pink", "dark or light"},
                               {"tab", "no_such", "timeline"},
                               {"divider", 0.01, "0.05 to 0.95"},
                               {"controls_width", 1e30, "100 to 4000"},
                               {"timings_height", -5, "50 to 4000"},
                               {"capture_folder", 5, "a text"},
                               {"capture_folder", std::string(5000, '/'), "up to 4095 bytes"},
                               {"ghost", "runs/" + std::string(256, 'x'), "255 in each name"}};
    for (const Bad& bad : all) {
        json document = good_document();
        document[bad.key] = bad.value;
        SCOPED_TRACE(document.dump());
        write(document.dump());
        const LoadedSettings loaded = load_settings(file_);
        ASSERT_TRUE(loaded.warning.has_value());
        EXPECT_NE(loaded.warning->find(std::string(bad.key) + " is " + bad.value.dump().substr(0, 100)),
                  std::string::npos)
            << *loaded.warning;
        EXPECT_NE(loaded.warning->find(bad.legal), std::string::npos) << *loaded.warning;
        EXPECT_EQ(loaded.warning->find("json.exception"), std::string::npos) << *loaded.warning;
        // The file without that key loads the same settings.
        document.erase(bad.key);
        write(document.dump());
        const LoadedSettings without = load_settings(file_);
        if (std::string(bad.key) != "engine") {
            EXPECT_EQ(without.warning.value_or(""), "");
        }
        EXPECT_TRUE(loaded.settings == without.settings);
        EXPECT_TRUE(fs::exists(file_)) << "the file stays";
    }
}

TEST_F(SettingsFileTest, TheViewSlowMotionOfEarlierBuildsIsThatOfTheParticles) {
    for (const int dial : {0, 40}) {
        json document = good_document();
        document["tab"] = "slow_motion";
        document["slow_motion"] = dial;
        write(document.dump());
        const LoadedSettings loaded = load_settings(file_);
        EXPECT_EQ(loaded.warning.value_or(""), "");
        EXPECT_EQ(loaded.settings.window.tab, particles_tab);
        EXPECT_EQ(loaded.settings.window.slow_motion, dial == 0 ? watchable_slow_motion : dial);
    }
    EXPECT_EQ(field("tab").allowed({}).describe().find("slow_motion"), std::string::npos);
}

TEST_F(SettingsFileTest, SeveralBadKeysMakeOneWarning) {
    json document = good_document();
    document["density"] = 7;
    document["b"]["algorithm"] = "no_such";
    document["options"]["vector-width"] = 3;
    document["labs"]["quality"] = "perfect";
    write(document.dump());
    const LoadedSettings loaded = load_settings(file_);
    ASSERT_TRUE(loaded.warning.has_value());
    for (const char* words : {"density is 7 (legal: 0 to 1)", "b.algorithm is \"no_such\"",
                              "options.vector-width is 3 (legal: 1 (scalar), 2 (pair) or 4 (quad))",
                              "labs.quality is \"perfect\" (legal: quick, normal or careful)"}) {
        EXPECT_NE(loaded.warning->find(words), std::string::npos) << *loaded.warning;
    }
    EXPECT_EQ(loaded.settings.run.slots, other_settings().run.slots);
    EXPECT_EQ(loaded.settings.run.a.algorithm, other_settings().run.a.algorithm);
    EXPECT_EQ(loaded.settings.window, other_settings().window);
}

TEST_F(SettingsFileTest, AGroupOfAnotherTypeIsNamedOnce) {
    for (const char* key : {"options", "b", "labs"}) {
        for (const json& value : {json::array(), json(5), json("x"), json()}) {
            json document = good_document();
            document[key] = value;
            SCOPED_TRACE(document.dump());
            const ParsedSettings read = settings_from_json(document);
            EXPECT_EQ(read.problems, std::vector<std::string>{std::string(key) + " is " + value.dump() +
                                                              " (legal: a group {...})"});
            EXPECT_EQ(read.settings.window, other_settings().window);
        }
    }
}

TEST_F(SettingsFileTest, AnOptionIsAWholeNumberOf32Bits) {
    for (const json& value : {json(4'294'967'297), json(2.5), json(-1), json(1e300)}) {
        json document = good_document();
        document["options"]["threads"] = value;
        const ParsedSettings read = settings_from_json(document);
        ASSERT_EQ(read.problems.size(), 1U) << value;
        EXPECT_TRUE(read.problems[0].starts_with("options.threads is " + value.dump() + " (legal: "))
            << read.problems[0];
        EXPECT_EQ(read.settings.run.a.options[compaction::Option::threads_per_block], 0U);
    }
}

TEST_F(SettingsFileTest, AProblemShowsNoControlCharacters) {
    json document = good_document();
    document["theme"] = "\x1b[31m\x7f\xc2\x9b";
    const ParsedSettings read = settings_from_json(document);
    ASSERT_EQ(read.problems.size(), 1U);
    EXPECT_EQ(read.problems[0], "theme is \"\\u001b[31m\\u007f\\u009b\" (legal: dark or light)");
}

TEST_F(SettingsFileTest, AMissingKeyHasItsDefault) {
    const json good = good_document();
    for (const auto& [key, value] : good.items()) {
        json document = good;
        document.erase(key);
        SCOPED_TRACE(key);
        write(document.dump());
        const LoadedSettings loaded = load_settings(file_);
        if (key != "engine" && key != "algorithm") {
            EXPECT_EQ(loaded.warning.value_or(""), "");
        }
        EXPECT_FALSE(loaded.settings == other_settings());
    }
}

TEST_F(SettingsFileTest, OldKeysAreRead) {
    json document = good_document();
    document["rival"] = document["b"];
    document.erase("b");
    document["labs"]["steps"]["problem"] = document["labs"]["steps"]["operation"];
    document["labs"]["steps"].erase("operation");
    json& item_bytes = document["labs"]["item_bytes"];
    item_bytes = std::stoi(item_bytes.get<std::string>());
    write(document.dump());
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_EQ(loaded.warning.value_or(""), "");
    EXPECT_TRUE(loaded.settings == other_settings());
}

TEST_F(SettingsFileTest, AFolderOfThatNameIsLeftAlone) {
    fs::create_directory(file_);
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_TRUE(loaded.settings == Settings{});
    ASSERT_TRUE(loaded.warning.has_value());
    EXPECT_NE(loaded.warning->find("is a folder"), std::string::npos) << *loaded.warning;
    EXPECT_TRUE(fs::is_directory(file_));
    EXPECT_FALSE(loaded.may_replace);
}

TEST_F(SettingsFileTest, AJsonObjectOfAnotherKindIsLeftAlone) {
    const json results = {
        {"program", "warpsieve"}, {"device", "a processor"}, {"engine", "cpu"}, {"settings", json::object()}};
    for (const std::string& text : {std::string(R"({"name":"package","version":1})"), results.dump()}) {
        write(text);
        const LoadedSettings loaded = load_settings(file_);
        EXPECT_TRUE(loaded.settings == Settings{});
        EXPECT_NE(loaded.warning.value_or("").find("is not a settings file"), std::string::npos) << text;
        EXPECT_FALSE(loaded.may_replace);
        EXPECT_EQ(text_of(file_), text);
        EXPECT_THROW(require_settings(file_), compaction::Error);
    }
    write(R"({"slots": 4096, "of another version": 1})");
    EXPECT_EQ(load_settings(file_).settings.run.slots, 4096U);
}

TEST_F(SettingsFileTest, ARunOffscreenReadsTheFileAndNeverReplacesIt) {
    EXPECT_THROW(require_settings(file_), compaction::Error) << "there is no file";
    write("not settings");
    EXPECT_THROW(require_settings(file_), compaction::Error);
    EXPECT_EQ(text_of(file_), "not settings");
    write(good_document().dump());
    const LoadedSettings loaded = require_settings(file_);
    EXPECT_TRUE(loaded.settings == other_settings());
    EXPECT_FALSE(loaded.may_replace);
}

TEST_F(SettingsFileTest, WhatCannotBeReadWholeIsLeftAlone) {
    ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
    const fs::path sparse = folder_ / "sparse.json";
    std::ofstream(sparse).close();
    fs::resize_file(sparse, std::uintmax_t{60} << 30);
    const fs::path device = folder_ / "null";
    fs::create_symlink("/dev/null", device);
    for (const fs::path& file : {file_, sparse, device}) {
        const LoadedSettings loaded = load_settings(file);
        ASSERT_TRUE(loaded.warning.has_value()) << file;
        EXPECT_NE(loaded.warning->find("settings are not saved"), std::string::npos) << *loaded.warning;
        EXPECT_FALSE(loaded.may_replace);
        EXPECT_TRUE(fs::exists(fs::symlink_status(file))) << file;
    }
    EXPECT_FALSE(fs::exists(folder_ / "null.bad"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(SettingsFileTest, ANameTooLongToKeepTheFileAsideStopsNoStart) {
    const fs::path file = folder_ / std::string(253, 'a');
    std::ofstream(file) << "not settings";
    const LoadedSettings loaded = load_settings(file);
    ASSERT_TRUE(loaded.warning.has_value());
    EXPECT_NE(loaded.warning->find("settings are not saved"), std::string::npos) << *loaded.warning;
    EXPECT_FALSE(loaded.may_replace);
    EXPECT_EQ(text_of(file), "not settings");
}

TEST_F(SettingsFileTest, DeepNestingIsRenamed) {
    expect_set_aside(std::string(100'000, '['));
    json document = good_document();
    document["unknown"] = json::parse(std::string(63, '[') + std::string(63, ']'));
    write(document.dump());
    EXPECT_EQ(load_settings(file_).warning.value_or(""), "") << "64 levels are read";
}

TEST_F(SettingsFileTest, ALinkStaysALink) {
    const fs::path target = folder_ / "dotfiles.json";
    fs::create_symlink("dotfiles.json", file_);
    EXPECT_EQ(load_settings(file_).warning.value_or(""), "") << "nothing is there yet";
    save_settings(file_, other_settings(), Settings{});
    EXPECT_TRUE(fs::is_symlink(file_));
    EXPECT_TRUE(load_settings(file_).settings == other_settings());
    std::ofstream(target) << "not settings";
    EXPECT_NE(load_settings(file_).warning->find("renamed to dotfiles.json.bad."), std::string::npos);
    EXPECT_TRUE(fs::is_symlink(file_));
    EXPECT_EQ(text_of(folder_ / "dotfiles.json.bad"), "not settings");
}

TEST_F(SettingsFileTest, AReplayIsARegularFileWithinTheLimits) {
    ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
    const fs::path deep = folder_ / "deep.json";
    std::ofstream(deep) << "{\"settings\":" << std::string(100'000, '[');
    for (const auto& [file, words] : {std::pair{file_, "not a regular file"}, std::pair{deep, "64 levels"}}) {
        try {
            sidecar_settings(file);
            ADD_FAILURE() << file;
        } catch (const compaction::Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    }
}

TEST(DefaultSettingsFile, IsBelowAnAbsolutePath) {
    setenv("XDG_CONFIG_HOME", "/config", 1);
    EXPECT_EQ(default_settings_file(), "/config/warpsieve/settings.json");
    setenv("XDG_CONFIG_HOME", "relative", 1);
    setenv("HOME", "/home/user", 1);
    EXPECT_EQ(default_settings_file(), "/home/user/.config/warpsieve/settings.json");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    EXPECT_EQ(default_settings_file(), "") << "never in the current folder";
}

TEST_F(SettingsFileTest, SavingMakesTheFoldersItNeedsAndReplacesWhatWasThere) {
    const fs::path deep = folder_ / "a" / "b" / "settings.json";
    save_settings(deep, Settings{}, Settings{});
    save_settings(deep, other_settings(), Settings{});
    EXPECT_TRUE(load_settings(deep).settings == other_settings());
    EXPECT_EQ(std::distance(fs::directory_iterator(deep.parent_path()), fs::directory_iterator{}), 1)
        << "no half-written file is left beside it";
}

TEST_F(SettingsFileTest, ANameWithoutAFolderIsInTheCurrentOne) {
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    EXPECT_NO_THROW(save_settings("settings.json", other_settings(), Settings{}));
    fs::current_path(before);
    EXPECT_TRUE(load_settings(file_).settings == other_settings());
}

TEST_F(SettingsFileTest, ANameThatIsNotUnicodeDoesNotLoseTheRest) {
    Settings settings = other_settings();
    settings.window.capture_folder = "/tmp/\xff\xfe";
    save_settings(file_, settings, Settings{});
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_FALSE(loaded.warning.has_value());
    EXPECT_EQ(loaded.settings.run.slots, settings.run.slots);
}

TEST_F(SettingsFileTest, AFolderThatCannotBeWrittenIsToldInASentence) {
    // A file where a folder should be refuses everyone, the superuser included.
    write("in the way");
    try {
        save_settings(file_ / "settings.json", Settings{}, Settings{});
        FAIL() << "saving below a file succeeded";
    } catch (const fs::filesystem_error& error) {
        EXPECT_NE(std::string(error.what()).find(file_.string()), std::string::npos) << error.what();
        EXPECT_TRUE(error.code()) << "the reason is known";
        EXPECT_FALSE(error.path1().empty());
    }
    EXPECT_EQ(text_of(file_), "in the way");
}

/// Two windows with one settings file: each writes only what it has changed.
TEST_F(SettingsFileTest, TwoProcessesMergeWhatEachChanged) {
    const Settings both = other_settings();
    save_settings(file_, both, Settings{});
    Settings first = both, second = both;
    first.run.seed = 71;
    first.window.tab = "race";
    second.run.slots = 1U << 15;
    save_settings(file_, first, both);
    save_settings(file_, second, both);
    Settings merged = load_settings(file_).settings;
    EXPECT_EQ(merged.run.seed, 71U) << "not undone by the second";
    EXPECT_EQ(merged.window.tab, "race");
    EXPECT_EQ(merged.run.slots, 1U << 15);
    second.run.seed = 72;
    save_settings(file_, second, both);
    merged = load_settings(file_).settings;
    EXPECT_EQ(merged.run.seed, 72U) << "the last change of one value counts";
    EXPECT_EQ(merged.window.tab, "race");
    fs::remove(file_);
    save_settings(file_, first, first);
    EXPECT_TRUE(load_settings(file_).settings == first) << "a file that was removed is written whole";
}

/// Without a lock, a process writes back what it read before the other one wrote.
TEST_F(SettingsFileTest, ProcessesThatWriteAtOnceLoseNothing) {
    save_settings(file_, Settings{}, Settings{});
    const auto count_up = [this](std::uint32_t RunConfig::*own) {
        Settings known, settings;
        for (std::uint32_t i = 1; i <= 100; ++i) {
            settings.run.*own = i;
            save_settings(file_, settings, known);
            known = settings;
            if (load_settings(file_).settings.run.*own != i) return 1;
        }
        return 0;
    };
    const pid_t child = testing_support::start_child([&] { return count_up(&RunConfig::seed); });
    EXPECT_EQ(count_up(&RunConfig::check_every), 0);
    EXPECT_EQ(testing_support::exit_code_of(child), 0);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "no file of a lock";
}

}  // namespace
}  // namespace warpsieve
