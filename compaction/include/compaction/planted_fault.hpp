#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "compaction/lane_trace.hpp"

/// Faults that are planted into the kernels of the simulated GPU, to show why their lines are there.
namespace compaction {

/// A line of a kernel that has no effect in one run: a barrier lets all threads pass, a fence and an atomic
/// operation order no other accesses, and a test that asks `is_left_out` passes.
struct PlantedFault {
    std::string file;        ///< the end of its path, such as "/staged_writer.cuh"
    std::uint32_t line = 0;  ///< from 1
    /// Reports data races and accesses out of bounds. The run then ends at the first one.
    bool checks_accesses = false;
    /// Compacted before the traced run, without the fault. The working memory of the traced run holds what
    /// that leaves. [num_items of that run] items; empty: there is no such run.
    std::span<const std::byte> earlier_items;
};

namespace simulated {

/// Runs an algorithm as trace_lanes does, with a fault. A failure of the kernel is a trace with its fault.
LaneTracedCompaction trace_planted(const Algorithm& algorithm, const Options& options, ItemSize item_size,
                                   std::span<const std::byte> items, Predicate keep, std::uint64_t seed,
                                   const PlantedFault& planted);

}  // namespace simulated
}  // namespace compaction
