#include <algorithm>
#include <numeric>

#include "registration.hpp"

namespace compaction {
namespace {

class Scan final : public Compactor {
  public:
    Options resolved_options(std::uint64_t) const override { return {}; }

    void do_enqueue(const void* in_items, std::uint64_t num_items, void* out_items, std::uint64_t*, Predicate,
                    PhaseRecorder* recorder) override {
        const auto* const in = static_cast<const Item*>(in_items);
        ScopedPhase scanning{recorder};
        std::exclusive_scan(in, in + num_items, static_cast<Item*>(out_items), Item{0});
    }
};

}  // namespace

Registration register_cpu_scan() {
    Algorithm algorithm;
    algorithm.operation = Operation::scan;
    algorithm.authors = "traditional";
    algorithm.year = 2007;
    algorithm.source =
        "Harris, Sengupta, Owens 2007, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, section 39.2, the "
        "sequential scan; std::exclusive_scan of the C++ library";
    algorithm.summary =
        "One thread adds up the items one after another: the baseline for every parallel scan.";
    algorithm.phases = {{PhaseRole::prefix, "scan", "Writes to each index the sum of the items before it.",
                         traffic::reads_all_writes_all}};
    algorithm.item_sizes = {ItemSize::bytes_4};
    return {algorithm, [](Engine&, const Options&, ItemSize) -> std::unique_ptr<Compactor> {
                return std::make_unique<Scan>();
            }};
}

}  // namespace compaction
