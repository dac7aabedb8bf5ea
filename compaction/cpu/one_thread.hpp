#pragma once

#include <cstdint>

#include "compaction/options.hpp"
#include "cpu/machine.hpp"
#include "cpu/scalar_kernels.hpp"
#include "cpu/sequences.hpp"
#include "cpu/streamed_output.hpp"
#include "cpu/tuning.hpp"

namespace compaction::cpu {

/// The path for streams so short that choosing options or reading twice would cost more than it saves: the
/// calling thread compacts them at once, unless the options request threads or sequences.
template <typename ItemT>
class ShortStreams {
  public:
    ShortStreams(const Kernels<ItemT>& kernels, const Options& requested, std::uint32_t vectors_per_step)
        : compact_(kernels.compact), parameters_{vectors_per_step} {
        const bool wants_threads =
            requested[worker_threads] != automatic || requested[Option::sequences] != automatic;
        max_items_ = wants_threads ? 0 : tuning::max_short_items;
    }

    bool accept(std::uint64_t num_items) const { return num_items <= max_items_; }

    /// Copies the kept items of `in` [num_items] to `out`, in order, and returns their number. Writes nothing
    /// past the last of them. One pass.
    std::uint64_t compact(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out) const {
        return num_items <= tuning::max_inline_items
                   ? scalar::append_few<tuning::max_inline_items>(in, num_items, keep, out)
                   : compact_(in, num_items, keep, out, parameters_);
    }

  private:
    decltype(Kernels<ItemT>::compact) compact_;
    LoopParameters parameters_;
    std::uint64_t max_items_;
};

/// Copies the kept items of `in` [num_items] to `out`, in order, on the calling thread, and returns their
/// number. Writes nothing past the last of them. One pass; non-temporal stores if the output might not fit
/// into the cache.
template <typename ItemT>
std::uint64_t compact_on_one_thread(const Kernels<ItemT>& kernels, const ItemT* in, std::uint64_t num_items,
                                    Predicate keep, ItemT* out, unsigned vectors_per_step,
                                    const Caches& caches) {
    const std::uint64_t bytes = num_items * sizeof(ItemT);
    const LoopParameters parameters{vectors_per_step, caches.need_prefetch(bytes, /*threads=*/1)};
    if (!caches.shared_cache_is_exceeded_by(bytes, bytes))
        return kernels.compact(in, num_items, keep, out, parameters);
    const std::uint64_t kept = kernels.stream_selected(in, num_items, keep, out, parameters);
    publish_streamed_lines();
    return kept;
}

}  // namespace compaction::cpu
