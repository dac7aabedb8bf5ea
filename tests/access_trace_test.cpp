#include "compaction/access_trace.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "access_trace_writer.hpp"

namespace {

using namespace compaction;

std::vector<std::byte> bytes_of_words(const std::vector<std::uint32_t>& words) {
    std::vector<std::byte> bytes(words.size() * sizeof(std::uint32_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

WarpAccess made(std::uint64_t step, AccessKind kind, std::uint32_t buffer, std::uint32_t launch,
                std::uint32_t block, std::uint32_t warp, std::uint32_t lane_mask,
                std::uint32_t elements_per_lane, std::vector<std::uint64_t> elements,
                const std::vector<std::uint32_t>& values = {}) {
    return {step,
            kind,
            buffer,
            launch,
            block,
            warp,
            block % 3,
            lane_mask,
            elements_per_lane,
            std::move(elements),
            bytes_of_words(values)};
}

std::vector<std::uint64_t> every(std::uint64_t first, std::uint64_t distance, std::size_t count) {
    std::vector<std::uint64_t> indices(count);
    for (std::size_t i = 0; i < count; ++i) indices[i] = first + i * distance;
    return indices;
}

AccessTrace empty_trace() {
    AccessTrace trace;
    std::vector<std::uint32_t> items(256);
    for (std::uint32_t i = 0; i < items.size(); ++i) items[i] = i % 2 * (1'000'003 * i);
    trace.buffers = {{BufferRole::input, "input", 256, 4, {}, bytes_of_words(items)},
                     {BufferRole::counts, "counts", 4096, 4, {}, {}},
                     {BufferRole::output, "output", 256, 4, {}, {}}};
    trace.num_items = items.size();
    trace.launches.resize(3);
    for (TracedLaunch& launch : trace.launches) {
        launch.blocks = 4;
        launch.threads = &launch == trace.launches.data() ? 96 : 64;
        launch.multiprocessors = {0, 1, 2, 0};
    }
    return trace;
}

std::vector<WarpAccess> accesses() {
    return {made(0, AccessKind::load, 0, 0, 0, 0, ~0U, 4, every(0, 1, 128)),
            made(0, AccessKind::load, 0, 0, 1, 2, 0x7fff, 1, every(255, std::uint64_t(-1), 15)),
            made(7, AccessKind::store, 1, 0, 3, 1, 1U << 31, 1, {4095}, {4'000'000'000}),
            made(7, AccessKind::store, 1, 0, 0, 0, 0x80000011, 1, {9, 4, 70}, {1, 0xffffffff, 2}),
            made(8, AccessKind::atomic, 1, 0, 0, 0, 0x3, 1, {5, 5}, {1, 2}),
            made(500, AccessKind::bulk_store, 1, 2, 0, 0, 1, 1000, every(16, 1, 1000),
                 std::vector<std::uint32_t>(1000, 0)),
            made(501, AccessKind::bulk_load, 0, 2, 2, 1, 1U << 5, 64, every(64, 1, 64)),
            // Input items in order, again, backwards, and a value that is no input item.
            made(502, AccessKind::store, 2, 2, 0, 1, 0x1f, 1, every(3, 1, 5),
                 {1'000'003, 3 * 1'000'003, 3 * 1'000'003, 1'000'003, 77})};
}

TEST(AccessTrace, ReaderReturnsWhatWasWritten) {
    AccessTrace trace = empty_trace();
    AccessWriter writer(trace);
    for (const WarpAccess& access : accesses()) writer.add(access);
    EXPECT_EQ(trace.num_accesses, 8U);
    EXPECT_EQ(trace.num_stored_values, 1011U);
    EXPECT_EQ(trace.num_steps, 503U);
    AccessReader reader(trace);
    for (const WarpAccess& expected : accesses()) {
        ASSERT_TRUE(reader.next());
        const WarpAccess& access = reader.access();
        EXPECT_EQ(access.step, expected.step);
        EXPECT_EQ(access.kind, expected.kind);
        EXPECT_EQ(access.buffer, expected.buffer);
        EXPECT_EQ(access.launch, expected.launch);
        EXPECT_EQ(access.block, expected.block);
        EXPECT_EQ(access.warp, expected.warp);
        EXPECT_EQ(access.multiprocessor, expected.multiprocessor);
        EXPECT_EQ(access.lane_mask, expected.lane_mask);
        EXPECT_EQ(access.elements_per_lane, expected.elements_per_lane);
        EXPECT_EQ(access.elements, expected.elements);
        EXPECT_EQ(access.values, expected.values);
    }
    EXPECT_FALSE(reader.next());
}

TEST(AccessTrace, CopyOfReaderContinuesFromTheSamePlace) {
    AccessTrace trace = empty_trace();
    AccessWriter writer(trace);
    for (const WarpAccess& access : accesses()) writer.add(access);
    AccessReader reader(trace);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(reader.next());
    AccessReader copy = reader;
    while (reader.next()) {
        ASSERT_TRUE(copy.next());
        EXPECT_EQ(copy.access().elements, reader.access().elements);
        EXPECT_EQ(copy.access().values, reader.access().values);
    }
    EXPECT_FALSE(copy.next());
}

TEST(AccessTrace, NumberOfAWordLeavesItsStateOut) {
    constexpr WordFormat status{.first_bit = 4, .num_bits = 8};
    EXPECT_EQ(status.number_in(0xabcd), 0xbcU);
    EXPECT_EQ(WordFormat{}.number_in(~std::uint64_t{0}), ~std::uint64_t{0});
}

}  // namespace
