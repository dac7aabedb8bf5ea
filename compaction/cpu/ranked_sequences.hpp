#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "cpu/caches.hpp"
#include "cpu/look_back.hpp"
#include "cpu/shared_stream.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/streamed_output.hpp"

namespace compaction::cpu {

/// A stream that threads compact sequence by sequence, reading each once: its kept items are gathered in a
/// buffer in the core's own cache, and written when their place in the output is known.
template <typename ItemT>
class RankedSequences {
  public:
    /// Items of a sequence whose kept ones are gathered: two such buffers take a quarter of a core's own
    /// cache at the most, and the input passes through the rest. What a sequence has beyond is counted, and
    /// read again to be written.
    static std::uint64_t bytes(const Caches& caches) {
        return std::clamp<std::uint64_t>(caches.core_bytes() / 8, min_sequence_bytes, 262'144);
    }

    /// How many bytes of buffers every taker needs.
    static std::uint64_t buffer_bytes(const Caches& caches) {
        return buffers_per_taker * buffer_items(caches) * sizeof(ItemT);
    }

    /// `buffers`: buffer_bytes for every taker.
    RankedSequences(const Kernels<ItemT>& kernels, const SharedStream<ItemT>& stream, unsigned vectors,
                    const Caches& caches, std::uint32_t threads, ItemT* buffers, LookBack& look_back)
        : kernels_(kernels),
          stream_(stream),
          gathering_pace_{vectors, caches.are_far_from(stream.sequences.num_items * sizeof(ItemT), threads)},
          reading_pace_{vectors, caches.ask_ahead(stream.sequences.num_items * sizeof(ItemT), threads)},
          memory_has_room_(gathering_pace_.reads_ahead && threads < threads_that_keep_memory_busy),
          most_gathered_(bytes(caches) / sizeof(ItemT)),
          buffers_(buffers),
          buffer_items_(buffer_items(caches)),
          look_back_(look_back) {}

    /// Takes one sequence after another, in order, until all are taken. Each is written only when the next
    /// has been counted: by then the sequences before it have been counted, and there is nothing to wait for.
    /// The one to be counted after that is taken before the writing, not before the waiting, so that nobody
    /// ever waits for a thread that waits. To be called by every taker.
    void take_all(std::uint64_t taker) {
        ItemT* const buffers = buffers_ + taker * buffers_per_taker * buffer_items_;
        std::array<ItemT*, buffers_per_taker> free_buffers{buffers, buffers + buffer_items_};
        std::optional<Counted> before;
        std::uint64_t sequence = tickets_.take();
        while (sequence < stream_.sequences.count) {
            const Counted now = count(sequence, free_buffers[0], pace_after(before));
            look_back_.announce(sequence, now.kept);
            const std::uint64_t place = before ? place_of(*before) : 0;
            sequence = tickets_.take();
            if (before) write(*before, place, lines_to_ask_for(sequence));
            before = now;
            std::swap(free_buffers[0], free_buffers[1]);
        }
        if (before) write(*before, place_of(*before), {});
        publish_streamed_lines();
    }

  private:
    /// One that is being filled, one that waits to be written.
    static constexpr std::uint64_t buffers_per_taker = 2;

    /// With fewer threads memory has little to read while one of them writes, so that one asks for what it
    /// reads next.
    static constexpr std::uint32_t threads_that_keep_memory_busy = 4;

    /// A sequence whose kept items are counted, and those of its first `most_gathered_` gathered.
    struct Counted {
        std::uint64_t sequence;
        std::uint64_t kept;
        const ItemT* gathered;
        std::uint64_t num_gathered;
    };

    static std::uint64_t buffer_items(const Caches& caches) {
        return (bytes(caches) + slack_bytes) / sizeof(ItemT);
    }

    std::uint64_t place_of(const Counted& counted) {
        return look_back_.exclusive_prefix(counted.sequence, counted.kept);
    }

    NextLines lines_to_ask_for(std::uint64_t sequence) const {
        if (!memory_has_room_ || sequence >= stream_.sequences.count) return {};
        return {reinterpret_cast<const std::byte*>(stream_.begin(sequence)),
                stream_.size(sequence) * sizeof(ItemT) / line_bytes};
    }

    /// What is gathered goes on to the second level, which disturbs the processor's own reading ahead there.
    Pace pace_after(const std::optional<Counted>& before) const {
        const bool kept_little = before && before->kept < stream_.size(before->sequence) / 4;
        return kept_little ? reading_pace_ : gathering_pace_;
    }

    Counted count(std::uint64_t sequence, ItemT* buffer, Pace pace) const {
        const ItemT* const in = stream_.begin(sequence);
        const std::uint64_t num_items = stream_.size(sequence);
        const std::uint64_t num_first = std::min(num_items, most_gathered_);
        const std::uint64_t gathered =
            kernels_.move_kept(in, num_first, stream_.keep, buffer, buffer_items_, pace);
        const std::uint64_t rest =
            kernels_.count_kept(in + num_first, num_items - num_first, stream_.keep, reading_pace_);
        return {sequence, gathered + rest, buffer, gathered};
    }

    void write(const Counted& counted, std::uint64_t kept_before, NextLines next) const {
        ItemT* const out = stream_.out + kept_before;
        copy_items(counted.gathered, counted.num_gathered, out, stream_.past_cache, next);
        const std::uint64_t num_items = stream_.size(counted.sequence);
        if (num_items <= most_gathered_) return;
        // What was counted alone is read again, from the cache unless the sequence is too long for it.
        const ItemT* const rest = stream_.begin(counted.sequence) + most_gathered_;
        const std::uint64_t num_rest = num_items - most_gathered_;
        ItemT* const rest_out = out + counted.num_gathered;
        const std::uint64_t kept_of_rest = counted.kept - counted.num_gathered;
        const Pace pace{reading_pace_.vectors_per_step};
        move_counted(kernels_, rest, num_rest, stream_.keep, rest_out, kept_of_rest, stream_.past_cache,
                     pace);
    }

    const Kernels<ItemT>& kernels_;
    SharedStream<ItemT> stream_;
    Pace gathering_pace_;
    Pace reading_pace_;     ///< where little or nothing is gathered
    bool memory_has_room_;  ///< so few threads read what lies there that they do not keep it busy
    std::uint64_t most_gathered_;
    ItemT* buffers_;  ///< [takers][buffers_per_taker][buffer_items_] kept items on their way
    std::uint64_t buffer_items_;
    LookBack& look_back_;
    Tickets tickets_;
};

}  // namespace compaction::cpu
