#include "app/capture/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace warpsieve {
namespace {

using experiments::FrameSample;

FrameSample sample(std::uint64_t frame, const std::string& algorithm, std::vector<float> phase_us) {
    FrameSample sample;
    sample.frame = frame;
    sample.algorithm = &compaction::find_algorithm(algorithm);
    sample.total_us = 10;
    sample.between_us = phase_us.empty() ? 0 : 4;
    sample.num_phases = phase_us.size();
    std::ranges::copy(phase_us, sample.phase_us.begin());
    sample.num_kept = 5;
    return sample;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

TEST(FramesCsv, HasAColumnForEachPhaseAndALineForEachFrame) {
    const std::vector<FrameSample> frames{sample(0, "cpu_sequence_wise", {1, 2, 3})};
    const auto lines = lines_of(capture::frames_csv(frames, compaction::find_algorithm("cpu_sequence_wise")));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0],
              "frame,algorithm,count_us,prefix_us,move_us,between_us,total_us,interop_us,simulate_us,"
              "frame_us,kept,clock_hz");
    EXPECT_EQ(lines[1], "0,cpu_sequence_wise,1,2,3,4,10,0,0,0,5,");
}

TEST(FramesCsv, LeavesUntimedPhasesEmpty) {
    const std::vector<FrameSample> frames{sample(0, "cpu_sequence_wise", {})};
    const auto lines = lines_of(capture::frames_csv(frames, compaction::find_algorithm("cpu_sequence_wise")));
    EXPECT_EQ(lines.back(), "0,cpu_sequence_wise,,,,,10,0,0,0,5,") << "not a time of zero";
}

TEST(FramesCsv, KeepsFramesOfAnotherAlgorithmUnderItsOwnName) {
    const std::vector<FrameSample> frames{sample(0, "cpu_loop", {7}),
                                          sample(1, "cpu_sequence_wise", {1, 2, 3})};
    const auto lines = lines_of(capture::frames_csv(frames, compaction::find_algorithm("cpu_sequence_wise")));
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[1], "0,cpu_loop,,,,4,10,0,0,0,5,");
    EXPECT_EQ(lines[2], "1,cpu_sequence_wise,1,2,3,4,10,0,0,0,5,");
}

TEST(FramesCsv, HasColumnsOfBWhereItRan) {
    const std::vector<FrameSample> a{sample(0, "cpu_loop", {7}), sample(2, "cpu_loop", {8}),
                                     sample(3, "cpu_loop", {9})};
    const std::vector<FrameSample> b{sample(1, "cpu_sequence_wise", {1, 1, 1}),
                                     sample(2, "cpu_sequence_wise", {1, 2, 3})};
    const auto lines = lines_of(capture::frames_csv(a, compaction::find_algorithm("cpu_loop"), b));
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_TRUE(lines[0].ends_with(
        ",kept,clock_hz,b_algorithm,b_count_us,b_prefix_us,b_move_us,b_between_us,b_total_us,b_kept"))
        << lines[0];
    EXPECT_TRUE(lines[1].ends_with(",5,,,,,,,,")) << lines[1];
    EXPECT_TRUE(lines[2].ends_with(",5,,cpu_sequence_wise,1,2,3,4,10,5")) << lines[2];
    for (const std::string& line : lines)
        EXPECT_EQ(std::ranges::count(line, ','), std::ranges::count(lines[0], ',')) << line;
}

}  // namespace
}  // namespace warpsieve
