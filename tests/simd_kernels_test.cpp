// The kernels with each instruction set of this processor; the conformance tests use only the best one.
#include "cpu/simd_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "cpu/scalar_kernels.hpp"
#include "cpu/streamed_output.hpp"
#include "cpu/tuning.hpp"
#include "tests/support/simd_targets.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using testing_support::simd_target_name;
using testing_support::SimdTargetChoice;
using workloads::Pattern;

constexpr std::size_t guard_items = 80;
constexpr unsigned char poison_byte = 0xa5;

template <typename ItemT>
ItemT poison() {
    ItemT item;
    std::memset(&item, poison_byte, sizeof item);
    return item;
}

/// Items with `stream` as flag words and their index as payload.
template <typename ItemT>
std::vector<ItemT> widened(const std::vector<Item>& stream) {
    std::vector<ItemT> items(stream.size());
    for (std::size_t i = 0; i < stream.size(); ++i) {
        if constexpr (std::is_same_v<ItemT, Item>) {
            items[i] = stream[i];
        } else {
            for (Item& word : items[i].word) word = static_cast<Item>(0x80000000U + i);
            items[i].word[std::size(items[i].word) - 1] = stream[i];
        }
    }
    return items;
}

/// A part of a stream and its correct output: the kept items between guards.
template <typename ItemT>
struct Case {
    Case(const std::vector<Item>& stream, std::size_t begin, Predicate predicate)
        : items(widened<ItemT>(stream)),
          keep(predicate),
          in(items.data() + begin),
          num_items(items.size() - begin) {
        expected.assign(guard_items, poison<ItemT>());
        std::copy_if(in, in + num_items, std::back_inserter(expected), keep);
        num_selected = expected.size() - guard_items;
        expected.resize(expected.size() + guard_items, poison<ItemT>());
    }

    /// The contents after `write` has written from the first kept item on and returned the count.
    template <typename Write>
    void expect_written_by(Write write, const char* by) const {
        std::vector<ItemT> written(expected.size(), poison<ItemT>());
        ASSERT_EQ(write(written.data() + guard_items), num_selected) << by;
        ASSERT_EQ(written, expected) << by;
    }

    std::vector<ItemT> items;
    Predicate keep;
    const ItemT* in;
    std::uint64_t num_items;
    std::vector<ItemT> expected;
    std::uint64_t num_selected = 0;
};

/// select_into_buffer continues as long as there is room for a step.
template <typename ItemT>
void check_gather(const cpu::Kernels<ItemT>& kernels, const Case<ItemT>& c, cpu::LoopParameters parameters,
                  std::uint64_t room) {
    std::vector<ItemT> items(room + 1, poison<ItemT>());
    const cpu::Buffered gathered =
        kernels.select_into_buffer(c.in, c.num_items, c.keep, items.data(), room, parameters);
    ASSERT_LE(gathered.num_read, c.num_items);
    ASSERT_LE(gathered.num_selected, room);
    ASSERT_EQ(gathered.num_selected, std::count_if(c.in, c.in + gathered.num_read, c.keep));
    ASSERT_TRUE(std::equal(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(gathered.num_selected),
                           c.expected.begin() + guard_items));
    ASSERT_EQ(items.back(), poison<ItemT>());
    const bool has_room = room - gathered.num_selected >= cpu::slack_bytes / sizeof(ItemT);
    ASSERT_TRUE(gathered.num_read == c.num_items || !has_room) << gathered.num_read << " of " << c.num_items;
}

template <typename ItemT>
void check_kernels(const cpu::Kernels<ItemT>& kernels, const Case<ItemT>& c, cpu::LoopParameters parameters) {
    ASSERT_EQ(kernels.count_selected(c.in, c.num_items, c.keep, parameters), c.num_selected);
    c.expect_written_by(
        [&](ItemT* out) {
            return kernels.move_selected(c.in, c.num_items, c.keep, out, c.num_selected, parameters);
        },
        "move_selected");
    c.expect_written_by(
        [&](ItemT* out) { return kernels.compact(c.in, c.num_items, c.keep, out, parameters); }, "compact");
    c.expect_written_by(
        [&](ItemT* out) { return kernels.stream_selected(c.in, c.num_items, c.keep, out, parameters); },
        "stream_selected");
    check_gather(kernels, c, parameters, c.num_selected + guard_items);
    check_gather(kernels, c, parameters, c.num_selected / 2);
    // With more room than needed, the rest of the room is undefined, but not the memory behind it.
    std::vector<ItemT> roomy(c.num_selected + guard_items + 1, poison<ItemT>());
    ASSERT_EQ(kernels.move_selected(c.in, c.num_items, c.keep, roomy.data(), c.num_selected + guard_items,
                                    parameters),
              c.num_selected);
    ASSERT_TRUE(std::equal(roomy.begin(), roomy.begin() + static_cast<std::ptrdiff_t>(c.num_selected),
                           c.expected.begin() + guard_items));
    ASSERT_EQ(roomy.back(), poison<ItemT>());
}

class SimdKernels : public testing::TestWithParam<std::int64_t> {
  protected:
    template <typename ItemT>
    static void check(const std::vector<Item>& stream, std::size_t begin, Predicate keep, unsigned vectors) {
        const Case<ItemT> c(stream, begin, keep);
        for (const bool prefetches : {false, true}) {
            check_kernels(cpu::kernels<ItemT>(), c, {vectors, prefetches});
        }
    }

    static void check_all_sizes(const std::vector<Item>& stream, std::size_t begin, Predicate keep,
                                unsigned vectors) {
        check<Item>(stream, begin, keep, vectors);
        check<Item8>(stream, begin, keep, vectors);
        check<Item16>(stream, begin, keep, vectors);
    }

  private:
    SimdTargetChoice choice_{GetParam()};
};

TEST_P(SimdKernels, AreOfTheChosenTarget) {
    EXPECT_EQ(cpu::simd_target(), simd_target_name(GetParam()));
}

TEST_P(SimdKernels, HandleExactlyTheKeptItems) {
    for (std::uint64_t length = 0; length < 300; length += length < 140 ? 1 : 13) {
        for (const double fraction : {0.0, 0.05, 0.5, 0.95, 1.0}) {
            const auto stream = workloads::make_stream(Pattern::random, length + 3, fraction, length);
            for (const std::size_t begin : {0U, 1U, 3U}) {
                for (const unsigned vectors_per_step : {1U, 2U, 4U}) {
                    check_all_sizes(stream, begin, keep_non_zero(), vectors_per_step);
                    if (HasFatalFailure())
                        FAIL() << length << " items, " << fraction << ", " << vectors_per_step;
                }
            }
        }
    }
}

/// Lengths around the limit of the short path, and beyond it with endings of all lengths.
TEST_P(SimdKernels, HandleLongStreamsAsShortOnes) {
    for (const std::size_t item_bytes : {4U, 8U, 16U}) {
        const std::uint64_t longest_short = cpu::tuning::short_bytes / item_bytes;
        for (std::uint64_t length = longest_short - 1; length < longest_short + 150;
             length += 1 + length % 3) {
            for (const double fraction : {0.0, 0.01, 0.5, 0.95, 1.0}) {
                const auto stream = workloads::make_stream(Pattern::random, length, fraction, length);
                for (const unsigned vectors_per_step : {1U, 2U, 4U}) {
                    if (item_bytes == 4) check<Item>(stream, length % 2, keep_non_zero(), vectors_per_step);
                    if (item_bytes == 8) check<Item8>(stream, length % 2, keep_non_zero(), vectors_per_step);
                    if (item_bytes == 16)
                        check<Item16>(stream, length % 2, keep_non_zero(), vectors_per_step);
                    if (HasFatalFailure()) FAIL() << length << " items of " << item_bytes << ", " << fraction;
                }
            }
        }
    }
}

/// Streams whose last kept items precede a long run of dropped ones.
TEST_P(SimdKernels, FindTheEndOfTheOutputWhereverItIs) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<Item> stream(random() % 5'000);
        const std::size_t num_selected = std::min<std::size_t>(stream.size(), random() % 70);
        const std::size_t last = stream.empty() ? 0 : random() % stream.size() + 1;
        for (Item i = 0; i < num_selected; ++i) stream[random() % last] = 1 + i;
        check_all_sizes(stream, 0, keep_non_zero(), 4);
        if (HasFatalFailure()) FAIL() << "round " << round;
    }
}

/// Every mask of 16 items, which includes every mask of a shorter vector.
TEST_P(SimdKernels, CompressByEveryMask) {
    std::vector<Item> stream;
    for (unsigned mask = 0; mask < 65'536; ++mask) {
        for (unsigned lane = 0; lane < 16; ++lane) stream.push_back(mask >> lane & 1 ? mask + 1 : 0);
    }
    check_all_sizes(stream, 0, keep_non_zero(), 1);
}

TEST_P(SimdKernels, CompareWithoutSign) {
    const auto stream = workloads::make_stream(Pattern::full, 10'007, 1, 5);
    for (const Predicate keep : {keep_above(0x7fffffff), keep_above(0x80000000), keep_above(0xfffffffe),
                                 keep_above(0xffffffff), keep_any_bit(0x80000000), keep_any_bit(1),
                                 Predicate{0xff, 100}, Predicate{0xf0f0f0f0, 0x80808080}}) {
        check_all_sizes(stream, 0, keep, 4);
    }
}

TEST_P(SimdKernels, StreamToAnyAlignment) {
    // Down to so few kept items that the first line fills late or never.
    for (const double fraction : {0.0005, 0.003, 0.5, 1.0}) {
        const auto stream = workloads::make_stream(Pattern::random, 9'001, fraction, 11);
        const Case<Item> c(stream, 0, keep_non_zero());
        for (std::size_t shift = 0; shift < 17; ++shift) {
            std::vector<Item> written(c.num_selected + guard_items, poison<Item>());
            ASSERT_EQ(
                cpu::kernels<Item>().stream_selected(c.in, c.num_items, c.keep, written.data() + shift, {}),
                c.num_selected);
            ASSERT_TRUE(std::equal(written.begin() + static_cast<std::ptrdiff_t>(shift),
                                   written.begin() + static_cast<std::ptrdiff_t>(shift + c.num_selected),
                                   c.expected.begin() + guard_items));
            EXPECT_EQ(std::count(written.begin(), written.end(), poison<Item>()),
                      static_cast<std::ptrdiff_t>(guard_items));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, SimdKernels, testing::ValuesIn(testing_support::simd_targets()),
                         [](const auto& each) { return simd_target_name(each.param); });

template <typename ItemT>
void check_scalar_kernels() {
    constexpr cpu::Kernels<ItemT> kernels{
        cpu::scalar::count_selected<ItemT>,     cpu::scalar::move_selected<ItemT>,
        cpu::scalar::select_into_buffer<ItemT>, cpu::scalar::compact<ItemT>,
        cpu::scalar::stream_selected<ItemT>,    cpu::scalar::stream_lines};
    for (std::uint64_t length = 0; length < 200; length += 7) {
        for (const double fraction : {0.0, 0.5, 1.0}) {
            const auto stream = workloads::make_stream(Pattern::random, length, fraction, length);
            check_kernels(kernels, Case<ItemT>(stream, 0, keep_non_zero()), {});
        }
    }
}

/// The fallback for processors without vectors.
TEST(ScalarKernels, HandleExactlyTheKeptItems) {
    check_scalar_kernels<Item>();
    check_scalar_kernels<Item8>();
    check_scalar_kernels<Item16>();
}

}  // namespace
