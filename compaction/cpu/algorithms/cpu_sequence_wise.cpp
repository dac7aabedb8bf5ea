#include <utility>

#include "cpu/one_thread.hpp"
#include "cpu/recorder.hpp"
#include "cpu/workers.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class SequenceWiseCompactor final : public Compactor {
  public:
    SequenceWiseCompactor(Engine& engine, const Options& options)
        : engine_(engine),
          caches_(engine.device()),
          options_(options),
          workers_(engine, options[cpu::worker_threads]) {
        do_reserve(0);
    }

    Options resolved_options(std::uint64_t num_items) const override {
        Options resolved = options_;
        if (resolved[Option::vector_width] == automatic) {
            resolved[Option::vector_width] = max_vector_width(ItemSize{sizeof(ItemT)});
        }
        if (resolved[cpu::worker_threads] == automatic) {
            resolved[cpu::worker_threads] = workers_.threads_for(num_items * sizeof(ItemT));
        }
        if (resolved[Option::sequences] == automatic) {
            resolved[Option::sequences] =
                cpu::automatic_sequences(num_items * sizeof(ItemT), workers_.threads());
        }
        return resolved;
    }

    Partition partition(std::uint64_t num_items) const override {
        return cpu::Sequences<ItemT>(num_items, resolved_options(num_items)[Option::sequences]).partition();
    }

    void do_reserve(std::uint64_t max_items) override {
        offsets_ =
            engine_.allocate((resolved_options(max_items)[Option::sequences] + 1) * sizeof(std::uint64_t));
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
    /// Out of line, so that do_enqueue stays small for short streams.
    [[gnu::noinline]] void compact(const ItemT* in, std::uint64_t num_items, ItemT* out,
                                   std::uint64_t* num_selected, Predicate keep, PhaseRecorder* recorder) {
        const Options resolved = resolved_options(num_items);
        const std::uint64_t num_sequences = resolved[Option::sequences];
        const cpu::Sequences<ItemT> sequences(num_items, num_sequences);
        const auto parts = [&] {
            return BlockParts{.partition = sequences.partition(), .counts_selected = true};
        };
        const std::uint64_t in_bytes = num_items * sizeof(ItemT);
        const std::uint32_t threads = resolved[cpu::worker_threads];
        const cpu::LoopParameters parameters{resolved[Option::vector_width],
                                             caches_.need_prefetch(in_bytes, threads)};
        auto* const offsets = offsets_.as<std::uint64_t>();
        {
            const cpu::TimedPhase counting{recorder};
            counting.set_parts(parts);
            workers_.for_each(num_sequences, threads, counting.log(), [&](std::uint64_t s) {
                return offsets[s] = kernels_.count_selected(in + sequences.begin(s), sequences.size(s), keep,
                                                            parameters);
            });
        }
        {
            ScopedPhase prefixing{recorder};
            std::uint64_t total = 0;
            for (std::uint64_t s = 0; s < num_sequences; ++s) total += std::exchange(offsets[s], total);
            offsets[num_sequences] = total;
            *num_selected = total;
        }
        const cpu::TimedPhase moving{recorder};
        moving.set_parts(parts);
        const bool bypasses_cache =
            caches_.shared_cache_is_exceeded_by(in_bytes, *num_selected * sizeof(ItemT));
        workers_.for_each(num_sequences, threads, moving.log(), [&](std::uint64_t s) {
            const std::uint64_t kept = offsets[s + 1] - offsets[s];
            cpu::copy_selected_items(kernels_, in + sequences.begin(s), sequences.size(s), keep,
                                     out + offsets[s], kept, bypasses_cache, parameters);
            if (bypasses_cache) cpu::publish_streamed_lines();
            return kept;
        });
    }

    Engine& engine_;
    cpu::Caches caches_;
    const cpu::Kernels<ItemT>& kernels_ = cpu::kernels<ItemT>();
    Options options_;
    cpu::Workers workers_;
    cpu::ShortStreams<ItemT> short_streams_{kernels_, options_, resolved_options(0)[Option::vector_width]};
    Buffer offsets_;  ///< [sequences + 1] counts of the sequences, then their exclusive scan
};

}  // namespace

Registration register_cpu_sequence_wise() {
    Algorithm algorithm;
    algorithm.authors = "M. Billeter, O. Olsson, U. Assarsson";
    algorithm.year = 2009;
    algorithm.source =
        "Billeter, Olsson and Assarsson (2009), 'Efficient Stream Compaction on Wide SIMD Many-Core "
        "Architectures', High Performance Graphics; here a worker thread replaces a warp, and SIMD lanes "
        "replace its threads";
    algorithm.summary =
        "The stream is divided into sequences. Worker threads count them, then move them in parallel, each "
        "to the offset that the prefix gives. SIMD compares and compresses a vector of items at a time, "
        "without a branch per item; an output larger than the cache is written past it. Up to 4,096 items, "
        "unless phases are timed, one thread moves them without counting first. Vector width is the number "
        "of SIMD vectors per iteration.";
    algorithm.phases = {
        {PhaseRole::count, "count",
         "Every thread counts the kept items of its sequences; reads the whole stream.", traffic::reads_all},
        {PhaseRole::prefix, "prefix",
         "One thread adds up the counts, which gives the offset of each sequence in the output.",
         traffic::metadata_alone},
        {PhaseRole::scatter, "move",
         "Every thread reads its sequences again and writes the kept items to their offset.",
         traffic::reads_all_writes_selected}};
    algorithm.options = {every_vector_width(),
                         {cpu::worker_threads, 1, cpu::max_threads},
                         {Option::sequences, 1, cpu::max_sequences}};
    return {algorithm, make_for_item_size<SequenceWiseCompactor>};
}

}  // namespace compaction
