// The sweep, steps and roofline labs: the settings they measure and the plots of their results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "app/labs/reports.hpp"
#include "app/labs/roofline.hpp"
#include "app/labs/steps.hpp"
#include "app/labs/sweep.hpp"
#include "tests/app/labs/lab_reports.hpp"

namespace {

using namespace warpsieve;
using compaction::EngineId;
using compaction::Operation;
using compaction::Option;
using experiments::Measurement;
using experiments::Result;
using experiments::Setting;
using labs::Job;
using labs::Report;
using labs::SweepAxis;
using labs::SweepMetric;

Job sweep_of(SweepAxis axis, std::vector<std::string> algorithms) {
    Settings settings = cpu_settings();
    settings.labs.sweep.axis = axis;
    settings.labs.sweep.algorithms = std::move(algorithms);
    return labs::sweep_job(settings.run, settings.labs, slots, compaction::catalogue());
}

/// A report with some of its results changed.
template <typename Change>
Report changed(const Report& report, Change change) {
    auto measurement = std::make_shared<Measurement>(*report.measurement);
    change(*measurement);
    Report made = report;
    made.measurement = measurement;
    return made;
}

TEST(SweepJob, MeasuresEveryLengthAndKeepsStreamsTogether) {
    const Job job = sweep_of(SweepAxis::num_items, {"cpu_simd", "cpu_loop", "cub_select"});
    std::set<std::uint64_t> lengths;
    for (std::size_t i = 0; i < job.settings.size(); ++i) {
        const std::uint64_t length = job.settings[i].stream.num_items;
        if (i > 0 && job.settings[i - 1].stream.num_items != length) {
            EXPECT_FALSE(lengths.contains(length));
        }
        lengths.insert(length);
        EXPECT_EQ(job.settings[i].algorithm->engine, EngineId::cpu);
    }
    EXPECT_EQ(*lengths.begin(), 1024U);
    EXPECT_EQ(*lengths.rbegin(), std::uint64_t{1} << 24);
    EXPECT_EQ(job.settings.size(), 2 * lengths.size());
    EXPECT_EQ(job.title, "2 algorithms over length; random, 0.5 kept, 4-byte items, cold");
}

TEST(SweepJob, HasLegalSettingsOnEveryAxis) {
    for (const labs::SweepAxisInfo& info : labs::sweep_axes()) {
        const Job job = sweep_of(info.axis, {"cpu_sequence_wise", "cpu_single_pass", "cpu_loop"});
        if (info.option == Option::blocks) {
            EXPECT_TRUE(job.settings.empty());
            EXPECT_EQ(job.left_out.size(), 3U);
            continue;
        }
        EXPECT_GT(job.settings.size(), 2U) << info.id;
        EXPECT_EQ(job.axis, info.id);
        for (const Setting& setting : job.settings) {
            EXPECT_NO_THROW(validate(*setting.algorithm, setting.options, setting.stream.item_size));
            if (!info.option) continue;
            EXPECT_NE(setting.options[*info.option], compaction::automatic);
        }
    }
}

TEST(SweepJob, SaysWhyAnAlgorithmHasNoPlaceOnAnAxis) {
    const Job job = sweep_of(SweepAxis::sequences, {"cpu_sequence_wise", "cpu_loop"});
    ASSERT_EQ(job.left_out.size(), 1U);
    EXPECT_EQ(job.left_out[0].reason, "Plain loop has no option sequences.");
}

TEST(SweepJob, SpeaksOfThreadsAsItsEngineDoes) {
    const Job job = sweep_of(SweepAxis::threads, {"cpu_sequence_wise"});
    EXPECT_NE(job.title.find("over worker threads;"), std::string::npos) << job.title;
    EXPECT_EQ(labs::plot_sweep(report_of(job), SweepMetric::time).plot.x.title, "worker threads");
    EXPECT_EQ(labs::name_of(SweepAxis::threads, EngineId::cuda), "threads per block");
    for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
        if (algorithm.engine != EngineId::cpu) continue;
        EXPECT_EQ(algorithm.summary.find("threads per block"), std::string::npos) << algorithm.id;
    }
}

TEST(SweepJob, OfDensityUsesAPatternThatHasOne) {
    Settings settings = cpu_settings();
    settings.labs.pattern = workloads::Pattern::full;
    settings.labs.sweep.axis = SweepAxis::keep_fraction;
    const Job job = labs::sweep_job(settings.run, settings.labs, slots, compaction::catalogue());
    ASSERT_FALSE(job.settings.empty());
    for (const Setting& setting : job.settings) {
        EXPECT_TRUE(workloads::info_of(setting.stream.pattern).uses_keep_fraction);
    }
}

TEST(SweepPlot, HasALineAnAlgorithmAndTheCopy) {
    const Report report = report_of(sweep_of(SweepAxis::num_items, {"cpu_simd", "cpu_loop"}));
    const labs::SweepPlot made = labs::plot_sweep(report, SweepMetric::time);
    ASSERT_EQ(made.plot.series.size(), 2U);
    EXPECT_EQ(made.plot.series[0].name, "cpu_simd");
    EXPECT_EQ(made.plot.series[1].name, "cpu_loop");
    EXPECT_NE(made.plot.series[0].style, made.plot.series[1].style);
    const auto& points = made.plot.series[0].points;
    ASSERT_EQ(points.size(), 15U);
    EXPECT_EQ(points[0].x, 1024);
    EXPECT_NEAR(points[0].y, 1.024, 1e-4);
    EXPECT_NEAR(points[0].q1, 1.024 * 0.99, 1e-4);
    EXPECT_NEAR(points[0].q3, 1.024 * 1.01, 1e-4);
    EXPECT_EQ(points[0].n, 5U);
    EXPECT_TRUE(made.plot.x.logarithmic && made.plot.y.logarithmic);
    ASSERT_EQ(made.plot.limits.size(), 1U);
    EXPECT_EQ(made.plot.limits[0].points.size(), 15U);
    EXPECT_NEAR(made.plot.limits[0].points[0].y, 0.512, 1e-4);
    for (std::size_t s = 0; s < made.settings.size(); ++s) {
        ASSERT_EQ(made.settings[s].size(), made.plot.series[s].points.size());
        for (std::size_t p = 0; p < made.settings[s].size(); ++p) {
            EXPECT_EQ(static_cast<double>(made.settings[s][p].stream.num_items),
                      made.plot.series[s].points[p].x);
        }
    }
}

TEST(SweepPlot, SaysWhetherTheCopyIsHotOrCold) {
    for (const auto& [cache, title] : {std::pair{experiments::Cache::cold, "% of cold copy bandwidth"},
                                       {experiments::Cache::hot, "% of hot copy bandwidth"}}) {
        Job job = sweep_of(SweepAxis::num_items, {"cpu_loop"});
        for (Setting& setting : job.settings) setting.stream.cache = cache;
        EXPECT_EQ(labs::plot_sweep(report_of(job), SweepMetric::fraction_of_copy).plot.y.title, title);
    }
}

TEST(SweepPlot, LinesHaveStylesByTheirPlaceAmongThoseChosen) {
    // Algorithms that are far apart in the catalogue.
    const Report whole = report_of(sweep_of(SweepAxis::keep_fraction, {"cpu_sequence_wise", "std_copy_if"}));
    const auto styles_of = [](const Report& report) {
        std::map<std::string, std::size_t> styles;
        for (const plots::XySeries& series : labs::plot_sweep(report, SweepMetric::time).plot.series)
            styles[series.name] = series.style;
        return styles;
    };
    const auto styles = styles_of(whole);
    ASSERT_EQ(styles.size(), 2U);
    EXPECT_EQ(styles.at("cpu_sequence_wise") + styles.at("std_copy_if"), 1U) << "0 and 1";
    const Report later = changed(whole, [](Measurement& measurement) {
        for (Result& result : measurement.results) {
            if (result.setting.algorithm->id == "cpu_sequence_wise") result.us = {};
        }
    });
    ASSERT_EQ(styles_of(later).size(), 1U);
    EXPECT_EQ(styles_of(later).at("std_copy_if"), styles.at("std_copy_if")) << "whatever is measured already";
}

TEST(SweepPlot, ShowsSharesAndRates) {
    const Report report = report_of(sweep_of(SweepAxis::keep_fraction, {"cpu_simd"}));
    const auto share = labs::plot_sweep(report, SweepMetric::fraction_of_copy);
    EXPECT_NEAR(share.plot.series[0].points[0].y, 0.5, 1e-6);
    EXPECT_LT(share.plot.series[0].points[0].q1, share.plot.series[0].points[0].q3);
    EXPECT_EQ(share.plot.limits[0].level, 1);
    const auto rate = labs::plot_sweep(report, SweepMetric::items_per_second);
    EXPECT_NEAR(rate.plot.series[0].points[0].y, 1e9, 1e3);
}

TEST(SweepPlot, LeavesOutWhatIsWrongAndSaysSo) {
    const Report whole = report_of(sweep_of(SweepAxis::keep_fraction, {"cpu_simd", "cpu_loop"}));
    const Report report = changed(whole, [](Measurement& measurement) {
        measurement.results[2].first_error = "7 items too few";
        measurement.results[5].us = {};
    });
    const labs::SweepPlot made = labs::plot_sweep(report, SweepMetric::time);
    EXPECT_EQ(made.plot.series[0].points.size() + made.plot.series[1].points.size(), 2 * 11 - 2U);
    const labs::LabRemarks remarks = labs::remarks_on(report);
    ASSERT_EQ(remarks.wrong.size(), 1U);
    EXPECT_NE(remarks.wrong[0].find("7 items too few"), std::string::npos);
}

TEST(SweepPlot, MarksWhatIsInteractive) {
    Report report = report_of(sweep_of(SweepAxis::keep_fraction, {"cpu_simd"}));
    report.interactive[3] = true;
    const labs::SweepPlot made = labs::plot_sweep(report, SweepMetric::time);
    EXPECT_TRUE(made.plot.series[0].points[2].note.empty());
    EXPECT_NE(made.plot.series[0].points[3].note.find("interactive"), std::string::npos);
}

TEST(SweepPlot, MarksWhatIsStillBeingMeasured) {
    const Report report =
        changed(report_of(sweep_of(SweepAxis::keep_fraction, {"cpu_simd"})),
                [](Measurement& measurement) { measurement.results.back().settled = false; });
    const labs::SweepPlot made = labs::plot_sweep(report, SweepMetric::time);
    EXPECT_EQ(made.plot.series[0].points.back().note, "still being measured");
    EXPECT_EQ(made.plot.series[0].points.front().note, "");
}

TEST(SweepPlot, IsEmptyBeforeThereIsAResult) {
    const Report report = changed(report_of(sweep_of(SweepAxis::num_items, {"cpu_simd"})),
                                  [](Measurement& measurement) { measurement = {}; });
    const labs::SweepPlot made = labs::plot_sweep(report, SweepMetric::time);
    EXPECT_TRUE(made.plot.series.empty());
    EXPECT_TRUE(made.plot.limits.empty());
    EXPECT_EQ(made.plot.x.shown.high, std::exp2(24));
}

TEST(LoadIntoWindow, TakesWhatTheLiveViewCanShow) {
    const Job job = sweep_of(SweepAxis::sequences, {"cpu_sequence_wise"});
    Settings settings;
    EXPECT_EQ(labs::load_into_window(settings.run, job.settings[3]), "");
    EXPECT_EQ(settings.run.a.algorithm, "cpu_sequence_wise");
    EXPECT_EQ(settings.run.engine, EngineId::cpu);
    EXPECT_EQ(settings.run.a.options, job.settings[3].options);
    EXPECT_EQ(settings.run.slots, slots);
}

TEST(LoadIntoWindow, SaysWhyNot) {
    Settings settings;
    const Settings before = settings;
    Setting setting{&compaction::find_algorithm("cpu_copy"), {}, {.num_items = slots}};
    EXPECT_NE(labs::load_into_window(settings.run, setting).find("step"), std::string::npos);
    setting = {&compaction::find_algorithm("cpu_loop"), {}, {.num_items = 1024}};
    EXPECT_NE(labs::load_into_window(settings.run, setting).find("2¹²"), std::string::npos);
    EXPECT_EQ(settings, before);
}

TEST(StepsJob, MeasuresEveryWidthOfEveryStep) {
    Settings settings = cpu_settings();
    settings.labs.steps = {Operation::count, SweepAxis::threads, SweepMetric::time};
    const Job job = labs::steps_job(settings.run, settings.labs, slots);
    std::set<std::uint32_t> widths;
    for (const Setting& setting : job.settings) {
        EXPECT_EQ(setting.algorithm->operation, Operation::count);
        widths.insert(setting.options[Option::vector_width]);
    }
    EXPECT_EQ(widths, (std::set<std::uint32_t>{1, 2, 4}));
    const labs::SweepPlot made = labs::plot_sweep(report_of(job), SweepMetric::time);
    ASSERT_EQ(made.plot.series.size(), 3U);
    EXPECT_EQ(made.plot.series[0].name, "cpu_count, scalar");
    EXPECT_EQ(made.plot.series[2].name, "cpu_count, quad");
}

TEST(StepsJob, OfScansSaysWhyItsItemsAreNotThoseChosen) {
    Settings settings = cpu_settings();
    settings.labs.steps.operation = Operation::scan;
    settings.labs.steps.axis = SweepAxis::num_items;
    EXPECT_EQ(labs::steps_job(settings.run, settings.labs, slots).title.find("scans support"),
              std::string::npos);
    settings.labs.item_size = compaction::ItemSize::bytes_16;
    const std::string title = labs::steps_job(settings.run, settings.labs, slots).title;
    EXPECT_TRUE(title.ends_with("; scans support only 4-byte items")) << title;
}

TEST(StepsJob, HasALineAStepWhereTheWidthVaries) {
    Settings settings = cpu_settings();
    settings.labs.steps = {Operation::count, SweepAxis::vector_width, SweepMetric::time};
    const labs::SweepPlot made =
        labs::plot_sweep(report_of(labs::steps_job(settings.run, settings.labs, slots)), SweepMetric::time);
    ASSERT_EQ(made.plot.series.size(), 1U);
    EXPECT_EQ(made.plot.series[0].points.size(), 3U);
}

TEST(StepsJob, EveryPairHasASentence) {
    for (const Operation operation : labs::step_operations()) {
        for (const labs::SweepAxisInfo& info : labs::sweep_axes())
            EXPECT_FALSE(labs::what_to_look_for(operation, info.axis).empty());
    }
}

const plots::XyPoint* dot(const labs::SweepPlot& made, const std::string& name) {
    const auto found = std::ranges::find(made.plot.series, name, &plots::XySeries::name);
    return found == made.plot.series.end() ? nullptr : &found->points.front();
}

TEST(Roofline, PutsDotsBetweenUsefulAndMovedBytes) {
    const Job job =
        labs::roofline_job(cpu_settings().run, cpu_settings().labs, slots, compaction::catalogue());
    EXPECT_EQ(job.settings.back().algorithm->id, "cpu_count");
    const labs::SweepPlot made = labs::plot_roofline(report_of(job));
    ASSERT_TRUE(dot(made, "cpu_simd"));
    EXPECT_FALSE(dot(made, "cpu_count"));
    // Reads n items and writes n / 2. The sequence-wise algorithm reads n items twice.
    EXPECT_DOUBLE_EQ(dot(made, "cpu_simd")->x, 1);
    EXPECT_DOUBLE_EQ(dot(made, "cpu_sequence_wise")->x, 1.5 / 2.5);
    // 1.5 items of 4 bytes per nanosecond.
    EXPECT_NEAR(dot(made, "cpu_simd")->y, 6, 1e-3);
    EXPECT_LT(dot(made, "cpu_simd")->q1, dot(made, "cpu_simd")->q3);
    ASSERT_EQ(made.plot.limits.size(), 2U);
    EXPECT_EQ(made.plot.limits[0].level, 16);
    EXPECT_NEAR(made.plot.limits[1].level, 4, 1e-3);
    for (const plots::XyLimit& limit : made.plot.limits) EXPECT_TRUE(limit.diagonal);
}

TEST(Roofline, BoundsWhatIsNotKnown) {
    const Report report = report_of(
        labs::roofline_job(cpu_settings().run, cpu_settings().labs, slots, compaction::catalogue()));
    const labs::SweepPlot made = labs::plot_roofline(report);
    const plots::XyPoint* library = dot(made, "std_copy_if_par");
    ASSERT_TRUE(library);
    EXPECT_EQ(library->x, 1);
    EXPECT_NEAR(library->x_low, 6.0 / 16, 1e-3);
    EXPECT_EQ(library->note, "bytes moved unknown");
    EXPECT_TRUE(std::isnan(dot(made, "cpu_simd")->x_low));
}

}  // namespace
