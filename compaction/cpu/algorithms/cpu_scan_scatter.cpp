#include <limits>

#include "cpu/recorder.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class ScanScatterCompactor final : public Compactor {
  public:
    ScanScatterCompactor(Engine& engine, const Options&) : engine_(engine) {}

    Options resolved_options(std::uint64_t) const override { return {}; }

    Partition partition(std::uint64_t num_items) const override { return whole_stream(num_items); }

    void do_reserve(std::uint64_t max_items) override {
        flags_ = engine_.allocate(max_items * sizeof(std::uint32_t));
        ranks_ = engine_.allocate(max_items * sizeof(std::uint32_t));
    }

    void do_enqueue(const void* in_items, std::uint64_t num_items, void* out_items,
                    std::uint64_t* num_selected, Predicate keep, PhaseRecorder* recorder) override {
        const auto* const in = static_cast<const ItemT*>(in_items);
        auto* const out = static_cast<ItemT*>(out_items);
        auto* const flags = flags_.as<std::uint32_t>();
        auto* const ranks = ranks_.as<std::uint32_t>();
        const auto parts = [&] { return BlockParts{.partition = whole_stream(num_items)}; };
        {
            const cpu::TimedPhase mapping{recorder};
            mapping.set_parts(parts);
            for (std::uint64_t i = 0; i < num_items; ++i) flags[i] = keep(in[i]);
        }
        {
            ScopedPhase scanning{recorder};
            std::uint32_t kept = 0;
            for (std::uint64_t i = 0; i < num_items; ++i) {
                ranks[i] = kept;
                kept += flags[i];
            }
            *num_selected = kept;
        }
        {
            const cpu::TimedPhase scattering{recorder};
            scattering.set_parts(parts);
            for (std::uint64_t i = 0; i < num_items; ++i) {
                if (flags[i]) out[ranks[i]] = in[i];
            }
        }
    }

  private:
    Engine& engine_;
    Buffer flags_;  ///< [max_items] 1 if the item is kept
    Buffer ranks_;  ///< [max_items] kept items before each item
};

}  // namespace

Registration register_cpu_scan_scatter() {
    Algorithm algorithm;
    algorithm.authors = "traditional; after Harris, Sengupta and Owens";
    algorithm.year = 2007;
    algorithm.source =
        "Harris, Sengupta, Owens 2007, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, section 39.3.1, on "
        "one thread";
    algorithm.summary =
        "The parallel algorithms of its time on one thread: a flag per item, the exclusive scan of the "
        "flags, and a scatter to the scanned offsets. It makes three passes where the plain loop needs one; "
        "a scan pays off only in parallel.";
    algorithm.phases = {
        {PhaseRole::count, "map", "Writes 1 for every kept item and 0 for every other.",
         [](const StreamShape& shape) { return shape.stream_bytes() + shape.word_bytes(); }},
        {PhaseRole::prefix, "scan",
         "Adds up the flags before each item, which gives its index in the output.",
         [](const StreamShape& shape) { return 2 * shape.word_bytes(); }},
        {PhaseRole::scatter, "scatter", "Writes every kept item to its index.", [](const StreamShape& shape) {
             return shape.word_bytes() + 2 * shape.selected_bytes() +
                    sizeof(std::uint32_t) * static_cast<double>(shape.num_selected);
         }}};
    algorithm.max_items = std::numeric_limits<std::uint32_t>::max();
    return {algorithm, make_for_item_size<ScanScatterCompactor>};
}

}  // namespace compaction
