#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "experiments/published/answers.hpp"
#include "experiments/published/documents.hpp"
#include "experiments/published/figures.hpp"
#include "experiments/published/markup.hpp"
#include "experiments/published/plan.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/published/reproduction.hpp"
#include "experiments/published/svg_plot.hpp"
#include "tests/made_up_publication.hpp"

namespace {

using compaction::PhaseRole;
using experiments::Result;
using published::Document;
using published::Reproduction;

/// A result as measure() gives it, of samples that all take `us`.
Result result_of(const experiments::Setting& setting, double us) {
    Result result;
    result.setting = setting;
    result.layout = setting.options;
    result.call_us.assign(20, static_cast<float>(us));
    result.us = experiments::summarise(result.call_us);
    result.median_us = experiments::median_interval(result.call_us);
    return result;
}

experiments::Machine made_up_machine() {
    return {.engine = "cpu",
            .device = "A & B <processor>",
            .driver = "none",
            .version = "0",
            .commit = "c0ffee",
            .command = "warpsieve reproduce",
            .date = "2026-01-01T00:00:00Z"};
}

/// The made-up document, with results: the loop takes 4, 8 and 16 us, the scan 8, 24 and 16 us.
struct MadeUp {
    Document document = published::parse_document(two_algorithms, "made_up.json");
    Reproduction reproduction{published::choose_tables(std::span(&document, 1), {}), cpu_only()};

    explicit MadeUp(std::array<double, 3> scan_us = {8, 24, 16}) {
        experiments::Measurement measurement;
        for (const experiments::Setting& setting : reproduction.plan().settings) {
            const bool loop = setting.algorithm->id == "cpu_loop";
            const std::size_t length = setting.stream.num_items == 1024   ? 0
                                       : setting.stream.num_items == 2048 ? 1
                                                                          : 2;
            const std::array<double, 3> loop_us{4, 8, 16};
            measurement.results.push_back(result_of(setting, loop ? loop_us[length] : scan_us[length]));
        }
        reproduction.take(made_up_machine(), measurement);
    }
};

TEST(Statistics, kendall_tau_of_known_orders) {
    const std::vector<double> rising{1, 2, 3, 4};
    EXPECT_DOUBLE_EQ(published::kendall_tau(rising, rising).value(), 1);
    EXPECT_DOUBLE_EQ(published::kendall_tau(rising, std::vector<double>{9, 7, 5, 1}).value(), -1);
    // One of six pairs is reversed: (5 - 1) / 6.
    EXPECT_NEAR(published::kendall_tau(rising, std::vector<double>{2, 1, 3, 4}).value(), 4.0 / 6, 1e-12);
    // Kendall 1945: ties in one list only, 5 pairs in order of 6 and 5: 5 / sqrt(6 * 5).
    EXPECT_NEAR(published::kendall_tau(rising, std::vector<double>{1, 2, 2, 3}).value(), 5 / std::sqrt(30.0),
                1e-12);
    EXPECT_FALSE(published::kendall_tau(std::vector<double>{1}, std::vector<double>{1}).has_value());
    EXPECT_FALSE(published::kendall_tau(std::vector<double>{1, 2}, std::vector<double>{3, 3}).has_value());
}

TEST(Statistics, mean_and_standard_deviation) {
    const auto spread = published::spread_of(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
    ASSERT_TRUE(spread.has_value());
    EXPECT_DOUBLE_EQ(spread->mean, 5);
    EXPECT_NEAR(spread->sd, std::sqrt(32.0 / 7), 1e-12);
    EXPECT_FALSE(published::spread_of(std::vector<double>{1}).has_value());
}

TEST(Answers, published_and_here_side_by_side) {
    const MadeUp made_up;
    const published::Here loop = made_up.reproduction.here(0, 0, 0);
    EXPECT_DOUBLE_EQ(loop.value.value(), 4);
    EXPECT_DOUBLE_EQ(loop.ratio.value(), 2.5);
    const published::Here scan = made_up.reproduction.here(0, 0, 1);
    EXPECT_DOUBLE_EQ(scan.value.value(), 0.008);
    EXPECT_DOUBLE_EQ(scan.ratio.value(), 2.5);
    EXPECT_FALSE(made_up.reproduction.here(0, 1, 1).ratio.has_value()) << "nothing is published there";
}

TEST(Answers, ratio_over_lengths) {
    const MadeUp made_up;
    const published::Answers answers = published::answer(made_up.reproduction);
    ASSERT_EQ(answers.ratios.size(), 1U);
    ASSERT_TRUE(answers.ratios[0].spread.has_value());
    EXPECT_DOUBLE_EQ(answers.ratios[0].spread->mean, 2);  // of 2, 3 and 1
    EXPECT_DOUBLE_EQ(answers.ratios[0].spread->sd, 1);
    EXPECT_DOUBLE_EQ(made_up.reproduction.here(1, 0, 0).value.value(), 2);
    EXPECT_DOUBLE_EQ(made_up.reproduction.here(1, 0, 1).value.value(), 1);
    const auto words = published::describe(answers);
    EXPECT_NE(words[1].sentences[1].find("That is not constant: the standard deviation is 50 % of the mean, "
                                         "published 25 %"),
              std::string::npos)
        << words[1].sentences[1];
}

TEST(Answers, rankings_name_who_swaps) {
    const published::Answers kept = published::answer(MadeUp({8, 24, 32}).reproduction);
    ASSERT_EQ(kept.rankings.size(), 2U) << "at 2^11 only one of both is published";
    EXPECT_TRUE(kept.rankings[0].preserved() && kept.rankings[1].preserved());
    EXPECT_DOUBLE_EQ(kept.rankings[0].tau.value(), 1);

    const published::Answers swapped = published::answer(MadeUp({2, 24, 32}).reproduction);
    ASSERT_EQ(swapped.rankings[0].swaps.size(), 1U);
    EXPECT_EQ(swapped.rankings[0].group, "2^10");
    EXPECT_EQ(swapped.rankings[0].swaps[0].faster_here, "Scan");
    EXPECT_TRUE(swapped.rankings[0].swaps[0].certain);
    EXPECT_DOUBLE_EQ(swapped.rankings[0].tau.value(), -1);
    EXPECT_NE(published::describe(swapped)[0].sentences[0].find("Scan passes Loop (2^10)"),
              std::string::npos);
}

TEST(Answers, a_swap_within_the_noise_is_not_claimed) {
    const experiments::Interval wide{1, 9, 0.96};
    const auto ranking = published::rank("t", "g", {{"a", 1, 5, wide}, {"b", 2, 4, wide}});
    ASSERT_EQ(ranking.swaps.size(), 1U);
    EXPECT_FALSE(ranking.swaps[0].certain);
    EXPECT_TRUE(ranking.preserved());
}

TEST(Answers, vector_gains_are_relative_to_scalar) {
    const published::VectorGain gain{"s",
                                     "copy_direct",
                                     {{"scalar", 870.9, 40.0, {39, 41, 0.96}},
                                      {"pair", 857.9, 20.0, {19, 21, 0.96}},
                                      {"quad", std::nullopt, 40.1, {39, 41, 0.96}}}};
    EXPECT_NEAR(gain.published_gain("pair").value(), 1.01515, 1e-4);
    EXPECT_FALSE(gain.published_gain("quad").has_value());
    EXPECT_DOUBLE_EQ(gain.gain_here("pair").value(), 2);
    EXPECT_EQ(gain.change_here("pair"), experiments::Change::faster);
    EXPECT_EQ(gain.change_here("quad"), experiments::Change::ambiguous);
}

TEST(Answers, the_phase_that_differs_most) {
    const published::PhaseComparison comparison{"t",
                                                {"Billeter",
                                                 {{PhaseRole::count, {455.5, {}, {}}},
                                                  {PhaseRole::prefix, {7.3, {}, {}}},
                                                  {PhaseRole::move, {820.0, {}, {}}}}},
                                                {"Owls",
                                                 {{PhaseRole::count, {893.6, {}, {}}},
                                                  {PhaseRole::prefix, {47.2, {}, {}}},
                                                  {PhaseRole::move, {1665.8, {}, {}}}}}};
    const auto differences = comparison.differences(published::Timing::published);
    ASSERT_EQ(differences.size(), 3U);
    EXPECT_NEAR(differences[0].us, 438.1, 1e-9);
    EXPECT_NEAR(differences[2].share, 845.8 / (438.1 + 39.9 + 845.8), 1e-9);
    EXPECT_TRUE(comparison.differences(published::Timing::stamps).empty());
    published::Answers answers;
    answers.phases.push_back(comparison);
    const std::string words = published::describe(answers)[3].sentences[0];
    EXPECT_NE(words.find("the move differs most; here, by stamps: not measured"), std::string::npos) << words;
}

TEST(Answers, wrong_results_give_no_figures) {
    MadeUp made_up;
    experiments::Measurement measurement;
    measurement.results.push_back(result_of(made_up.reproduction.plan().settings[0], 1));
    measurement.results[0].wrong = "item 7 is lost";
    made_up.reproduction.take(made_up_machine(), measurement);
    const published::Here here = made_up.reproduction.here(0, 0, 0);
    EXPECT_FALSE(here.value.has_value());
    EXPECT_EQ(here.why_not, "WRONG: item 7 is lost");
    EXPECT_EQ(made_up.reproduction.wrong_results().size(), 1U);
}

TEST(Reports, escape_all_text_and_fetch_nothing) {
    const MadeUp made_up;
    const published::Answers answers = published::answer(made_up.reproduction);
    const std::string html = published::to_html(made_up.reproduction, answers);
    EXPECT_EQ(html.find("<processor>"), std::string::npos);
    EXPECT_EQ(html.find("Made <up>"), std::string::npos);
    EXPECT_NE(html.find("A &amp; B &lt;processor&gt;"), std::string::npos);
    for (const char* outside : {"src=", "href=", "url(", "<script", "@import", "<link"}) {
        EXPECT_EQ(html.find(outside), std::string::npos) << outside;
    }
    EXPECT_NE(html.find("<svg"), std::string::npos);
    EXPECT_EQ(html.find("nan"), std::string::npos);
    EXPECT_EQ(html.find("inf\""), std::string::npos);
    EXPECT_EQ(published::escaped("<a b=\"c\">&'\x01"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
}

TEST(Reports, are_whole_before_anything_was_measured) {
    const Document document = published::parse_document(two_algorithms, "made_up.json");
    const Reproduction nothing(published::choose_tables(std::span(&document, 1), {}), cpu_only());
    const published::Answers answers = published::answer(nothing);
    EXPECT_NE(published::to_text(nothing, answers).find("not measured yet"), std::string::npos);
    EXPECT_TRUE(published::to_html(nothing, answers).ends_with("</html>\n"));
    EXPECT_NE(published::to_json(nothing, answers).find("\"interrupted\": false"), std::string::npos);
}

TEST(Reports, plots_leave_out_what_a_logarithm_cannot_take) {
    const published::LogPlot plot{.title = "t",
                                  .x_label = "x",
                                  .y_label = "y",
                                  .series = {{.name = "s", .points = {{0, 1, ""}, {1, -1, ""}}}}};
    EXPECT_EQ(published::draw(plot), "");
    EXPECT_EQ(published::draw(published::PairPlot{.title = "t", .unit = "us", .rows = {{"r", {}, {}}}}), "");
    const published::LogPlot one{
        .title = "t", .x_label = "x", .y_label = "y", .series = {{.name = "s", .points = {{1, 1, ""}}}}};
    EXPECT_EQ(published::draw(one).find("nan"), std::string::npos);
}

TEST(Figures, three_significant_digits) {
    EXPECT_EQ(published::figure(1282.8), "1,283");
    EXPECT_EQ(published::figure(12345678.0), "12,345,678");
    EXPECT_EQ(published::figure(9.996), "10.0");
    EXPECT_EQ(published::figure(0.008321), "0.00832");
    EXPECT_EQ(published::figure(0.0), "0");
    EXPECT_EQ(published::figure(-3.14159), "-3.14");
    EXPECT_EQ(published::figure(std::optional<double>{}), "-");
    EXPECT_EQ(published::factor(1.256), "x1.26");
    EXPECT_EQ(published::percent(0.2), "20 %");
    EXPECT_EQ(published::percent(0.0123), "1.2 %");
}

}  // namespace
