#include "tests/support/workbench.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "workloads/streams.hpp"

namespace testing_support {

using compaction::Comparison;
using compaction::Item;

namespace {

constexpr Item poison = 0xdeadbeef;
constexpr std::uint64_t count_poison = 0xfeedfacefeedface;
/// 1,024 bytes: the output behind the guard is as aligned as the allocation, whatever the size of its items.
constexpr std::uint64_t guard_words = 256;
constexpr std::uint64_t max_shift = 4;  // items
constexpr std::uint64_t max_item_words = 4;
constexpr std::uint64_t payload_seed = 8;

}  // namespace

Workbench::Workbench(compaction::Engine& engine, std::uint64_t max_items)
    : engine_(engine),
      in_(engine.allocate((max_items + max_shift) * max_item_words * sizeof(Item))),
      out_(engine.allocate(((max_items + max_shift) * max_item_words + 2 * guard_words) * sizeof(Item))),
      num_selected_(engine.allocate(sizeof(std::uint64_t))) {}

void Workbench::use(const compaction::Algorithm& algorithm, compaction::ItemSize item_size) {
    comparison_ = comparison_of(algorithm);
    item_size_ = item_size;
}

std::uint64_t Workbench::out_begin() const {
    return guard_words + out_shift_ * words_of(item_size_);
}

void Workbench::load(std::span<const Item> stream, compaction::Predicate keep, std::uint64_t in_shift,
                     std::uint64_t out_shift) {
    stream_ = workloads::widen(stream, item_size_, payload_seed);
    num_items_ = stream.size();
    keep_ = keep;
    in_shift_ = in_shift;
    out_shift_ = out_shift;
    engine_.upload(in_.as<Item>() + in_shift * words_of(item_size_), stream_.data(),
                   stream_.size() * sizeof(Item));
    poison_.assign(out_begin() + stream_.size() + guard_words, poison);
    expected_ = poison_;
    expected_count_ = count_poison;
    words_written_ = 0;
    expect_result(expected_.data() + out_begin());
    sort_selected(expected_);
    written_.resize(poison_.size());
    input_.resize(stream_.size());
}

void Workbench::expect_result(Item* out) {
    const std::size_t words = words_of(item_size_);
    switch (comparison_) {
        case Comparison::in_order:
        case Comparison::any_order:
        case Comparison::count:
            expected_count_ = 0;
            for (std::uint64_t i = 0; i < num_items_; ++i) {
                const Item* const item = stream_.data() + i * words;
                if (!keep_(item[words - 1])) continue;
                if (comparison_ != Comparison::count) {
                    std::copy_n(item, words, out + expected_count_ * words);
                    words_written_ += words;
                }
                ++expected_count_;
            }
            break;
        case Comparison::copy:
            std::ranges::copy(stream_, out);
            words_written_ = stream_.size();
            break;
        case Comparison::exclusive_sums:
            std::exclusive_scan(stream_.begin(), stream_.end(), out, Item{0});
            words_written_ = stream_.size();
            break;
    }
}

/// Sorts the items of an unordered result, so that they can be compared.
void Workbench::sort_selected(std::vector<Item>& region) const {
    if (comparison_ != Comparison::any_order) return;
    visit_item_type(item_size_, [&]<typename ItemT>(std::type_identity<ItemT>) {
        std::vector<ItemT> items(words_written_ * sizeof(Item) / sizeof(ItemT));
        if (items.empty()) return;
        const std::size_t size_bytes = items.size() * sizeof(ItemT);
        std::memcpy(items.data(), region.data() + out_begin(), size_bytes);
        const auto bytes_before = [](const ItemT& a, const ItemT& b) {
            return std::memcmp(&a, &b, sizeof(ItemT)) < 0;
        };
        std::ranges::sort(items, bytes_before);
        std::memcpy(region.data() + out_begin(), items.data(), size_bytes);
    });
}

void Workbench::expect_covered(const compaction::Compactor& compactor) {
    const compaction::Partition parts = compactor.partition(num_items_);
    if (comparison_ != Comparison::copy || !parts.known()) return;
    words_written_ = parts.num_items * words_of(item_size_);
    expected_ = poison_;
    std::copy_n(stream_.begin(), words_written_,
                expected_.begin() + static_cast<std::ptrdiff_t>(out_begin()));
}

testing::AssertionResult Workbench::check(compaction::Compactor& compactor,
                                          compaction::PhaseRecorder* recorder) {
    expect_covered(compactor);
    engine_.upload(out_.as<void>(), poison_.data(), poison_.size() * sizeof(Item));
    engine_.upload(num_selected_.as<void>(), &count_poison, sizeof count_poison);
    Item* const in = in_.as<Item>() + in_shift_ * words_of(item_size_);
    compactor.enqueue(in, num_items_, out_.as<Item>() + out_begin(), num_selected_.as<std::uint64_t>(), keep_,
                      recorder);
    engine_.synchronise();

    std::uint64_t num_selected = 0;
    engine_.download(&num_selected, num_selected_.as<void>(), sizeof num_selected);
    if (num_selected != expected_count_) {
        return testing::AssertionFailure()
               << "counted " << num_selected << " items instead of " << expected_count_;
    }
    engine_.download(written_.data(), out_.as<void>(), written_.size() * sizeof(Item));
    sort_selected(written_);
    if (written_ != expected_) return compare_region();
    engine_.download(input_.data(), in, input_.size() * sizeof(Item));
    if (input_ != stream_) return testing::AssertionFailure() << "the input was changed";
    return testing::AssertionSuccess();
}

testing::AssertionResult Workbench::compare_region() const {
    const auto [actual, expected] = std::ranges::mismatch(written_, expected_);
    const auto words = static_cast<std::int64_t>(words_of(item_size_));
    const std::int64_t word = actual - written_.begin() - static_cast<std::int64_t>(out_begin());
    testing::AssertionResult failure = testing::AssertionFailure();
    if (word < 0) {
        failure << "wrote " << -word << " words before the output";
    } else if (word >= static_cast<std::int64_t>(words_written_)) {
        failure << "wrote out[" << word / words << "], but only " << words_written_ / words_of(item_size_)
                << " items are correct";
    } else {
        failure << "out[" << word / words << "] is " << *actual << " instead of " << *expected;
        if (words > 1) failure << " in word " << word % words;
    }
    return failure;
}

}  // namespace testing_support
