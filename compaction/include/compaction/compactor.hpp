#pragma once

#include <cstdint>

#include "compaction/algorithm.hpp"
#include "compaction/options.hpp"
#include "compaction/partition.hpp"
#include "compaction/predicate.hpp"
#include "compaction/timing.hpp"

namespace compaction {

/// One algorithm or step with its options and its size of items fixed, ready to run on one engine.
class Compactor {
  public:
    virtual ~Compactor() = default;

    /// The options a stream of `num_items` is compacted with: what was asked for, with every `automatic` of
    /// an option the algorithm has replaced by the choice for this device and length.
    virtual Options layout(std::uint64_t num_items) const = 0;

    /// The parts that a stream of `num_items` is cut into with that layout, or why they are not known.
    virtual Partition partition(std::uint64_t num_items) const;

    /// Does every allocation that compacting up to `max_items` needs. Throws Error{out_of_memory};
    /// Error{invalid_argument} past Algorithm::max_items.
    virtual void reserve(std::uint64_t max_items) = 0;

    /// Copies the kept items of `in` to the front of `out` and their number to `num_selected`; a step does
    /// instead what its Operation says.
    ///
    /// in: [num_items], out: [num_items] items of the size it was made for, num_selected: [1], all engine
    /// memory aligned to their type; `in`, `out` and num_selected must not overlap. Only the first
    /// *num_selected items of `out` are written. num_items may be 0 and must not be over what was reserved.
    /// Never allocates and never synchronises unless Algorithm::synchronises says so: on the CUDA engine the
    /// work is ordered on its stream, on the CPU engine it is done on return. Each phase is timed if
    /// `recorder` is given. Throws Error{invalid_argument, device_failure}.
    virtual void enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                         Predicate keep, PhaseRecorder* recorder) = 0;
};

}  // namespace compaction
