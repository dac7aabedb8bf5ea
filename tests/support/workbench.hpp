#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "compaction/engine.hpp"

namespace testing_support {

/// Runs compactors on one engine and compares all that they wrote with std::copy_if. Memory is allocated
/// once; the output is poisoned before each run, with guards before and after it, so that any stray write
/// shows.
class Workbench {
  public:
    Workbench(compaction::Engine& engine, std::uint64_t max_items);

    /// Makes `stream` the input of the next runs: seen by the compactor `in_shift` items past an aligned
    /// address, with an output `out_shift` items past one.
    void load(std::span<const compaction::Item> stream, compaction::Keep keep, std::uint64_t in_shift = 0,
              std::uint64_t out_shift = 0);

    /// Compacts the loaded stream. Succeeds if the count is right, the kept items are there in order, nothing
    /// else of the output or around it was written, and the input is as it was.
    testing::AssertionResult check(compaction::Compactor& compactor);

  private:
    testing::AssertionResult compare_region() const;

    compaction::Engine& engine_;
    compaction::Buffer in_;
    compaction::Buffer out_;
    compaction::Buffer num_selected_;

    std::vector<compaction::Item> stream_;
    compaction::Keep keep_;
    std::uint64_t in_shift_ = 0;
    std::uint64_t out_shift_ = 0;
    std::uint64_t num_kept_ = 0;
    std::vector<compaction::Item> expected_;  ///< guard, output, guard as they must be after a run
    std::vector<compaction::Item> poison_;
    std::vector<compaction::Item> written_;  ///< guard, output, guard as they are
    std::vector<compaction::Item> input_;
};

}  // namespace testing_support
