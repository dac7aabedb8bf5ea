#include <cstdint>

#include "cpu/one_call.hpp"
#include "cpu/scalar_kernels.hpp"

namespace compaction {
namespace {

struct Loop {
    template <typename ItemT>
    std::uint64_t operator()(const ItemT* in, std::uint64_t num_items, ItemT* out, Predicate keep) const {
        return cpu::scalar::append_selected(in, num_items, keep, out);
    }

    static Partition partition(std::uint64_t num_items) { return whole_stream(num_items); }
};

}  // namespace

Registration register_cpu_loop() {
    Algorithm algorithm;
    algorithm.authors = "traditional; as given in the posts on Parallel Stream Compaction";
    algorithm.year = 2018;
    algorithm.source = "Parallel Stream Compaction, part 1 (2018), section 'What is Stream Compaction'";
    algorithm.summary =
        "One thread iterates over the stream and appends every kept item. It defines stream compaction, and "
        "is slow on random data, where the processor mispredicts half of the branches.";
    algorithm.phases = {{PhaseRole::fused, "loop",
                         "Reads each item once, tests it and appends it if it is kept.",
                         traffic::reads_all_writes_selected}};
    return {algorithm, make_for_item_size<cpu::OneCall, Loop>};
}

}  // namespace compaction
