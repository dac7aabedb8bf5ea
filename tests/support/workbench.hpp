#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "compaction/engine.hpp"

namespace testing_support {

/// Runs algorithms and steps on one engine and compares everything they write with the result of the standard
/// library. Allocates memory once. Poisons the output and the guards around it before each run, so that stray
/// writes show.
class Workbench {
  public:
    Workbench(compaction::Engine& engine, std::uint64_t max_items);

    /// Sets the algorithm, whose contract results must meet, and the item size of the next streams.
    void use(const compaction::Algorithm& algorithm, compaction::ItemSize item_size);

    /// Makes `stream`, widened to the item size, the input of the next runs. The input begins `in_shift`
    /// items past an aligned address and the output `out_shift` items past one.
    void load(std::span<const compaction::Item> stream, compaction::Predicate keep,
              std::uint64_t in_shift = 0, std::uint64_t out_shift = 0);

    /// Runs `compactor` on the loaded stream. Succeeds if the count and the output are correct, no other
    /// memory in or around the output was written, and the input is unchanged. `recorder` may be null.
    testing::AssertionResult check(compaction::Compactor& compactor,
                                   compaction::PhaseRecorder* recorder = nullptr);

    /// The memory after the last run: guard, output, guard. The items of an unordered output are sorted.
    std::span<const compaction::Item> written() const { return written_; }

  private:
    void expect_result(compaction::Item* out);
    /// Expects that a truncating copy has copied the items that it covers, and nothing else.
    void expect_covered(const compaction::Compactor& compactor);
    void sort_selected(std::vector<compaction::Item>& region) const;
    testing::AssertionResult compare_region() const;
    std::uint64_t out_begin() const;  ///< first word of the output in the guarded region

    compaction::Engine& engine_;
    compaction::Buffer in_;
    compaction::Buffer out_;
    compaction::Buffer num_selected_;
    compaction::Comparison comparison_ = compaction::Comparison::in_order;
    compaction::ItemSize item_size_ = compaction::ItemSize::bytes_4;

    // [items][words_of(item_size_)]
    std::vector<compaction::Item> stream_;
    compaction::Predicate keep_;
    std::uint64_t num_items_ = 0;
    std::uint64_t in_shift_ = 0;
    std::uint64_t out_shift_ = 0;
    std::uint64_t expected_count_ = 0;        ///< the correct num_selected
    std::uint64_t words_written_ = 0;         ///< words of the output that must be written
    std::vector<compaction::Item> expected_;  ///< guard, output, guard: the correct contents after a run
    std::vector<compaction::Item> poison_;
    std::vector<compaction::Item> written_;  ///< guard, output, guard: the actual contents
    std::vector<compaction::Item> input_;
};

}  // namespace testing_support
