#include <algorithm>
#include <execution>

#include "cpu/one_call.hpp"

namespace compaction {
namespace {

struct StdCopyIfPar {
    template <typename ItemT>
    std::uint64_t operator()(const ItemT* in, std::uint64_t num_items, ItemT* out, Predicate keep) const {
        const ItemT* const end = std::copy_if(std::execution::par_unseq, in, in + num_items, out, keep);
        return static_cast<std::uint64_t>(end - out);
    }

    static Partition partition(std::uint64_t num_items) {
        return unknown_partition(num_items,
                                 "The standard library does not report how it divides the stream.");
    }
};

}  // namespace

Registration register_std_copy_if_par() {
    Algorithm algorithm;
    algorithm.authors = "the C++ standard library; A. Kukanov and others (Intel)";
    algorithm.year = 2017;
    algorithm.source =
        "ISO C++17, section 28.6.1 [alg.copy]: std::copy_if with std::execution::par_unseq; in libstdc++ "
        "Intel's Parallel STL on oneTBB";
    algorithm.summary =
        "The standard parallel call, as libstdc++ implements it: flags in a buffer that every call "
        "allocates, a scan on all threads, and a copy by flags.";
    algorithm.synchronises = true;
    algorithm.phases = {
        {PhaseRole::fused, "copy_if", "Flags, scan and copy within one call; there is nothing to split."}};
    return {algorithm, make_for_item_size<cpu::OneCall, StdCopyIfPar>};
}

}  // namespace compaction
