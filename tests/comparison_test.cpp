#include "experiments/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/csv.hpp"
#include "experiments/result_file.hpp"
#include "experiments/statistics.hpp"

namespace {

using namespace experiments;

TEST(IncompleteBeta, HasTheKnownValues) {
    EXPECT_DOUBLE_EQ(incomplete_beta(1, 1, 0.3), 0.3);
    EXPECT_NEAR(incomplete_beta(2, 3, 0.5), 0.6875, 1e-14);
    EXPECT_NEAR(incomplete_beta(3, 3, 0.5), 0.5, 1e-14);
    EXPECT_NEAR(incomplete_beta(0.5, 0.5, 0.2), 2 / std::numbers::pi * std::asin(std::sqrt(0.2)), 1e-14);
    EXPECT_NEAR(incomplete_beta(50, 0.5, 0.99), 0.3173043978741974, 1e-12);
    EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
    EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
}

TEST(StudentT, HasTheQuantilesOfTheTables) {
    // Abramowitz and Stegun (1964), table 26.10, with more digits.
    EXPECT_NEAR(student_t_quantile(0.025, 1), 12.70620474, 1e-7);
    EXPECT_NEAR(student_t_quantile(0.025, 5), 2.570581836, 1e-8);
    EXPECT_NEAR(student_t_quantile(0.025, 10), 2.228138852, 1e-8);
    EXPECT_NEAR(student_t_quantile(0.005, 10), 3.169272673, 1e-8);
    EXPECT_NEAR(student_t_quantile(0.0005, 4), 8.610301581, 1e-8);
    EXPECT_NEAR(student_t_quantile(0.025, 1e6), 1.959966, 1e-5);
    EXPECT_NEAR(student_t_quantile(0.5, 3), 0, 1e-12);
    EXPECT_NEAR(student_t_quantile(0.975, 10), -2.228138852, 1e-8);
}

TEST(StudentT, TakesDegreesBetweenWholeNumbers) {
    // By the incomplete beta function of mpmath 1.2, with 20 digits.
    EXPECT_NEAR(student_t_above(3, 5.5), 0.013361740330923, 1e-10);
    EXPECT_NEAR(student_t_above(0.5, 9.3), 0.314345982086104, 1e-10);
    EXPECT_NEAR(student_t_above(-0.5, 9.3), 1 - 0.314345982086104, 1e-10);
    EXPECT_NEAR(student_t_above(40, 2.2), 0.000171157738282, 1e-10);
    EXPECT_NEAR(student_t_quantile(0.025, 7.5), 2.333039626865, 1e-8);
    EXPECT_NEAR(student_t_quantile(0.05 / 80, 9.3), 4.563133252419, 1e-8);
    EXPECT_EQ(student_t_above(std::numeric_limits<double>::infinity(), 3), 0);
}

TEST(Holm, CorrectsStepByStep) {
    const std::vector<double> corrected = holm(std::vector<double>{0.01, 0.04, 0.03, 0.005});
    const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(corrected[i], expected[i], 1e-15) << i;
    EXPECT_EQ(holm(std::vector<double>{0.9, 0.8}), (std::vector<double>{1, 1}));
}

std::vector<double> exponentials(const std::vector<double>& values) {
    std::vector<double> us;
    for (const double value : values) us.push_back(std::exp(value));
    return us;
}

/// Student's own example (1908), as in the manual of R: t.test(extra ~ group, data = sleep) gives t =
/// -1.8608, 17.776 degrees of freedom and the interval -3.3654832 to 0.2054832.
TEST(CompareProcesses, AgreesWithAPublishedWelchTest) {
    const ProcessMedians sleep{exponentials({0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}),
                               exponentials({1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4})};
    const ProcessComparison result = compare_processes(std::vector{sleep}).front();
    EXPECT_NEAR(std::log(result.ratio), 1.58, 1e-12);
    EXPECT_NEAR(std::log(result.ratio_interval.low), -0.2054832, 1e-7);
    EXPECT_NEAR(std::log(result.ratio_interval.high), 3.3654832, 1e-7);
    EXPECT_EQ(result.verdict, Verdict::cannot_tell);
}

ProcessMedians around(double other_us, double this_us, double spread) {
    ProcessMedians medians;
    for (const double step : {-1.0, 1.0, 0.0, 0.5, -0.5, 0.0}) {
        medians.other_us.push_back(other_us * std::exp(spread * step));
        medians.this_us.push_back(this_us * std::exp(spread * step));
    }
    return medians;
}

ProcessComparison compare_one(const ProcessMedians& medians, std::optional<double> max_regress = {}) {
    return compare_processes(std::vector{medians}, max_regress).front();
}

TEST(CompareProcesses, SaysWhatTheProcessesCarry) {
    EXPECT_EQ(compare_one(around(100, 110, 0.01)).verdict, Verdict::slower);
    EXPECT_EQ(compare_one(around(110, 100, 0.01)).verdict, Verdict::faster);
    EXPECT_EQ(compare_one(around(100, 100.1, 0.001)).verdict, Verdict::same);
    EXPECT_EQ(compare_one(around(100, 100.1, 0.01)).verdict, Verdict::cannot_tell);
    EXPECT_EQ(compare_one(around(100, 105, 0.08)).verdict, Verdict::cannot_tell);
    // 2 % is the same where 3 % are allowed.
    EXPECT_EQ(compare_one(around(100, 102, 0.002)).verdict, Verdict::slower);
    EXPECT_EQ(compare_one(around(100, 102, 0.002), 0.03).verdict, Verdict::same);
    // All medians alike: no spread at all.
    EXPECT_EQ(compare_one(around(100, 100, 0)).verdict, Verdict::same);
}

TEST(CompareProcesses, ARegressionMustExceedTheAllowedOne) {
    EXPECT_TRUE(compare_one(around(100, 110, 0.01), 0.03).regressed);
    EXPECT_TRUE(compare_one(around(100, 102, 0.005), 0).regressed);
    EXPECT_FALSE(compare_one(around(100, 103.5, 0.01), 0.03).regressed)
        << "an estimate above 3 % is not enough";
    EXPECT_FALSE(compare_one(around(110, 100, 0.01), 0).regressed);
    EXPECT_FALSE(compare_one(around(100, 110, 0.01)).regressed) << "no limit was given";
}

TEST(CompareProcesses, NeedsTwoProcessesOnEachSide) {
    const std::vector<ProcessMedians> settings{{{100}, {200, 201}}, {{}, {}}, around(100, 110, 0.01)};
    const auto results = compare_processes(settings, 0.03);
    EXPECT_EQ(results[0].verdict, Verdict::cannot_tell);
    EXPECT_EQ(results[1].verdict, Verdict::cannot_tell);
    EXPECT_EQ(results[2].verdict, Verdict::slower);
}

TEST(CompareProcesses, NamesTheProcessesThatWouldFindTheLimit) {
    const ProcessMedians noisy = around(100, 100, 0.06);
    const ProcessComparison result = compare_one(noisy, 0.03);
    ASSERT_TRUE(result.processes_needed);
    EXPECT_GT(*result.processes_needed, 20U);
    EXPECT_LT(*result.processes_needed, 100U);
    EXPECT_LE(*compare_one(noisy, 0.2).processes_needed, 6U);
    EXPECT_FALSE(compare_one(around(100, 100, 0.5), 0.001).processes_needed) << "more than 1,000";
    EXPECT_FALSE(compare_one(noisy, 0).processes_needed);
    EXPECT_FALSE(compare_one(noisy).processes_needed);
}

/// Noise of process medians with a standard deviation of 1, in the logarithm.
class Noise {
  public:
    explicit Noise(std::uint64_t seed) : bits_(seed) {}

    double normal() {
        return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
    }
    /// Student's t with 3 degrees of freedom.
    double heavy_tailed() {
        double squares = 0;
        for (int i = 0; i < 3; ++i) squares += std::pow(normal(), 2);
        return normal() / std::sqrt(squares / 3) / std::sqrt(3.0);
    }
    /// Exponential.
    double skewed() { return -std::log(uniform()) - 1; }
    /// One process in five is slower by five standard deviations of the others.
    double mixed() { return (normal() + (uniform() < 0.2 ? 5 : 0) - 1) / std::sqrt(1 + 25 * 0.16); }

  private:
    double uniform() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }
    std::mt19937_64 bits_;
};

using Draw = double (Noise::*)();

/// Settings whose second program takes `factor` times as long, with 6 processes each.
std::vector<ProcessMedians> draw_settings(Noise& noise, Draw draw, std::size_t num_settings, double spread,
                                          double factor) {
    std::vector<ProcessMedians> settings(num_settings);
    for (ProcessMedians& setting : settings) {
        for (int process = 0; process < 6; ++process) {
            setting.other_us.push_back(std::exp(spread * (noise.*draw)()));
            setting.this_us.push_back(factor * std::exp(spread * (noise.*draw)()));
        }
    }
    return settings;
}

constexpr std::size_t numbers_of_settings[] = {1, 12, 40};
constexpr Draw kinds_of_noise[] = {&Noise::normal, &Noise::heavy_tailed, &Noise::skewed, &Noise::mixed};
constexpr int num_comparisons = 1000;

/// The goal is 5 %; 6 % allows for 1,000 comparisons.
TEST(CompareProcesses, SeldomClaimsAChangeOfTheSameProgram) {
    for (std::size_t kind = 0; kind < std::size(kinds_of_noise); ++kind) {
        for (const std::size_t num_settings : numbers_of_settings) {
            Noise noise(kind);
            int false_claims = 0;
            for (int i = 0; i < num_comparisons; ++i) {
                const auto settings = draw_settings(noise, kinds_of_noise[kind], num_settings, 0.046, 1);
                const auto results = compare_processes(settings);
                false_claims += std::ranges::any_of(results, [](const ProcessComparison& each) {
                    return each.verdict == Verdict::faster || each.verdict == Verdict::slower;
                });
            }
            EXPECT_LE(false_claims, 0.06 * num_comparisons)
                << "noise " << kind << ", settings " << num_settings;
        }
    }
}

/// Not even if every setting is slower by exactly the allowed percentage.
TEST(CompareProcesses, SeldomFailsAChangeThatIsAllowed) {
    for (std::size_t kind = 0; kind < std::size(kinds_of_noise); ++kind) {
        for (const std::size_t num_settings : {std::size_t{1}, std::size_t{12}}) {
            Noise noise(10 + kind);
            int false_alarms = 0;
            for (int i = 0; i < num_comparisons; ++i) {
                const auto settings = draw_settings(noise, kinds_of_noise[kind], num_settings, 0.01, 1.03);
                const auto results = compare_processes(settings, 0.03);
                false_alarms += std::ranges::any_of(results, &ProcessComparison::regressed);
            }
            EXPECT_LE(false_alarms, 0.06 * num_comparisons)
                << "noise " << kind << ", settings " << num_settings;
        }
    }
}

/// The share of settings with `claim`.
double share_of(Draw draw, std::size_t num_settings, double spread, double factor,
                std::optional<double> max_regress,
                const std::function<bool(const ProcessComparison&)>& claim) {
    Noise noise(20);
    const int comparisons = num_comparisons / static_cast<int>(num_settings);
    std::size_t claims = 0;
    for (int i = 0; i < comparisons; ++i) {
        const auto results =
            compare_processes(draw_settings(noise, draw, num_settings, spread, factor), max_regress);
        claims += static_cast<std::size_t>(std::ranges::count_if(results, claim));
    }
    return static_cast<double>(claims) / static_cast<double>(comparisons) / static_cast<double>(num_settings);
}

bool is_slower(const ProcessComparison& result) {
    return result.verdict == Verdict::slower;
}

TEST(CompareProcesses, FindsFivePercentWhereProcessesDifferByOne) {
    for (const std::size_t num_settings : numbers_of_settings)
        EXPECT_GE(share_of(&Noise::normal, num_settings, 0.01, 1.05, {}, is_slower), 0.95) << num_settings;
    EXPECT_GE(share_of(&Noise::normal, 12, 0.01, 1.05, 0.0, &ProcessComparison::regressed), 0.95);
    EXPECT_GE(share_of(&Noise::normal, 12, 0.01, 1.05, 0.01, &ProcessComparison::regressed), 0.9);
    EXPECT_GE(share_of(&Noise::normal, 1, 0.01, 1.05, 0.03, &ProcessComparison::regressed), 0.9);
}

/// Of one setting that changes among others that do not.
TEST(CompareProcesses, TheSmallestChangeIsFoundInAboutEightyPercent) {
    for (const std::size_t num_settings : {std::size_t{1}, std::size_t{12}}) {
        Noise noise(30);
        double log_change = 0;
        constexpr int runs = 200;
        const auto draw = [&] { return draw_settings(noise, &Noise::normal, num_settings, 0.02, 1); };
        for (int i = 0; i < runs; ++i)
            log_change += std::log1p(compare_processes(draw()).front().smallest_change) / runs;
        int found = 0;
        for (int i = 0; i < num_comparisons; ++i) {
            std::vector<ProcessMedians> settings = draw();
            for (double& us : settings.front().this_us) us *= std::exp(log_change);
            found += is_slower(compare_processes(settings).front());
        }
        EXPECT_NEAR(found, 0.8 * num_comparisons, 0.1 * num_comparisons)
            << num_settings << " settings, " << std::exp(log_change);
    }
}

/// Process medians that scripts/compare-trials recorded: settings of one comparison.
struct Trial {
    std::vector<ProcessMedians> settings;
    std::vector<std::string> verdicts;  ///< as the program gave them
};

std::vector<double> numbers_in(const std::string& text) {
    std::istringstream words(text);
    return {std::istream_iterator<double>(words), {}};
}

/// The trials of a file by kind and number.
std::map<std::string, std::map<std::string, Trial>> read_trials(const std::filesystem::path& file) {
    const CsvText csv = split_csv(read_whole(file));
    EXPECT_EQ(csv.columns,
              (std::vector<std::string>{"kind", "trial", "setting", "other_us", "this_us", "verdict"}));
    std::map<std::string, std::map<std::string, Trial>> kinds;
    for (const std::vector<std::string>& row : csv.rows) {
        Trial& trial = kinds[row.at(0)][row.at(1)];
        trial.settings.push_back({numbers_in(row.at(3)), numbers_in(row.at(4))});
        trial.verdicts.push_back(row.at(5));
    }
    return kinds;
}

/// What the test says of the comparisons of one kind.
struct Outcome {
    std::size_t trials = 0;
    std::size_t with_claims = 0;  ///< trials with any setting that is faster or slower
    std::size_t faster = 0;       ///< settings
    std::size_t calm = 0;         ///< settings whose processes differ by at most 1 %
    std::size_t calm_slower = 0;
};

Outcome judge(const std::map<std::string, Trial>& trials) {
    Outcome outcome{.trials = trials.size()};
    for (const auto& [number, trial] : trials) {
        bool claims = false;
        const std::vector<ProcessComparison> results = compare_processes(trial.settings);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const Verdict verdict = results[i].verdict;
            // The program does not judge settings with throttled samples.
            if (trial.verdicts[i] != name_of(Verdict::cannot_tell)) {
                EXPECT_EQ(name_of(verdict), trial.verdicts[i]) << "trial " << number << ", setting " << i;
            }
            claims |= verdict == Verdict::faster || verdict == Verdict::slower;
            outcome.faster += verdict == Verdict::faster;
            const bool calm = results[i].spread <= 0.01;
            outcome.calm += calm;
            outcome.calm_slower += calm && verdict == Verdict::slower;
        }
        outcome.with_claims += claims;
    }
    return outcome;
}

TEST(RecordedTrials, AreJudgedAsTheTruthIsKnown) {
    std::size_t num_files = 0;
    for (const auto& machine : std::filesystem::directory_iterator(RESULTS_FOLDER)) {
        const std::filesystem::path file = machine.path() / "compare_trials.csv";
        if (!std::filesystem::exists(file)) continue;
        ++num_files;
        SCOPED_TRACE(file.string());
        Outcome of_one_program;  // quiet and under load
        for (const auto& [kind, trials] : read_trials(file)) {
            const Outcome outcome = judge(trials);
            if (kind == "slowed") {
                EXPECT_GE(outcome.calm_slower, 0.95 * static_cast<double>(outcome.calm));
                EXPECT_EQ(outcome.faster, 0U);
            } else {
                of_one_program.trials += outcome.trials;
                of_one_program.with_claims += outcome.with_claims;
            }
        }
        EXPECT_LE(of_one_program.with_claims, 0.05 * static_cast<double>(of_one_program.trials));
    }
    EXPECT_GT(num_files, 0U);
}

}  // namespace
