#include "cpu/one_thread.hpp"
#include "cpu/recorder.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class SimdCompactor final : public Compactor {
  public:
    SimdCompactor(Engine& engine, const Options& options) : options_(options), caches_(engine.device()) {}

    Options resolved_options(std::uint64_t) const override {
        Options resolved = options_;
        if (resolved[Option::vector_width] == automatic) {
            resolved[Option::vector_width] = max_vector_width(ItemSize{sizeof(ItemT)});
        }
        return resolved;
    }

    Partition partition(std::uint64_t num_items) const override { return whole_stream(num_items); }

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
                                   std::uint64_t* num_selected, Predicate keep,
                                   PhaseRecorder* recorder) const {
        const cpu::TimedPhase phase{recorder};
        phase.set_parts([&] { return BlockParts{.partition = whole_stream(num_items)}; });
        *num_selected = cpu::compact_on_one_thread(
            kernels_, in, num_items, keep, out, resolved_options(num_items)[Option::vector_width], caches_);
    }

    const cpu::Kernels<ItemT>& kernels_ = cpu::kernels<ItemT>();
    Options options_;
    cpu::ShortStreams<ItemT> short_streams_{kernels_, options_, resolved_options(0)[Option::vector_width]};
    cpu::Caches caches_;
};

}  // namespace

Registration register_cpu_simd() {
    Algorithm algorithm;
    algorithm.authors = "D. Lemire and others; J. Wassenberg and others (Highway)";
    algorithm.year = 2017;
    algorithm.source =
        "Lemire (2017), 'Removing duplicates from lists quickly': a compress instruction or a table of "
        "permutations; here through Highway's portable vectors, with the instruction set chosen at run time";
    algorithm.summary =
        "One thread compares and compresses a vector of items at a time and stores it whole; the next vector "
        "overwrites the unused lanes. No branch depends on the items. Outputs larger than the cache are "
        "written past it in whole lines. Vector width is the number of SIMD vectors per iteration.";
    algorithm.phases = {{PhaseRole::fused, "compress",
                         "Reads a vector of items, moves the kept ones to its front and appends it.",
                         traffic::reads_all_writes_selected}};
    algorithm.options = {every_vector_width()};
    return {algorithm, make_for_item_size<SimdCompactor>};
}

}  // namespace compaction
