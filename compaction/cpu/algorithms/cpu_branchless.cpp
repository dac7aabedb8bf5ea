#include <cstdint>

#include "cpu/one_call.hpp"
#include "cpu/scalar_kernels.hpp"

namespace compaction {
namespace {

struct Branchless {
    template <typename ItemT>
    std::uint64_t operator()(const ItemT* in, std::uint64_t num_items, ItemT* out, Predicate keep) const {
        return cpu::scalar::compact(in, num_items, keep, out);
    }

    static Partition partition(std::uint64_t num_items) { return whole_stream(num_items); }
};

}  // namespace

Registration register_cpu_branchless() {
    Algorithm algorithm;
    algorithm.authors = "traditional; as given by K. Ross";
    algorithm.year = 2004;
    algorithm.source =
        "Ross (2004), 'Selection Conditions in Main Memory', ACM Transactions on Database Systems 29(1), "
        "section 3: the loop without branches";
    algorithm.summary =
        "One thread writes every item to the end of the output, and advances the end only if the item is "
        "kept. There is no branch to mispredict, so random data take as long as structured data; every item "
        "costs a store, including dropped ones.";
    algorithm.phases = {{PhaseRole::fused, "loop",
                         "Reads each item once, writes it, and counts it if it is kept.",
                         traffic::reads_all_writes_selected}};
    return {algorithm, make_for_item_size<cpu::OneCall, Branchless>};
}

}  // namespace compaction
