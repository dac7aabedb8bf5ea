#include <algorithm>
#include <atomic>
#include <optional>

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
        : engine_(engine), options_(options), workers_(engine, options[Option::threads_per_block]) {}

    Options layout(std::uint64_t num_items) const override {
        const std::uint64_t stream_bytes = num_items * sizeof(ItemT);
        Options chosen = options_;
        if (chosen[Option::vector_width] == automatic) {
            chosen[Option::vector_width] = max_vector_width(ItemSize{sizeof(ItemT)});
        }
        if (chosen[Option::threads_per_block] == automatic) {
            chosen[Option::threads_per_block] = workers_.threads_for(stream_bytes);
        }
        if (chosen[Option::sequences] == automatic) {
            // One thread needs nobody's prefix but its own.
            chosen[Option::sequences] =
                chosen[Option::threads_per_block] == 1
                    ? 1
                    : cpu::automatic_sequences(stream_bytes, workers_.threads(), sequence_bytes);
        }
        return chosen;
    }

    void reserve(std::uint64_t max_items) override {
        if (max_items <= max_items_) return;
        const Options most = layout(max_items);
        if (most[Option::sequences] > 1) {
            statuses_ = engine_.allocate(most[Option::sequences] * sizeof(std::uint64_t));
        }
        max_items_ = max_items;
    }

    void enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected, Keep keep,
                 PhaseRecorder* recorder) override {
        check_arguments(in, num_items, out, num_selected, max_items_, static_cast<ItemSize>(sizeof(ItemT)));
        const Stream stream{static_cast<const ItemT*>(in), num_items, static_cast<ItemT*>(out), keep};
        ScopedPhase phase{recorder};
        if (num_items <= cpu::tiny_items && cpu::leaves_sharing_open(options_)) {
            *num_selected = cpu::scalar::compact(stream.in, num_items, keep, stream.out, 1);
            return;
        }
        const Options chosen = layout(num_items);
        const bool is_whole = num_items == 0 || chosen[Option::sequences] == 1;
        *num_selected = is_whole ? compact_alone(stream, chosen) : compact(stream, chosen);
    }

  private:
    struct Stream {
        const ItemT* in;
        std::uint64_t num_items;
        ItemT* out;
        Keep keep;
    };

    static std::uint64_t num_takers(const Options& chosen) {
        return std::min(chosen[Option::threads_per_block], chosen[Option::sequences]);
    }

    /// A sequence that was counted; it is still in the core's cache.
    struct Counted {
        std::uint64_t sequence = 0;
        std::uint64_t kept = 0;
    };

    std::uint64_t compact_alone(const Stream& stream, const Options& chosen) const {
        return cpu::compact_on_one_thread(kernels_, stream.in, stream.num_items, stream.keep, stream.out,
                                          chosen[Option::vector_width], engine_.device().cache_bytes);
    }

    std::uint64_t compact(const Stream& stream, const Options& chosen) {
        cpu::LookBack look_back(statuses_.as<std::uint64_t>(), chosen[Option::sequences]);
        std::atomic<std::uint64_t> next_ticket{0};
        workers_.for_each(num_takers(chosen), chosen[Option::threads_per_block],
                          [&](std::uint64_t) { take_sequences(stream, chosen, next_ticket, look_back); });
        return look_back.total();
    }

    /// Takes one sequence after another, in order, until all are taken. Each is moved only when the next has
    /// been counted: by then the sequences before it have been counted too, and there is nothing to wait for.
    void take_sequences(const Stream& stream, const Options& chosen, std::atomic<std::uint64_t>& next_ticket,
                        cpu::LookBack& look_back) const {
        const cpu::Sequences<ItemT> sequences(stream.num_items, chosen[Option::sequences]);
        std::optional<Counted> before;
        const auto move_before = [&] {
            if (before)
                move(stream, chosen, sequences, *before,
                     look_back.exclusive_prefix(before->sequence, before->kept));
        };
        for (;;) {
            // Relaxed: a ticket says nothing but its number. look_back.hpp says why nobody waits for ever.
            const std::uint64_t sequence = next_ticket.fetch_add(1, std::memory_order_relaxed);
            if (sequence >= chosen[Option::sequences]) break;
            const std::uint64_t kept =
                kernels_.count_kept(stream.in + sequences.begin(sequence), sequences.size(sequence),
                                    stream.keep, chosen[Option::vector_width]);
            look_back.announce(sequence, kept);
            move_before();
            before = {sequence, kept};
        }
        move_before();
        cpu::publish_streamed_lines();
    }

    void move(const Stream& stream, const Options& chosen, const cpu::Sequences<ItemT>& sequences,
              const Counted& counted, std::uint64_t kept_before) const {
        const ItemT* const in = stream.in + sequences.begin(counted.sequence);
        const std::uint64_t num_items = sequences.size(counted.sequence);
        ItemT* const out = stream.out + kept_before;
        const unsigned vectors = chosen[Option::vector_width];
        if (cpu::goes_past_cache(stream.num_items * sizeof(ItemT), engine_.device().cache_bytes)) {
            cpu::stream_kept(kernels_, in, num_items, stream.keep, out, vectors);
        } else {
            kernels_.move_kept(in, num_items, stream.keep, out, counted.kept, vectors);
        }
    }

    /// Two of them, one counted and one waiting to be moved, stay in a core's second-level cache. Much
    /// shorter ones would cost more in tickets and words, which travel from core to core, than they save.
    static constexpr std::uint64_t sequence_bytes = 131'072;

    Engine& engine_;
    const cpu::Kernels<ItemT>& kernels_ = cpu::kernels<ItemT>();
    Options options_;
    cpu::Workers workers_;
    Buffer statuses_;  ///< [sequences] what LookBack keeps of each
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
        "Worker threads take sequences by ticket, count what each keeps, learn from the sequences before "
        "where its "
        "output begins, and move it while it is still in the cache, writing past the cache where the output "
        "would "
        "not fit. Every item is read from memory once. Vector width is the number of SIMD vectors handled "
        "per step "
        "of the loop; threads per block is the number of worker threads.";
    algorithm.phases = {
        {PhaseRole::fused, "single pass",
         "Count, look-back and move overlap: while one thread waits or writes, another reads.",
         traffic::reads_all_writes_kept}};
    algorithm.options = {every_vector_width(),
                         {Option::threads_per_block, 1, cpu::max_threads},
                         {Option::sequences, 1, cpu::max_sequences}};
    return {algorithm, make_for_item_size<SinglePassCompactor>};
}

}  // namespace compaction
