#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "experiments/published/answer_texts.hpp"
#include "experiments/published/answers.hpp"
#include "experiments/published/documents.hpp"
#include "experiments/published/plan.hpp"
#include "experiments/published/plot.hpp"
#include "experiments/published/reports.hpp"
#include "experiments/published/reproduction.hpp"
#include "experiments/published/text.hpp"
#include "tests/fake_publication.hpp"

namespace {

using compaction::PhaseRole;
using experiments::Result;
using published::Document;
using published::Reproduction;

/// A result of measure() whose samples all take `us`.
Result result_of(const experiments::Setting& setting, double us) {
    Result result;
    result.setting = setting;
    result.resolved_options = setting.options;
    result.samples_us.assign(20, static_cast<float>(us));
    result.us = experiments::summarise(result.samples_us);
    result.median_interval_us = experiments::median_interval(result.samples_us);
    return result;
}

experiments::Machine fake_machine() {
    return {.engine = "cpu",
            .device = "A & B <processor>",
            .driver = "none",
            .version = "0",
            .commit = "c0ffee",
            .command = "warpsieve reproduce",
            .date = "2026-01-01T00:00:00Z"};
}

/// The fake document, with results: the loop takes 4, 8 and 16 us, the scan 8, 24 and 16 µs.
struct Fake {
    Document document = published::parse_document(two_algorithms, "fake.json");
    Reproduction reproduction{published::choose_tables(std::span(&document, 1), {}), cpu_only()};

    published::Report report() const { return published::report_of(reproduction); }
    published::Answers answers() const {
        const published::Report all = report();
        return published::answer(all.tables, all.runs.front());
    }
    published::AnswerText words(std::size_t question) const {
        const published::Report all = report();
        return published::answer_questions(published::answer_inputs_of(all), document).at(question);
    }

    explicit Fake(std::array<double, 3> scan_us = {8, 24, 16}) {
        experiments::Measurement measurement;
        for (const experiments::Setting& setting : reproduction.plan().settings) {
            const bool loop = setting.algorithm->id == "cpu_loop";
            const std::size_t length = setting.stream.num_items == 1024   ? 0
                                       : setting.stream.num_items == 2048 ? 1
                                                                          : 2;
            const std::array<double, 3> loop_us{4, 8, 16};
            measurement.results.push_back(result_of(setting, loop ? loop_us[length] : scan_us[length]));
        }
        reproduction.add(fake_machine(), measurement);
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
    const published::Report report = Fake().report();
    const published::MeasuredFigure& loop = report.measured(0, 0, 0, 0);
    EXPECT_DOUBLE_EQ(loop.value.value(), 4);
    EXPECT_DOUBLE_EQ(loop.ratio.value(), 2.5);
    EXPECT_DOUBLE_EQ(loop.mean.value(), 4);
    const published::MeasuredFigure& scan = report.measured(0, 0, 0, 1);
    EXPECT_DOUBLE_EQ(scan.value.value(), 0.008);
    EXPECT_DOUBLE_EQ(scan.ratio.value(), 2.5);
    EXPECT_FALSE(report.measured(0, 0, 1, 1).ratio.has_value()) << "nothing is published there";
}

TEST(Answers, a_constant_ratio_is_judged_per_device) {
    const Fake fake;
    const published::Answers answers = fake.answers();
    ASSERT_EQ(answers.ratios.size(), 1U);
    ASSERT_TRUE(answers.ratios[0].spread.has_value());
    EXPECT_DOUBLE_EQ(answers.ratios[0].spread->mean, 2);  // the mean of 2, 3 and 1
    EXPECT_DOUBLE_EQ(answers.ratios[0].spread->sd, 1);
    const published::Report report = fake.report();
    EXPECT_DOUBLE_EQ(report.measured(0, 1, 0, 0).value.value(), 2);
    EXPECT_DOUBLE_EQ(report.measured(0, 1, 0, 1).value.value(), 1);
    ASSERT_NE(answers.ratios[0].most_varying(), nullptr);
    EXPECT_EQ(answers.ratios[0].most_varying()->name, "Card A") << "the pooled row does not count";
    const published::AnswerText words = fake.words(1);
    EXPECT_EQ(words.runs.at(0).verdict, published::Verdict::differs)
        << "50 % is no more than the pooled row, though";
    EXPECT_NE(words.runs[0].sentence.find("its deviation is 50 % of the mean"), std::string::npos)
        << words.runs[0].sentence;
    EXPECT_NE(words.runs[0].sentence.find("On a published card it is 20 % at most (Card A)"),
              std::string::npos)
        << words.runs[0].sentence;
    EXPECT_EQ(Fake({8, 16, 33}).words(1).runs.at(0).verdict, published::Verdict::holds);
}

TEST(Answers, rankings_name_who_swaps) {
    const Fake preserved({8, 24, 32});
    const published::Answers kept = preserved.answers();
    ASSERT_EQ(kept.rankings.size(), 2U) << "at 2^11 only one of both is published";
    EXPECT_TRUE(kept.rankings[0].preserved() && kept.rankings[1].preserved());
    EXPECT_DOUBLE_EQ(kept.rankings[0].tau.value(), 1);
    EXPECT_EQ(preserved.words(0).runs.at(0).verdict, published::Verdict::holds);
    EXPECT_EQ(preserved.words(0).remarks.size(), 1U) << "a reason only where something differs";

    const Fake reversed({2, 24, 32});
    const published::Answers swapped = reversed.answers();
    ASSERT_EQ(swapped.rankings[0].swaps.size(), 1U);
    EXPECT_EQ(swapped.rankings[0].group, "2^10");
    EXPECT_EQ(swapped.rankings[0].swaps[0].faster_measured, "Scan");
    EXPECT_TRUE(swapped.rankings[0].swaps[0].certain);
    EXPECT_DOUBLE_EQ(swapped.rankings[0].tau.value(), -1);
    const published::AnswerText words = reversed.words(0);
    EXPECT_EQ(words.runs.at(0).verdict, published::Verdict::differs);
    EXPECT_EQ(words.runs.at(0).sentence,
              "The published order holds in 1 of 2 rankings. Not as published: Scan is faster than Loop "
              "(2^10).");
    EXPECT_EQ(words.remarks.at(0), "Likely reason: Luck.");
    ASSERT_EQ(words.table.rows.size(), 2U);
    EXPECT_EQ(words.table.rows[0][0], "2^10");
    EXPECT_EQ(words.table.rows[0][1], "Loop 10.0 µs, Scan 20.0 µs");
    EXPECT_EQ(words.table.rows[0][2].substr(0, 9), "Scan 2.00");
}

TEST(Answers, a_swap_within_the_noise_is_not_claimed) {
    const experiments::Interval wide{1, 9, 0.96};
    const auto ranking = published::rank("t", "g", {{"a", 1, {5, wide}}, {"b", 2, {4, wide}}});
    ASSERT_EQ(ranking.swaps.size(), 1U);
    EXPECT_FALSE(ranking.swaps[0].certain);
    EXPECT_TRUE(ranking.preserved());
}

TEST(Answers, vector_gains_are_relative_to_scalar) {
    const published::VectorGain gain{"s",
                                     "copy_direct",
                                     {{"scalar", 870.9, {{40.0, {39, 41, 0.96}}}},
                                      {"pair", 857.9, {{20.0, {19, 21, 0.96}}}},
                                      {"quad", std::nullopt, {{40.1, {39, 41, 0.96}}}}}};
    EXPECT_NEAR(gain.published_gain("pair").value(), 1.01515, 1e-4);
    EXPECT_FALSE(gain.published_gain("quad").has_value());
    EXPECT_DOUBLE_EQ(gain.measured_gain("pair").value().value, 2);
}

/// Times of two entries, published and here: by stamps, and by subtraction with a wide interval.
published::PhaseComparison two_entries() {
    const experiments::Interval none{};
    return {"t",
            {"Billeter",
             {{PhaseRole::count, {455.5, 10.0, 10.0}, {none, {9, 11, 0.95}, {0, 80, 0.95}}},
              {PhaseRole::prefix, {7.3, 1.0, {}}, {none, {1, 1, 0.95}, none}},
              {PhaseRole::scatter, {820.0, 40.0, {}}, {none, {39, 41, 0.95}, none}}}},
            {"Owls",
             {{PhaseRole::count, {893.6, 20.0, 84.0}, {none, {19, 21, 0.95}, {20, 150, 0.95}}},
              {PhaseRole::prefix, {47.2, 1.0, {}}, {none, {1, 1, 0.95}, none}},
              {PhaseRole::scatter, {1665.8, 10.0, {}}, {none, {9, 11, 0.95}, none}}}}};
}

TEST(Answers, the_phase_that_differs_most) {
    const published::PhaseComparison comparison = two_entries();
    const auto differences = comparison.differences(published::Timing::published);
    ASSERT_EQ(differences.size(), 3U);
    EXPECT_NEAR(differences[0].us, 438.1, 1e-9);
    EXPECT_NEAR(differences[2].share, 845.8 / (438.1 + 39.9 + 845.8), 1e-9);
    EXPECT_EQ(differences[0].interval.coverage, 0) << "the publication has no intervals";
    const auto measured = comparison.differences(published::Timing::stamps);
    ASSERT_EQ(measured.size(), 3U);
    EXPECT_DOUBLE_EQ(measured[0].interval.low, 8);  // 19 - 11
    EXPECT_DOUBLE_EQ(measured[0].interval.high, 12);
    EXPECT_FALSE(measured[0].unclear());
    EXPECT_TRUE(comparison.differences(published::Timing::subtraction).empty()) << "not all phases have one";
}

TEST(Answers, a_subtraction_whose_interval_contains_zero_is_unclear) {
    published::PhaseComparison count = two_entries();
    count.base.phases.resize(1);
    count.other.phases.resize(1);
    const auto differences = count.differences(published::Timing::subtraction);
    ASSERT_EQ(differences.size(), 1U);
    EXPECT_DOUBLE_EQ(differences[0].us, 74);
    EXPECT_DOUBLE_EQ(differences[0].interval.low, -60);
    EXPECT_TRUE(differences[0].unclear());
}

/// The first answer of a kind about a built-in table, from the times that `us_at` returns for rows and
/// columns; 0: not measured. Their intervals reach to both sides by `half_width`, a share.
published::RunAnswer answer_on(const std::string& table, published::QuestionKind kind,
                               const std::function<double(std::size_t, std::size_t)>& us_at,
                               double half_width = 0.01, double coverage = 0.96) {
    const std::vector<Document> documents = published::built_in_documents();
    const auto tables = published::choose_tables(documents, std::array{table});
    published::Report report = published::report_of(Reproduction(tables, cpu_only()));
    const std::size_t columns = tables.front().table->columns.size();
    for (std::size_t i = 0; i < report.runs[0].cells[0].size(); ++i) {
        const double us = us_at(i / columns, i % columns);
        if (us == 0) continue;
        report.runs[0].cells[0][i].value = us;
        report.runs[0].cells[0][i].interval = {us * (1 - half_width), us * (1 + half_width), coverage};
    }
    for (const auto& answer :
         published::answer_questions(published::answer_inputs_of(report), *tables.front().document))
        if (answer.question->kind == kind) return answer.runs.at(0);
    return {};
}

/// The verdict on peaks of a sweep, with the time of each length.
published::Verdict verdict_on_peaks(const std::vector<double>& us, double half_width) {
    const auto us_at = [&](std::size_t row, std::size_t column) {
        return column == 1 && row < us.size() ? us[row] : 0;
    };
    return answer_on("p5_lengths", published::QuestionKind::peaks, us_at, half_width).verdict;
}

TEST(Answers, peaks_are_claimed_only_where_the_intervals_allow) {
    std::vector<double> us(256, 100);
    EXPECT_EQ(verdict_on_peaks(us, 0.001), published::Verdict::differs);
    EXPECT_EQ(verdict_on_peaks(us, 0.2), published::Verdict::unclear);
    EXPECT_EQ(verdict_on_peaks(std::vector<double>(100, 100), 0.001), published::Verdict::answered);
    us[250] = 130;
    EXPECT_EQ(verdict_on_peaks(us, 0.001), published::Verdict::holds);
    EXPECT_EQ(verdict_on_peaks(us, 0.2), published::Verdict::unclear);
}

/// The answer on a gain, from the times of both columns of `num_rows` rows.
published::RunAnswer answer_on_gain(const std::string& table, std::array<double, 2> us,
                                    std::size_t num_rows = 3, double coverage = 0.96) {
    const auto us_at = [&](std::size_t row, std::size_t column) { return row < num_rows ? us[column] : 0; };
    return answer_on(table, published::QuestionKind::gain, us_at, 0.01, coverage);
}

published::Verdict verdict_on_gain(const std::string& table, std::array<double, 2> us,
                                   std::size_t num_rows = 3, double coverage = 0.96) {
    return answer_on_gain(table, us, num_rows, coverage).verdict;
}

TEST(Answers, a_gain_holds_only_if_it_is_nearer_to_the_published_one_than_to_none) {
    using published::Verdict;
    EXPECT_EQ(verdict_on_gain("p3_set_up", {16, 10}), Verdict::holds) << "published 1.60";
    EXPECT_EQ(verdict_on_gain("p3_set_up", {16, 10}, 1), Verdict::in_part) << "two of three rows are missing";
    EXPECT_EQ(verdict_on_gain("p3_set_up", {10.5, 10}), Verdict::differs);
    EXPECT_EQ(verdict_on_gain("p3_set_up", {10, 20}), Verdict::differs);
    EXPECT_EQ(verdict_on_gain("p3_set_up", {16, 10}, 3, 0), Verdict::unclear) << "no interval is known";
}

TEST(Answers, nothing_holds_where_nothing_was_published) {
    EXPECT_EQ(verdict_on_gain("p4_rows", {20, 10}), published::Verdict::answered);
    EXPECT_EQ(verdict_on_gain("qian_per_call", {20, 10}, 7), published::Verdict::answered);
    EXPECT_EQ(verdict_on_gain("gilbert_naive_trimming", {20, 10}, 2), published::Verdict::holds);
    EXPECT_EQ(verdict_on_gain("gilbert_naive_trimming", {20, 10}, 1), published::Verdict::in_part);
    EXPECT_EQ(verdict_on_gain("gilbert_naive_trimming", {10, 20}, 2), published::Verdict::differs)
        << "the text says that trimming is faster";
}

TEST(Answers, a_sentence_names_both_sides) {
    const std::string sentence = answer_on_gain("p3_set_up", {10, 20}).sentence;
    EXPECT_TRUE(sentence.starts_with("Set-up timed takes 0.500 times as long as Set-up before.")) << sentence;
}

TEST(Answers, a_sentence_names_its_table_if_columns_have_the_same_names) {
    const std::vector<Document> documents = published::built_in_documents();
    const auto tables = published::choose_tables(documents, std::array{std::string("Gilbert")});
    published::Report report = published::report_of(Reproduction(tables, cpu_only()));
    for (auto& cells : report.runs[0].cells) {
        for (published::MeasuredFigure& measured : cells) measured.value = 1;
    }
    const auto answers =
        published::answer_questions(published::answer_inputs_of(report), *tables.front().document);
    const std::string& sentence = answers.at(0).runs.at(0).sentence;
    EXPECT_NE(sentence.find("thread count was trimmed: Before takes 1.00 times"), std::string::npos)
        << sentence;
}

TEST(Answers, alike_means_less_than_a_quarter_apart) {
    using published::Finding;
    const auto finding = [](double published, double low, double high) {
        return published::finding_of_factor(published, {(low + high) / 2, {low, high, 0.95}});
    };
    EXPECT_EQ(finding(1.02, 0.9, 1.1), Finding::agrees);
    EXPECT_EQ(finding(1.02, 1.2, 1.3), Finding::undecided);
    EXPECT_EQ(finding(1.02, 1.3, 1.4), Finding::contradicts);
    EXPECT_EQ(finding(0.25, 0.3, 0.4), Finding::agrees);
    EXPECT_EQ(finding(0.25, 0.6, 0.7), Finding::contradicts);
    EXPECT_EQ(finding(4, 1.9, 2.1), Finding::undecided);
}

TEST(Answers, no_order_holds_from_a_part_of_its_entries) {
    Fake fake({8, 24, 32});
    published::Report report = fake.report();
    report.runs[0].cells[0][1] = {};  // the scan at 2^10
    const auto answer = published::answer_questions(published::answer_inputs_of(report), fake.document).at(0);
    EXPECT_EQ(answer.runs.at(0).verdict, published::Verdict::in_part) << answer.runs[0].sentence;
    EXPECT_EQ(answer.table.rows.at(0).at(1), "Loop 10.0 µs, Scan 20.0 µs") << "all that was published";
}

TEST(Answers, a_deviation_has_no_speed_up) {
    const published::Report report = Fake().report();
    EXPECT_TRUE(report.measured(0, 1, 0, 0).ratio.has_value());
    EXPECT_FALSE(report.measured(0, 1, 0, 1).ratio.has_value());
}

/// The verdict on the spikes of Thrust's scan. With scratch memory of its own, it takes `factor` from 2 to
/// the power of `spike_exponent` items on; all other times are 1. The publication has one spike, at 2^18; the
/// first length is 2^14.
published::Verdict verdict_on_spikes(std::size_t spike_exponent, double factor, double half_width = 0.01) {
    const auto us_at = [&](std::size_t row, std::size_t column) {
        return column == 0 && 14 + row >= spike_exponent ? factor : 1;
    };
    return answer_on("qian_scratch", published::QuestionKind::spikes, us_at, half_width).verdict;
}

TEST(Answers, spikes_are_judged_at_every_length) {
    using published::Verdict;
    EXPECT_EQ(verdict_on_spikes(18, 3), Verdict::holds);
    EXPECT_EQ(verdict_on_spikes(18, 1.1), Verdict::differs) << "no time stands out";
    EXPECT_EQ(verdict_on_spikes(20, 3), Verdict::differs) << "another time stands out";
    EXPECT_EQ(verdict_on_spikes(18, 3, 0.5), Verdict::unclear);
}

TEST(Answers, wrong_results_give_no_figures) {
    Fake fake;
    experiments::Measurement measurement;
    measurement.results.push_back(result_of(fake.reproduction.plan().settings[0], 1));
    measurement.results[0].first_error = "item 7 is lost";
    fake.reproduction.add(fake_machine(), measurement);
    const published::Report report = fake.report();
    const published::MeasuredFigure& measured = report.measured(0, 0, 0, 0);
    EXPECT_FALSE(measured.value.has_value());
    EXPECT_EQ(measured.why_not, "WRONG: item 7 is lost");
    EXPECT_EQ(fake.reproduction.wrong_results().size(), 1U);
}

TEST(Reports, escape_all_text_and_fetch_nothing) {
    const std::string html = published::to_html(Fake().report());
    EXPECT_EQ(html.find("<processor>"), std::string::npos);
    EXPECT_EQ(html.find("Made <up>"), std::string::npos);
    EXPECT_NE(html.find("A &amp; B &lt;processor&gt;"), std::string::npos);
    for (std::size_t at = html.find("href="); at != std::string::npos; at = html.find("href=", at + 1)) {
        EXPECT_EQ(html.substr(at, 7), "href=\"#") << "a link within the page";
    }
    for (const char* outside : {"src=", "url(", "<script", "@import", "<link"}) {
        EXPECT_EQ(html.find(outside), std::string::npos) << outside;
    }
    EXPECT_NE(html.find("<svg"), std::string::npos);
    EXPECT_EQ(html.find("nan"), std::string::npos);
    EXPECT_EQ(html.find("inf\""), std::string::npos);
    EXPECT_EQ(published::escaped("<a b=\"c\">&'\x01"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
}

TEST(Reports, are_whole_before_anything_was_measured) {
    const Document document = published::parse_document(two_algorithms, "fake.json");
    const Reproduction nothing(published::choose_tables(std::span(&document, 1), {}), cpu_only());
    const published::Report report = published::report_of(nothing);
    EXPECT_NE(published::to_text(report).text().find("not measured yet"), std::string::npos);
    EXPECT_TRUE(published::to_html(report).ends_with("</html>\n"));
    EXPECT_NE(published::to_json(report).find("\"interrupted\": false"), std::string::npos);
}

TEST(Reports, plots_leave_out_what_a_logarithm_cannot_take) {
    const published::LinePlot plot{.title = "t",
                                   .x_label = "x",
                                   .y_label = "y",
                                   .series = {{.name = "s", .points = {{0, 1, ""}, {1, -1, ""}}}}};
    EXPECT_EQ(published::to_svg(plot, 480), "");
    EXPECT_EQ(published::to_svg(
                  published::BarPlot{.title = "t", .unit = "µs", .series = {}, .groups = {{"r", {{}}}}}, 480),
              "");
    for (const published::Axis y : {published::Axis::powers_of_ten, published::Axis::linear}) {
        const published::LinePlot one{.title = "t",
                                      .x_label = "x",
                                      .y_label = "y",
                                      .series = {{.name = "s", .points = {{1, 1, ""}}}},
                                      .y = y,
                                      .y_from_zero = false};
        EXPECT_EQ(published::to_svg(one, 480).find("nan"), std::string::npos);
        EXPECT_NE(published::to_svg(one, 480).find("<circle"), std::string::npos);
    }
}

TEST(Reports, a_line_and_its_legend_have_the_same_dash) {
    const auto dashes = [](std::size_t num_points, bool hollow, std::size_t style) {
        published::PlotSeries series{.name = "s", .points = {}, .hollow = hollow, .style = style};
        for (std::size_t i = 1; i <= num_points; ++i)
            series.points.push_back({static_cast<double>(i), static_cast<double>(i)});
        const std::string svg = published::to_svg(
            published::LinePlot{.title = "t", .x_label = "x", .y_label = "y", .series = {series}}, 480);
        std::vector<std::string> found;
        const std::string attribute = "stroke-dasharray=\"";
        for (std::size_t at = svg.find(attribute); at != std::string::npos;
             at = svg.find(attribute, at + 1)) {
            const std::size_t begin = at + attribute.size();
            found.push_back(svg.substr(begin, svg.find('"', begin) - begin));
        }
        return found;
    };
    using Dashes = std::vector<std::string>;
    EXPECT_EQ(dashes(2, false, 0), Dashes{});
    EXPECT_EQ(dashes(2, true, 0), (Dashes{"4 4", "4 4"})) << "published";
    EXPECT_EQ(dashes(2, true, 1), dashes(2, false, 1));
    EXPECT_EQ(dashes(2, true, 1).size(), 2U);
    EXPECT_EQ(dashes(60, true, 0), Dashes{}) << "a line without markers is solid";
    EXPECT_EQ(dashes(60, false, 1), Dashes{});
}

TEST(Reports, every_plot_says_how_to_repeat_it) {
    const std::string html = published::to_html(Fake().report());
    const auto count = [&](const std::string& what) {
        std::size_t found = 0;
        for (std::size_t at = html.find(what); at != std::string::npos; at = html.find(what, at + 1)) ++found;
        return found;
    };
    EXPECT_EQ(count("<figure>"), 3U);
    EXPECT_EQ(count("How to repeat: <code>warpsieve reproduce"), 3U);
    EXPECT_EQ(count("--table &quot;Part 9, table 1&quot;"), 1U);
    EXPECT_EQ(count(">Published: A card<"), 2U) << "a plot of the published figures, title twice";
}

/// Whether the id occurs in the text as a whole word.
bool mentions(const std::string& text, const std::string& id) {
    const auto is_part = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
    };
    for (std::size_t at = text.find(id); at != std::string::npos; at = text.find(id, at + 1)) {
        const bool before = at > 0 && is_part(text[at - 1]);
        const bool after = at + id.size() < text.size() && is_part(text[at + id.size()]);
        if (!before && !after) return true;
    }
    return false;
}

TEST(Reports, name_no_internal_ids) {
    const std::vector<Document> documents = published::built_in_documents();
    const Reproduction nothing(published::choose_tables(documents, {}), cpu_only());
    Reproduction measured(published::choose_tables(documents, {}), cpu_only());
    experiments::Measurement measurement;
    for (const experiments::Setting& setting : measured.plan().settings) {
        measurement.results.push_back(
            result_of(setting, static_cast<double>(setting.stream.num_items) / 1000));
    }
    measurement.results.front().first_error = "item 7 is lost";
    measured.add(fake_machine(), measurement);
    for (const Reproduction* each : std::array<const Reproduction*, 2>{&nothing, &measured}) {
        const published::Report report = published::report_of(*each);
        for (const std::string& text : {published::to_text(report).text(), published::to_html(report)}) {
            for (const Document& document : documents) {
                EXPECT_FALSE(mentions(text, document.id) && document.id.find('_') != std::string::npos)
                    << document.id;
                for (const published::Table& table : document.tables) {
                    EXPECT_FALSE(mentions(text, table.id)) << table.id;
                }
            }
            for (const auto& all : {compaction::catalogue(), compaction::steps()}) {
                for (const compaction::Algorithm& algorithm : all) {
                    EXPECT_FALSE(mentions(text, algorithm.id)) << algorithm.id;
                }
            }
        }
    }
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
