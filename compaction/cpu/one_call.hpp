#pragma once

#include <cstdint>

#include "cpu/recorder.hpp"
#include "registration.hpp"

namespace compaction::cpu {

/// A compactor that makes a single call: no options, no metadata, one phase. `Call` provides
/// `std::uint64_t operator()(const ItemT* in, std::uint64_t num_items, ItemT* out, Predicate keep) const` for
/// every ItemT, which copies the kept items to `out` and returns their number, and
/// `static Partition partition(std::uint64_t num_items)`.
template <typename ItemT, typename Call>
class OneCall final : public Compactor {
  public:
    OneCall(Engine&, const Options&) {}

    Options resolved_options(std::uint64_t) const override { return {}; }

    Partition partition(std::uint64_t num_items) const override { return Call::partition(num_items); }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const TimedPhase phase{recorder};
        phase.set_parts([&] { return BlockParts{.partition = whole_stream(num_items)}; });
        *num_selected = Call{}(static_cast<const ItemT*>(in), num_items, static_cast<ItemT*>(out), keep);
    }
};

}  // namespace compaction::cpu
