#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "compaction/engine.hpp"

namespace testing_support {

/// Runs algorithms and steps on one engine and compares all that they wrote with what the standard library
/// makes of the same stream. Memory is allocated once; the output is poisoned before each run, with guards
/// before and after it, so that any stray write shows.
class Workbench {
  public:
    Workbench(compaction::Engine& engine, std::uint64_t max_items);

    /// What the next streams are for: by whose contract the results are judged, and how large the items are.
    void use(const compaction::Algorithm& algorithm, compaction::ItemSize item_size);

    /// Makes `stream`, widened to the size of items in use, the input of the next runs: seen by the compactor
    /// `in_shift` items past an aligned address, with an output `out_shift` items past one.
    void load(std::span<const compaction::Item> stream, compaction::Predicate keep,
              std::uint64_t in_shift = 0, std::uint64_t out_shift = 0);

    /// Runs `compactor` on the loaded stream. Succeeds if the count and the output are right, nothing else of
    /// the output or around it was written, and the input is as it was.
    testing::AssertionResult check(compaction::Compactor& compactor);

  private:
    void expect_result(compaction::Item* out);
    void sort_kept(std::vector<compaction::Item>& region) const;
    testing::AssertionResult compare_region() const;
    std::uint64_t out_begin() const;  ///< word of the guarded region at which the output begins

    compaction::Engine& engine_;
    compaction::Buffer in_;
    compaction::Buffer out_;
    compaction::Buffer num_selected_;
    compaction::Comparison comparison_ = compaction::Comparison::in_order;
    compaction::ItemSize item_size_ = compaction::ItemSize::bytes_4;

    // All of it in words: an item has words_of(item_size_).
    std::vector<compaction::Item> stream_;
    compaction::Predicate keep_;
    std::uint64_t num_items_ = 0;
    std::uint64_t in_shift_ = 0;
    std::uint64_t out_shift_ = 0;
    std::uint64_t expected_count_ = 0;        ///< what num_selected must hold
    std::uint64_t words_written_ = 0;         ///< how much of the output is to be written
    std::vector<compaction::Item> expected_;  ///< guard, output, guard as they must be after a run
    std::vector<compaction::Item> poison_;
    std::vector<compaction::Item> written_;  ///< guard, output, guard as they are
    std::vector<compaction::Item> input_;
};

}  // namespace testing_support
