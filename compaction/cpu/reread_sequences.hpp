#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cpu/caches.hpp"
#include "cpu/look_back.hpp"
#include "cpu/shared_stream.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/streamed_output.hpp"

namespace compaction::cpu {

/// A stream that threads compact sequence by sequence. Where the place of a sequence in the output is known
/// before it is read, its kept items go there straight away. Elsewhere they are counted first, which brings
/// the sequence into the core's own cache, and moved when it is known. Memory is read once, and nothing is
/// set aside but what the first level holds, which leaves the second to the processor's own reading ahead.
template <typename ItemT>
class RereadSequences {
  public:
    /// How long a sequence usually is: as long as a core's own cache. The longer it is, the less often a
    /// thread goes on elsewhere, where reading ahead has to start anew.
    static std::uint64_t bytes(const Caches& caches) {
        return std::clamp<std::uint64_t>(caches.core_bytes(), min_sequence_bytes, 1 << 20);
    }

    RereadSequences(const Kernels<ItemT>& kernels, const SharedStream<ItemT>& stream, unsigned vectors,
                    const Caches& caches, std::uint32_t threads, LookBack& look_back)
        : kernels_(kernels),
          stream_(stream),
          pace_{vectors, caches.ask_ahead(stream.sequences.num_items * sizeof(ItemT), threads)},
          again_pace_{vectors, caches.ask_ahead(stream.sequences.length * sizeof(ItemT), 1)},
          look_back_(look_back) {}

    /// Takes one sequence after another, in order, until all are taken. To be called by every taker.
    void take_all() {
        for (std::uint64_t s = tickets_.take(); s < stream_.sequences.count; s = tickets_.take()) {
            if (const std::optional<std::uint64_t> place = look_back_.prefix_if_known(s)) {
                look_back_.announce_inclusive(s, *place + write_at_once(s, *place));
            } else {
                count_then_write(s);
            }
        }
        publish_streamed_lines();
    }

  private:
    /// What few items a sequence keeps need not be looked for again: half a usual first-level cache of them.
    static constexpr std::uint64_t gathered_items = 16'384 / sizeof(ItemT);

    /// Returns how many items the sequence keeps.
    std::uint64_t write_at_once(std::uint64_t sequence, std::uint64_t place) const {
        const auto write = stream_.past_cache ? kernels_.stream_kept : kernels_.compact;
        return write(stream_.begin(sequence), stream_.size(sequence), stream_.keep, stream_.out + place,
                     pace_);
    }

    void count_then_write(std::uint64_t sequence) {
        const ItemT* const in = stream_.begin(sequence);
        const std::uint64_t num_items = stream_.size(sequence);
        const Predicate keep = stream_.keep;
        alignas(line_bytes) ItemT items[gathered_items];
        const Gathered gathered = kernels_.gather_kept(in, num_items, keep, items, gathered_items, pace_);
        const ItemT* const rest = in + gathered.num_read;
        const std::uint64_t num_rest = num_items - gathered.num_read;
        const std::uint64_t kept_of_rest = kernels_.count_kept(rest, num_rest, keep, pace_);

        const std::uint64_t kept = gathered.num_kept + kept_of_rest;
        look_back_.announce(sequence, kept);
        ItemT* const out = stream_.out + look_back_.exclusive_prefix(sequence, kept);
        ItemT* const rest_out = out + gathered.num_kept;
        copy_items(items, gathered.num_kept, out, stream_.past_cache);
        move_counted(kernels_, rest, num_rest, keep, rest_out, kept_of_rest, stream_.past_cache, again_pace_);
    }

    const Kernels<ItemT>& kernels_;
    SharedStream<ItemT> stream_;
    Pace pace_;        ///< of reading what lies where the stream does
    Pace again_pace_;  ///< of reading a sequence once more
    LookBack& look_back_;
    Tickets tickets_;
};

}  // namespace compaction::cpu
