#include "cpu/machine.hpp"
#include "cpu/recorder.hpp"
#include "cpu/streamed_output.hpp"
#include "cpu/workers.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class Copy final : public Compactor {
  public:
    Copy(Engine& engine, const Options& options)
        : caches_(engine.device()), options_(options), workers_(engine, options[cpu::worker_threads]) {}

    Options resolved_options(std::uint64_t num_items) const override {
        Options resolved = options_;
        if (resolved[Option::variant] == automatic) resolved[Option::variant] = streamed;
        resolved[cpu::worker_threads] = workers_.threads_for(num_items * sizeof(ItemT));
        return resolved;
    }

    void do_enqueue(const void* in_items, std::uint64_t num_items, void* out_items, std::uint64_t*, Predicate,
                    PhaseRecorder* recorder) override {
        const auto* const in = static_cast<const ItemT*>(in_items);
        auto* const out = static_cast<ItemT*>(out_items);
        const std::uint64_t num_sequences =
            cpu::automatic_sequences(num_items * sizeof(ItemT), workers_.threads());
        const cpu::Sequences<ItemT> sequences(num_items, num_sequences);
        const bool bypasses_cache =
            options_[Option::variant] != memcpy_alone &&
            caches_.shared_cache_is_exceeded_by(num_items * sizeof(ItemT), num_items * sizeof(ItemT));
        const cpu::TimedPhase copying{recorder};
        const std::uint32_t threads = resolved_options(num_items)[cpu::worker_threads];
        workers_.for_each(num_sequences, threads, copying.log(), [&](std::uint64_t s) {
            cpu::copy_items(in + sequences.begin(s), sequences.size(s), out + sequences.begin(s),
                            bypasses_cache);
            if (bypasses_cache) cpu::publish_streamed_lines();
        });
    }

  private:
    enum Variant : std::uint32_t { streamed = 1, memcpy_alone };

    cpu::Caches caches_;
    Options options_;
    cpu::Workers workers_;
};

}  // namespace

Registration register_cpu_copy() {
    Algorithm algorithm;
    algorithm.operation = Operation::copy;
    algorithm.authors = "traditional";
    algorithm.year = 1978;
    algorithm.source = "memcpy on all threads";
    algorithm.summary =
        "All threads copy the stream, a sequence at a time, past the cache if it does not fit. No compaction "
        "moves its items faster. The other variant calls memcpy of the C library, which decides by the "
        "length of each sequence.";
    algorithm.phases = {{PhaseRole::scatter, "copy", "Reads every item once and writes it to the same index.",
                         traffic::reads_all_writes_all}};
    algorithm.options = {{cpu::worker_threads, 1, cpu::max_threads}, variants({"past the cache", "memcpy"})};
    return {algorithm, make_for_item_size<Copy>};
}

}  // namespace compaction
