#include <algorithm>

#include "arguments.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

template <typename ItemT>
class LoopCompactor final : public Compactor {
  public:
    LoopCompactor(Engine&, const Options&) {}

    Options layout(std::uint64_t) const override { return {}; }

    void reserve(std::uint64_t max_items) override { max_items_ = std::max(max_items_, max_items); }

    void enqueue(const void* in_items, std::uint64_t num_items, void* out_items, std::uint64_t* num_selected,
                 Keep keep, PhaseRecorder* recorder) override {
        check_arguments(in_items, num_items, out_items, num_selected, max_items_,
                        static_cast<ItemSize>(sizeof(ItemT)));
        const auto* const in = static_cast<const ItemT*>(in_items);
        auto* const out = static_cast<ItemT*>(out_items);
        ScopedPhase phase{recorder};
        std::uint64_t selected = 0;
        for (std::uint64_t i = 0; i < num_items; ++i) {
            if (keep(in[i])) out[selected++] = in[i];
        }
        *num_selected = selected;
    }

  private:
    std::uint64_t max_items_ = 0;
};

}  // namespace

Registration register_cpu_loop() {
    Algorithm algorithm;
    algorithm.authors = "traditional; as given in the posts on Parallel Stream Compaction";
    algorithm.year = 2018;
    algorithm.source = "Parallel Stream Compaction, part 1 (2018), section 'What is Stream Compaction'";
    algorithm.summary =
        "One thread walks the stream and appends every item it keeps. The definition of stream compaction, "
        "and slow on "
        "random data, where the processor mispredicts half of the branches.";
    algorithm.phases = {
        {PhaseRole::fused, "loop", "Reads each item once, tests it and appends it if it is kept."}};
    return {algorithm, make_for_item_size<LoopCompactor>};
}

}  // namespace compaction
