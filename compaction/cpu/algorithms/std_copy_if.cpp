#include <algorithm>

#include "cpu/one_call.hpp"

namespace compaction {
namespace {

struct StdCopyIf {
    template <typename ItemT>
    std::uint64_t operator()(const ItemT* in, std::uint64_t num_items, ItemT* out, Predicate keep) const {
        return static_cast<std::uint64_t>(std::copy_if(in, in + num_items, out, keep) - out);
    }

    static Partition partition(std::uint64_t num_items) {
        return unknown_partition(num_items,
                                 "The standard library does not specify how it divides the stream.");
    }
};

}  // namespace

Registration register_std_copy_if() {
    Algorithm algorithm;
    algorithm.authors = "the C++ standard library";
    algorithm.year = 2011;
    algorithm.source = "ISO C++11, section 25.3.1 [alg.copy]: std::copy_if";
    algorithm.summary =
        "The standard call, on one thread. A loop with a branch per item: fast while the processor predicts "
        "correctly, slow on random data.";
    algorithm.phases = {{PhaseRole::fused, "copy_if",
                         "Reads each item once, tests it and appends it if it is kept.",
                         traffic::reads_all_writes_selected}};
    return {algorithm, make_for_item_size<cpu::OneCall, StdCopyIf>};
}

}  // namespace compaction
