// The job and the map of the tune lab.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/labs/tune.hpp"
#include "app/settings/settings.hpp"
#include "tests/app/labs/lab_model_figures.hpp"

namespace {

using namespace warpsieve;
using namespace warpsieve::labs;
using experiments::Measurement;

TEST(Tune, TakesThreadsAndBlocksWhereThereAreBoth) {
    Algorithm algorithm = fake("any");
    EXPECT_FALSE(tune_axes(algorithm));
    algorithm.options = {compaction::every_vector_width(), threads(), blocks()};
    EXPECT_EQ(tune_axes(algorithm)->x, Option::blocks);
    EXPECT_EQ(tune_axes(algorithm)->y, Option::threads_per_block);
    algorithm.options = {compaction::every_vector_width(), threads(), {Option::sequences, 1, 65536}};
    EXPECT_EQ(tune_axes(algorithm)->x, Option::sequences);
    algorithm.options = {compaction::every_vector_width(), threads()};
    EXPECT_EQ(tune_axes(algorithm)->x, Option::threads_per_block);
    EXPECT_EQ(tune_axes(algorithm)->y, Option::vector_width);
    algorithm.options = {blocks()};
    EXPECT_EQ(tune_axes(algorithm)->x, Option::blocks);
    EXPECT_EQ(tune_axes(algorithm)->y, std::nullopt);
}

TEST(Tune, ValuesLieAtEvenRatiosAndAreLegal) {
    const std::vector<std::uint32_t> extras{120, 100'000};
    const std::vector<std::uint32_t> values = tune_values(blocks(), 17, extras);
    EXPECT_EQ(values.front(), 1U);
    EXPECT_EQ(values.back(), 65536U);
    EXPECT_EQ(values.size(), 18U) << "every power of two, and the extra that is legal";
    EXPECT_TRUE(std::ranges::binary_search(values, 120U));
    for (const std::uint32_t value : tune_values(threads(), 11, {})) {
        EXPECT_EQ(value % 32, 0U);
        EXPECT_GE(value, 32U);
        EXPECT_LE(value, 1024U);
    }
    EXPECT_EQ(tune_values(compaction::every_vector_width(), 11, {}), (std::vector<std::uint32_t>{1, 2, 4}));
}

TEST(Tune, PlacesBetweenValuesGoByRatio) {
    const std::vector<std::uint32_t> values{1, 4, 16};
    EXPECT_EQ(index_among(values, 1), 0);
    EXPECT_EQ(index_among(values, 4), 1);
    EXPECT_NEAR(index_among(values, 2), 0.5, 1e-9);
    EXPECT_EQ(index_among(values, 64), 2);
    EXPECT_EQ(index_among(values, 0), 0);
}

class TuneTest : public testing::Test {
  protected:
    TuneTest() {
        algorithm_.options = {compaction::every_vector_width(), threads(), blocks()};
        settings_.run.engine = EngineId::cuda;
        options_[Option::vector_width] = 2;
        options_[Option::blocks] = 77;
        job_ = tune_job(settings_.run, settings_.labs, 1 << 20, algorithm_, options_, 132);
    }

    /// A report in which `us` gives the time of each point.
    template <typename Time>
    Report report(Time us) {
        Report report;
        report.job = std::make_shared<const Job>(job_);
        Measurement measurement;
        for (const experiments::Setting& setting : job_.settings) {
            const double time =
                us(setting.options[Option::blocks], setting.options[Option::threads_per_block]);
            if (time <= 0) continue;
            measurement.results.push_back(result_of(setting, time));
            Result& result = measurement.results.back();
            if (setting.options[Option::blocks] != compaction::automatic) continue;
            result.resolved_options[Option::blocks] = 1056;
            result.resolved_options[Option::threads_per_block] = 256;
        }
        report.measurement = std::make_shared<const Measurement>(std::move(measurement));
        return report;
    }

    Algorithm algorithm_ = fake("copy_grid_stride");
    compaction::Options options_;
    Settings settings_;
    Job job_;
};

TEST_F(TuneTest, MeasuresTheAutomaticLayoutAndEveryPlaceOnce) {
    const auto& settings = job_.settings;
    EXPECT_EQ(settings.front().options[Option::blocks], compaction::automatic);
    EXPECT_EQ(settings.front().options[Option::threads_per_block], compaction::automatic);
    for (std::size_t i = 0; i < settings.size(); ++i) {
        EXPECT_EQ(settings[i].options[Option::vector_width], 2U) << "what is not tuned stays as it is";
        EXPECT_EQ(std::ranges::count(settings, settings[i]), 1);
    }
    EXPECT_GT(settings.size(), 100U);
    const std::string title =
        std::to_string(settings.size() - 1) + " values of threads per block × blocks and automatic,";
    EXPECT_NE(job_.title.find(title), std::string::npos) << job_.title;
}

TEST_F(TuneTest, KnowsWhatPartThreeOfTheSeriesPublished) {
    const auto points = published_points(algorithm_, *tune_axes(algorithm_));
    ASSERT_FALSE(points.empty());
    const auto has = [&](std::uint32_t x, std::uint32_t y) {
        return std::ranges::any_of(points,
                                   [&](const TunePoint& point) { return point.x == x && point.y == y; });
    };
    EXPECT_TRUE(has(65536, 128));
    EXPECT_TRUE(has(1024, 800));
    EXPECT_FALSE(has(1024, 128));
    EXPECT_TRUE(published_points(fake("unheard_of"), *tune_axes(algorithm_)).empty());
    // Every published point is a point of the map.
    const Report all = report([](auto, auto) { return 1.0; });
    const auto map = tune_map(all);
    ASSERT_TRUE(map);
    for (const TunePoint& point : map->published) EXPECT_TRUE(map->cell_of(point.x, point.y)) << point.x;
}

TEST_F(TuneTest, FindsTheBestAndHowFarTheOthersAre) {
    // The minimum is at 1024 blocks of 256 threads.
    const auto distance = [](double a, double b) { return std::abs(std::log2(std::max(a, 1.0) / b)); };
    const Report all = report([&](std::uint32_t x, std::uint32_t y) {
        return x == 0 ? 15.0 : 10 + distance(x, 1024) + distance(y, 256);
    });
    const auto map = tune_map(all);
    ASSERT_TRUE(map && map->best);
    EXPECT_EQ(map->x_of(*map->best), 1024U);
    EXPECT_EQ(map->y_of(*map->best), 256U);
    EXPECT_EQ(map->cells[*map->best].ratio_to_best, 1);
    EXPECT_TRUE(map->cells[*map->best].local_minimum);
    EXPECT_EQ(map->num_ties, 0U);
    EXPECT_FALSE(map->cells[*map->best].ties_with_best);
    EXPECT_EQ(std::ranges::count_if(map->cells, &TuneCell::local_minimum), 1);
    const auto other = map->cell_of(2048, 256);
    ASSERT_TRUE(other);
    EXPECT_NEAR(map->cells[*other].ratio_to_best, 1.1, 1e-9);
    EXPECT_NEAR(map->automatic.ratio_to_best, 1.5, 1e-9);
    EXPECT_FALSE(map->cell_of(3, 256));
}

TEST_F(TuneTest, ACellThatIsNotSlowerTiesWithTheBest) {
    const Report all = report(
        [](std::uint32_t x, std::uint32_t y) { return x == 1024 && (y == 256 || y == 128) ? 8.0 : 12.0; });
    const auto map = tune_map(all);
    ASSERT_TRUE(map && map->best);
    EXPECT_EQ(map->num_ties, 1U);
    EXPECT_EQ(std::ranges::count_if(map->cells, &TuneCell::ties_with_best), 1);
    EXPECT_FALSE(map->cells[*map->best].ties_with_best);
}

TEST_F(TuneTest, ShowsEveryLocalMinimumThatIsClear) {
    const Report all = report([](std::uint32_t x, std::uint32_t y) {
        if (x == 1024 && y == 256) return 8.0;
        if (x == 16 && y == 1024) return 9.0;
        if (x == 4 && y == 32) return 9.9;  // within the intervals of its neighbours
        return 10.0;
    });
    const auto map = tune_map(all);
    ASSERT_TRUE(map);
    EXPECT_EQ(std::ranges::count_if(map->cells, &TuneCell::local_minimum), 2);
}

TEST_F(TuneTest, FillsInAsResultsCome) {
    const auto empty = tune_map(report([](auto, auto) { return 0.0; }));
    ASSERT_TRUE(empty);
    EXPECT_FALSE(empty->best);
    EXPECT_TRUE(std::ranges::none_of(empty->cells, &TuneCell::known));
    const Report one_row =
        report([](std::uint32_t x, std::uint32_t y) { return x > 0 && y == 256 ? 5.0 : 0.0; });
    const auto map = tune_map(one_row);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count_if(map->cells, &TuneCell::known)), map->xs.size());
    EXPECT_EQ(std::ranges::count_if(map->cells, &TuneCell::local_minimum), 0)
        << "unknown neighbours are no proof";
}

TEST_F(TuneTest, SaysWhyAPlaceWasSkipped) {
    const auto octaves = [](std::uint32_t value, double from) { return std::abs(std::log2(value / from)); };
    Report partly = report([&](std::uint32_t x, std::uint32_t y) {
        return x == 64 || x == 0 ? 0.0 : 1 + octaves(x, 32) + octaves(y, 256);
    });
    Measurement measurement = *partly.measurement;
    for (const experiments::Setting& setting : job_.settings) {
        if (setting.options[Option::blocks] == 64)
            measurement.skipped.push_back({setting, "No room for that."});
    }
    partly.measurement = std::make_shared<const Measurement>(measurement);
    const TuneMap map = *tune_map(partly);
    EXPECT_EQ(map.cells[*map.cell_of(64, 32)].skip_reason, "No room for that.");
    EXPECT_EQ(map.cells[*map.cell_of(128, 32)].skip_reason, "");
    EXPECT_TRUE(map.cells[*map.cell_of(32, 256)].local_minimum) << "what cannot run is not faster";
}

TEST_F(TuneTest, TriesNoMoreThanFourThreadsAProcessor) {
    Algorithm on_cpu = fake("cpu", EngineId::cpu);
    on_cpu.options = {{Option::threads_per_block, 1, 256}, {Option::sequences, 1, 65536}};
    std::uint32_t most = 0;
    for (const experiments::Setting& setting :
         tune_job(settings_.run, settings_.labs, 4096, on_cpu, {}, 2).settings)
        most = std::max(most, setting.options[Option::threads_per_block]);
    EXPECT_EQ(most, 8U);
}

TEST_F(TuneTest, WithoutOptionsThereIsNothingToTune) {
    const Algorithm plain = fake("plain");
    const Job none = tune_job(settings_.run, settings_.labs, 4096, plain, {}, 132);
    EXPECT_TRUE(none.settings.empty());
    EXPECT_NE(none.title.find("no options"), std::string::npos);
}

}  // namespace
