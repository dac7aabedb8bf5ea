#include <gtest/gtest.h>

#include <string>

#include "app/labs/reproduce.hpp"
#include "tests/app/labs/lab_reports.hpp"

namespace {

using namespace warpsieve;
using compaction::EngineId;
using experiments::Setting;
using labs::Job;
using labs::Report;

class ReproduceTest : public testing::Test {
  protected:
    Job job_of(const std::string& table, labs::ReproduceScope scope) {
        settings_.labs.reproduce = {table, scope};
        return model_.job(settings_.run, settings_.labs);
    }
    Settings settings_ = cpu_settings();
    labs::ReproduceModel model_;
};

TEST_F(ReproduceTest, RunsTheTablesOfTheScope) {
    const Job table = job_of("p1_implementations", labs::ReproduceScope::table);
    const Job document = job_of("p1_implementations", labs::ReproduceScope::document);
    const Job everything = job_of("p1_implementations", labs::ReproduceScope::everything);
    EXPECT_GT(table.settings.size(), 0U);
    EXPECT_LE(table.settings.size(), document.settings.size());
    EXPECT_LT(document.settings.size(), everything.settings.size());
    for (const Setting& setting : everything.settings) EXPECT_EQ(setting.algorithm->engine, EngineId::cpu);
    EXPECT_EQ(table.policy.phases, experiments::PhaseMethod::subtraction);
}

TEST_F(ReproduceTest, AnUnknownTableIsTheFirst) {
    EXPECT_EQ(model_.index_of("no such table"), 0U);
    EXPECT_EQ(model_.tables()[model_.index_of("p1_implementations")].id, "p1_implementations");
}

TEST_F(ReproduceTest, AddsReportsToTheSummary) {
    const std::size_t index = model_.index_of("p1_implementations");
    EXPECT_EQ(model_.tables()[index].num_measured, 0U);
    EXPECT_GT(model_.tables()[index].num_cells, 0U);
    const Report report = report_of(job_of("p1_implementations", labs::ReproduceScope::table));
    model_.add(report);
    const labs::TableSummary& summary = model_.tables()[index];
    EXPECT_GT(summary.num_measured, 0U);
    EXPECT_LE(summary.num_measured, summary.num_cells);
    // Results stay when another table is run.
    model_.add(report_of(job_of("qian_compact", labs::ReproduceScope::table)));
    EXPECT_GT(model_.tables()[index].num_measured, 0U);
}

TEST_F(ReproduceTest, ShowsBuiltInResultsAndAnswersBeforeAnythingIsMeasured) {
    const published::Report& report = model_.report();
    ASSERT_GE(report.runs.size(), 2U);
    EXPECT_TRUE(report.name_of(1).ends_with(" (built in)")) << report.name_of(1);
    const std::size_t index = model_.index_of("p1_implementations");
    EXPECT_TRUE(report.has_values(1, index));
    EXPECT_EQ(model_.tables()[index].num_measured, 0U) << "built-in results were not measured here";
    const auto answers = model_.answers(index);
    ASSERT_FALSE(answers.empty());
    EXPECT_EQ(answers[0]->question->text, "Is the order of the six implementations preserved?");
    ASSERT_EQ(answers[0]->runs.size(), report.runs.size());
    EXPECT_EQ(answers[0]->runs[0].verdict, published::Verdict::not_measured);
    EXPECT_NE(answers[0]->runs[1].verdict, published::Verdict::not_measured);
}

TEST_F(ReproduceTest, HasThePlotsOfThePage) {
    const std::size_t index = model_.index_of("p1_implementations");
    EXPECT_EQ(model_.plots(index).size(), 2U) << "published, and the built-in results";
    model_.add(report_of(job_of("p1_implementations", labs::ReproduceScope::table)));
    EXPECT_EQ(model_.plots(index).size(), 3U);
    const std::string page = model_.html();
    for (const published::Plot& plot : model_.plots(index))
        EXPECT_NE(page.find(published::to_svg(plot, 480)), std::string::npos);
}

TEST_F(ReproduceTest, FindsTheSettingOfARow) {
    const std::size_t index = model_.index_of("p1_implementations");
    const Setting* setting = model_.setting_of(index, 0);
    ASSERT_NE(setting, nullptr);
    EXPECT_EQ(setting->algorithm->engine, EngineId::cpu);
    EXPECT_EQ(setting->stream.num_items, std::uint64_t{1} << 24);
}

TEST_F(ReproduceTest, ExportsAPage) {
    model_.add(report_of(job_of("p1_implementations", labs::ReproduceScope::table)));
    const std::string page = model_.html();
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>")) << page.substr(0, 80);
    EXPECT_NE(page.find("Six implementations"), std::string::npos);
}

TEST_F(ReproduceTest, NamesTablesForReaders) {
    for (const labs::TableSummary& table : model_.tables()) {
        EXPECT_NE(table.label.find(", table "), std::string::npos) << table.id;
        for (const std::string& shown : {table.label, table.title, table.citation, table.why_not}) {
            EXPECT_EQ(shown.find(table.id), std::string::npos) << table.id;
            for (const auto& all : {compaction::catalogue(), compaction::steps()}) {
                for (const compaction::Algorithm& algorithm : all) {
                    EXPECT_EQ(shown.find(algorithm.id), std::string::npos) << table.id << ": " << shown;
                }
            }
        }
    }
}

}  // namespace
