// Recordings: a file gives the same replay as the trace, and those that are built in play to their end.
#include "app/kernel_view/recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/kernel_view/replay.hpp"
#include "compaction/error.hpp"
#include "tests/app/kernel_view/traced.hpp"

namespace {

using namespace compaction;
using namespace warpsieve::kernel_view;
using warpsieve::kernel_view::Replay;

std::span<const std::byte> bytes_of(const std::string& file) {
    return std::as_bytes(std::span(file));
}

class Recordings : public testing::TestWithParam<const BuiltInRecording*> {};

TEST_P(Recordings, AreReadAsTheyWereWritten) {
    const LaneTrace trace = traced(find_algorithm(std::string(GetParam()->algorithm)), 100).trace;
    Recording read = read_recording(bytes_of(recording_file(trace)));
    EXPECT_EQ(read.trace.algorithm, trace.algorithm);
    EXPECT_EQ(read.trace.seed, trace.seed);
    EXPECT_EQ(read.trace.buffers, trace.buffers);
    EXPECT_EQ(read.trace.launches, trace.launches);
    EXPECT_EQ(read.trace.sites, trace.sites);
    EXPECT_EQ(read.trace.packed, trace.packed);
    EXPECT_EQ(read.trace.num_steps, trace.num_steps);
    EXPECT_EQ(read.trace.loads_hash, trace.loads_hash);
    for (const auto& [file, text] : read.sources) EXPECT_EQ(embedded_source(file)->text, text) << file;
    const Replay of_trace(trace), of_file(std::move(read.trace), std::move(read.sources));
    for (const Order order : all_orders) {
        ASSERT_EQ(of_file.steps(order).size(), of_trace.steps(order).size());
        for (std::size_t step = 0; step < of_trace.steps(order).size(); step += 100)
            ASSERT_EQ(of_file.sentence(order, step).text(), of_trace.sentence(order, step).text());
    }
}

TEST_P(Recordings, ThatAreBuiltInPlayToTheEnd) {
    Recording recording = read_recording(GetParam()->file());
    EXPECT_EQ(recording.trace.algorithm, GetParam()->algorithm);
    EXPECT_EQ(recording.trace.seed, GetParam()->schedule_seed);
    EXPECT_EQ(recording.trace.buffers.front().num_elements, GetParam()->num_items);
    for (const auto& [file, text] : recording.sources) EXPECT_TRUE(file.starts_with("compaction/")) << file;
    LaneReader reader(recording.trace);
    while (reader.next()) {
    }
    EXPECT_EQ(reader.loads_hash(), recording.trace.loads_hash);
    const std::vector<Item> items =
        workloads::make_stream(workloads::Pattern::random, GetParam()->num_items, 0.5, 1);
    const std::vector<Item> words = workloads::widen(items, GetParam()->item_size, /*seed=*/1);
    const auto input = std::as_bytes(std::span(words));
    EXPECT_TRUE(std::ranges::equal(reader.buffer(0), input)) << "the lessons name this stream";
    const Replay replay(std::move(recording.trace), std::move(recording.sources));
    const auto& functions = replay.events().functions;
    const auto kernel = replay.events().trace.launches.front().kernel;
    EXPECT_NE(std::ranges::find(functions, kernel, &SourceFunction::name), functions.end()) << kernel;
}

TEST(RecordingFile, IsRefusedIfItIsDamaged) {
    const std::string file = recording_file(traced(find_algorithm("spataro"), 50).trace);
    for (std::size_t size = 0; size < file.size(); size += 1 + file.size() / 20)
        EXPECT_THROW((void)read_recording(bytes_of(file.substr(0, size))), Error) << size;
}

std::vector<const BuiltInRecording*> all_recordings() {
    std::vector<const BuiltInRecording*> all;
    for (const BuiltInRecording& each : recordings()) all.push_back(&each);
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, Recordings, testing::ValuesIn(all_recordings()),
                         [](const auto& each) { return std::string(each.param->name); });

}  // namespace
