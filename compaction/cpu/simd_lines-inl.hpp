// Included once per instruction set, after hwy/highway.h; the guard is Highway's own pattern for such files.
#if defined(COMPACTION_CPU_SIMD_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COMPACTION_CPU_SIMD_LINES_INL
#undef COMPACTION_CPU_SIMD_LINES_INL
#else
#define COMPACTION_CPU_SIMD_LINES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/simd_kernels.hpp"
#include "cpu/simd_vectors-inl.hpp"
#include "cpu/tuning.hpp"
#include "platform/builtins.hpp"

// Cache lines: prefetched, or written with non-temporal stores.
#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace compaction::cpu::HWY_NAMESPACE {
namespace {

/// Prefetches the input of the step `ahead_bytes` after `from`, but no step after `last_step`. A step has
/// `step_items` items.
template <std::ptrdiff_t ahead_bytes, typename ItemT>
HWY_INLINE void prefetch_step(const ItemT* from, const ItemT* last_step, std::uint64_t step_items) {
    const ItemT* const ahead = std::min(from + ahead_bytes / sizeof(ItemT), last_step);
    for (std::uint64_t i = 0; i < step_items; i += line_bytes / sizeof(ItemT)) {
        warpsieve::platform::prefetch_into_second_level(ahead + i);
    }
}

/// If vectors are as long as a line, prefetches one line of output for every two vectors. Such vectors nearly
/// always cross lines, and stores that miss the first level wait for each other.
template <typename ItemT, unsigned vectors_per_step>
HWY_INLINE void prefetch_output(const ItemT* to) {
    constexpr bool vectors_are_lines = max_vector_items<ItemT> * sizeof(ItemT) == line_bytes;
    if constexpr (vectors_are_lines) {
        const auto* const ahead = reinterpret_cast<const std::byte*>(to) + tuning::output_prefetch_bytes;
        for (unsigned v = 0; v < vectors_per_step; v += 2)
            warpsieve::platform::prefetch_for_writing(ahead + v / 2 * line_bytes);
    }
}

/// Stores a line, bypassing the cache. The stores are consecutive, so that they leave the processor as one
/// line.
HWY_INLINE void stream_line(const std::byte* from, std::byte* to) {
    const hn::CappedTag<std::uint8_t, line_bytes> tag;
    for (std::size_t byte = 0; byte < line_bytes; byte += hn::Lanes(tag)) {
        hn::Stream(hn::LoadU(tag, reinterpret_cast<const std::uint8_t*>(from) + byte), tag,
                   reinterpret_cast<std::uint8_t*>(to) + byte);
    }
}

/// Gathers kept items in a page, which stays in the first-level cache, and writes them, bypassing the cache,
/// in whole lines whenever `full_items` are gathered. An item has the same offset within its line in the page
/// and in the output.
///
/// The number of lines written at once is fixed. If it depended on the items, the processor would speculate
/// past the end of the write loop while items are still being loaded, and read useless lines of the next page
/// (Zen 4: up to 2.3 times as long). With a fixed number it speculates in the gather loop instead, which
/// prefetches input.
template <typename ItemT>
class GatheredLines {
  public:
    static constexpr std::size_t page_bytes = 4'096;
    static constexpr std::uint64_t page_items = page_bytes / sizeof(ItemT);
    static constexpr std::uint64_t full_items = (page_bytes - slack_bytes) / sizeof(ItemT);

    /// `page`: [page_items], aligned to page_bytes.
    HWY_INLINE GatheredLines(ItemT* page, ItemT* out)
        : page_(page),
          out_(out),
          begin_(reinterpret_cast<std::uintptr_t>(out) % line_bytes / sizeof(ItemT)),
          page_offset_(-static_cast<std::ptrdiff_t>(begin_)) {}

    /// The address of the first gathered item.
    HWY_INLINE ItemT* first() const { return page_ + begin_; }

    /// Call write_full once the gathered items reach this address. Below it, there is room for slack_bytes
    /// more.
    HWY_INLINE const ItemT* full() const { return page_ + full_items; }

    /// Writes all lines before full(). `move_rest` then moves the remaining items, up to slack_bytes, to the
    /// front of the page.
    template <typename MoveRest>
    HWY_INLINE void write_full(const MoveRest& move_rest) {
        write_lines(full_items / line_items);
        move_rest(page_ + full_items, page_);
        page_offset_ += static_cast<std::ptrdiff_t>(full_items);
    }

    /// Writes the remaining items, which end at `end`. Returns the number of all items.
    HWY_INLINE std::uint64_t write_rest(const ItemT* end) {
        const auto num_waiting = static_cast<std::uint64_t>(end - page_);
        const std::uint64_t num_in_lines = num_waiting / line_items * line_items;
        write_lines(num_in_lines / line_items);
        const std::uint64_t rest = std::max(num_in_lines, begin_);
        std::copy_n(page_ + rest, num_waiting - rest,
                    out_ + page_offset_ + static_cast<std::ptrdiff_t>(rest));
        return static_cast<std::uint64_t>(page_offset_ + static_cast<std::ptrdiff_t>(num_waiting));
    }

  private:
    static constexpr std::uint64_t line_items = line_bytes / sizeof(ItemT);
    static_assert(full_items % line_items == 0);

    /// Writes the first lines of the page. The first line of the output is written item by item, because only
    /// its part from `out` on belongs to this output.
    HWY_INLINE void write_lines(std::uint64_t num_lines) {
        std::uint64_t line = 0;
        if (begin_ > 0 && num_lines > 0) {
            std::copy_n(page_ + begin_, line_items - begin_, out_);
            begin_ = 0;
            line = 1;
        }
        for (; line < num_lines; ++line) {
            const std::uint64_t first = line * line_items;
            stream_line(
                reinterpret_cast<const std::byte*>(page_ + first),
                reinterpret_cast<std::byte*>(out_ + page_offset_ + static_cast<std::ptrdiff_t>(first)));
        }
    }

    ItemT* page_;
    ItemT* out_;
    std::uint64_t begin_;         ///< index in the page of the first gathered item
    std::ptrdiff_t page_offset_;  ///< index in out_ of the item in page_[0]; negative at first
};

}  // namespace
}  // namespace compaction::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_TARGET

#endif  // guard
