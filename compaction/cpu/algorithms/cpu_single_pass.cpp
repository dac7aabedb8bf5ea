#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

#include "arguments.hpp"
#include "cpu/look_back.hpp"
#include "cpu/one_thread.hpp"
#include "cpu/workers.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class SinglePassCompactor final : public Compactor {
  public:
    SinglePassCompactor(Engine& engine, const Options& options)
        : engine_(engine),
          caches_(engine.device()),
          options_(options),
          workers_(engine, options[Option::threads_per_block]) {}

    Options layout(std::uint64_t num_items) const override {
        const std::uint64_t stream_bytes = num_items * sizeof(ItemT);
        Options chosen = options_;
        if (chosen[Option::vector_width] == automatic) {
            chosen[Option::vector_width] = max_vector_width(ItemSize{sizeof(ItemT)});
        }
        if (chosen[Option::threads_per_block] == automatic) {
            chosen[Option::threads_per_block] = workers_.threads_for(stream_bytes);
        }
        if (chosen[Option::variant] == automatic) chosen[Option::variant] = rank_once;
        if (chosen[Option::sequences] == automatic) {
            // One thread needs nobody's prefix but its own.
            chosen[Option::sequences] =
                chosen[Option::threads_per_block] == 1
                    ? 1
                    : cpu::automatic_sequences(stream_bytes, workers_.threads(), ranked_bytes());
        }
        return chosen;
    }

    Partition partition(std::uint64_t num_items) const override {
        return cpu::Sequences<ItemT>(num_items, layout(num_items)[Option::sequences]).partition();
    }

    void reserve(std::uint64_t max_items) override {
        if (max_items <= max_items_) return;
        const Options most = layout(max_items);
        if (most[Option::sequences] > 1) {
            statuses_ = engine_.allocate(most[Option::sequences] * sizeof(std::uint64_t));
            ranked_ = engine_.allocate(num_takers(most) * buffers_per_taker * buffer_items() * sizeof(ItemT));
        }
        max_items_ = max_items;
    }

    void enqueue(const void* in_items, std::uint64_t num_items, void* out_items, std::uint64_t* num_selected,
                 Keep keep, PhaseRecorder* recorder) override {
        check_arguments(in_items, num_items, out_items, num_selected, max_items_,
                        static_cast<ItemSize>(sizeof(ItemT)));
        const auto* const in = static_cast<const ItemT*>(in_items);
        auto* const out = static_cast<ItemT*>(out_items);
        if (!recorder && short_streams_.take(num_items)) {
            *num_selected = short_streams_.compact(in, num_items, keep, out);
        } else {
            compact(in, num_items, out, num_selected, keep, recorder);
        }
    }

  private:
    struct Stream {
        const ItemT* in;
        std::uint64_t num_items;
        ItemT* out;
        Keep keep;
    };

    enum Variant : std::uint32_t { rank_once = 1, count_first };

    /// With fewer threads memory has little to read while one of them writes, so that one asks for what it
    /// reads next.
    static constexpr std::uint32_t threads_that_keep_memory_busy = 4;

    /// What all threads know of a call.
    struct Call {
        Stream stream;
        cpu::Sequences<ItemT> sequences;
        std::uint64_t num_sequences;
        std::uint64_t most_gathered;  ///< items of a sequence whose kept ones go to the buffer
        cpu::Pace pace;               ///< of reading what is also gathered
        cpu::Pace reading_pace;       ///< of reading where little or nothing is gathered
        bool past_cache;
        bool memory_has_room;  ///< so few threads read what lies there that they do not keep it busy
    };

    /// A sequence whose kept items are counted, and those of its first Call::most_gathered gathered in a
    /// buffer.
    struct Counted {
        std::uint64_t sequence;
        std::uint64_t kept;
        const ItemT* gathered;
        std::uint64_t num_gathered;
    };

    static std::uint64_t num_takers(const Options& chosen) {
        return std::min(chosen[Option::threads_per_block], chosen[Option::sequences]);
    }

    /// How much of a sequence is gathered: two such buffers take a quarter of a core's own cache at the most,
    /// and the input passes through the rest.
    std::uint64_t ranked_bytes() const {
        return std::clamp<std::uint64_t>(caches_.core_bytes() / 8, cpu::min_sequence_bytes, 262'144);
    }
    std::uint64_t ranked_items() const { return ranked_bytes() / sizeof(ItemT); }
    std::uint64_t buffer_items() const { return ranked_items() + cpu::slack_bytes / sizeof(ItemT); }

    /// Out of line, and by values, so that the way of short streams stays short.
    [[gnu::noinline]] void compact(const ItemT* in, std::uint64_t num_items, ItemT* out,
                                   std::uint64_t* num_selected, Keep keep, PhaseRecorder* recorder) {
        const Stream stream{in, num_items, out, keep};
        const ScopedPhase phase{recorder};
        const Options chosen = layout(stream.num_items);
        const bool is_whole = stream.num_items == 0 || chosen[Option::sequences] == 1;
        *num_selected = is_whole ? compact_alone(stream, chosen) : compact_shared(stream, chosen);
    }

    std::uint64_t compact_alone(const Stream& stream, const Options& chosen) const {
        return cpu::compact_on_one_thread(kernels_, stream.in, stream.num_items, stream.keep, stream.out,
                                          chosen[Option::vector_width], caches_);
    }

    std::uint64_t compact_shared(const Stream& stream, const Options& chosen) {
        const std::uint64_t bytes = stream.num_items * sizeof(ItemT);
        const std::uint32_t threads = chosen[Option::threads_per_block];
        const std::uint64_t num_sequences = chosen[Option::sequences];
        const cpu::Pace pace{chosen[Option::vector_width], caches_.are_far_from(bytes, threads)};
        const Call call{stream,
                        {stream.num_items, num_sequences},
                        num_sequences,
                        chosen[Option::variant] == rank_once ? ranked_items() : 0,
                        pace,
                        {pace.vectors_per_step, caches_.ask_ahead(bytes, threads)},
                        caches_.are_exceeded_by(bytes, bytes),
                        pace.reads_ahead && threads < threads_that_keep_memory_busy};
        cpu::LookBack look_back(statuses_.as<std::uint64_t>(), num_sequences);
        std::atomic<std::uint64_t> next_ticket{0};
        workers_.for_each(num_takers(chosen), threads, [&](std::uint64_t taker) {
            take_sequences(call, next_ticket, look_back,
                           ranked_.as<ItemT>() + taker * buffers_per_taker * buffer_items());
        });
        return look_back.total();
    }

    /// Takes one sequence after another, in order, until all are taken. Each is written only when the next
    /// has been counted: by then the sequences before it have been counted, and there is nothing to wait for.
    /// The one to be counted after that is taken before the writing, not before the waiting, so that nobody
    /// ever waits for a thread that waits.
    void take_sequences(const Call& call, std::atomic<std::uint64_t>& next_ticket, cpu::LookBack& look_back,
                        ItemT* buffers) const {
        // Relaxed: a ticket says nothing but its number. look_back.hpp says why nobody waits for ever.
        const auto take = [&] { return next_ticket.fetch_add(1, std::memory_order_relaxed); };
        const auto place_of = [&](const Counted& counted) {
            return look_back.exclusive_prefix(counted.sequence, counted.kept);
        };
        std::array<ItemT*, buffers_per_taker> free_buffers{buffers, buffers + buffer_items()};
        std::optional<Counted> before;
        std::uint64_t sequence = take();
        while (sequence < call.num_sequences) {
            const Counted now = count(call, sequence, free_buffers[0], pace_after(call, before));
            look_back.announce(sequence, now.kept);
            const std::uint64_t place = before ? place_of(*before) : 0;
            sequence = take();
            if (before) write(call, *before, place, lines_to_ask_for(call, sequence));
            before = now;
            std::swap(free_buffers[0], free_buffers[1]);
        }
        if (before) write(call, *before, place_of(*before), {});
        cpu::publish_streamed_lines();
    }

    static cpu::NextLines lines_to_ask_for(const Call& call, std::uint64_t sequence) {
        if (!call.memory_has_room || sequence >= call.num_sequences) return {};
        const ItemT* const in = call.stream.in + call.sequences.begin(sequence);
        return {reinterpret_cast<const std::byte*>(in),
                call.sequences.size(sequence) * sizeof(ItemT) / cpu::line_bytes};
    }

    /// What is gathered goes on to the second level, which disturbs the processor's own reading ahead there.
    static cpu::Pace pace_after(const Call& call, const std::optional<Counted>& before) {
        const bool kept_little = before && before->kept < call.sequences.size(before->sequence) / 4;
        return kept_little ? call.reading_pace : call.pace;
    }

    Counted count(const Call& call, std::uint64_t sequence, ItemT* buffer, cpu::Pace pace) const {
        const ItemT* const in = call.stream.in + call.sequences.begin(sequence);
        const std::uint64_t num_items = call.sequences.size(sequence);
        const std::uint64_t num_first = std::min(num_items, call.most_gathered);
        const std::uint64_t gathered =
            kernels_.move_kept(in, num_first, call.stream.keep, buffer, buffer_items(), pace);
        const std::uint64_t rest =
            kernels_.count_kept(in + num_first, num_items - num_first, call.stream.keep, call.reading_pace);
        return {sequence, gathered + rest, buffer, gathered};
    }

    void write(const Call& call, const Counted& counted, std::uint64_t kept_before,
               cpu::NextLines next) const {
        ItemT* const out = call.stream.out + kept_before;
        cpu::copy_items(counted.gathered, counted.num_gathered, out, call.past_cache, next);
        const std::uint64_t num_items = call.sequences.size(counted.sequence);
        if (num_items <= call.most_gathered) return;
        // What was counted alone is read again, from the cache unless the sequence is too long for it.
        const ItemT* const rest =
            call.stream.in + call.sequences.begin(counted.sequence) + call.most_gathered;
        const std::uint64_t num_rest = num_items - call.most_gathered;
        ItemT* const rest_out = out + counted.num_gathered;
        const cpu::Pace pace{call.pace.vectors_per_step};
        if (call.past_cache) {
            kernels_.stream_kept(rest, num_rest, call.stream.keep, rest_out, pace);
        } else {
            kernels_.move_kept(rest, num_rest, call.stream.keep, rest_out,
                               counted.kept - counted.num_gathered, pace);
        }
    }

    /// One that is being filled, one that waits to be written.
    static constexpr std::uint64_t buffers_per_taker = 2;

    Engine& engine_;
    const cpu::Kernels<ItemT>& kernels_ = cpu::kernels<ItemT>();
    cpu::Caches caches_;
    Options options_;
    cpu::Workers workers_;
    cpu::ShortStreams<ItemT> short_streams_{kernels_, options_, layout(0)[Option::vector_width]};
    Buffer statuses_;  ///< [sequences] what LookBack keeps of each
    Buffer ranked_;    ///< [takers][buffers_per_taker][buffer_items] kept items on their way
    std::uint64_t max_items_ = 0;
};

}  // namespace

Registration register_cpu_single_pass() {
    Algorithm algorithm;
    algorithm.authors = "D. Merrill, M. Garland";
    algorithm.year = 2016;
    algorithm.source =
        "Merrill and Garland (2016), 'Single-pass Parallel Prefix Scan with Decoupled Look-back', NVIDIA "
        "Technical "
        "Report NVR-2016-002; here with a worker thread in the place of a block";
    algorithm.summary =
        "Worker threads take sequences by ticket, gather what each keeps in a buffer that stays in the "
        "cache, "
        "learn from the sequences before where its output begins, and copy it there, past the cache where "
        "the output would not fit. Every item is read once. Vector width is the number of SIMD vectors "
        "handled per step of the loop.";
    algorithm.phases = {{PhaseRole::fused, "single pass",
                         "Rank, look-back and copy overlap: while one thread waits or writes, another reads.",
                         traffic::reads_all_writes_kept}};
    algorithm.options = {every_vector_width(),
                         {Option::threads_per_block, 1, cpu::max_threads},
                         {Option::sequences, 1, cpu::max_sequences},
                         variants({"rank once", "count first"})};
    return {algorithm, make_for_item_size<SinglePassCompactor>};
}

}  // namespace compaction
