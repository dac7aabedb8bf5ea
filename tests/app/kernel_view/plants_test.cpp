// Every planted fault: it shows with its seed, and not without it.
#include "app/kernel_view/plants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "compaction/planted_fault.hpp"
#include "tests/app/kernel_view/traced.hpp"

namespace {

using namespace warpsieve::kernel_view;
using compaction::ItemSize;

const std::vector<compaction::Item>& items() {
    static const auto all = workloads::make_stream(workloads::Pattern::random, 1U << 12, 0.5, 1);
    return all;
}

const compaction::Algorithm& algorithm_of(const Plant& plant) {
    return compaction::find_algorithm("simulated_" + std::string(plant.algorithm));
}

PlantedRun run(const Plant& plant) {
    return run_plant(plant, algorithm_of(plant), {}, ItemSize::bytes_4, std::as_bytes(std::span(items())),
                     compaction::keep_non_zero(), plant.schedule_seed);
}

void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
}

class Plants : public testing::TestWithParam<const Plant*> {};

TEST_P(Plants, BreakTheOutputOrAreReported) {
    const PlantedRun planted = run(*GetParam());
    const Finding& finding = planted.finding;
    EXPECT_TRUE(finding.is_wrong || finding.is_reported()) << finding.text;
    EXPECT_EQ(finding.text.find("Nothing goes wrong"), std::string::npos) << finding.text;
    const Events& events = planted.replay.events();
    ASSERT_LT(finding.early, events.events.size()) << finding.text;
    ASSERT_LT(finding.late, events.events.size()) << finding.text;
    EXPECT_LT(finding.early, finding.late);
    const Notice notice = notice_of(*GetParam(), finding);
    EXPECT_LT(notice.opening, events.events.size());
    EXPECT_EQ(notice.text, finding.text);
}

/// The checked run stops where the unchecked one goes on, at the two lines that the report names.
TEST_P(Plants, AreReportedAtTheTwoLines) {
    const Plant& plant = *GetParam();
    const PlantedRun planted = run(plant);
    if (!planted.finding.is_reported()) return;
    const std::string report = planted.finding.report;
    EXPECT_NE(report.find("data race"), std::string::npos) << report;
    const Event& late = planted.replay.events().events[planted.finding.late];
    expect_in("block " + std::to_string(late.block) + ", thread " + std::to_string(late.thread) + " (",
              report);
    const std::string& text = planted.finding.text;
    const std::string accesses = text.substr(text.find(" First, "));
    const std::regex place(R"(\(\w+\.cuh?:\d+\))");
    const std::sregex_iterator found(accesses.begin(), accesses.end(), place);
    ASSERT_EQ(std::distance(found, {}), 2) << accesses;
    for (std::sregex_iterator at = found; at != std::sregex_iterator(); ++at) expect_in(at->str(), report);
}

TEST_P(Plants, ShowWhoStoredAWrongCount) {
    const PlantedRun planted = run(*GetParam());
    const Finding& finding = planted.finding;
    if (!finding.is_count_wrong) return;
    const Events& events = planted.replay.events();
    ASSERT_NE(finding.wrong_word, none);
    const compaction::LaneSite& site = events.site_of(events.events[finding.wrong_word]);
    EXPECT_TRUE(holds_stored_bytes(site.kind));
    EXPECT_EQ(events.trace.buffers[site.buffer].role, compaction::BufferRole::num_selected);
    EXPECT_EQ(notice_of(*GetParam(), finding).links.back().text, "the wrong count");
}

/// The same run with checks, where no line is left out.
compaction::LaneTracedCompaction run_without(const Plant& plant) {
    compaction::Options options;
    options[compaction::Option::variant] = plant.variant;
    const std::vector<compaction::Item> earlier(items().rbegin(), items().rend());
    return compaction::simulated::trace_planted(
        algorithm_of(plant), options, ItemSize::bytes_4, std::as_bytes(std::span(items())),
        compaction::keep_non_zero(), plant.schedule_seed,
        {"/no_such_file.cuh", 1, true, std::as_bytes(std::span(earlier))});
}

/// The lines that the barriers at the plant's line put in order, as texts.
std::vector<std::string> ordered_by_line_of(const Plant& plant, const Events& events) {
    std::vector<std::string> all;
    const std::string name(plant.file.substr(plant.file.rfind('/') + 1));
    const std::string place = name + ":" + std::to_string(line_of(plant));
    for (const auto& [barrier, pairs] : events.ordered_lines) {
        // A barrier of a block has the place of the last arrival.
        const bool is_of_block =
            events.site_of(events.events[barrier]).kind == compaction::LaneStepKind::barrier_release;
        const auto& path = events.site_lines[events.events[is_of_block ? barrier - 1 : barrier].site];
        if (path.empty() || place_text(events, path.front()) != place) continue;
        for (const OrderedLines& each : pairs)
            all.push_back(place_text(events, each.before) + " " + place_text(events, each.after));
    }
    return all;
}

TEST_P(Plants, WithoutABarrierRaceAtLinesThatItOrders) {
    const Plant& plant = *GetParam();
    const PlantedRun planted = run(plant);
    if (!plant.line.starts_with("__sync") || !planted.finding.is_reported()) return;
    const Events& wrong = planted.replay.events();
    const auto place = [&](std::uint32_t event) {
        return place_text(wrong, wrong.site_lines[wrong.events[event].site].front());
    };
    const std::string early = place(planted.finding.early);
    const std::string late = place(planted.finding.late);
    const std::vector<std::string> ordered = ordered_by_line_of(plant, read_events(run_without(plant).trace));
    // Without the barrier, the later access may come first.
    const bool is_ordered = std::ranges::any_of(ordered, [&](const std::string& lines) {
        return lines == early + " " + late || lines == late + " " + early;
    });
    EXPECT_TRUE(is_ordered) << early << " and " << late << "; " << ordered.size() << " pairs are ordered";
}

TEST_P(Plants, AreWhatGoesWrong) {
    const compaction::LaneTracedCompaction right = run_without(*GetParam());
    EXPECT_EQ(right.trace.fault, "");
    std::vector<compaction::Item> kept;
    for (const compaction::Item item : items())
        if (item != 0) kept.push_back(item);
    const auto expected = std::as_bytes(std::span(kept));
    EXPECT_TRUE(std::ranges::equal(right.output, expected));
}

std::vector<const Plant*> every_plant() {
    std::vector<const Plant*> all;
    for (const Plant& plant : plants()) all.push_back(&plant);
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, Plants, testing::ValuesIn(every_plant()), [](const auto& plant) {
    std::string name(plant.param->id);
    std::ranges::replace(name, '-', '_');
    return name;
});

}  // namespace
