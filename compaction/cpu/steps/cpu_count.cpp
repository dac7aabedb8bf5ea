#include <atomic>

#include "cpu/machine.hpp"
#include "cpu/recorder.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/workers.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class Count final : public Compactor {
  public:
    Count(Engine& engine, const Options& options)
        : caches_(engine.device()), options_(options), workers_(engine, options[cpu::worker_threads]) {}

    Options resolved_options(std::uint64_t num_items) const override {
        Options resolved = options_;
        if (resolved[Option::vector_width] == automatic) {
            resolved[Option::vector_width] = max_vector_width(ItemSize{sizeof(ItemT)});
        }
        resolved[cpu::worker_threads] = workers_.threads_for(num_items * sizeof(ItemT));
        if (resolved[Option::sequences] == automatic) {
            resolved[Option::sequences] =
                cpu::automatic_sequences(num_items * sizeof(ItemT), workers_.threads());
        }
        return resolved;
    }

    void do_enqueue(const void* in_items, std::uint64_t num_items, void*, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const auto* const in = static_cast<const ItemT*>(in_items);
        const Options resolved = resolved_options(num_items);
        const std::uint64_t num_sequences = resolved[Option::sequences];
        const cpu::Sequences<ItemT> sequences(num_items, num_sequences);
        std::atomic<std::uint64_t> total{0};
        const std::uint32_t threads = resolved[cpu::worker_threads];
        const cpu::LoopParameters parameters{resolved[Option::vector_width],
                                             caches_.need_prefetch(num_items * sizeof(ItemT), threads)};
        const cpu::TimedPhase counting{recorder};
        workers_.for_each(num_sequences, threads, counting.log(), [&](std::uint64_t s) {
            const std::uint64_t kept =
                kernels_.count_selected(in + sequences.begin(s), sequences.size(s), keep, parameters);
            // Relaxed: the end of the parallel loop orders all additions before the load below.
            total.fetch_add(kept, std::memory_order_relaxed);
            return kept;
        });
        *num_selected = total.load(std::memory_order_relaxed);
    }

  private:
    const cpu::Kernels<ItemT>& kernels_ = cpu::kernels<ItemT>();
    cpu::Caches caches_;
    Options options_;
    cpu::Workers workers_;
};

}  // namespace

Registration register_cpu_count() {
    Algorithm algorithm;
    algorithm.operation = Operation::count;
    algorithm.authors = "M. Billeter, O. Olsson, U. Assarsson";
    algorithm.year = 2009;
    algorithm.source =
        "Billeter, Olsson and Assarsson (2009), the first phase; here on worker threads and SIMD lanes";
    algorithm.summary =
        "Every thread counts the kept items of its sequences and adds them to the total. It only reads, so "
        "it measures read speed.";
    algorithm.phases = {
        {PhaseRole::count, "count", "Reads every item once and adds up the kept ones.", traffic::reads_all}};
    algorithm.options = {every_vector_width(),
                         {cpu::worker_threads, 1, cpu::max_threads},
                         {Option::sequences, 1, cpu::max_sequences}};
    return {algorithm, make_for_item_size<Count>};
}

}  // namespace compaction
