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
#include "cpu/simd_vectors-inl.hpp"

// Lines of the cache: asked for ahead, or written past it.
#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace compaction::cpu::HWY_NAMESPACE {
namespace {

/// For __builtin_prefetch of input: into the second level, since into the first it costs some processors more
/// than it saves.
constexpr int for_reading = 0;
constexpr int into_second_level = 2;

/// How far ahead input is asked for: farther by those who also write, as their reads then take longer.
constexpr std::ptrdiff_t counting_ahead_bytes = 4'096;
constexpr std::ptrdiff_t moving_ahead_bytes = 8'192;

/// Asks for the input of the step that comes `ahead_bytes` after `from`, up to `last`, where the last step
/// begins.
template <std::ptrdiff_t ahead_bytes, typename ItemT>
HWY_INLINE void prefetch_step(const ItemT* from, const ItemT* last, std::uint64_t step) {
    const ItemT* const ahead = std::min(from + ahead_bytes / sizeof(ItemT), last);
    for (std::uint64_t i = 0; i < step; i += line_bytes / sizeof(ItemT)) {
        __builtin_prefetch(ahead + i, for_reading, into_second_level);
    }
}

/// Asks for lines of the output that come after those at `to`, one for two vectors of a step. Vectors as long
/// as a line nearly always cross one, and stores that miss the first level wait for one another.
template <typename ItemT, unsigned vectors_per_step>
HWY_INLINE void prefetch_output(const ItemT* to) {
    constexpr bool vectors_are_lines = max_vector_items<ItemT> * sizeof(ItemT) == line_bytes;
    constexpr std::size_t ahead_bytes = 512;
    constexpr int for_writing = 1;
    if constexpr (vectors_are_lines) {
        const auto* const ahead = reinterpret_cast<const std::byte*>(to) + ahead_bytes;
        for (unsigned v = 0; v < vectors_per_step; v += 2)
            __builtin_prefetch(ahead + v / 2 * line_bytes, for_writing);
    }
}

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
