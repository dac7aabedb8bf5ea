// The tags and counters of selections whose temporary storage may hold anything, on a fake runtime.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_host_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using compaction::cuda::select_if;
using detail::LaunchTags;
using select_testing::h100;
using select_testing::long_stream;
using select_testing::SelectOnHost;
using select_testing::short_stream;
using Source = LaunchTags::Source;

struct KeepsNonZero {
    __device__ bool operator()(std::uint32_t item) const { return item != 0; }
};

class SelectTags : public SelectOnHost {
  protected:
    struct Launched {
        LaunchTags tags;
        std::uint64_t rounds;  ///< 0 for a single wave
    };

    void SetUp() override {
        SelectOnHost::SetUp();
        use(h100);
        runtime_.on_launch = [this](const FakeRuntime::Launch& launch) {
            if (launch.is("single_wave_kernel")) {
                launched_.push_back(
                    {static_cast<const detail::SingleWaveOptions*>(launch.arguments[1])->tags, 0});
            } else if (launch.is("pipeline_kernel")) {
                launched_.push_back(
                    {static_cast<const detail::PipelineOptions*>(launch.arguments[3])->tags,
                     static_cast<const detail::TileSchedule*>(launch.arguments[1])->num_rounds});
            }
        };
    }

    void TearDown() override {
        runtime_.capture_info_result = runtime_.user_object_result = runtime_.retain_result = cudaSuccess;
        SelectOnHost::TearDown();
        EXPECT_EQ(free_counters(), detail::num_launch_counters) << "a counter was lost";
    }

    cudaError_t select(std::uint64_t num_items) {
        std::size_t bytes = 0;
        if (const auto error =
                select_if(nullptr, bytes, in_, out_, num_selected_, num_items, KeepsNonZero{}, stream_))
            return error;
        return select_if(memory(4), bytes, in_, out_, num_selected_, num_items, KeepsNonZero{}, stream_);
    }

    static std::vector<unsigned> take_all_counters() {
        std::vector<unsigned> counters;
        for (unsigned counter; (counter = detail::counter_pool.take()) < detail::num_launch_counters;)
            counters.push_back(counter);
        return counters;
    }
    static std::size_t free_counters() {
        const std::vector<unsigned> counters = take_all_counters();
        for (const unsigned counter : counters) detail::counter_pool.release(counter);
        return std::set<unsigned>(counters.begin(), counters.end()).size();
    }

    /// The launches of a call that resets the storage.
    void expect_reset(std::uint64_t num_items) {
        runtime_.launches.clear();
        launched_.clear();
        ASSERT_EQ(select(num_items), cudaSuccess);
        ASSERT_EQ(runtime_.launches.size(), 2U);
        EXPECT_TRUE(runtime_.launches[0].is("reset_kernel"));
        ASSERT_EQ(launched_.size(), 1U);
        EXPECT_EQ(launched_[0].tags.source, Source::state);
        EXPECT_EQ(launched_[0].tags.base, 0U);
    }

    cudaStream_t stream_ = reinterpret_cast<cudaStream_t>(std::uintptr_t{64});
    std::vector<Launched> launched_;
};

TEST_F(SelectTags, OfAStreamAreNeverRepeated) {
    for (int i = 0; i < 50; ++i) {
        for (const std::uint64_t num_items : {short_stream, long_stream, 6'000'000UL, 10'000UL})
            ASSERT_EQ(select(num_items), cudaSuccess);
    }
    ASSERT_EQ(launched_.size(), 200U);
    EXPECT_EQ(runtime_.launches.size(), launched_.size()) << "nothing is reset";
    detail::Tag end = 0;
    for (const auto& [tags, rounds] : launched_) {
        EXPECT_EQ(tags.source, Source::host);
        EXPECT_GE(tags.base, end);
        end = tags.base + std::max<std::uint64_t>(rounds, 1);
    }
    EXPECT_LT(end, detail::Tag{1} << detail::tag_bits) << "tags fit the words";
}

/// A single block writes no words.
TEST_F(SelectTags, AreNotTakenForASingleBlock) {
    runtime_.captures = true;
    ASSERT_EQ(select(1'000), cudaSuccess);
    ASSERT_EQ(launched_.size(), 1U);
    EXPECT_TRUE(runtime_.owned_by_graph.empty());
}

TEST_F(SelectTags, OfCapturedLaunchesComeFromSlotsThatTheGraphOwns) {
    runtime_.captures = true;
    std::set<unsigned> counters;
    std::set<detail::Tag> bases;
    for (int i = 0; i < 20; ++i) {
        for (const std::uint64_t num_items : {short_stream, long_stream})
            ASSERT_EQ(select(num_items), cudaSuccess);
    }
    EXPECT_EQ(runtime_.launches.size(), 40U) << "nothing is reset";
    for (const auto& [tags, rounds] : launched_) {
        EXPECT_EQ(tags.source, Source::graph_counter);
        EXPECT_LT(tags.counter, detail::num_launch_counters);
        counters.insert(tags.counter);
        bases.insert(tags.base);
    }
    EXPECT_EQ(counters.size(), 40U) << "a counter of its own for each launch";
    EXPECT_EQ(bases.size(), 40U);
    EXPECT_EQ(runtime_.owned_by_graph.size(), 40U);
    EXPECT_EQ(free_counters(), detail::num_launch_counters - 40);
    runtime_.destroy_graph();
    EXPECT_EQ(free_counters(), detail::num_launch_counters);
}

TEST_F(SelectTags, AreCountedAfterAResetWhereNoSlotIsLeft) {
    runtime_.captures = true;
    const std::vector<unsigned> counters = take_all_counters();
    EXPECT_EQ(counters.size(), detail::num_launch_counters);
    for (const std::uint64_t num_items : {short_stream, long_stream})
        ASSERT_NO_FATAL_FAILURE(expect_reset(num_items));
    detail::counter_pool.release(counters[17]);
    ASSERT_EQ(select(short_stream), cudaSuccess);
    EXPECT_EQ(launched_.back().tags.source, Source::graph_counter);
    EXPECT_EQ(launched_.back().tags.counter, counters[17]);
    for (const unsigned counter : counters) {
        if (counter != counters[17]) detail::counter_pool.release(counter);
    }
}

TEST_F(SelectTags, AreCountedAfterAResetWhereTheGraphCannotOwnASlot) {
    runtime_.captures = true;
    for (const auto result : {&FakeRuntime::user_object_result, &FakeRuntime::retain_result}) {
        runtime_.*result = cudaErrorNotSupported;
        for (const std::uint64_t num_items : {short_stream, long_stream})
            ASSERT_NO_FATAL_FAILURE(expect_reset(num_items));
        runtime_.*result = cudaSuccess;
        EXPECT_EQ(free_counters(), detail::num_launch_counters);
    }
}

TEST_F(SelectTags, NeedAStreamThatCanBeAsked) {
    runtime_.capture_info_result = cudaErrorStreamCaptureImplicit;
    for (const std::uint64_t num_items : {short_stream, long_stream})
        EXPECT_EQ(select(num_items), cudaErrorStreamCaptureImplicit);
    EXPECT_TRUE(runtime_.launches.empty());
}

/// As far as a few numbers can show it.
TEST(RandomTags, DifferInEachBit) {
    detail::Tag ones = 0, zeros = 0;
    for (int i = 0; i < 200; ++i) {
        const detail::Tag tag = detail::random_tag();
        ASSERT_LT(tag, detail::Tag{1} << (detail::tag_bits - 1)) << "as many must be left";
        ones |= tag;
        zeros |= ~tag;
    }
    constexpr detail::Tag all = (detail::Tag{1} << (detail::tag_bits - 1)) - 1;
    EXPECT_EQ(ones, all);
    EXPECT_EQ(zeros & all, all);
}

}  // namespace
