#include <algorithm>
#include <cstdint>

#include "cpu/look_back.hpp"
#include "cpu/one_thread.hpp"
#include "cpu/ranked_sequences.hpp"
#include "cpu/recorder.hpp"
#include "cpu/reread_sequences.hpp"
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
          workers_(engine, options[cpu::worker_threads]) {}

    Options resolved_options(std::uint64_t num_items) const override {
        const std::uint64_t stream_bytes = num_items * sizeof(ItemT);
        Options resolved = options_;
        if (resolved[Option::vector_width] == automatic) {
            resolved[Option::vector_width] = max_vector_width(ItemSize{sizeof(ItemT)});
        }
        if (resolved[cpu::worker_threads] == automatic) {
            resolved[cpu::worker_threads] = workers_.threads_for(stream_bytes);
        }
        if (resolved[Option::variant] == automatic) {
            resolved[Option::variant] = cpu::hardware_prefetch_suffices() ? read_again : rank_once;
        }
        if (resolved[Option::sequences] == automatic) {
            // A single thread needs no look-back.
            resolved[Option::sequences] =
                resolved[cpu::worker_threads] == 1
                    ? 1
                    : cpu::automatic_sequences(stream_bytes, workers_.threads(),
                                               usual_sequence_bytes(resolved[Option::variant]));
        }
        return resolved;
    }

    Partition partition(std::uint64_t num_items) const override {
        return cpu::Sequences<ItemT>(num_items, resolved_options(num_items)[Option::sequences]).partition();
    }

    void do_reserve(std::uint64_t max_items) override {
        const Options resolved = resolved_options(max_items);
        if (resolved[Option::sequences] > 1) {
            statuses_ = engine_.allocate(resolved[Option::sequences] * sizeof(std::uint64_t));
            if (resolved[Option::variant] == rank_once) {
                buffers_ = engine_.allocate(num_workers(resolved) * Ranked::buffer_bytes(caches_));
            }
        }
    }

    void do_enqueue(const void* in_items, std::uint64_t num_items, void* out_items,
                    std::uint64_t* num_selected, Predicate keep, PhaseRecorder* recorder) override {
        const auto* const in = static_cast<const ItemT*>(in_items);
        auto* const out = static_cast<ItemT*>(out_items);
        if (!recorder && short_streams_.accept(num_items)) {
            *num_selected = short_streams_.compact(in, num_items, keep, out);
        } else {
            compact(in, num_items, out, num_selected, keep, recorder);
        }
    }

  private:
    using Ranked = cpu::RankedSequences<ItemT>;
    using Reread = cpu::RereadSequences<ItemT>;

    enum Variant : std::uint32_t { rank_once = 1, read_again };

    std::uint64_t usual_sequence_bytes(std::uint32_t variant) const {
        return variant == rank_once ? Ranked::usual_sequence_bytes(caches_)
                                    : Reread::usual_sequence_bytes(caches_);
    }

    static std::uint64_t num_workers(const Options& resolved) {
        return std::min(resolved[cpu::worker_threads], resolved[Option::sequences]);
    }

    /// Out of line, and by value, so that do_enqueue stays small for short streams.
    [[gnu::noinline]] void compact(const ItemT* in, std::uint64_t num_items, ItemT* out,
                                   std::uint64_t* num_selected, Predicate keep, PhaseRecorder* recorder) {
        const cpu::TimedPhase phase{recorder};
        const Options resolved = resolved_options(num_items);
        if (num_items == 0 || resolved[Option::sequences] == 1) {
            phase.set_parts([&] { return BlockParts{.partition = whole_stream(num_items)}; });
            *num_selected = cpu::compact_on_one_thread(kernels_, in, num_items, keep, out,
                                                       resolved[Option::vector_width], caches_);
            return;
        }
        const std::uint64_t bytes = num_items * sizeof(ItemT);
        const cpu::SharedStream<ItemT> stream{
            .in = in,
            .out = out,
            .keep = keep,
            .sequences = {num_items, resolved[Option::sequences]},
            .bypasses_cache = caches_.shared_cache_is_exceeded_by(bytes, bytes)};
        phase.set_parts([&] {
            return BlockParts{.partition = stream.sequences.partition(),
                              .by_ticket = true,
                              .counts_selected = true,
                              .waits = true};
        });
        *num_selected = compact_shared(stream, resolved, phase.log());
    }

    std::uint64_t compact_shared(const cpu::SharedStream<ItemT>& stream, const Options& resolved,
                                 cpu::WorkLog* log) {
        const std::uint32_t threads = resolved[cpu::worker_threads];
        const unsigned vectors = resolved[Option::vector_width];
        cpu::LookBack look_back(statuses_.as<std::uint64_t>(), stream.sequences.count);
        if (resolved[Option::variant] == rank_once) {
            Ranked ranked(kernels_, stream, vectors, caches_, threads, buffers_.as<ItemT>(), look_back);
            workers_.for_each(num_workers(resolved), threads, log,
                              [&](std::uint64_t worker) { return ranked.run(worker, log); });
        } else {
            Reread reread(kernels_, stream, vectors, caches_, threads, look_back);
            workers_.for_each(num_workers(resolved), threads, log,
                              [&](std::uint64_t worker) { return reread.run(worker, log); });
        }
        return look_back.total();
    }

    Engine& engine_;
    const cpu::Kernels<ItemT>& kernels_ = cpu::kernels<ItemT>();
    cpu::Caches caches_;
    Options options_;
    cpu::Workers workers_;
    cpu::ShortStreams<ItemT> short_streams_{kernels_, options_, resolved_options(0)[Option::vector_width]};
    Buffer statuses_;  ///< [sequences] the words of LookBack
    Buffer buffers_;   ///< [workers] the buffers of Ranked
};

}  // namespace

Registration register_cpu_single_pass() {
    Algorithm algorithm;
    algorithm.authors = "D. Merrill, M. Garland";
    algorithm.year = 2016;
    algorithm.source =
        "Merrill and Garland (2016), 'Single-pass Parallel Prefix Scan with Decoupled Look-back', NVIDIA "
        "Technical Report NVR-2016-002; here a worker thread replaces a block";
    algorithm.summary =
        "Worker threads take sequences by ticket, publish their counts, find their offset in the output by "
        "look-back, and write their kept items; an output that does not fit into the cache bypasses it. "
        "While the offset is unknown, \"rank once\" gathers the kept items in a buffer in the cache; \"read "
        "again\" counts them, and reads the sequence again from the cache. The default suits the processor's "
        "hardware prefetching. Both variants read memory once. The option vector width sets the number of "
        "SIMD vectors per iteration.";
    algorithm.phases = {
        {PhaseRole::fused, "single pass",
         "Count, look-back and move overlap: while one thread waits or writes, another reads.",
         traffic::reads_all_writes_selected}};
    algorithm.options = {every_vector_width(),
                         {cpu::worker_threads, 1, cpu::max_threads},
                         {Option::sequences, 1, cpu::max_sequences},
                         variants({"rank once", "read again"})};
    return {algorithm, make_for_item_size<SinglePassCompactor>};
}

}  // namespace compaction
