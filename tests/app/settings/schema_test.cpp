#include "app/settings/schema.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/cli/command_line.hpp"
#include "app/settings/settings_file.hpp"
#include "compaction/error.hpp"

namespace warpsieve {
namespace {

using nlohmann::json;

/// Settings of the CPU engine, which every machine has.
Settings cpu_settings() {
    Settings settings;
    settings.run.engine = compaction::EngineId::cpu;
    settings.run.a.algorithm = "cpu_sequence_wise";
    settings.run.b.algorithm = "cpu_single_pass";
    settings.run.slots = min_slots;
    settings.run.iterations = 1;
    return settings;
}

bool file_accepts(const SettingDescriptor& field, double value) {
    json document = settings_to_json(cpu_settings());
    std::string path = "/" + field.key;
    for (char& c : path) c = c == '.' ? '/' : c;
    document[json::json_pointer(path)] = value;
    const ParsedSettings read = settings_from_json(document);
    return read.problems.empty() && field.access.get(read.settings) == Value(value);
}

bool command_line_accepts(const SettingDescriptor& field, double value) {
    try {
        const json text = value;
        const bool whole = value == std::floor(value);
        std::vector<std::string> remarks;
        const Settings settings = resolve_settings(
            cpu_settings(),
            {{field.key, whole ? std::to_string(static_cast<long long>(value)) : text.dump()}}, remarks);
        return field.access.get(settings) == Value(value);
    } catch (const compaction::Error&) {
        return false;
    }
}

/// Every control ends in sanitize.
bool control_accepts(const SettingDescriptor& field, double value) {
    Settings settings = cpu_settings();
    field.access.set(settings, value);
    sanitize(settings);
    return field.access.get(settings) == Value(value);
}

TEST(Schema, FileCommandLineAndControlAcceptTheSameRange) {
    int ranges = 0;
    for (const SettingDescriptor& field : schema()) {
        if (field.access.kind != Kind::number) continue;
        SCOPED_TRACE(field.key);
        ++ranges;
        const AllowedValues allowed = field.allowed(cpu_settings());
        const double step = allowed.whole ? 1 : 0.01;
        for (const double value : {allowed.min, allowed.max, allowed.min - step, allowed.max + step}) {
            SCOPED_TRACE(value);
            const bool expected = value >= allowed.min && value <= allowed.max;
            EXPECT_EQ(allowed.contains(value), expected);
            EXPECT_EQ(file_accepts(field, value), expected);
            if (!field.flag.empty()) {
                EXPECT_EQ(command_line_accepts(field, value), expected);
            }
            // An unsigned member cannot hold a value below 0.
            if (value >= 0 && value <= std::numeric_limits<std::uint32_t>::max()) {
                EXPECT_EQ(control_accepts(field, value), expected);
            }
        }
    }
    EXPECT_GT(ranges, 10);
}

TEST(Schema, WordsAreAcceptedByFileAndCommandLine) {
    for (const SettingDescriptor& field : schema()) {
        const bool has_words =
            field.access.kind == Kind::text && !field.allowed(cpu_settings()).words.empty();
        if (!has_words || field.key.starts_with("labs.")) continue;
        SCOPED_TRACE(field.key);
        for (const std::string& word : field.allowed(cpu_settings()).words) {
            SCOPED_TRACE(word);
            json document = settings_to_json(cpu_settings());
            document[field.key] = word;
            const ParsedSettings read = settings_from_json(document);
            EXPECT_EQ(field.access.get(read.settings), Value(word));
            EXPECT_EQ(parse(field, cpu_settings(), word), Value(word));
        }
        EXPECT_FALSE(parse(field, cpu_settings(), "no such word").has_value());
    }
}

TEST(Schema, KeysAndFlagsAreUnique) {
    std::set<std::string> keys;
    std::set<std::string> flags;
    for (const SettingDescriptor& field : schema()) {
        EXPECT_TRUE(keys.insert(field.key).second) << field.key;
        EXPECT_FALSE(field.help.empty()) << field.key;
        EXPECT_FALSE(field.group.empty()) << field.key;
        if (!field.flag.empty()) {
            EXPECT_TRUE(flags.insert(field.flag).second) << field.flag;
        }
        if (!field.old_flag.empty()) {
            EXPECT_TRUE(flags.insert(field.old_flag).second) << field.old_flag;
        }
    }
}

TEST(Schema, TheDefaultsAreLegalOrUnset) {
    Settings defaults;
    defaults.run.engine = compaction::EngineId::cpu;  // which every machine has
    Settings allowed = defaults;
    sanitize(allowed);
    for (const SettingDescriptor& field : schema()) {
        if (field.key != "iterations") {
            EXPECT_EQ(field.access.get(allowed), field.access.get(defaults)) << field.key;
        }
    }
}

TEST(Schema, WhatIsNoNumberGetsItsDefault) {
    Settings settings = cpu_settings();
    settings.run.live_fraction = std::numeric_limits<float>::quiet_NaN();
    settings.run.speed = std::numeric_limits<float>::infinity();
    settings.window.scale = std::numeric_limits<float>::quiet_NaN();
    sanitize(settings);
    EXPECT_EQ(settings.run.live_fraction, 0.5F);
    EXPECT_EQ(settings.run.speed, 1.0F);
    EXPECT_EQ(settings.window.scale, 0.0F);
}

TEST(Schema, StatisticsRestartForWhatTheCompactionDependsOn) {
    const RunConfig before = cpu_settings().run;
    for (const SettingDescriptor& field : schema()) {
        Settings after = cpu_settings();
        const bool number = field.access.kind == Kind::number || field.access.kind == Kind::option;
        if (!number || field.key.starts_with("b.")) continue;
        field.access.set(after, std::get<double>(field.access.get(after)) + 1);
        EXPECT_EQ(restarts_statistics(before, after.run, false),
                  field.use == Use::run && field.applies_to(after))
            << field.key;
    }
    RunConfig simulated = before;
    simulated.engine = compaction::EngineId::simulated;
    RunConfig other_schedule = simulated;
    other_schedule.schedule_seed = 9;
    EXPECT_TRUE(restarts_statistics(simulated, other_schedule, false));
    RunConfig other_b = before;
    other_b.b.algorithm = "cpu_loop";
    EXPECT_FALSE(restarts_statistics(before, other_b, false));
    EXPECT_TRUE(restarts_statistics(before, other_b, true));
}

TEST(Schema, TheRepeatingOptionsGiveTheSameSettings) {
    Settings settings = cpu_settings();
    settings.run.a.options[compaction::Option::vector_width] = 2;
    settings.run.source = "synthetic";
    settings.run.live_fraction = 0.3F;
    settings.run.seed = 7;
    EXPECT_EQ(
        options_to_repeat(settings),
        " --engine cpu --algorithm cpu_sequence_wise --vector-width pair --source synthetic --pattern random"
        " --slots 4096 --density 0.3 --seed 7 --iterations 1");
    settings.run.source = "galaxy";
    settings.window.tab = lens_tab;
    EXPECT_NE(options_to_repeat(settings).find(" --tab lens --b cpu_single_pass --source galaxy --slots"),
              std::string::npos)
        << options_to_repeat(settings);
}

TEST(Schema, TheCommandLineNamesTheLegalValues) {
    try {
        std::vector<std::string> remarks;
        resolve_settings(cpu_settings(), {{"density", "1.5"}}, remarks);
        FAIL() << "1.5 was accepted";
    } catch (const compaction::Error& error) {
        EXPECT_STREQ(error.what(), "--density 1.5 is not legal; legal values are 0 to 1.");
    }
}

}  // namespace
}  // namespace warpsieve
