// Highway compiles this file once per instruction set by including it again from foreach_target.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h has to come first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "compaction/error.hpp"
#include "cpu/scalar_kernels.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/simd_lines-inl.hpp"
#include "cpu/simd_moves-inl.hpp"
#include "cpu/simd_vectors-inl.hpp"
#include "cpu/tuning.hpp"
#include "platform/builtins.hpp"

HWY_BEFORE_NAMESPACE();
namespace compaction::cpu::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR
// One-lane vectors cannot hold a 16-byte item and do not speed up the others.
using scalar::compact;
using scalar::count_selected;
using scalar::move_selected;
using scalar::select_into_buffer;
using scalar::stream_lines;
using scalar::stream_selected;
#else
/// The lanes of the counting vector may have only 32 bits, so they are added up after this many items.
constexpr std::uint64_t max_items_per_count = std::uint64_t{1} << 30;

template <typename ItemT, unsigned vectors_per_step>
std::uint64_t count_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep, bool prefetches) {
    const TagOf<ItemT> tag;
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const std::uint64_t step = vectors_per_step * vector_items;
    const auto mask = mask_vector<ItemT>(keep);
    const auto threshold = threshold_vector<ItemT>(keep);
    const ItemT* const last_step = in + (num_items < step ? 0 : num_items - step);
    std::uint64_t kept = 0;
    std::uint64_t i = 0;
    while (i + step <= num_items) {
        const std::uint64_t count_end = std::min(num_items, i + max_items_per_count);
        // True lanes of a mask are -1, so subtracting masks counts per lane.
        auto lane_counts = hn::Zero(tag);
        for (; i + step <= count_end; i += step) {
            if (prefetches) prefetch_step<tuning::count_prefetch_bytes>(in + i, last_step, step);
            for (unsigned v = 0; v < vectors_per_step; ++v) {
                const auto items = load(in + i + v * vector_items);
                lane_counts =
                    hn::Sub(lane_counts, hn::VecFromMask(tag, selected_mask<ItemT>(items, mask, threshold)));
            }
        }
        kept += hn::GetLane(hn::SumOfLanes(tag, lane_counts)) / lanes_per_item<ItemT>;
    }
    for (; i < num_items; ++i) kept += keep(in[i]);
    return kept;
}

template <typename ItemT, unsigned vectors_per_step>
HWY_NOINLINE Buffered gather_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                                      std::uint64_t room, bool prefetches) {
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const std::uint64_t step = vectors_per_step * vector_items;
    const auto mask = mask_vector<ItemT>(keep);
    const auto threshold = threshold_vector<ItemT>(keep);
    const ItemT* const last_step = in + (num_items < step ? 0 : num_items - step);
    std::uint64_t i = 0;
    std::uint64_t kept = 0;
    for (; i + step <= num_items && kept + step <= room; i += step) {
        if (prefetches) prefetch_step<tuning::move_prefetch_bytes>(in + i, last_step, step);
        for (unsigned v = 0; v < vectors_per_step; ++v) {
            kept += append_selected<ItemT>(in + i + v * vector_items, mask, threshold, out + kept);
        }
    }
    if (num_items - i >= step) return {i, kept};
    const Buffered rest =
        scalar::select_into_buffer(in + i, num_items - i, keep, out + kept, room - kept, {});
    return {i + rest.num_read, kept + rest.num_selected};
}

/// Vectors of one item are no faster than scalar code.
template <typename ItemT>
constexpr bool goes_item_by_item = max_vector_items<ItemT> == 1;

template <typename ItemT, unsigned vectors_per_step>
HWY_NOINLINE std::uint64_t stream_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep,
                                           ItemT* out, bool prefetches) {
    alignas(GatheredLines<ItemT>::page_bytes) ItemT page[GatheredLines<ItemT>::page_items];
    GatheredLines<ItemT> lines(page, out);
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const std::uint64_t step = vectors_per_step * vector_items;
    const auto mask = mask_vector<ItemT>(keep);
    const auto threshold = threshold_vector<ItemT>(keep);
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
            if (prefetches) prefetch_step<tuning::move_prefetch_bytes>(in + i, last_step, step);
            for (unsigned v = 0; v < vectors_per_step; ++v) {
                const ItemT* const from = in + i + v * vector_items;
                if constexpr (goes_item_by_item<ItemT>) {
                    const bool is_selected = keep(*from);
                    *next = *from;
                    next += is_selected;
                } else {
                    next += append_selected<ItemT>(from, mask, threshold, next);
                }
            }
        }
        if (next >= lines.full()) {
            lines.write_full(move_step);
            next -= lines.full_items;
        }
    }
    for (; i < num_items; ++i) {
        *next = in[i];
        next += keep(in[i]);
    }
    return lines.write_rest(next);
}

/// Selects the kernel for 1, 2 or 4 vectors per step.
template <typename Kernel>
Kernel* select_by_step(LoopParameters parameters, Kernel* one, Kernel* two, Kernel* four) {
    return parameters.vectors_per_step == 1 ? one : parameters.vectors_per_step == 2 ? two : four;
}

template <typename ItemT>
std::uint64_t count_selected(const ItemT* in, std::uint64_t num_items, Predicate keep,
                             LoopParameters parameters) {
    if constexpr (goes_item_by_item<ItemT>) return scalar::count_selected(in, num_items, keep, parameters);
    const auto kernel = select_by_step(parameters, count_in_steps<ItemT, 1>, count_in_steps<ItemT, 2>,
                                       count_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, parameters.prefetches);
}

template <typename ItemT>
std::uint64_t move_selected(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                            std::uint64_t room, LoopParameters parameters) {
    if constexpr (goes_item_by_item<ItemT>)
        return scalar::move_selected(in, num_items, keep, out, room, parameters);
    const auto kernel =
        select_by_step(parameters, move_in_steps<ItemT, 1>, move_in_steps<ItemT, 2>, move_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, out, room, parameters.prefetches);
}

template <typename ItemT>
Buffered select_into_buffer(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                            std::uint64_t room, LoopParameters parameters) {
    if constexpr (goes_item_by_item<ItemT>) {
        return scalar::select_into_buffer(in, num_items, keep, out, room, parameters);
    }
    const auto kernel = select_by_step(parameters, gather_in_steps<ItemT, 1>, gather_in_steps<ItemT, 2>,
                                       gather_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, out, room, parameters.prefetches);
}

template <typename ItemT>
std::uint64_t compact(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                      LoopParameters parameters) {
    if constexpr (goes_item_by_item<ItemT>) return scalar::compact(in, num_items, keep, out);
    if (num_items <= tuning::short_bytes / sizeof(ItemT)) {
        if constexpr (has_masked_stores) return compact_masked(in, num_items, keep, out);
        constexpr std::uint64_t few_items = tuning::unrolled_items;
        if (num_items <= few_items) return scalar::append_few<few_items>(in, num_items, keep, out);
        constexpr std::size_t vector_items = max_vector_items<ItemT>;
        constexpr std::uint64_t itemwise_items = vector_items > 2 ? few_items : tuning::itemwise_items;
        if (num_items <= itemwise_items) return scalar::compact(in, num_items, keep, out);
        return compact_gathered(in, num_items, keep, out);
    }
    const auto kernel = select_by_step(parameters, compact_in_steps<ItemT, 1>, compact_in_steps<ItemT, 2>,
                                       compact_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, out, parameters.prefetches);
}

template <typename ItemT>
std::uint64_t stream_selected(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                              LoopParameters parameters) {
    if constexpr (goes_item_by_item<ItemT>) {
        // A vector holds one item, so a step may take as many vectors as items fit the slack.
        return stream_in_steps<ItemT, slack_bytes / sizeof(ItemT)>(in, num_items, keep, out,
                                                                   parameters.prefetches);
    }
    const auto kernel = select_by_step(parameters, stream_in_steps<ItemT, 1>, stream_in_steps<ItemT, 2>,
                                       stream_in_steps<ItemT, 4>);
    return kernel(in, num_items, keep, out, parameters.prefetches);
}

void stream_lines(std::byte* to, const std::byte* from, std::uint64_t num_lines, NextLines next) {
    for (std::uint64_t line = 0; line < num_lines; ++line) {
        if (line < next.count)
            warpsieve::platform::prefetch_into_second_level(next.begin + line * line_bytes);
        stream_line(from + line * line_bytes, to + line * line_bytes);
    }
}

#endif  // HWY_TARGET

template <typename ItemT>
constexpr Kernels<ItemT> all_kernels{count_selected<ItemT>, move_selected<ItemT>,   select_into_buffer<ItemT>,
                                     compact<ItemT>,        stream_selected<ItemT>, stream_lines};

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

void use_only_simd_target(std::string_view name) {
    std::string names;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        if (name == hwy::TargetName(target)) {
            hwy::DisableTargets(~target);
            hwy::GetChosenTarget().DeInit();  // the next call chooses again
            return;
        }
        names += (names.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
    }
    throw Error(ErrorCode::invalid_option, "No kernels for the instruction set '" + std::string(name) +
                                               "' run on this processor. Choose one of: " + names + ".");
}

}  // namespace compaction::cpu
#endif  // HWY_ONCE
