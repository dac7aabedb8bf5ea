#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "cpu/look_back.hpp"
#include "cpu/machine.hpp"
#include "cpu/sequences.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/streamed_output.hpp"
#include "cpu/tuning.hpp"
#include "cpu/work_log.hpp"

namespace compaction::cpu {

/// Compacts a shared stream, reading each sequence once. A thread gathers the kept items of a sequence in a
/// buffer in its core's cache, and writes them when their offset in the output is known.
template <typename ItemT>
class RankedSequences {
  public:
    /// The usual size of a sequence. Of a longer sequence, only a first part of this size is gathered. The
    /// rest is counted, and read again when it is written.
    static std::uint64_t usual_sequence_bytes(const Caches& caches) {
        return std::clamp(caches.core_bytes() / tuning::ranked_sequences_per_core_cache,
                          tuning::min_sequence_bytes, tuning::max_ranked_sequence_bytes);
    }

    /// Bytes of buffers that each worker needs.
    static std::uint64_t buffer_bytes(const Caches& caches) {
        return buffers_per_worker * buffer_items(caches) * sizeof(ItemT);
    }

    /// `buffers` has buffer_bytes for each worker.
    RankedSequences(const Kernels<ItemT>& kernels, const SharedStream<ItemT>& stream,
                    unsigned vectors_per_step, const Caches& caches, std::uint32_t threads, ItemT* buffers,
                    LookBack& look_back)
        : kernels_(kernels),
          stream_(stream),
          gathering_parameters_{vectors_per_step, caches.core_caches_are_exceeded_by(
                                                      stream.sequences.num_items * sizeof(ItemT), threads)},
          reading_parameters_{vectors_per_step,
                              caches.need_prefetch(stream.sequences.num_items * sizeof(ItemT), threads)},
          has_spare_bandwidth_(gathering_parameters_.prefetches &&
                               threads < tuning::threads_that_saturate_memory),
          max_gathered_items_(usual_sequence_bytes(caches) / sizeof(ItemT)),
          buffers_(buffers),
          buffer_items_(buffer_items(caches)),
          look_back_(look_back) {}

    /// Compacts one sequence after another until none is left, and returns how many items they keep. Call
    /// once per worker. `log` may be null.
    ///
    /// Writes a sequence after counting the next one: by then all earlier sequences are usually counted, and
    /// look-back does not wait. Takes the next ticket before writing but after look-back; otherwise two
    /// threads may wait on each other.
    std::uint64_t run(std::uint64_t worker, WorkLog* log) {
        ItemT* const buffers = buffers_ + worker * buffers_per_worker * buffer_items_;
        std::array<ItemT*, buffers_per_worker> free_buffers{buffers, buffers + buffer_items_};
        std::optional<Counted> previous;
        std::uint64_t num_selected = 0;
        std::uint64_t sequence = tickets_.take();
        while (sequence < stream_.sequences.count) {
            const Counted current = count(sequence, free_buffers[0], parameters_after(previous));
            look_back_.announce(sequence, current.num_selected);
            if (log) log->note_taken(sequence, worker);
            if (log) log->note_posted(sequence);
            num_selected += current.num_selected;
            const std::uint64_t offset = previous ? offset_of(*previous, log) : 0;
            sequence = tickets_.take();
            if (previous) write(*previous, offset, lines_to_prefetch(sequence));
            previous = current;
            std::swap(free_buffers[0], free_buffers[1]);
        }
        if (previous) write(*previous, offset_of(*previous, log), {});
        publish_streamed_lines();
        return num_selected;
    }

  private:
    /// One buffer is being filled, the other waits to be written.
    static constexpr std::uint64_t buffers_per_worker = 2;

    /// A counted sequence, with the kept items of its first `max_gathered_items_` items gathered.
    struct Counted {
        std::uint64_t sequence;
        std::uint64_t num_selected;
        const ItemT* gathered;
        std::uint64_t num_gathered;
    };

    static std::uint64_t buffer_items(const Caches& caches) {
        return (usual_sequence_bytes(caches) + slack_bytes) / sizeof(ItemT);
    }

    std::uint64_t offset_of(const Counted& counted, WorkLog* log) {
        const std::uint64_t offset = look_back_.exclusive_prefix(counted.sequence, counted.num_selected);
        if (log) log->note_summed(counted.sequence);
        return offset;
    }

    NextLines lines_to_prefetch(std::uint64_t sequence) const {
        if (!has_spare_bandwidth_ || sequence >= stream_.sequences.count) return {};
        return {reinterpret_cast<const std::byte*>(stream_.begin(sequence)),
                stream_.size(sequence) * sizeof(ItemT) / line_bytes};
    }

    /// Many gathered items spill to the second-level cache and disturb its hardware prefetching. So kernels
    /// prefetch by software after a sequence that kept many items.
    LoopParameters parameters_after(const std::optional<Counted>& previous) const {
        const bool kept_few = previous && previous->num_selected < stream_.size(previous->sequence) / 4;
        return kept_few ? reading_parameters_ : gathering_parameters_;
    }

    Counted count(std::uint64_t sequence, ItemT* buffer, LoopParameters parameters) const {
        const ItemT* const in = stream_.begin(sequence);
        const std::uint64_t num_items = stream_.size(sequence);
        const std::uint64_t num_first = std::min(num_items, max_gathered_items_);
        const std::uint64_t num_gathered =
            kernels_.move_selected(in, num_first, stream_.keep, buffer, buffer_items_, parameters);
        const std::uint64_t num_rest_selected =
            kernels_.count_selected(in + num_first, num_items - num_first, stream_.keep, reading_parameters_);
        return {.sequence = sequence,
                .num_selected = num_gathered + num_rest_selected,
                .gathered = buffer,
                .num_gathered = num_gathered};
    }

    void write(const Counted& counted, std::uint64_t selected_before, NextLines next) const {
        ItemT* const out = stream_.out + selected_before;
        copy_items(counted.gathered, counted.num_gathered, out, stream_.bypasses_cache, next);
        const std::uint64_t num_items = stream_.size(counted.sequence);
        if (num_items <= max_gathered_items_) return;
        // The rest was only counted. Read it again, from the cache if the sequence fits.
        const ItemT* const rest = stream_.begin(counted.sequence) + max_gathered_items_;
        const std::uint64_t num_rest = num_items - max_gathered_items_;
        ItemT* const rest_out = out + counted.num_gathered;
        const std::uint64_t num_rest_selected = counted.num_selected - counted.num_gathered;
        const LoopParameters parameters{reading_parameters_.vectors_per_step};
        copy_selected_items(kernels_, rest, num_rest, stream_.keep, rest_out, num_rest_selected,
                            stream_.bypasses_cache, parameters);
    }

    const Kernels<ItemT>& kernels_;
    SharedStream<ItemT> stream_;
    LoopParameters gathering_parameters_;
    LoopParameters reading_parameters_;  ///< for kernels that gather little or nothing
    bool has_spare_bandwidth_;           ///< whether there are too few threads to saturate memory
    std::uint64_t max_gathered_items_;
    ItemT* buffers_;  ///< [workers][buffers_per_worker][buffer_items_]
    std::uint64_t buffer_items_;
    LookBack& look_back_;
    Tickets tickets_;
};

}  // namespace compaction::cpu
