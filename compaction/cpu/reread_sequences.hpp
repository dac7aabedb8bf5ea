#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cpu/look_back.hpp"
#include "cpu/machine.hpp"
#include "cpu/sequences.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/streamed_output.hpp"
#include "cpu/tuning.hpp"
#include "cpu/work_log.hpp"

namespace compaction::cpu {

/// Compacts a shared stream. If the offset of a sequence in the output is known before it is read, its kept
/// items are written at once. Otherwise a thread counts the sequence, which brings it into the core's cache,
/// and reads it again when the offset is known. Memory is read once. Buffers stay in the first-level cache,
/// which leaves the second level to hardware prefetching.
template <typename ItemT>
class RereadSequences {
  public:
    /// The usual size of a sequence: a core's cache. Hardware prefetching restarts at each sequence, so long
    /// ones are better.
    static std::uint64_t usual_sequence_bytes(const Caches& caches) {
        return std::clamp(caches.core_bytes(), tuning::min_sequence_bytes, tuning::max_reread_sequence_bytes);
    }

    RereadSequences(const Kernels<ItemT>& kernels, const SharedStream<ItemT>& stream,
                    unsigned vectors_per_step, const Caches& caches, std::uint32_t threads,
                    LookBack& look_back)
        : kernels_(kernels),
          stream_(stream),
          first_read_parameters_{vectors_per_step,
                                 caches.need_prefetch(stream.sequences.num_items * sizeof(ItemT), threads)},
          second_read_parameters_{
              vectors_per_step, caches.need_prefetch(stream.sequences.length * sizeof(ItemT), /*threads=*/1)},
          look_back_(look_back) {}

    /// Compacts one sequence after another until none is left, and returns how many items they keep. Call
    /// once per worker. `log` may be null.
    std::uint64_t run(std::uint64_t worker, WorkLog* log) {
        std::uint64_t num_selected = 0;
        for (std::uint64_t s = tickets_.take(); s < stream_.sequences.count; s = tickets_.take()) {
            if (log) log->note_taken(s, worker);
            if (const std::optional<std::uint64_t> offset = look_back_.prefix_if_known(s)) {
                const std::uint64_t selected_here = write_at_once(s, *offset);
                look_back_.announce_inclusive(s, *offset + selected_here);
                if (log) log->note_posted(s);
                if (log) log->note_summed(s);
                num_selected += selected_here;
            } else {
                num_selected += count_then_write(s, log);
            }
        }
        publish_streamed_lines();
        return num_selected;
    }

  private:
    /// The size of the buffer for the first kept items, which need no second search.
    static constexpr std::uint64_t buffer_items = tuning::reread_buffer_bytes / sizeof(ItemT);

    /// Returns the number of kept items.
    std::uint64_t write_at_once(std::uint64_t sequence, std::uint64_t offset) const {
        const auto write = stream_.bypasses_cache ? kernels_.stream_selected : kernels_.compact;
        return write(stream_.begin(sequence), stream_.size(sequence), stream_.keep, stream_.out + offset,
                     first_read_parameters_);
    }

    /// Returns the number of kept items.
    std::uint64_t count_then_write(std::uint64_t sequence, WorkLog* log) {
        const ItemT* const in = stream_.begin(sequence);
        const std::uint64_t num_items = stream_.size(sequence);
        const Predicate keep = stream_.keep;
        alignas(line_bytes) ItemT buffer[buffer_items];
        const Buffered gathered =
            kernels_.select_into_buffer(in, num_items, keep, buffer, buffer_items, first_read_parameters_);
        const ItemT* const rest = in + gathered.num_read;
        const std::uint64_t num_rest = num_items - gathered.num_read;
        const std::uint64_t num_rest_selected =
            kernels_.count_selected(rest, num_rest, keep, first_read_parameters_);

        const std::uint64_t kept = gathered.num_selected + num_rest_selected;
        look_back_.announce(sequence, kept);
        if (log) log->note_posted(sequence);
        ItemT* const out = stream_.out + look_back_.exclusive_prefix(sequence, kept);
        if (log) log->note_summed(sequence);
        ItemT* const rest_out = out + gathered.num_selected;
        copy_items(buffer, gathered.num_selected, out, stream_.bypasses_cache);
        copy_selected_items(kernels_, rest, num_rest, keep, rest_out, num_rest_selected,
                            stream_.bypasses_cache, second_read_parameters_);
        return kept;
    }

    const Kernels<ItemT>& kernels_;
    SharedStream<ItemT> stream_;
    LoopParameters first_read_parameters_;
    LoopParameters second_read_parameters_;
    LookBack& look_back_;
    Tickets tickets_;
};

}  // namespace compaction::cpu
