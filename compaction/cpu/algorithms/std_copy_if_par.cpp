#include <algorithm>
#include <execution>

#include "arguments.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class StdCopyIfPar final : public Compactor {
  public:
    StdCopyIfPar(Engine&, const Options&) {}

    Options layout(std::uint64_t) const override { return {}; }

    void reserve(std::uint64_t max_items) override { max_items_ = std::max(max_items_, max_items); }

    void enqueue(const void* in_items, std::uint64_t num_items, void* out_items, std::uint64_t* num_selected,
                 Keep keep, PhaseRecorder* recorder) override {
        check_arguments(in_items, num_items, out_items, num_selected, max_items_,
                        static_cast<ItemSize>(sizeof(ItemT)));
        const auto* const in = static_cast<const ItemT*>(in_items);
        auto* const out = static_cast<ItemT*>(out_items);
        ScopedPhase phase{recorder};
        const ItemT* const end = std::copy_if(std::execution::par_unseq, in, in + num_items, out, keep);
        *num_selected = static_cast<std::uint64_t>(end - out);
    }

  private:
    std::uint64_t max_items_ = 0;
};

}  // namespace

Registration register_std_copy_if_par() {
    Algorithm algorithm;
    algorithm.authors = "the C++ standard library; A. Kukanov and others (Intel)";
    algorithm.year = 2017;
    algorithm.source =
        "ISO C++17, section 28.6.1 [alg.copy]: std::copy_if with std::execution::par_unseq; in libstdc++ "
        "Intel's "
        "Parallel STL on oneTBB";
    algorithm.summary =
        "The standard's parallel call, as libstdc++ does it: flags in a buffer that is allocated in every "
        "call, "
        "their scan on all threads, and a copy by flags.";
    algorithm.synchronises = true;
    algorithm.phases = {
        {PhaseRole::fused, "copy_if", "Flags, scan and copy within one call; there is nothing to split."}};
    return {algorithm, make_for_item_size<StdCopyIfPar>};
}

}  // namespace compaction
