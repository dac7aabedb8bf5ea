#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/item.hpp"
#include "compaction/options.hpp"
#include "compaction/partition.hpp"
#include "compaction/predicate.hpp"
#include "compaction/timing.hpp"
#include "compaction/working_buffer.hpp"

namespace compaction {

class Engine;

/// One algorithm or step with fixed options and item size, ready to run on one engine.
class Compactor {
  public:
    virtual ~Compactor() = default;

    /// The requested options, with the value chosen for this device and a stream of `num_items` in place of
    /// each option of the algorithm that is `automatic`.
    virtual Options resolved_options(std::uint64_t num_items) const = 0;

    /// The earlier name of resolved_options.
    Options layout(std::uint64_t num_items) const { return resolved_options(num_items); }

    /// The parts that a stream of `num_items` is divided into with these options, or why they are not known.
    virtual Partition partition(std::uint64_t num_items) const;

    /// The engine memory that its kernels use besides the arguments of `enqueue`, after `reserve`. Empty if
    /// it uses none, or calls a library.
    virtual std::vector<WorkingBuffer> working_buffers() const { return {}; }

    /// Makes every allocation needed to compact up to `max_items`. Does nothing if as many are reserved
    /// already. Throws Error{invalid_argument} for more than Algorithm::max_items; Error{out_of_memory},
    /// after which nothing is reserved, not even the memory of an earlier call.
    void reserve(std::uint64_t max_items);

    /// Copies the kept items of `in` to the front of `out` and writes their number to `num_selected`. A step
    /// performs its Operation instead.
    ///
    /// in: [num_items], out: [num_items] items of the compactor's item size, num_selected: [1], all in engine
    /// memory and aligned to their type; `in`, `out` and `num_selected` must not overlap. Writes only the
    /// first *num_selected items of `out`. num_items may be 0 and must not exceed the reserved length.
    /// Never allocates and never synchronises, unless Algorithm::synchronises is set: the CUDA engine orders
    /// the work on its stream, the CPU engine completes it before the call returns. Times each phase if
    /// `recorder`, which must be of the same engine, is not null. Throws Error{invalid_argument}, before any
    /// work, if the arguments break these rules; Error{device_failure}.
    void enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                 Predicate keep, PhaseRecorder* recorder);

  private:
    /// Allocates for `max_items`, which are more than reserved so far.
    virtual void do_reserve([[maybe_unused]] std::uint64_t max_items) {}

    /// Runs on arguments that `enqueue` has checked.
    virtual void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                            Predicate keep, PhaseRecorder* recorder) = 0;

    /// The slow path of `enqueue`: steps, timed runs and invalid arguments.
    [[gnu::noinline]] void check_and_enqueue(const void* in, std::uint64_t num_items, void* out,
                                             std::uint64_t* num_selected, Predicate keep,
                                             PhaseRecorder* recorder);

    friend std::unique_ptr<Compactor> make_registered(Engine& engine, const Algorithm& algorithm,
                                                      const Options& options, ItemSize item_size);

    const Algorithm* algorithm_ = nullptr;  ///< its catalogue entry; null if it has none
    Operation operation_ = Operation::compaction;
    ItemSize item_size_ = ItemSize::bytes_4;
    bool has_reserved_ = false;  ///< also after reserve(0)
    std::uint64_t reserved_items_ = 0;
};

}  // namespace compaction
