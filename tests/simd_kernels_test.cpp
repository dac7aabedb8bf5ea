// The conformance tests run the best instruction set of the machine; these run each that it has.
#include "cpu/simd_kernels.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <string>
#include <vector>

#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using workloads::Pattern;

constexpr Item poison = 0xdeadbeef;
constexpr std::size_t guard_items = 80;

class SimdKernels : public testing::TestWithParam<std::int64_t> {
  protected:
    void SetUp() override { choose(GetParam()); }
    void TearDown() override { choose(0); }

    /// Makes dynamic dispatch choose among `targets`; 0 for all that there are.
    static void choose(std::int64_t targets) {
        hwy::SetSupportedTargetsForTest(targets);
        hwy::GetChosenTarget().DeInit();  // the next call chooses anew
    }

    static void check(const std::vector<Item>& stream, std::size_t begin, Keep keep,
                      unsigned vectors_per_step) {
        std::vector<Item> expected(guard_items, poison);
        std::copy_if(stream.begin() + static_cast<std::ptrdiff_t>(begin), stream.end(),
                     std::back_inserter(expected), keep);
        const std::uint64_t num_kept = expected.size() - guard_items;
        expected.resize(expected.size() + guard_items, poison);

        const Item* const in = stream.data() + begin;
        const std::uint64_t num_items = stream.size() - begin;
        ASSERT_EQ(cpu::count_kept(in, num_items, keep, vectors_per_step), num_kept);
        std::vector<Item> written(expected.size(), poison);
        cpu::move_kept(in, num_items, keep, written.data() + guard_items, num_kept, vectors_per_step);
        ASSERT_EQ(written, expected);
    }
};

TEST_P(SimdKernels, AreTheOnesAskedFor) {
    EXPECT_EQ(cpu::simd_target(), hwy::TargetName(GetParam()));
}

TEST_P(SimdKernels, CountAndMoveExactlyTheKeptItems) {
    for (std::uint64_t length = 0; length < 300; length += length < 140 ? 1 : 13) {
        for (const double fraction : {0.0, 0.05, 0.5, 0.95, 1.0}) {
            const auto stream = workloads::make_stream(Pattern::random, length + 3, fraction, length);
            for (const std::size_t begin : {0U, 1U, 3U}) {
                for (const unsigned vectors_per_step : {1U, 2U, 4U}) {
                    check(stream, begin, keep_non_zero(), vectors_per_step);
                    if (HasFatalFailure())
                        FAIL() << length << " items, " << fraction << ", " << vectors_per_step;
                }
            }
        }
    }
}

TEST_P(SimdKernels, CompareWithoutSign) {
    const auto stream = workloads::make_stream(Pattern::full, 10'007, 1, 5);
    for (const Keep keep :
         {keep_above(0x7fffffff), keep_above(0x80000000), keep_any_bit(0x80000000), Keep{0xff, 100}}) {
        check(stream, 0, keep, 4);
    }
}

std::string target_test_name(const testing::TestParamInfo<std::int64_t>& info) {
    return hwy::TargetName(info.param);
}

INSTANTIATE_TEST_SUITE_P(Targets, SimdKernels, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         target_test_name);

}  // namespace
