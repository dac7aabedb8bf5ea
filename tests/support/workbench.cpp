#include "tests/support/workbench.hpp"

#include <algorithm>

namespace testing_support {

using compaction::Item;

namespace {

constexpr Item poison = 0xdeadbeef;
constexpr std::uint64_t count_poison = 0xfeedfacefeedface;
/// 256 bytes: the output behind the guard is as aligned as the allocation.
constexpr std::uint64_t guard_items = 64;
constexpr std::uint64_t most_shift = 4;

}  // namespace

Workbench::Workbench(compaction::Engine& engine, std::uint64_t max_items)
    : engine_(engine),
      in_(engine.allocate((max_items + most_shift) * sizeof(Item))),
      out_(engine.allocate((max_items + most_shift + 2 * guard_items) * sizeof(Item))),
      num_selected_(engine.allocate(sizeof(std::uint64_t))) {}

void Workbench::load(std::span<const Item> stream, compaction::Keep keep, std::uint64_t in_shift,
                     std::uint64_t out_shift) {
    stream_.assign(stream.begin(), stream.end());
    keep_ = keep;
    in_shift_ = in_shift;
    out_shift_ = out_shift;
    engine_.upload(in_.as<Item>() + in_shift, stream_.data(), stream_.size() * sizeof(Item));

    const std::uint64_t region_items = guard_items + out_shift + stream_.size() + guard_items;
    poison_.assign(region_items, poison);
    expected_ = poison_;
    const auto out = expected_.begin() + static_cast<std::ptrdiff_t>(guard_items + out_shift);
    num_kept_ = static_cast<std::uint64_t>(std::copy_if(stream_.begin(), stream_.end(), out, keep) - out);
    written_.resize(region_items);
    input_.resize(stream_.size());
}

testing::AssertionResult Workbench::check(compaction::Compactor& compactor) {
    engine_.upload(out_.as<void>(), poison_.data(), poison_.size() * sizeof(Item));
    engine_.upload(num_selected_.as<void>(), &count_poison, sizeof count_poison);
    compactor.enqueue(in_.as<Item>() + in_shift_, stream_.size(), out_.as<Item>() + guard_items + out_shift_,
                      num_selected_.as<std::uint64_t>(), keep_, nullptr);
    engine_.synchronise();

    std::uint64_t num_selected = 0;
    engine_.download(&num_selected, num_selected_.as<void>(), sizeof num_selected);
    if (num_selected != num_kept_) {
        return testing::AssertionFailure() << "counted " << num_selected << " items instead of " << num_kept_;
    }
    engine_.download(written_.data(), out_.as<void>(), written_.size() * sizeof(Item));
    if (written_ != expected_) return compare_region();
    engine_.download(input_.data(), in_.as<Item>() + in_shift_, input_.size() * sizeof(Item));
    if (input_ != stream_) return testing::AssertionFailure() << "the input was changed";
    return testing::AssertionSuccess();
}

testing::AssertionResult Workbench::compare_region() const {
    const auto [actual, expected] = std::ranges::mismatch(written_, expected_);
    const std::int64_t index =
        actual - written_.begin() - static_cast<std::int64_t>(guard_items + out_shift_);
    testing::AssertionResult failure = testing::AssertionFailure();
    if (index < 0) {
        failure << "wrote " << -index << " items before the output";
    } else if (index >= static_cast<std::int64_t>(num_kept_)) {
        failure << "wrote out[" << index << "] but only " << num_kept_ << " items are kept";
    } else {
        failure << "out[" << index << "] is " << *actual << " instead of " << *expected;
    }
    return failure;
}

}  // namespace testing_support
