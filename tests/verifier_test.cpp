#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/support/engines.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using workloads::Pattern;

constexpr std::uint64_t seed = 7;

/// A stream with its correct result, which each test then corrupts.
class VerifierTest : public testing_support::OnEveryEngine {
  protected:
    void SetUp() override {
        OnEveryEngine::SetUp();
        if (IsSkipped()) return;
        use(workloads::make_stream(Pattern::random, 300'007, 0.5, seed), keep_non_zero());
    }

    void use(std::vector<Item> stream, Predicate keep) {
        stream_ = std::move(stream);
        keep_ = keep;
        result_.clear();
        std::ranges::copy_if(stream_, std::back_inserter(result_), keep_);
        count_ = result_.size();
    }

    Verdict verdict(Comparison comparison = Comparison::in_order) {
        const auto verifier = engine_->make_verifier(comparison);
        verifier->reserve(stream_.size());
        std::vector<Item> out = result_;
        out.resize(stream_.size());
        const Buffer in_buffer = uploaded(stream_);
        const Buffer out_buffer = uploaded(out);
        const Buffer count_buffer = uploaded(std::vector{count_});
        EXPECT_TRUE(verifier->enqueue(17, in_buffer.as<Item>(), stream_.size(), out_buffer.as<Item>(),
                                      count_buffer.as<std::uint64_t>(), keep_));
        engine_->synchronise();
        const std::optional<Verdict> verdict = verifier->poll();
        EXPECT_TRUE(verdict);
        EXPECT_FALSE(verifier->poll()) << "a verdict is returned once";
        return verdict.value_or(Verdict{});
    }

    void expect_wrong_at(std::uint64_t index, Item expected, Item actual,
                         Comparison comparison = Comparison::in_order) {
        const Verdict found = verdict(comparison);
        EXPECT_FALSE(found.correct());
        EXPECT_EQ(found.first_wrong, index);
        EXPECT_EQ(found.expected_item, expected);
        EXPECT_EQ(found.actual_item, actual);
        EXPECT_NE(found.describe().find(std::to_string(index)), std::string::npos) << found.describe();
    }

    std::vector<Item> stream_;
    Predicate keep_;
    std::vector<Item> result_;
    std::uint64_t count_ = 0;
};

TEST_P(VerifierTest, PassesCorrectResults) {
    for (const workloads::PatternInfo& info : workloads::patterns()) {
        for (const std::uint64_t length : {0U, 1U, 33U, 65'535U, 65'536U, 65'537U, 200'003U}) {
            use(workloads::make_stream(info.pattern, length, 0.5, seed), keep_non_zero());
            const Verdict found = verdict();
            EXPECT_TRUE(found.correct()) << info.name << ", " << length << " items: " << found.describe();
            EXPECT_EQ(found.expected_count, result_.size());
            EXPECT_EQ(found.run, 17U);
        }
    }
}

TEST_P(VerifierTest, AppliesThePredicate) {
    use(workloads::make_stream(Pattern::full, 100'003, 1, seed), keep_above(0x90000000));
    EXPECT_TRUE(verdict().correct());
    keep_ = keep_any_bit(4);
    EXPECT_FALSE(verdict().correct());
}

TEST_P(VerifierTest, FindsOneChangedItem) {
    for (const std::uint64_t index : {std::uint64_t{1}, count_ / 2, std::uint64_t{65'536}}) {
        const Item right = std::exchange(result_[index], result_[index] ^ 1);
        expect_wrong_at(index, right, right ^ 1);
        result_[index] = right;
    }
}

TEST_P(VerifierTest, FindsTheFirstAndTheLastItem) {
    const Item first = std::exchange(result_.front(), 0);
    expect_wrong_at(0, first, 0);
    result_.front() = first;
    const Item last = std::exchange(result_.back(), 0);
    expect_wrong_at(count_ - 1, last, 0);
}

TEST_P(VerifierTest, FindsTwoSwappedItems) {
    const Item before = result_[70'000];
    const Item after = result_[70'001];
    std::swap(result_[70'000], result_[70'001]);
    expect_wrong_at(70'000, before, after);
}

TEST_P(VerifierTest, NamesTheFirstOfManyWrongItems) {
    for (std::uint64_t index = 140'000; index > 1'000; index -= 1'000) result_[index] = 0;
    const Item right = std::exchange(result_[999], 0);
    expect_wrong_at(999, right, 0);
}

TEST_P(VerifierTest, FindsACountThatIsOneShort) {
    --count_;
    const Verdict found = verdict();
    EXPECT_FALSE(found.correct());
    EXPECT_EQ(found.expected_count, found.actual_count + 1);
    EXPECT_FALSE(found.first_wrong) << "all written items are correct";
}

TEST_P(VerifierTest, FindsACountThatIsOneOver) {
    ++count_;
    const Verdict found = verdict();
    EXPECT_FALSE(found.correct());
    EXPECT_EQ(found.expected_count + 1, found.actual_count);
    EXPECT_FALSE(found.first_wrong);
}

TEST_P(VerifierTest, FindsADroppedItem) {
    const Item dropped = result_[50'000];
    result_.erase(result_.begin() + 50'000);
    --count_;
    expect_wrong_at(50'000, dropped, result_[50'000]);
}

TEST_P(VerifierTest, AcceptsAnyOrder) {
    std::ranges::reverse(result_);
    EXPECT_FALSE(verdict().correct());
    EXPECT_TRUE(verdict(Comparison::any_order).correct());
    EXPECT_EQ(verdict(Comparison::any_order).expected_count, result_.size());
}

TEST_P(VerifierTest, CountsItemsInAnyOrder) {
    const auto has_other_items = [this] {
        const Verdict found = verdict(Comparison::any_order);
        return !found.correct() && found.other_items && !found.describe().empty();
    };
    const std::vector<Item> right = result_;
    result_[70'000] ^= 1;
    EXPECT_TRUE(has_other_items()) << "one bit of one item";
    result_ = right;
    result_[5] = result_[6];
    EXPECT_TRUE(has_other_items()) << "one item twice, another missing";
    result_ = right;
    ++result_[5];
    --result_[6];
    EXPECT_TRUE(has_other_items()) << "the same sum of items";
    result_ = right;
    --count_;
    EXPECT_FALSE(verdict(Comparison::any_order).correct()) << "one item short";
}

TEST_P(VerifierTest, ChecksCopies) {
    result_ = stream_;
    count_ = 0;  // a copy does not write it
    EXPECT_TRUE(verdict(Comparison::copy).correct());
    for (const std::size_t index : {std::size_t{0}, std::size_t{65'536}, stream_.size() - 1}) {
        result_[index] ^= 4;
        expect_wrong_at(index, stream_[index], stream_[index] ^ 4, Comparison::copy);
        result_[index] ^= 4;
    }
}

TEST_P(VerifierTest, ChecksOnlyTheNumberOfCounts) {
    std::ranges::fill(result_, 0);  // a count does not write it
    EXPECT_TRUE(verdict(Comparison::count).correct());
    ++count_;
    EXPECT_FALSE(verdict(Comparison::count).correct());
}

TEST_P(VerifierTest, ChecksExclusiveSums) {
    result_.resize(stream_.size());
    std::exclusive_scan(stream_.begin(), stream_.end(), result_.begin(), Item{0});
    count_ = 0;  // a scan does not write it
    EXPECT_TRUE(verdict(Comparison::exclusive_sums).correct());
    for (const std::size_t index : {std::size_t{0}, std::size_t{65'537}, stream_.size() - 1}) {
        const Item right = result_[index]++;
        expect_wrong_at(index, right, right + 1, Comparison::exclusive_sums);
        result_[index] = right;
    }
}

TEST_P(VerifierTest, ChecksEveryWordOfWideItems) {
    constexpr ItemSize item_size = ItemSize::bytes_16;
    constexpr std::size_t words = words_of(item_size);
    const std::vector<Item> wide = workloads::widen(stream_, item_size, seed);
    std::vector<Item> kept;
    for (std::size_t i = 0; i < wide.size(); i += words) {
        if (!keep_(wide[i + words - 1])) continue;
        kept.insert(kept.end(), wide.begin() + static_cast<std::ptrdiff_t>(i),
                    wide.begin() + static_cast<std::ptrdiff_t>(i + words));
    }
    const Buffer in = uploaded(wide);
    const Buffer count = uploaded(std::vector{count_});
    const auto judge = [&](const std::vector<Item>& result, Comparison comparison) {
        const Buffer out = uploaded(result);
        const auto verifier = engine_->make_verifier(comparison, item_size);
        verifier->reserve(stream_.size());
        EXPECT_TRUE(verifier->enqueue(1, in.as<void>(), stream_.size(), out.as<void>(),
                                      count.as<std::uint64_t>(), keep_));
        engine_->synchronise();
        return verifier->poll().value_or(Verdict{});
    };
    for (const Comparison comparison : {Comparison::in_order, Comparison::any_order}) {
        EXPECT_TRUE(judge(kept, comparison).correct());
        for (std::size_t word = 0; word < words; ++word) {
            std::vector<Item> damaged = kept;
            damaged[12'345 * words + word] ^= 0x8000;
            const Verdict found = judge(damaged, comparison);
            EXPECT_FALSE(found.correct()) << "word " << word;
            if (comparison == Comparison::any_order) continue;
            EXPECT_EQ(found.first_wrong, 12'345U);
            EXPECT_EQ(found.expected_item ^ found.actual_item, 0x8000U);
        }
    }
}

TEST_P(VerifierTest, TakesOneResultAtATime) {
    const auto verifier = engine_->make_verifier();
    verifier->reserve(stream_.size());
    const Buffer in = uploaded(stream_);
    const Buffer count = uploaded(std::vector<std::uint64_t>{0});
    EXPECT_TRUE(verifier->enqueue(1, in.as<Item>(), 0, in.as<Item>(), count.as<std::uint64_t>(), keep_));
    EXPECT_FALSE(verifier->enqueue(2, in.as<Item>(), 0, in.as<Item>(), count.as<std::uint64_t>(), keep_));
    engine_->synchronise();
    const std::optional<Verdict> verdict = verifier->poll();
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->run, 1U);
}

INSTANTIATE_TEST_SUITE_P(Engines, VerifierTest, testing::ValuesIn(testing_support::engine_ids()),
                         testing_support::engine_test_name);

}  // namespace
