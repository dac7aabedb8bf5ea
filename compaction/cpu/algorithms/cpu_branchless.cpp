#include <algorithm>

#include "arguments.hpp"
#include "cpu/scalar_kernels.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class BranchlessCompactor final : public Compactor {
  public:
    BranchlessCompactor(Engine&, const Options&) {}

    Options layout(std::uint64_t) const override { return {}; }

    void reserve(std::uint64_t max_items) override { max_items_ = std::max(max_items_, max_items); }

    void enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected, Keep keep,
                 PhaseRecorder* recorder) override {
        check_arguments(in, num_items, out, num_selected, max_items_, static_cast<ItemSize>(sizeof(ItemT)));
        ScopedPhase phase{recorder};
        *num_selected =
            cpu::scalar::compact(static_cast<const ItemT*>(in), num_items, keep, static_cast<ItemT*>(out), 1);
    }

  private:
    std::uint64_t max_items_ = 0;
};

}  // namespace

Registration register_cpu_branchless() {
    Algorithm algorithm;
    algorithm.authors = "traditional; as given by K. Ross";
    algorithm.year = 2004;
    algorithm.source =
        "Ross (2004), 'Selection Conditions in Main Memory', ACM Transactions on Database Systems 29(1), "
        "section "
        "3: the loop without branches";
    algorithm.summary =
        "One thread writes every item to the end of the output, and moves the end on only if the item is "
        "kept. "
        "Nothing is predicted, so random data take as long as structured ones; every item costs a store, "
        "also the "
        "dropped ones.";
    algorithm.phases = {
        {PhaseRole::fused, "loop", "Reads each item once, writes it, and counts it in if it is kept."}};
    return {algorithm, make_for_item_size<BranchlessCompactor>};
}

}  // namespace compaction
