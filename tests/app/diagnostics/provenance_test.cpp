// Quality flags, the change card, the provenance below a picture, and the settings in a sidecar.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "app/capture/capture.hpp"
#include "app/capture/open_capture.hpp"
#include "app/capture/report.hpp"
#include "app/diagnostics/change_watch.hpp"
#include "app/diagnostics/provenance.hpp"
#include "app/diagnostics/quality_flags.hpp"
#include "app/settings/settings_file.hpp"
#include "compaction/error.hpp"
#include "platform/files.hpp"
#include "tests/app/view_model/fake_snapshot.hpp"

namespace warpsieve {
namespace {

namespace fs = std::filesystem;

class Diagnostics : public testing::Test {
  protected:
    Diagnostics() {
        fake::make_gpu_machine(machine_);
        Snapshot& snapshot = machine_.snapshot;
        snapshot.checks.a.state = CheckState::correct;
        snapshot.checks.a.checked = 3;
        machine_.figures->frame_us.median = 1000;
        snapshot.timings.interface_us = 50;
        total() = {.median = 10, .q1 = 9.9, .q3 = 10.1, .min = 9.8, .max = 12, .n = 500, .left_out = 0};
    }

    /// Gives the snapshot new figures: others may hold the previous ones.
    experiments::Summary& total() {
        machine_.renew_figures();
        return std::ranges::find(machine_.figures->a.rows, "total", &TimingRow::name)->us;
    }
    void set_reading(const nvml::Reading& reading) {
        machine_.snapshot.machine.gpu_reading = std::make_shared<const nvml::Reading>(reading);
    }
    std::vector<std::string> badges() const {
        std::vector<std::string> names;
        for (const QualityFlag& badge : quality_flags_of(machine_.snapshot, machine_.settings)) {
            names.push_back(badge.name);
            EXPECT_FALSE(badge.reason.empty()) << badge.name;
            EXPECT_EQ(badge.remedy.empty(), badge.quality == Quality::good) << badge.name;
        }
        return names;
    }

    fake::Machine machine_;
};

using Names = std::vector<std::string>;

TEST_F(Diagnostics, AQuietCheckedRunIsStable) {
    EXPECT_EQ(badges(), Names{"stable"});
}

TEST_F(Diagnostics, AWrongResultComesFirst) {
    machine_.snapshot.checks.a.wrong = 1;
    machine_.settings.run.check = false;
    EXPECT_EQ(badges().front(), "wrong");
}

TEST_F(Diagnostics, AnUncheckedRunIsFlagged) {
    machine_.settings.run.check = false;
    EXPECT_EQ(badges(), (Names{"not checked", "stable"}));
    machine_.settings.run.check = true;
    machine_.snapshot.checks.a.checked = 0;
    EXPECT_EQ(badges(), (Names{"not checked", "stable"}));
}

TEST_F(Diagnostics, FewFramesAreAWarmUpAndNoiseIsUnstable) {
    total().n = 59;
    EXPECT_EQ(badges(), Names{"warming up"});
    total().n = 60;
    total().q3 = 10.5;
    EXPECT_EQ(badges(), Names{"noisy"});
}

TEST_F(Diagnostics, AMostlyIdleGpuIsFlagged) {
    machine_.figures->frame_us.median = 16'667;
    machine_.settings.run.iterations = 1;
    EXPECT_EQ(badges(), (Names{"diluted by vsync", "stable"}));
    total() = {.median = 600, .q1 = 599, .q3 = 601, .min = 598, .max = 700, .n = 500, .left_out = 0};
    machine_.settings.run.iterations = 16;
    EXPECT_EQ(badges(), Names{"stable"});
    // The CPU engine does not lower its clock while it waits for the display.
    machine_.settings.run.iterations = 1;
    machine_.snapshot.machine.engine = compaction::EngineId::cpu;
    EXPECT_EQ(badges(), Names{"stable"});
}

TEST_F(Diagnostics, ALowClockIsThrottledAndAnUnknownOneIsNot) {
    machine_.snapshot.machine.device.max_clock_hz = 2e9;
    set_reading(fake::no_reading());
    const auto at = [this](double clock_hz) {
        experiments::FrameSample sample = machine_.timeline[machine_.timeline.size() - 1];
        sample.clock_hz = clock_hz;
        machine_.timeline.push(sample);
        return badges();
    };
    EXPECT_EQ(at(1.4e9), (Names{"throttled", "stable"}));
    EXPECT_EQ(at(1.6e9), Names{"stable"});
    EXPECT_EQ(at(0), Names{"stable"});
    machine_.snapshot.machine.gpu_reading.reset();
    EXPECT_EQ(at(1.4e9), (Names{"throttled", "stable"})) << "before the first NVML reading";
}

TEST_F(Diagnostics, TheDriversClockReasonsOverrideTheClock) {
    machine_.snapshot.machine.device.max_clock_hz = 2e9;
    experiments::FrameSample slow = machine_.timeline[machine_.timeline.size() - 1];
    slow.clock_hz = 0.4e9;
    machine_.timeline.push(slow);
    nvml::Reading reading = fake::quiet_reading();
    for (const std::uint64_t no_throttling : {0x0, 0x1, 0x2, 0x13, 0x102}) {
        reading.clock_reasons = no_throttling;
        set_reading(reading);
        EXPECT_EQ(badges(), Names{"stable"}) << no_throttling;
    }
    slow.clock_hz = 2e9;
    machine_.timeline.push(slow);
    for (const std::uint64_t throttling : {0x4, 0x8, 0x20, 0x40, 0x80, 0x5}) {
        reading.clock_reasons = throttling;
        set_reading(reading);
        EXPECT_EQ(badges(), (Names{"throttled", "stable"})) << throttling;
    }
    set_reading(fake::hot_reading());
    const QualityFlag badge = quality_flags_of(machine_.snapshot, machine_.settings).front();
    EXPECT_EQ(badge.quality, Quality::caution);
    EXPECT_EQ(badge.reason,
              "Thermal slowdown: the driver lowers the clock to keep the GPU and its memory cool enough; "
              "power cap: the driver lowers the clock to keep the power within its limit; now 1.41 of 1.98 "
              "GHz, 87 °C, 698 of 700 W.");
    EXPECT_TRUE(badge.remedy.starts_with("Let the GPU cool")) << badge.remedy;
}

TEST_F(Diagnostics, ASlowInterfaceIsFlagged) {
    machine_.snapshot.timings.interface_us = 600;
    EXPECT_EQ(badges(), (Names{"interface-limited", "stable"}));
}

TEST_F(Diagnostics, AnUnstableAlgorithmIsFlagged) {
    compaction::Algorithm unordered = *machine_.snapshot.runs.a.algorithm;
    unordered.stable = false;
    machine_.snapshot.runs.a.algorithm = &unordered;
    EXPECT_EQ(badges(), (Names{"unstable order", "stable"}));
}

TEST_F(Diagnostics, ARunWithoutFiguresHasNoFlags) {
    machine_.figures->a.rows.clear();
    EXPECT_TRUE(badges().empty());
    machine_.snapshot.runs.a.algorithm = nullptr;
    EXPECT_TRUE(badges().empty());
}

TEST_F(Diagnostics, AChangeIsComparedOnceItsFiguresAreSteady) {
    ChangeWatch watch;
    Snapshot& snapshot = machine_.snapshot;
    Settings& settings = machine_.settings;
    machine_.figures->launches = std::vector<compaction::Launch>(3);
    watch.observe(snapshot, settings);
    EXPECT_FALSE(watch.card());

    settings.run.live_fraction = 0.1F;
    snapshot.runs.a.options[compaction::Option::vector_width] = 1;
    machine_.renew_figures();
    machine_.figures->launches->resize(1);
    total() = {.median = 15, .q1 = 14.9, .q3 = 15.1, .min = 14, .max = 16, .n = 5, .left_out = 0};
    watch.observe(snapshot, settings);
    EXPECT_FALSE(watch.card()) << "too few frames";
    total().n = 60;
    watch.observe(snapshot, settings);
    ASSERT_TRUE(watch.card());
    const ChangeCard card = *watch.card();
    EXPECT_EQ(card.changes, Names{"live fraction: 50.0 % → 10.0 %"});
    ASSERT_EQ(card.automatic_changes.size(), 1U);
    EXPECT_TRUE(card.automatic_changes.front().starts_with("vector width, automatic: "));
    EXPECT_TRUE(card.automatic_changes.front().ends_with("→ 1"));
    const auto line = [&](const std::string& name) {
        return *std::ranges::find(card.lines, name, &ChangeCard::Line::name);
    };
    EXPECT_EQ(line("total").verdict, "1.50 × longer");
    EXPECT_EQ(line("launches").before, "3 kernels");
    EXPECT_EQ(line("launches").after, "1 kernel");

    // The next change removes the card at once; overlapping quartiles are no difference.
    settings.run.live_fraction = 0.2F;
    total().n = 5;
    watch.observe(snapshot, settings);
    EXPECT_FALSE(watch.card());
    total() = {.median = 15.1, .q1 = 15, .q3 = 15.2, .min = 14, .max = 16, .n = 60, .left_out = 0};
    watch.observe(snapshot, settings);
    ASSERT_TRUE(watch.card());
    EXPECT_EQ(std::ranges::find(watch.card()->lines, "total", &ChangeCard::Line::name)->verdict,
              "no significant difference");
    snapshot.display.now_s += 600;
    watch.observe(snapshot, settings);
    EXPECT_TRUE(watch.card()) << "until it is dismissed";
    watch.dismiss();
    EXPECT_FALSE(watch.card());
}

TEST_F(Diagnostics, ACardNamesEverythingThatWasSet) {
    ChangeWatch watch;
    Snapshot& snapshot = machine_.snapshot;
    RunConfig& run = machine_.settings.run;
    const auto choose = [&](const char* id) {
        run.a.algorithm = id;
        snapshot.runs.a.algorithm = &machine_.algorithm(id);
    };
    choose("cub_select");
    watch.observe(snapshot, machine_.settings);
    choose("sequence_wise");
    run.a.options[compaction::Option::threads_per_block] = 256;
    run.slots = snapshot.stream.slots = 125'000;
    watch.observe(snapshot, machine_.settings);
    ASSERT_TRUE(watch.card());
    EXPECT_EQ(watch.card()->changes,
              (Names{"algorithm: CUB DeviceSelect::If → Sequence-wise, vectorised",
                     "threads per block: automatic → 256", "slots: 2²⁰ = 1,048,576 → 125,000"}));
    EXPECT_TRUE(watch.card()->automatic_changes.empty());
}

TEST_F(Diagnostics, WindowSettingsMakeNoCard) {
    ChangeWatch watch;
    watch.observe(machine_.snapshot, machine_.settings);
    machine_.settings.window.theme = Theme::light;
    machine_.settings.run.paused = true;
    machine_.settings.window.tab = "another";
    machine_.settings.window.divider = 0.7F;
    machine_.settings.run.b.algorithm = "cub_select";
    machine_.settings.window.timeline_frames = 2'000;
    machine_.settings.labs.lab = "tune";
    watch.observe(machine_.snapshot, machine_.settings);
    EXPECT_FALSE(watch.card());
}

TEST_F(Diagnostics, AnotherSourceIsAChange) {
    ChangeWatch watch;
    watch.observe(machine_.snapshot, machine_.settings);
    machine_.settings.run.source = "galaxy";
    watch.observe(machine_.snapshot, machine_.settings);
    ASSERT_TRUE(watch.card());
    EXPECT_EQ(watch.card()->changes, Names{"source: fountain → galaxy"});
}

TEST_F(Diagnostics, AGhostsCsvSaysWhatRan) {
    const std::string header = capture::csv_header(machine_.snapshot, machine_.settings);
    for (const std::string& line :
         {"# device: " + machine_.snapshot.machine.device.name, std::string("# slots: 1048576"),
          std::string("# source: fountain"), std::string("# live fraction: 0.5"),
          "# command: " + command_to_repeat_run(machine_.snapshot, machine_.settings)})
        EXPECT_NE(header.find(line + "\n"), std::string::npos) << line << " in\n" << header;
}

TEST_F(Diagnostics, TheCommandHasFramesAndChecksWhereTheyMatter) {
    const auto command = [this] { return command_to_repeat_run(machine_.snapshot, machine_.settings); };
    EXPECT_EQ(command().find("--frames"), std::string::npos);
    EXPECT_EQ(command().find("--check-every"), std::string::npos);
    machine_.snapshot.display.total_frames = 40;
    machine_.settings.run.check_every = 7;
    EXPECT_TRUE(command().ends_with(" --check-every 7 --frames 40")) << command();
    machine_.settings.run.check = false;
    EXPECT_EQ(command().find("--check-every"), std::string::npos);
}

TEST_F(Diagnostics, ProvenanceIsComplete) {
    const Provenance provenance = provenance_of(machine_.snapshot, machine_.settings);
    for (const std::string name : {"device", "driver", "warpsieve", "clock", "N", "kept", "seed", "algorithm",
                                   "vector width", "median", "quartiles", "n", "mode", "check"}) {
        const auto found = std::ranges::find(provenance.items, name, &ProvenanceItem::name);
        ASSERT_NE(found, provenance.items.end()) << name;
        EXPECT_FALSE(found->value.empty()) << name;
    }
    EXPECT_NE(provenance.command.find("--algorithm sequence_wise"), std::string::npos);
    total().n = 0;
    const auto unmeasured = provenance_of(machine_.snapshot, machine_.settings).items;
    EXPECT_EQ(std::ranges::find(unmeasured, "median", &ProvenanceItem::name)->value, "not measured yet");
}

TEST_F(Diagnostics, ProvenanceOfASimulatedGpuHasNoTimes) {
    machine_.snapshot.machine.engine = compaction::EngineId::simulated;
    const std::vector<ProvenanceItem> items = provenance_of(machine_.snapshot, machine_.settings).items;
    for (const char* name : {"clock", "median", "quartiles", "n"})
        EXPECT_EQ(std::ranges::find(items, name, &ProvenanceItem::name), items.end()) << name;
    EXPECT_EQ(std::ranges::find(items, "times", &ProvenanceItem::name)->value, "none on a simulated GPU");
}

TEST_F(Diagnostics, TheFooterOfAFilmHasTheRatioOfTheTwoThatAreCompared) {
    const auto ratio = [this] {
        const Provenance footer = provenance_of_film(machine_.snapshot, machine_.settings);
        EXPECT_EQ(footer.items.front().name, "device");
        EXPECT_EQ(footer.command, command_to_repeat_run(machine_.snapshot, machine_.settings));
        return footer.items.size() == 1 ? "" : footer.items.back().name + ": " + footer.items.back().value;
    };
    EXPECT_EQ(ratio(), "") << "one side";
    fake::compare(machine_);
    EXPECT_EQ(ratio(), "sequence_wise (A) and cub_select (B), paired medians: B 1.34× faster [1.32, 1.36]");
    EXPECT_FALSE(awaits_ratio(machine_.snapshot, machine_.settings));
    fake::race(machine_);
    const std::vector<RaceLane>& lanes = machine_.figures->race.lanes;
    EXPECT_EQ(ratio(), lanes[1].algorithm->id + " (A) and " + lanes[0].algorithm->id +
                           " (B), paired medians: B 1.70× faster [1.67, 1.72]");
    EXPECT_NE(command_to_repeat_run(machine_.snapshot, machine_.settings).find(" --tab race"),
              std::string::npos);
    machine_.figures->race.lanes[1].over_fastest = {};
    EXPECT_EQ(ratio(), "") << "too few pairs";
    EXPECT_TRUE(awaits_ratio(machine_.snapshot, machine_.settings));
    machine_.settings.window.tab = lens_tab;
    machine_.snapshot.machine.engine = compaction::EngineId::simulated;
    EXPECT_EQ(ratio(), "") << "steps";
    EXPECT_FALSE(awaits_ratio(machine_.snapshot, machine_.settings));
}

TEST_F(Diagnostics, ProvenanceContainsTheNvmlReading) {
    const auto value_of = [this](const std::string& name) {
        const auto items = provenance_of(machine_.snapshot, machine_.settings).items;
        const auto found = std::ranges::find(items, name, &ProvenanceItem::name);
        return found == items.end() ? "" : found->value;
    };
    const auto sidecar = [this] { return capture::describe_run(machine_.snapshot, machine_.settings); };
    set_reading(fake::hot_reading());
    EXPECT_EQ(value_of("temperature"), "87 °C");
    EXPECT_EQ(value_of("power"), "698 of 700 W");
    EXPECT_EQ(value_of("clock limits"), "thermal slowdown, power cap");
    nlohmann::json reading = sidecar()["gpu_reading"];
    EXPECT_EQ(reading["temperature_c"], 87);
    EXPECT_EQ(reading["power_w"], 697.6);
    EXPECT_EQ(reading["clock_reasons"], (nlohmann::json{"thermal slowdown", "power cap"}));
    EXPECT_EQ(reading["unknown"], "");

    set_reading(fake::no_reading());
    EXPECT_EQ(value_of("temperature") + value_of("power") + value_of("clock limits"), "");
    reading = sidecar()["gpu_reading"];
    EXPECT_TRUE(reading["temperature_c"].is_null());
    EXPECT_TRUE(reading["clock_reasons"].is_null()) << "an empty list would mean no limit";
    EXPECT_EQ(reading["unknown"], fake::no_reading().unknown);

    machine_.snapshot.machine.gpu_reading.reset();
    EXPECT_FALSE(sidecar().contains("gpu_reading"));
}

TEST_F(Diagnostics, ASidecarRestoresTheSettings) {
    machine_.settings.run.live_fraction = 0.125F;
    machine_.settings.run.a.options[compaction::Option::vector_width] = 2;
    const platform::TemporaryFolder folder;
    const auto file = folder.path() / "sidecar.json";
    std::ofstream(file) << capture::describe_run(machine_.snapshot, machine_.settings).dump();
    const Settings back = sidecar_settings(file);
    EXPECT_EQ(back.run.live_fraction, 0.125F);
    EXPECT_EQ(back.run.a.options, machine_.settings.run.a.options);
    EXPECT_EQ(back.run.slots, machine_.snapshot.stream.slots);
    EXPECT_EQ(back.run.a.algorithm, machine_.snapshot.runs.a.algorithm->id);
    for (const char* text : {"", "{}", "[1]", R"({"settings": {"slots": -1}})"}) {
        std::ofstream(file) << text;
        EXPECT_THROW(sidecar_settings(file), compaction::Error) << text;
    }
    EXPECT_THROW(sidecar_settings(file.string() + " that is not there"), compaction::Error);
}

TEST_F(Diagnostics, APictureCarriesItsSettings) {
    machine_.settings.run.live_fraction = 0.125F;
    machine_.snapshot.machine.device.name = "Zürich \"1\"";
    const auto sidecar = capture::describe_run(machine_.snapshot, machine_.settings);
    const capture::Image image{7, 5, std::vector<std::uint8_t>(7 * 5 * 3, 200)};
    const std::string bytes = capture::encode_png(image, capture::text_of_sidecar(sidecar));
    const platform::TemporaryFolder folder;
    const auto file = folder.path() / "carries.png";
    const auto write = [&](const std::string& text) { std::ofstream(file, std::ios::binary) << text; };
    write(bytes);
    EXPECT_EQ(read_sidecar(file), sidecar);
    EXPECT_EQ(sidecar_settings(file).run.live_fraction, 0.125F);
    write(capture::encode_png(image));
    EXPECT_THROW(sidecar_settings(file), compaction::Error) << "a picture without settings";
    for (std::size_t length = 0; length < bytes.size(); length += 7) {
        write(bytes.substr(0, length));
        try {
            sidecar_settings(file);  // the settings stand before the pixels
        } catch (const compaction::Error&) {
        }
        std::string damaged = bytes;
        damaged[length] = static_cast<char>(damaged[length] ^ 0x55);
        write(damaged);
        try {
            sidecar_settings(file);
        } catch (const compaction::Error&) {
        }
    }
}

TEST_F(Diagnostics, ADroppedCaptureLoadsItsSettings) {
    Settings settings;
    settings.run.engine = compaction::EngineId::cpu;
    settings.run.live_fraction = 0.125F;
    settings.run.a.algorithm = "cpu_loop";
    const nlohmann::json sidecar{{"settings", settings_to_json(settings)}};
    const platform::TemporaryFolder temporary;
    const std::filesystem::path& folder = temporary.path();
    std::ofstream(folder / "drop.json") << sidecar.dump();
    std::ofstream(folder / "drop.png", std::ios::binary)
        << capture::encode_png({1, 1, {1, 2, 3}}, capture::text_of_sidecar(sidecar));
    std::vector<std::string> said;
    const auto notify = [&](Severity, const std::string& text) { said.push_back(text); };
    for (const char* name : {"drop.json", "drop.png"}) {
        Settings present;
        present.window.tab = "timeline";
        EXPECT_TRUE(capture::open_capture(folder / name, present, notify));
        EXPECT_EQ(present.run.live_fraction, 0.125F);
        EXPECT_EQ(present.run.a.algorithm, "cpu_loop");
        EXPECT_EQ(present.window.tab, "timeline");
        ASSERT_EQ(said.back(), "Loaded the settings of " + std::string(name) + ". Ctrl+Z takes them back.");
    }
    Settings present;
    EXPECT_FALSE(capture::open_capture(folder / "run.csv", present, notify)) << "a ghost";
}

TEST_F(Diagnostics, AReplayComparesItsFigures) {
    const platform::TemporaryFolder folder;
    const auto file = folder.path() / "recorded.json";
    total() = {.median = 10, .q1 = 9.9, .q3 = 10.1, .min = 9, .max = 11, .n = 60, .left_out = 0};
    std::ofstream(file) << capture::describe_run(machine_.snapshot, machine_.settings).dump();
    const RecordedFigures recorded = capture::recorded_figures(file);
    total() = {.median = 15, .q1 = 14.9, .q3 = 15.1, .min = 14, .max = 16, .n = 60, .left_out = 0};
    const std::string table = capture::replay_table(recorded, machine_.snapshot).text();
    EXPECT_NE(table.find("recorded on " + machine_.snapshot.machine.device.name), std::string::npos) << table;
    EXPECT_NE(table.find("1.50 × longer"), std::string::npos) << table;
    EXPECT_NE(table.find("10.00"), std::string::npos) << table;
    EXPECT_NE(table.find("no significant difference"), std::string::npos) << table;
}

TEST_F(Diagnostics, AReplayComparesTheKeptItemsOfOneMoment) {
    const platform::TemporaryFolder folder;
    const auto file = folder.path() / "recorded.json";
    Figures figures = *machine_.snapshot.figures;
    const auto show = [&](std::uint64_t num_kept, std::optional<double> at_s) {
        figures.a.num_kept = num_kept;
        figures.kept_at_s = at_s;
        machine_.snapshot.figures = std::make_shared<const Figures>(figures);
    };
    const auto verdict = [&] {
        const std::string table =
            capture::replay_table(capture::recorded_figures(file), machine_.snapshot).text();
        const std::string row = table.substr(table.rfind("kept "));
        return row.substr(row.rfind("  ") + 2);
    };
    show(100, 1.5);
    std::ofstream(file) << capture::describe_run(machine_.snapshot, machine_.settings).dump();
    EXPECT_EQ(verdict(), "same\n");
    show(101, 1.5);
    EXPECT_EQ(verdict(), "different\n");
    show(101, 1.6);
    EXPECT_EQ(verdict(), "at another time of the scene\n");
    show(101, std::nullopt);
    EXPECT_EQ(verdict(), "at another time of the scene\n");
    std::ofstream(file) << capture::describe_run(machine_.snapshot, machine_.settings).dump();
    show(100, std::nullopt);
    EXPECT_EQ(verdict(), "at another time of the scene\n") << "neither time is known";
}

TEST_F(Diagnostics, AReplayRefusesFiguresThatNoMeasurementGives) {
    const platform::TemporaryFolder folder;
    const auto file = folder.path() / "recorded.json";
    total() = {.median = 10, .q1 = 9.9, .q3 = 10.1, .min = 9, .max = 11, .n = 60, .left_out = 0};
    const auto recorded = capture::describe_run(machine_.snapshot, machine_.settings);
    const auto refusal = [&](const char* key, const nlohmann::json& value) -> std::string {
        auto changed = recorded;
        changed["timings_us"]["total"][key] = value;
        std::ofstream(file) << changed.dump();
        try {
            capture::recorded_figures(file);
        } catch (const compaction::Error& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(refusal("median", 10), "accepted");
    for (const auto& [key, value, why] : std::vector<std::tuple<const char*, nlohmann::json, const char*>>{
             {"median", 20, "quartiles are out of order"},
             {"median", nullptr, "\"median\" is not a number"},
             {"q1", 10.05, "quartiles are out of order"},
             {"min", -1, "a time is negative"},
             {"n", -1, "\"n\" is not a count"},
             {"n", 1.5, "\"n\" is not a count"}}) {
        const std::string said = refusal(key, value);
        EXPECT_NE(said.find("recorded.json cannot be replayed: timings_us.total: "), std::string::npos)
            << said;
        EXPECT_NE(said.find(why), std::string::npos) << said;
    }
}

TEST(Thumbnails, AreAveragedWithTheAspectRatioOfThePicture) {
    capture::Image image{4, 2, {}};
    for (const std::uint8_t grey : std::vector<std::uint8_t>{0, 100, 200, 200, 100, 0, 200, 200})
        image.rgb.insert(image.rgb.end(), 3, grey);
    const std::string bytes = capture::encode_png(image);
    const auto decoded = capture::decode_png(bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->rgb, image.rgb);
    const capture::Image small = capture::fit_into(*decoded, {2, 90});
    EXPECT_EQ(small.width, 2);
    EXPECT_EQ(small.height, 1);
    EXPECT_EQ(small.rgb, (std::vector<std::uint8_t>{50, 50, 50, 200, 200, 200}));
    EXPECT_FALSE(capture::decode_png(bytes.substr(0, bytes.size() / 2)));
    EXPECT_FALSE(capture::decode_png("{}"));
}

}  // namespace
}  // namespace warpsieve
