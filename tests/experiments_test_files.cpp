#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compaction/error.hpp"
#include "experiments/baseline.hpp"
#include "experiments/csv.hpp"
#include "experiments/export.hpp"
#include "experiments/format/text.hpp"
#include "experiments/process_results.hpp"
#include "experiments/result_file.hpp"
#include "experiments/setting.hpp"
#include "experiments/table.hpp"
#include "tests/support/errors.hpp"

namespace {

using namespace experiments;
using compaction::Error;
using compaction::Option;
using testing_support::says;

const Machine machine{.engine = "cpu",
                      .device = "Fake, \"fast\" processor",
                      .driver = "none",
                      .memory_bytes = 1 << 30,
                      .cache_bytes = 1 << 20,
                      .max_clock_hz = 2e9,
                      .version = "0.1",
                      .commit = "abc",
                      .command = "warpsieve bench --n '2^10'",
                      .date = "2026-01-01T00:00:00Z"};

Result result_of(const char* id, std::uint64_t num_items, float us) {
    Result result;
    result.setting.algorithm = &compaction::find_algorithm(id);
    result.setting.stream.num_items = num_items;
    // In an order in which none resembles the one before.
    for (const int i : {0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5})
        result.samples_us.push_back(us * (1 + 0.001F * static_cast<float>(i)));
    result.us = summarise(result.samples_us);
    result.median_interval_us = median_interval(result.samples_us);
    result.useful_gb_s = 12.345;
    result.share_of_copy = 0.5;
    result.share_of_floor = 0.75;
    return result;
}

Measurement fake_measurement(double scale = 1) {
    Measurement measurement;
    const auto us = [scale](double base) { return static_cast<float>(scale * base); };
    measurement.results = {result_of("cpu_loop", 1024, us(10)), result_of("cpu_sequence_wise", 1024, us(5)),
                           result_of("cpu_sequence_wise", 4096, us(1234.5))};
    measurement.results[1].setting.options[Option::vector_width] = 4;
    for (const std::uint64_t n : {1024, 4096}) {
        CopyResult copy;
        copy.stream.num_items = n;
        copy.us = measurement.results[0].us;
        copy.median_interval_us = measurement.results[0].median_interval_us;
        copy.gb_s = 100;
        measurement.copies.push_back(copy);
    }
    return measurement;
}

Report report_of(const Measurement& measurement, const Baseline* baseline = nullptr) {
    return {machine, measurement, baseline};
}

std::string refusal_of(const std::function<void()>& work) {
    return testing_support::error_of(compaction::ErrorCode::invalid_argument, work);
}

TEST(Export, ComesBackAsABaselineInBothFormats) {
    const Measurement measurement = fake_measurement();
    for (const std::string& text : {to_csv(report_of(measurement)), to_json(report_of(measurement))}) {
        const Baseline baseline = Baseline::parse(text, "before");
        EXPECT_EQ(baseline.size(), measurement.results.size() + measurement.copies.size());
        EXPECT_EQ(baseline.num_processes(), 1U);
        EXPECT_EQ(baseline.device(), machine.device);
        EXPECT_EQ(baseline.engine(), machine.engine);
        EXPECT_EQ(baseline.version(), machine.version);
        for (const Result& result : measurement.results) {
            const Baseline::Entry* entry = baseline.find(result.setting);
            ASSERT_NE(entry, nullptr) << describe(result.setting);
            ASSERT_EQ(entry->medians_us.size(), 1U);
            EXPECT_NEAR(entry->medians_us[0], result.us.median, 1e-6 * result.us.median);
            EXPECT_NEAR(entry->median_interval_us.low, result.median_interval_us.low,
                        1e-6 * result.us.median);
            EXPECT_NEAR(entry->median_interval_us.coverage, result.median_interval_us.coverage, 1e-6);
            EXPECT_EQ(baseline.differs(result), false);
        }
    }
}

TEST(Export, CsvSaysWhereItComesFrom) {
    Measurement measurement = fake_measurement();
    measurement.results[0].first_error = "kept 3 items, the reference keeps 4; at once";
    measurement.skipped.push_back({measurement.results[1].setting, "It is too large."});
    measurement.interrupted = true;
    const CsvText csv = split_csv(to_csv(report_of(measurement)));
    EXPECT_TRUE(csv.complete());
    EXPECT_EQ(csv.comment("device"), machine.device);
    EXPECT_EQ(csv.comment("command"), machine.command);
    EXPECT_EQ(csv.comment("commit"), machine.commit);
    EXPECT_EQ(csv.comment("date"), machine.date);
    EXPECT_TRUE(says(csv.comment("not measured"), "It is too large."));
    EXPECT_FALSE(csv.comment("interrupted").empty());
    ASSERT_EQ(csv.rows.size(), 5U);
    for (const auto& row : csv.rows) EXPECT_EQ(row.size(), csv.columns.size());
    const auto cell = [&](std::size_t row, const char* column) {
        const auto at = std::ranges::find(csv.columns, column) - csv.columns.begin();
        return csv.rows[row].at(static_cast<std::size_t>(at));
    };
    EXPECT_EQ(cell(0, "algorithm"), "copy");
    EXPECT_EQ(cell(2, "median_us"), "") << "a wrong result has no figures";
    EXPECT_EQ(cell(2, "wrong"), measurement.results[0].first_error);
    EXPECT_EQ(cell(3, "vector-width"), "quad");
    EXPECT_EQ(cell(4, "vector-width"), "automatic");
    EXPECT_EQ(cell(4, "median_us"), "1234.500");
    EXPECT_EQ(cell(4, "samples"), "11");
}

TEST(Export, JsonHasEverySample) {
    const Measurement measurement = fake_measurement();
    const nlohmann::json document = nlohmann::json::parse(to_json(report_of(measurement)));
    EXPECT_EQ(document.at("machine").at("device"), machine.device);
    EXPECT_EQ(document.at("results").at(2).at("samples_us").get<std::vector<float>>(),
              measurement.results[2].samples_us);
    EXPECT_EQ(document.at("results").at(1).at("setting").at("vector-width"), "quad");
    EXPECT_FALSE(document.at("interrupted").get<bool>());
}

TEST(Baseline, OfOneProcessTellsOfTwoRunsOnly) {
    const Baseline baseline = Baseline::parse(to_json(report_of(fake_measurement())), "before");
    const Measurement slower = fake_measurement(1.1);
    const Measurement faster = fake_measurement(0.5);
    EXPECT_EQ(baseline.differs(slower.results[0]), true);
    EXPECT_EQ(baseline.differs(fake_measurement(1.003).results[0]), false) << "the intervals overlap";
    EXPECT_EQ(baseline.difference_in_words(slower.results[0]),
              "differs between these two runs: 1.10 (1.09 to 1.11) times 10.0 µs");
    EXPECT_EQ(baseline.difference_in_words(faster.results[2]),
              "differs between these two runs: 0.500 (0.496 to 0.504) times 1230 µs");
    EXPECT_EQ(baseline.difference_in_words(fake_measurement().results[0]),
              "no difference found between these two runs");
    EXPECT_TRUE(says(to_terminal(results_table(report_of(slower, &baseline)), false).text(),
                     "differs between these two runs: 1.10 (1.09 to 1.11) times 10.0 µs"));
    Result unknown = slower.results[0];
    unknown.setting.stream.num_items = 77;
    EXPECT_EQ(baseline.difference_in_words(unknown), "");
    Result doubtful = slower.results[0];
    doubtful.median_interval_us.coverage = 0.9;
    EXPECT_EQ(baseline.differs(doubtful), std::nullopt) << "too few independent samples";
}

/// Another seed makes another stream: its difference is none of the program.
TEST(Baseline, LooksAtEveryFieldOfASetting) {
    const Measurement measurement = fake_measurement();
    const Baseline baseline = Baseline::parse(to_csv(report_of(measurement)), "before");
    Setting setting = measurement.results[0].setting;
    EXPECT_NE(baseline.find(setting), nullptr);
    setting.stream.seed = 77;
    EXPECT_EQ(baseline.find(setting), nullptr);
    setting = measurement.results[0].setting;
    setting.stream.keep_fraction = 0.4;
    EXPECT_EQ(baseline.find(setting), nullptr);
    setting = measurement.results[1].setting;
    setting.options[Option::vector_width] = 2;
    EXPECT_EQ(baseline.find(setting), nullptr);
    setting = measurement.results[0].setting;
    setting.stream.cache = Cache::hot;
    EXPECT_EQ(baseline.find(setting), nullptr);
}

TEST(Baseline, RefusesASettingThatIsThereTwice) {
    Measurement measurement = fake_measurement();
    measurement.results.push_back(measurement.results[0]);
    const auto refusal = [&](const std::string& text) {
        return refusal_of([&] { Baseline::parse(text, "file"); });
    };
    EXPECT_TRUE(says(refusal(to_csv(report_of(measurement))),
                     "line 18 repeats a setting: cpu_loop, n = 2^10, random, 0.5 kept"));
    EXPECT_TRUE(says(refusal(to_json(report_of(measurement))), "results[3] repeats a setting: cpu_loop"));
    measurement.results.back().setting.stream.seed = 2;
    EXPECT_EQ(Baseline::parse(to_csv(report_of(measurement)), "file").size(), 6U)
        << "another seed, another setting";
}

/// The CSV with another text in a column of its first result that is no copy.
std::string with_cell(const std::string& csv, const std::string& column, const std::string& text) {
    const CsvText parsed = split_csv(csv);
    const auto index = std::ranges::find(parsed.columns, column) - parsed.columns.begin();
    const std::size_t begin = csv.find("\ncpu_loop,") + 1;
    std::size_t cell = begin;
    for (auto i = index; i > 0; --i) cell = csv.find(',', cell) + 1;
    return std::string(csv).replace(cell, csv.find_first_of(",\n", cell) - cell, text);
}

TEST(Baseline, RefusesFiguresThatNoMeasurementGives) {
    const std::string csv = to_csv(report_of(fake_measurement()));
    struct Planted {
        const char* column;
        const char* text;
        const char* said;
    };
    for (const Planted& fault : {Planted{"median_us", "nan", "is not a time"},
                                 {"copy_us", "-1", "copy_us is negative"},
                                 {"floor_us", "nan", "floor_us is negative or not finite"},
                                 {"throttled", "1000", "1000 of"},
                                 {"kept", "-1", "has '-1' for kept"},
                                 {"n", "01024", "has '01024' for n"},
                                 {"n", "-1024", "has '-1024' for n"},
                                 {"density", "0.50", "has '0.50' for density"},
                                 {"density", "2", "has '2' for density"},
                                 {"median_us", "-10", "is not a time"},
                                 {"median_us", "inf", "is not a time"},
                                 {"median_us", "20", "quartiles are out of order"},
                                 {"q1_us", "11", "quartiles are out of order"},
                                 {"q3_us", "inf", "not finite"},
                                 {"max_us", "1", "quartiles are out of order"},
                                 {"min_us", "-1", "a time is negative"},
                                 {"samples", "0", "no samples"},
                                 {"samples", "-3", "has '-3' for samples"},
                                 {"median_low_us", "10.5", "does not contain its figure"},
                                 {"median_high_us", "9", "does not contain its figure"},
                                 {"median_high_us", "nan", "not finite"},
                                 {"median_low_us", "-1", "a time is negative"},
                                 {"coverage", "1.5", "coverage is not from 0 to 1"},
                                 {"coverage", "nan", "coverage is not from 0 to 1"},
                                 {"coverage", "", "has '' for coverage"},
                                 {"throttled", "0.5", "has '0.5' for throttled"}}) {
        const std::string text = with_cell(csv, fault.column, fault.text);
        const std::string said = refusal_of([&] { Baseline::parse(text, "old.csv"); });
        EXPECT_TRUE(says(said, "old.csv") && says(said, "line 15") && says(said, fault.said))
            << fault.column << " " << fault.text << ": " << said;
    }
    for (const char* const column : {"median_us", "q1_us", "coverage", "throttled", "wrong"}) {
        std::string text = csv;
        text.replace(text.find(std::string(",") + column), std::string(column).size() + 1, ",other");
        EXPECT_TRUE(says(refusal_of([&] { Baseline::parse(text, "old.csv"); }),
                         std::string("the column ") + column + " is missing"));
    }
    std::string twice = csv;
    twice.replace(twice.find(",q1_us"), 6, ",median_us");
    EXPECT_TRUE(says(refusal_of([&] { Baseline::parse(twice, "old.csv"); }), "median_us appears twice"));
}

TEST(Baseline, RefusesSuchFiguresInJsonToo) {
    const auto refusal = [](const std::function<void(nlohmann::json&)>& change) {
        nlohmann::json document = nlohmann::json::parse(to_json(report_of(fake_measurement())));
        change(document.at("results").at(1));
        return refusal_of([&] { Baseline::parse(document.dump(), "old.json"); });
    };
    const auto names = [](const std::string& said, const char* why) {
        return says(said, "old.json") && says(said, "results[1]") && says(said, why);
    };
    EXPECT_TRUE(names(refusal([](auto& result) { result["median_us"] = -1; }), "two different medians"));
    EXPECT_TRUE(names(refusal([](auto& result) { result["summary_us"]["median"] = true; }), "has 'true'"));
    EXPECT_TRUE(names(refusal([](auto& result) { result["summary_us"]["q1"] = 99; }), "out of order"));
    EXPECT_TRUE(
        names(refusal([](auto& result) { result["median_interval_us"]["coverage"] = 2; }), "coverage"));
    EXPECT_TRUE(names(refusal([](auto& result) { result["throttled"] = -1; }), "throttled"));
    EXPECT_TRUE(
        names(refusal([](auto& result) { result["median_us"] = nullptr; }), "has 'null' for median_us"));
    EXPECT_TRUE(names(refusal([](auto& result) { result.erase("summary_us"); }), "summary_us"));
    std::string twice = to_json(report_of(fake_measurement()));
    twice.insert(twice.find("\"median_us\""), "\"median_us\": 1, ");
    EXPECT_TRUE(says(refusal_of([&] { Baseline::parse(twice, "old.json"); }), "'median_us' appears twice"));
}

TEST(Baseline, AWrongResultIsNoBaselineAndHasNoVerdict) {
    Measurement measurement = fake_measurement();
    const Baseline good = Baseline::parse(to_csv(report_of(measurement)), "before");
    measurement.results[0].first_error = "all of it";
    EXPECT_EQ(good.differs(measurement.results[0]), std::nullopt);
    for (const std::string& text : {to_csv(report_of(measurement)), to_json(report_of(measurement))})
        EXPECT_EQ(Baseline::parse(text, "before").find(measurement.results[0].setting), nullptr);
}

TEST(Baseline, SaysWhyAnotherMachineIsNotJudged) {
    const Baseline baseline = Baseline::parse(to_csv(report_of(fake_measurement())), "before");
    EXPECT_EQ(why_not_judged(baseline, machine.device, "cpu", "0.1"), "");
    EXPECT_EQ(why_not_judged(baseline, "Another one", "cpu", "0.1"),
              "measured on Fake, \"fast\" processor, and this run on Another one");
    EXPECT_EQ(why_not_judged(baseline, machine.device, "cuda", "0.1"),
              "measured with the engine cpu, and this run with the engine cuda");
    EXPECT_EQ(why_not_judged(baseline, machine.device, "cpu", "0.2"),
              "measured by version 0.1, and this run by version 0.2");
}

/// Six processes a side, whose times differ by up to half a percent.
std::vector<ProcessCsv> processes_of(Program program, double scale) {
    std::vector<ProcessCsv> processes;
    for (std::size_t process = 1; process <= 6; ++process) {
        const double noise = 1 + 0.002 * (static_cast<double>(process) - 3.5);
        processes.push_back({program, process, to_csv(report_of(fake_measurement(scale * noise)))});
    }
    return processes;
}

TEST(ProcessResults, ComeBackFromOneFileWithTheirVerdicts) {
    std::vector<ProcessCsv> processes = processes_of(Program::other, 1);
    for (const ProcessCsv& process : processes_of(Program::writer, 1.1)) processes.push_back(process);
    const std::string unjudged = merge_csv(processes, "warpsieve bench", false, {});
    const Baseline now = Baseline::parse(unjudged, "file");
    const Baseline other = Baseline::parse(unjudged, "file", Program::other);
    EXPECT_EQ(now.num_processes(), 6U);
    EXPECT_EQ(other.num_processes(), 6U);
    const ProcessResults results = compare_results(now, &other, true, 0.03);
    ASSERT_EQ(results.settings.size(), 3U);
    for (const ComparedSetting& setting : results.settings) {
        EXPECT_EQ(setting.verdict(), Verdict::slower);
        EXPECT_TRUE(results.regressed(setting));
        EXPECT_NEAR(setting.comparison.ratio, 1.1, 1e-5);
    }
    const CsvText csv = split_csv(merge_csv(processes, "warpsieve bench --processes 6", true, results));
    EXPECT_TRUE(csv.complete());
    EXPECT_EQ(csv.comment("command"), "warpsieve bench --processes 6");
    EXPECT_EQ(csv.comment("device"), machine.device);
    EXPECT_FALSE(csv.comment("interrupted").empty());
    EXPECT_EQ(csv.rows.size(), 2 * 6 * 5U);
    EXPECT_EQ(csv.columns[csv.columns.size() - 2], "process");
    EXPECT_EQ(csv.columns.back(), "program");
    const auto verdict = std::ranges::find(csv.columns, "verdict") - csv.columns.begin();
    for (const auto& row : csv.rows)
        EXPECT_EQ(row[static_cast<std::size_t>(verdict)],
                  row.back() == "this" && row[0] != "copy" ? "slower" : "");
    const std::string table = to_terminal(results_table(results, "Fake"), false).text();
    EXPECT_TRUE(says(table, "slower") && says(table, "1.100") && says(table, "processes to find 3.0 %"))
        << table;
}

TEST(ProcessResults, OfAnotherVersionDoNotFailARun) {
    std::vector<ProcessCsv> processes = processes_of(Program::writer, 1);
    const Baseline other = Baseline::parse(merge_csv(processes, "", false, {}), "file");
    for (ProcessCsv& process : processes = processes_of(Program::writer, 1.1))
        process.text.replace(process.text.find("version: 0.1"), 12, "version: 0.2");
    const Baseline now = Baseline::parse(merge_csv(processes, "", false, {}), "file");
    const ProcessResults results = compare_results(now, &other, false, 0.03);
    EXPECT_EQ(results.settings[0].verdict(), Verdict::slower);
    EXPECT_FALSE(results.regressed(results.settings[0]));
    std::string remarks;
    for (const std::string& remark : comparison_remarks(results)) remarks += remark + '\n';
    EXPECT_TRUE(says(remarks, "Not interleaved")) << remarks;
    EXPECT_TRUE(says(remarks, "No regression is judged: the other results were measured by version 0.1"))
        << remarks;
}

TEST(ProcessResults, AThrottledSettingIsNotJudged) {
    const Baseline other =
        Baseline::parse(merge_csv(processes_of(Program::writer, 1), "", false, {}), "file");
    std::vector<ProcessCsv> processes = processes_of(Program::writer, 1.1);
    Measurement throttled = fake_measurement(1.1);
    throttled.results[0].throttled = 2;
    processes[3].text = to_csv(report_of(throttled));
    const Baseline now = Baseline::parse(merge_csv(processes, "", false, {}), "file");
    const ProcessResults results = compare_results(now, &other, true, 0.03);
    EXPECT_EQ(results.settings[0].verdict(), Verdict::cannot_tell);
    EXPECT_FALSE(results.regressed(results.settings[0]));
    EXPECT_EQ(results.settings[1].verdict(), Verdict::slower);
    EXPECT_TRUE(says(to_terminal(results_table(results, "Fake"), false).text(), "cannot tell: throttled"));
}

TEST(ProcessResults, AloneShowTheirSpread) {
    const Baseline now = Baseline::parse(merge_csv(processes_of(Program::writer, 1), "", false, {}), "file");
    const ProcessResults results = compare_results(now, nullptr, false, {});
    const std::string table = to_terminal(results_table(results, "Fake"), false).text();
    EXPECT_TRUE(says(table, "processes differ by %") && says(table, "0.37")) << table;
    EXPECT_FALSE(says(table, "verdict")) << table;
}

/// A truncated file is refused, whatever its length.
TEST(Baseline, RefusesEveryTruncation) {
    const Measurement measurement = fake_measurement();
    for (const std::string& whole : {to_csv(report_of(measurement)), to_json(report_of(measurement))}) {
        for (std::size_t length = 0; length + 2 < whole.size(); length += 7) {
            const std::string sentence =
                refusal_of([&] { Baseline::parse(std::string_view(whole).substr(0, length), "half.file"); });
            EXPECT_TRUE(says(sentence, "the baseline half.file cannot be used"))
                << length << ": " << sentence;
        }
    }
}

TEST(Baseline, SaysWhatIsWrongWithAForeignFile) {
    const auto sentence = [](const std::string& text) {
        return refusal_of([&] { Baseline::parse(text, "file"); });
    };
    EXPECT_TRUE(says(sentence(""), "it is empty"));
    EXPECT_TRUE(says(sentence("frame,algorithm\n1,2\n"), "neither of the two formats"));
    EXPECT_TRUE(says(sentence("{}"), "JSON in another format"));
    EXPECT_TRUE(says(sentence("{\"format\": \"warpsieve-bench\", \"version\": 9}"), "version 9"));
    EXPECT_TRUE(says(sentence("{\"format\": 3}"), "cannot be used"));
    EXPECT_TRUE(says(sentence("{\"format\": \"warpsieve-bench\", \"version\": 1}"),
                     "wrong type (key 'machine' not found)"));
    std::string csv = to_csv(report_of(fake_measurement()));
    const std::size_t at = csv.find("1234.5");
    csv.replace(at, 6, "lots  ");
    EXPECT_TRUE(says(sentence(csv), "has 'lots  00' for median_us")) << sentence(csv);
    EXPECT_TRUE(says(refusal_of([] { Baseline::read("/no/such/file"); }), "/no/such/file cannot be read"));
    EXPECT_TRUE(says(refusal_of([] { Baseline::read("/"); }), "cannot be read"));
}

TEST(Csv, QuotesWhatNeedsIt) {
    for (const char* const text : {"plain", "a,b", "say \"so\"", "\"", ",", ""}) {
        const CsvText csv = split_csv("a,b\n" + csv_cell(text) + ",2\n");
        ASSERT_EQ(csv.rows.size(), 1U);
        EXPECT_EQ(csv.rows[0], (std::vector<std::string>{text, "2"}));
    }
    EXPECT_EQ(csv_cell("two\nlines"), "two lines");
}

TEST(Table, AlignsFiguresAtTheDecimalPointAndShowsWhatVaries) {
    Measurement measurement = fake_measurement();
    measurement.results[0].first_error = "kept 3 items, the reference keeps 4";
    const Baseline baseline = Baseline::parse(to_json(report_of(fake_measurement(1.2))), "before");
    const Table table = results_table(report_of(measurement, &baseline));
    EXPECT_TRUE(says(table.caption, "pattern = random, density = 0.5"));
    std::istringstream text(to_terminal(table, false).text());
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 7U);
    EXPECT_EQ(lines[1].substr(0, 9), "algorithm");
    EXPECT_TRUE(says(lines[1], "vector-width")) << lines[1];
    EXPECT_FALSE(says(lines[1], "density")) << lines[1];
    EXPECT_TRUE(says(lines[3], "WRONG: kept 3 items")) << lines[3];
    EXPECT_FALSE(says(lines[3], "12.3")) << lines[3];
    EXPECT_TRUE(says(lines[4], "2^10") && says(lines[4], "quad") && says(lines[4], "differs")) << lines[4];
    // 5.00 and 1230 align at the decimal point.
    const std::size_t point = lines[4].find("5.00") + 1;
    EXPECT_EQ(lines[6].find("1230") + 4, point) << lines[4] << '\n' << lines[6];
    EXPECT_TRUE(says(to_terminal(table, true).text(), "\033[1;31mWRONG"));
    EXPECT_TRUE(says(to_markdown(table), "| **WRONG: kept 3 items, the reference keeps 4** |"));
}

TEST(JsonText, IsLimited) {
    const auto nested = [](std::size_t levels) {
        return std::string(levels, '[') + std::string(levels, ']');
    };
    const auto problem = [](const std::string& text) -> std::string {
        try {
            parse_json(text);
            return {};
        } catch (const Error& error) {
            return error.what();
        }
    };
    EXPECT_EQ(problem(nested(64)), "");
    EXPECT_EQ(problem(nested(65)), "it is nested more than 64 levels deep");
    EXPECT_EQ(problem(std::string(100'000, '[')), "it is nested more than 64 levels deep");
    EXPECT_EQ(problem("\"" + std::string(17 << 20, 'a') + "\""),
              "it has 17 MiB, more than the 16 MiB of JSON that are read");
    EXPECT_EQ(problem("{\"a\": "), "it is cut off after 6 bytes");
    EXPECT_EQ(problem("{\"a\" 5}"), "its JSON is broken at byte 6");
    EXPECT_EQ(problem("1e999"), "a number in it is out of range");
}

TEST(JsonText, ABaselineIsARegularFileWithinTheLimits) {
    const std::string deep = "{\"a\":" + std::string(100'000, '[');
    EXPECT_TRUE(says(refusal_of([&] { Baseline::parse(deep, "deep.json"); }), "64 levels"));
    EXPECT_THROW(Baseline::read("/dev/zero"), Error);
}

TEST(CommandText, CanBeTypedAgain) {
    const char* const arguments[] = {"bench", "--n", "2^10..2^12:2", "--csv", "my file", "it's", ""};
    EXPECT_EQ(command_text(7, arguments), "bench --n 2^10..2^12:2 --csv 'my file' 'it'\\''s' ''");
}

TEST(CommandText, StaysOnOneLine) {
    const char* const arguments[] = {"bench", "--csv", "a\nb'c\\\x1b"};
    EXPECT_EQ(command_text(3, arguments), "bench --csv $'a\\012b\\047c\\134\\033'");
}

TEST(Printable, ReplacesWhatActsInsteadOfBeingShown) {
    EXPECT_EQ(format::printable("a\x1b[31m\x7f\r\n\a\xc2\x9b Zürich µs × 日本 \U0001F600"),
              "a?[31m????? Zürich µs × 日本 \U0001F600");
    EXPECT_EQ(format::printable("a\u202eb\u2066c\u200bd\ufeffe\u2028f\u00adg\U000e0041h\u061ci"),
              "a?b?c?d?e?f?g?h?i")
        << "marks of direction, without width, a separator, a tag";
    EXPECT_EQ(format::printable("a\u0605b\u06ddc\u070fd\u0891e\u08e2f\U000110bdg\U000110cdh\U00013430i"),
              "a?b?c?d?e?f?g?h?i")
        << "format characters of Arabic, Syriac, Kaithi and Egyptian";
    for (const char* const no_utf8 : {"\xff", "\x9b", "\xc3", "\xc0\x9b", "\xe0\x82\x9b", "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80", "\xe2\x80"}) {
        const std::string text = format::printable(no_utf8);
        EXPECT_EQ(text, std::string(std::string_view(no_utf8).size(), '?'));
    }
    EXPECT_EQ(format::printable("\xe2\x80"
                                "a"),
              "??a");
}

TEST(DidYouMean, FindsTheNearestWord) {
    const std::string list = "particles, slot_map, lens, timeline, labs or race";
    EXPECT_EQ(format::did_you_mean("lenz", list), " Did you mean lens?");
    EXPECT_EQ(format::did_you_mean("paricles", list), " Did you mean particles?");
    EXPECT_EQ(format::did_you_mean("rcae", list), " Did you mean race?") << "swapped";
    EXPECT_EQ(format::did_you_mean("sequence_wise", "cpu_loop, cpu_sequence_wise"),
              " Did you mean cpu_sequence_wise?");
    EXPECT_EQ(format::did_you_mean("--densty", "--pattern, --density, "), " Did you mean --density?");
    for (const char* const other : {"", "chessboard", "or", "33", "-1", "x", "tw", "text"})
        EXPECT_EQ(format::did_you_mean(other, list + ", 32 to 1024, a text of up to 255 bytes"), "") << other;
    EXPECT_EQ(format::did_you_mean(std::string(100'000, 'a'), list), "");
}

/// A device name must not forge a row, nor a message.
TEST(TerminalText, ALineStaysOneLine) {
    Table table{.caption = "on GPU\nwarpsieve: done", .columns = {{"device"}, {"us", true}}, .rows = {}};
    table.rows.push_back({{"a\u202e\r\nb", "1.5"}, {}});
    table.rows.push_back({{"ordinary", "12.25"}, "WRONG:\x1b[2J\nfine"});
    EXPECT_EQ(to_terminal(table, true).text(),
              "on GPU?warpsieve: done\n"
              "device       us\n"
              "a???b      1.5\n"
              "ordinary  12.25  \033[1;31mWRONG:?[2J?fine\033[0m\n");
    format::TerminalText help;
    help.add_lines("Usage\n\n  --n\a\nend");
    EXPECT_EQ(help.text(), "Usage\n\n  --n?\nend\n");
}

TEST(ClockAdvice, LocksAClockThatVariedWhereItMattered) {
    Machine gpu = machine;
    gpu.engine = "cuda";
    Measurement measurement = fake_measurement();
    measurement.lowest_clock_hz = 1.2e9;
    measurement.highest_clock_hz = 1.9e9;
    const auto advice = [&](const Machine& on) { return clock_advice({on, measurement, nullptr}); };
    EXPECT_EQ(advice(gpu), "") << "nothing is throttled or noisy";
    measurement.results[0].throttled = 3;
    EXPECT_FALSE(measurement.results[0].supports_verdict());
    EXPECT_TRUE(measurement.results[1].supports_verdict());
    EXPECT_EQ(advice(gpu),
              "The clock varied from 1.20 to 1.90 GHz, and 1 setting was throttled or noisy. Lock it: sudo "
              "nvidia-smi --lock-gpu-clocks=1500; afterwards: sudo nvidia-smi --reset-gpu-clocks.");
    EXPECT_EQ(advice(machine), "") << "not a GPU of NVIDIA";
    measurement.lowest_clock_hz = 1.895e9;
    EXPECT_EQ(advice(gpu), "") << "locked";
}

}  // namespace
