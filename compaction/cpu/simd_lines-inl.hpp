// Included once per instruction set, after hwy/highway.h: the guard is the one that Highway's own such files
// have.
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

// Lines of an output that are written past the cache.
#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace compaction::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Stores a line past the cache. Its stores follow one another, so that it leaves the processor in one piece.
HWY_INLINE void stream_line(const std::byte* from, std::byte* to) {
    const hn::CappedTag<std::uint8_t, line_bytes> tag;
    for (std::size_t byte = 0; byte < line_bytes; byte += hn::Lanes(tag)) {
        hn::Stream(hn::LoadU(tag, reinterpret_cast<const std::uint8_t*>(from) + byte), tag,
                   reinterpret_cast<std::uint8_t*>(to) + byte);
    }
}

/// Kept items on their way past the cache: gathered in a page, which stays in the first level, and sent by
/// whole lines whenever there are `full_items` of them. They lie as far into a line there as in the output,
/// so that the lines of one are lines of the other.
///
/// How many lines leave at once is fixed, because a processor learns too late where a loop ends whose length
/// depends on items that are still on their way from memory. It would go on to read lines after the gathered
/// ones until then, to the next page, at the expense of those that are wanted (Zen 4: up to 2.3 times as
/// long). Going on too long with gathering, as it does now, is but reading ahead.
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
          place_(-static_cast<std::ptrdiff_t>(begin_)) {}

    /// Where the first item is gathered, and others after it.
    HWY_INLINE ItemT* first() const { return page_ + begin_; }

    /// Until there, there is room for slack_bytes more. From there on items are to be sent.
    HWY_INLINE const ItemT* full() const { return page_ + full_items; }

    /// Sends all lines before full(). What lies behind becomes the beginning of the next ones: up to
    /// slack_bytes, which `move_rest` moves by full_items to the front.
    template <typename MoveRest>
    HWY_INLINE void send(const MoveRest& move_rest) {
        write_lines(full_items / line_items);
        move_rest(page_ + full_items, page_);
        place_ += static_cast<std::ptrdiff_t>(full_items);
    }

    /// Writes what is left, which ends before `end`. Returns how many items there were in all.
    HWY_INLINE std::uint64_t send_rest(const ItemT* end) {
        const auto num_waiting = static_cast<std::uint64_t>(end - page_);
        const std::uint64_t num_in_lines = num_waiting / line_items * line_items;
        write_lines(num_in_lines / line_items);
        const std::uint64_t rest = std::max(num_in_lines, begin_);
        std::copy_n(page_ + rest, num_waiting - rest, out_ + place_ + static_cast<std::ptrdiff_t>(rest));
        return static_cast<std::uint64_t>(place_ + static_cast<std::ptrdiff_t>(num_waiting));
    }

  private:
    static constexpr std::uint64_t line_items = line_bytes / sizeof(ItemT);
    static_assert(full_items % line_items == 0);

    /// Of the first line of all only the part from `out` on is ours, so it is written by items.
    HWY_INLINE void write_lines(std::uint64_t num_lines) {
        std::uint64_t line = 0;
        if (begin_ > 0 && num_lines > 0) {
            std::copy_n(page_ + begin_, line_items - begin_, out_);
            begin_ = 0;
            line = 1;
        }
        for (; line < num_lines; ++line) {
            const std::uint64_t at = line * line_items;
            stream_line(reinterpret_cast<const std::byte*>(page_ + at),
                        reinterpret_cast<std::byte*>(out_ + place_ + static_cast<std::ptrdiff_t>(at)));
        }
    }

    ItemT* page_;
    ItemT* out_;
    std::uint64_t begin_;   ///< where in the page the items that wait begin
    std::ptrdiff_t place_;  ///< where page_[0] belongs, from out_ on: before it at first
};

}  // namespace
}  // namespace compaction::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_TARGET

#endif  // guard
