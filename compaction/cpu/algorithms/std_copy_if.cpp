#include <algorithm>

#include "arguments.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class StdCopyIf final : public Compactor {
  public:
    StdCopyIf(Engine&, const Options&) {}

    Options layout(std::uint64_t) const override { return {}; }

    void reserve(std::uint64_t max_items) override { max_items_ = std::max(max_items_, max_items); }

    void enqueue(const void* in_items, std::uint64_t num_items, void* out_items, std::uint64_t* num_selected,
                 Keep keep, PhaseRecorder* recorder) override {
        check_arguments(in_items, num_items, out_items, num_selected, max_items_,
                        static_cast<ItemSize>(sizeof(ItemT)));
        const auto* const in = static_cast<const ItemT*>(in_items);
        auto* const out = static_cast<ItemT*>(out_items);
        ScopedPhase phase{recorder};
        *num_selected = static_cast<std::uint64_t>(std::copy_if(in, in + num_items, out, keep) - out);
    }

  private:
    std::uint64_t max_items_ = 0;
};

}  // namespace

Registration register_std_copy_if() {
    Algorithm algorithm;
    algorithm.authors = "the C++ standard library";
    algorithm.year = 2011;
    algorithm.source = "ISO C++11, section 25.3.1 [alg.copy]: std::copy_if";
    algorithm.summary =
        "What most programs call, on one thread. A loop with a branch for every item: fast while the "
        "processor "
        "guesses right, slow on random data.";
    algorithm.phases = {
        {PhaseRole::fused, "copy_if", "Reads each item once, tests it and appends it if it is kept."}};
    return {algorithm, make_for_item_size<StdCopyIf>};
}

}  // namespace compaction
