// Highway compiles this file once per instruction set by including it again from foreach_target.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h has to come first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "compaction/error.hpp"
#include "cpu/scalar_kernels.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/simd_lines-inl.hpp"
#include "cpu/simd_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace compaction::cpu::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR
// Vectors of one lane cannot hold an item of 16 bytes, and gain nothing for the others.
using scalar::compact;
using scalar::count_kept;
using scalar::gather_kept;
using scalar::move_kept;
using scalar::stream_kept;
using scalar::stream_lines;
#else
/// A lane of a counting vector may hold but 32 bits, so it is emptied before it can overflow.
constexpr std::uint64_t items_per_tally = std::uint64_t{1} << 30;

template <typename ItemT, unsigned vectors_per_step>
std::uint64_t count_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep, bool reads_ahead) {
    const TagOf<ItemT> tag;
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const std::uint64_t step = vectors_per_step * vector_items;
    const auto mask = mask_lanes<ItemT>(keep);
    const auto threshold = threshold_lanes<ItemT>(keep);
    const ItemT* const last_step = in + (num_items < step ? 0 : num_items - step);
    std::uint64_t kept = 0;
    std::uint64_t i = 0;
    while (i + step <= num_items) {
        const std::uint64_t tally_end = std::min(num_items, i + items_per_tally);
        // True lanes of a mask read as -1, so subtracting masks counts lane by lane, without leaving the
        // vector unit.
        auto tally = hn::Zero(tag);
        for (; i + step <= tally_end; i += step) {
            if (reads_ahead) prefetch_step<counting_ahead_bytes>(in + i, last_step, step);
            for (unsigned v = 0; v < vectors_per_step; ++v) {
                const auto items = load(in + i + v * vector_items);
                tally = hn::Sub(tally, hn::VecFromMask(tag, kept_lanes<ItemT>(items, mask, threshold)));
            }
        }
        kept += hn::GetLane(hn::SumOfLanes(tag, tally)) / lanes_per_item<ItemT>;
    }
    for (; i < num_items; ++i) kept += keep(in[i]);
    return kept;
}

template <typename ItemT, unsigned vectors_per_step>
std::uint64_t move_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                            std::uint64_t room, bool reads_ahead) {
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const std::uint64_t step = vectors_per_step * vector_items;
    const auto mask = mask_lanes<ItemT>(keep);
    const auto threshold = threshold_lanes<ItemT>(keep);
    std::uint64_t i = 0;
    std::uint64_t moved = 0;

    // A compressed vector is stored whole: what follows its kept items is overwritten by the next store. That
    // is safe only while the whole vector lies within the room: beyond may be another thread's.
    const ItemT* const last_step = in + (num_items < step ? 0 : num_items - step);
    for (; i + step <= num_items && moved + step <= room; i += step) {
        if (reads_ahead) prefetch_step<moving_ahead_bytes>(in + i, last_step, step);
        prefetch_output<ItemT, vectors_per_step>(out + moved);
        for (unsigned v = 0; v < vectors_per_step; ++v) {
            moved += append_kept<ItemT>(in + i + v * vector_items, mask, threshold, out + moved);
        }
    }
    // Less than a step is left of the input or of the room. Its kept items are gathered here, where there is
    // room for whole vectors, and copied at the end. A masked store would not do: some instruction sets build
    // it from a load and a full store, which would undo what another thread has written there in between.
    HWY_ALIGN ItemT last[(vectors_per_step + 1) * max_vector_items<ItemT>];
    const std::uint64_t num_last = room - moved;
    std::uint64_t gathered = 0;
    for (; i + vector_items <= num_items && gathered < num_last; i += vector_items) {
        gathered += append_kept<ItemT>(in + i, mask, threshold, last + gathered);
    }
    for (; i < num_items && gathered < num_last; ++i) {
        last[gathered] = in[i];
        gathered += keep(in[i]);
    }
    gathered = std::min(gathered, num_last);
    std::copy_n(last, gathered, out + moved);
    return moved + gathered;
}

template <typename ItemT, unsigned vectors_per_step>
HWY_NOINLINE Gathered gather_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                                      std::uint64_t room, bool reads_ahead) {
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const std::uint64_t step = vectors_per_step * vector_items;
    const auto mask = mask_lanes<ItemT>(keep);
    const auto threshold = threshold_lanes<ItemT>(keep);
    const ItemT* const last_step = in + (num_items < step ? 0 : num_items - step);
    Gathered gathered;
    auto& [i, kept] = gathered;
    for (; i + step <= num_items && kept + step <= room; i += step) {
        if (reads_ahead) prefetch_step<moving_ahead_bytes>(in + i, last_step, step);
        for (unsigned v = 0; v < vectors_per_step; ++v) {
            kept += append_kept<ItemT>(in + i + v * vector_items, mask, threshold, out + kept);
        }
    }
    if (num_items - i >= step) return gathered;
    const Gathered last = scalar::gather_kept(in + i, num_items - i, keep, out + kept, room - kept, {});
    return {i + last.num_read, kept + last.num_kept};
}

/// The end of a stream: the index of its first item, and how many items of it are kept.
struct Ending {
    std::uint64_t begin;
    std::uint64_t num_kept;
};

/// Walks back from the end of `in` until a vector's worth of kept items is found, or its begin. Leaves them
/// in order at the end of `last` [2 * max_vector_items].
template <typename ItemT>
Ending gather_ending(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* last) {
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const auto mask = mask_lanes<ItemT>(keep);
    const auto threshold = threshold_lanes<ItemT>(keep);
    ItemT* const end = last + 2 * max_vector_items<ItemT>;
    std::uint64_t gathered = 0;
    std::uint64_t i = num_items;
    for (const std::uint64_t odd_items = num_items % vector_items; i > num_items - odd_items;) {
        --i;
        end[-1 - static_cast<std::ptrdiff_t>(gathered)] = in[i];
        gathered += keep(in[i]);
    }
    HWY_ALIGN ItemT compressed[max_vector_items<ItemT>];
    while (i > 0 && gathered < vector_items) {
        i -= vector_items;
        const auto items = load(in + i);
        const auto kept = kept_lanes<ItemT>(items, mask, threshold);
        if (hn::AllFalse(TagOf<ItemT>(), kept)) continue;
        const std::uint64_t num_kept = num_items_of<ItemT>(kept);
        store(compress<ItemT>(items, kept), compressed);
        gathered += num_kept;
        std::copy_n(compressed, num_kept, end - gathered);
    }
    return {i, gathered};
}

/// With a vector's worth of kept items set aside that come last in the output, everything before them can be
/// moved in whole vectors: what these write beyond their kept items is overwritten by what was set aside.
template <typename ItemT, unsigned vectors_per_step>
HWY_NOINLINE std::uint64_t compact_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep,
                                            ItemT* out, bool reads_ahead) {
    HWY_ALIGN ItemT last[2 * max_vector_items<ItemT>];
    const Ending ending = gather_ending(in, num_items, keep, last);
    constexpr std::uint64_t room_enough = std::numeric_limits<std::uint64_t>::max() / 2;
    const std::uint64_t moved =
        move_in_steps<ItemT, vectors_per_step>(in, ending.begin, keep, out, room_enough, reads_ahead);
    std::copy_n(last + 2 * max_vector_items<ItemT> - ending.num_kept, ending.num_kept, out + moved);
    return moved + ending.num_kept;
}

/// Instruction sets whose masked stores touch no byte beside those asked for, and are quick.
constexpr bool has_masked_stores = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL;

/// Stores just the kept items of each vector: nothing has to be set aside, and no branch depends on the
/// items. Takes a fifth longer than compact_in_steps where a stream is long.
template <typename ItemT>
HWY_NOINLINE std::uint64_t compact_masked(const ItemT* in, std::uint64_t num_items, Predicate keep,
                                          ItemT* out) {
    const TagOf<ItemT> tag;
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const auto mask = mask_lanes<ItemT>(keep);
    const auto threshold = threshold_lanes<ItemT>(keep);
    for (std::uint64_t i = 0, moved = 0;; i += vector_items) {
        const bool is_last = num_items - i <= vector_items;
        // Lanes past the end read as 0, which no Predicate keeps.
        const auto items = is_last ? hn::MaskedLoad(hn::FirstN(tag, (num_items - i) * lanes_per_item<ItemT>),
                                                    tag, reinterpret_cast<const LaneOf<ItemT>*>(in + i))
                                   : load(in + i);
        const auto kept = kept_lanes<ItemT>(items, mask, threshold);
        const std::uint64_t num_lanes = hn::CountTrue(tag, kept);
        hn::BlendedStore(compress<ItemT>(items, kept), hn::FirstN(tag, num_lanes), tag,
                         reinterpret_cast<LaneOf<ItemT>*>(out + moved));
        moved += num_lanes / lanes_per_item<ItemT>;
        if (is_last) return moved;
    }
}

/// Gathers the kept items where there is room for whole vectors, and copies them from there.
template <typename ItemT>
HWY_NOINLINE std::uint64_t compact_gathered(const ItemT* in, std::uint64_t num_items, Predicate keep,
                                            ItemT* out) {
    HWY_ALIGN ItemT gathered[short_bytes / sizeof(ItemT) + max_vector_items<ItemT>];
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const auto mask = mask_lanes<ItemT>(keep);
    const auto threshold = threshold_lanes<ItemT>(keep);
    std::uint64_t kept = 0;
    std::uint64_t i = 0;
    for (; i + vector_items <= num_items; i += vector_items) {
        kept += append_kept<ItemT>(in + i, mask, threshold, gathered + kept);
    }
    for (; i < num_items; ++i) {
        gathered[kept] = in[i];
        kept += keep(in[i]);
    }
    std::copy_n(gathered, kept, out);
    return kept;
}

/// Vectors of one item gain nothing.
template <typename ItemT>
constexpr bool goes_item_by_item = max_vector_items<ItemT> == 1;

template <typename ItemT, unsigned vectors_per_step>
HWY_NOINLINE std::uint64_t stream_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep,
                                           ItemT* out, bool reads_ahead) {
    alignas(GatheredLines<ItemT>::page_bytes) ItemT page[GatheredLines<ItemT>::page_items];
    GatheredLines<ItemT> lines(page, out);
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const std::uint64_t step = vectors_per_step * vector_items;
    const auto mask = mask_lanes<ItemT>(keep);
    const auto threshold = threshold_lanes<ItemT>(keep);
    const ItemT* const last_step = in + (num_items < step ? 0 : num_items - step);
    const auto move_step = [&](const ItemT* from, ItemT* to) {
        for (unsigned v = 0; v < vectors_per_step; ++v) {
            store(load(from + v * vector_items), to + v * vector_items);
        }
    };
    ItemT* next = lines.first();
    std::uint64_t i = 0;
    while (i + step <= num_items) {
        for (; i + step <= num_items && next < lines.full(); i += step) {
            if (reads_ahead) prefetch_step<moving_ahead_bytes>(in + i, last_step, step);
            for (unsigned v = 0; v < vectors_per_step; ++v) {
                const ItemT* const from = in + i + v * vector_items;
                if constexpr (goes_item_by_item<ItemT>) {
                    const bool is_kept = keep(*from);
                    *next = *from;
                    next += is_kept;
                } else {
                    next += append_kept<ItemT>(from, mask, threshold, next);
                }
            }
        }
        if (next >= lines.full()) {
            lines.send(move_step);
            next -= lines.full_items;
        }
    }
    for (; i < num_items; ++i) {
        *next = in[i];
        next += keep(in[i]);
    }
    return lines.send_rest(next);
}

/// The kernel for 1, 2 or 4 vectors a step.
template <typename Kernel>
Kernel* by_step(Pace pace, Kernel* one, Kernel* two, Kernel* four) {
    return pace.vectors_per_step == 1 ? one : pace.vectors_per_step == 2 ? two : four;
}

template <typename ItemT>
std::uint64_t count_kept(const ItemT* in, std::uint64_t num_items, Predicate keep, Pace pace) {
    if constexpr (goes_item_by_item<ItemT>) return scalar::count_kept(in, num_items, keep, pace);
    const auto kernel =
        by_step(pace, count_in_steps<ItemT, 1>, count_in_steps<ItemT, 2>, count_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, pace.reads_ahead);
}

template <typename ItemT>
std::uint64_t move_kept(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                        std::uint64_t room, Pace pace) {
    if constexpr (goes_item_by_item<ItemT>) return scalar::move_kept(in, num_items, keep, out, room, pace);
    const auto kernel =
        by_step(pace, move_in_steps<ItemT, 1>, move_in_steps<ItemT, 2>, move_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, out, room, pace.reads_ahead);
}

template <typename ItemT>
Gathered gather_kept(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out, std::uint64_t room,
                     Pace pace) {
    if constexpr (goes_item_by_item<ItemT>) {
        return scalar::gather_kept(in, num_items, keep, out, room, pace);
    }
    const auto kernel =
        by_step(pace, gather_in_steps<ItemT, 1>, gather_in_steps<ItemT, 2>, gather_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, out, room, pace.reads_ahead);
}

template <typename ItemT>
std::uint64_t compact(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out, Pace pace) {
    if constexpr (goes_item_by_item<ItemT>) return scalar::compact(in, num_items, keep, out);
    if (num_items <= short_bytes / sizeof(ItemT)) {
        if constexpr (has_masked_stores) return compact_masked(in, num_items, keep, out);
        constexpr std::uint64_t few_items = 8;
        if (num_items <= few_items) return scalar::append_few<few_items>(in, num_items, keep, out);
        constexpr std::size_t vector_items = max_vector_items<ItemT>;
        constexpr std::uint64_t quicker_item_by_item = vector_items > 2 ? few_items : 24;
        if (num_items <= quicker_item_by_item) return scalar::compact(in, num_items, keep, out);
        return compact_gathered(in, num_items, keep, out);
    }
    const auto kernel =
        by_step(pace, compact_in_steps<ItemT, 1>, compact_in_steps<ItemT, 2>, compact_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, out, pace.reads_ahead);
}

template <typename ItemT>
std::uint64_t stream_kept(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out, Pace pace) {
    if constexpr (goes_item_by_item<ItemT>) {
        return stream_in_steps<ItemT, slack_bytes / sizeof(ItemT)>(in, num_items, keep, out,
                                                                   pace.reads_ahead);
    }
    const auto kernel =
        by_step(pace, stream_in_steps<ItemT, 1>, stream_in_steps<ItemT, 2>, stream_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, out, pace.reads_ahead);
}

void stream_lines(std::byte* to, const std::byte* from, std::uint64_t num_lines, NextLines next) {
    for (std::uint64_t line = 0; line < num_lines; ++line) {
        if (line < next.count) {
            __builtin_prefetch(next.begin + line * line_bytes, for_reading, into_second_level);
        }
        stream_line(from + line * line_bytes, to + line * line_bytes);
    }
}

#endif  // HWY_TARGET

template <typename ItemT>
constexpr Kernels<ItemT> all_kernels{count_kept<ItemT>, move_kept<ItemT>,   gather_kept<ItemT>,
                                     compact<ItemT>,    stream_kept<ItemT>, stream_lines};

const Kernels<Item>& kernels_4() {
    return all_kernels<Item>;
}
const Kernels<Item8>& kernels_8() {
    return all_kernels<Item8>;
}
const Kernels<Item16>& kernels_16() {
    return all_kernels<Item16>;
}

const char* target_name() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace
}  // namespace compaction::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace compaction::cpu {

HWY_EXPORT(kernels_4);
HWY_EXPORT(kernels_8);
HWY_EXPORT(kernels_16);
HWY_EXPORT(target_name);

template <>
const Kernels<Item>& kernels() {
    return HWY_DYNAMIC_DISPATCH(kernels_4)();
}

template <>
const Kernels<Item8>& kernels() {
    return HWY_DYNAMIC_DISPATCH(kernels_8)();
}

template <>
const Kernels<Item16>& kernels() {
    return HWY_DYNAMIC_DISPATCH(kernels_16)();
}

void publish_streamed_lines() {
    hwy::FlushStream();
}

std::string_view simd_target() {
    return HWY_DYNAMIC_DISPATCH(target_name)();
}

void keep_to_simd_target(std::string_view name) {
    std::string names;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        if (name == hwy::TargetName(target)) {
            hwy::DisableTargets(~target);
            hwy::GetChosenTarget().DeInit();  // the next call chooses anew
            return;
        }
        names += (names.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
    }
    throw Error(ErrorCode::invalid_option, "there are no kernels for the instruction set '" +
                                               std::string(name) +
                                               "' that this processor can run; there are: " + names + ".");
}

}  // namespace compaction::cpu
#endif  // HWY_ONCE
