// Included once per instruction set, after hwy/highway.h; the guard is Highway's own pattern for such files.
#if defined(COMPACTION_CPU_SIMD_MOVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COMPACTION_CPU_SIMD_MOVES_INL
#undef COMPACTION_CPU_SIMD_MOVES_INL
#else
#define COMPACTION_CPU_SIMD_MOVES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "cpu/simd_kernels.hpp"
#include "cpu/simd_lines-inl.hpp"
#include "cpu/simd_vectors-inl.hpp"
#include "cpu/tuning.hpp"

// Moving kept items in whole vectors without writing past the room for them.
#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace compaction::cpu::HWY_NAMESPACE {
namespace {

template <typename ItemT, unsigned vectors_per_step>
std::uint64_t move_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* out,
                            std::uint64_t room, bool prefetches) {
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const std::uint64_t step = vectors_per_step * vector_items;
    const auto mask = mask_vector<ItemT>(keep);
    const auto threshold = threshold_vector<ItemT>(keep);
    std::uint64_t i = 0;
    std::uint64_t moved = 0;

    // Each compressed vector is stored whole, and the next store overwrites its unused lanes. This is safe
    // only while the vector lies within the room; the memory beyond may belong to another thread.
    const ItemT* const last_step = in + (num_items < step ? 0 : num_items - step);
    for (; i + step <= num_items && moved + step <= room; i += step) {
        if (prefetches) prefetch_step<tuning::move_prefetch_bytes>(in + i, last_step, step);
        prefetch_output<ItemT, vectors_per_step>(out + moved);
        for (unsigned v = 0; v < vectors_per_step; ++v) {
            moved += append_selected<ItemT>(in + i + v * vector_items, mask, threshold, out + moved);
        }
    }
    // Less than a step of the input or of the room is left. Gather the kept items in a local buffer with room
    // for whole vectors, then copy them. Masked stores are unsafe here: some instruction sets implement them
    // as a load and a full store, which may revert another thread's write.
    HWY_ALIGN ItemT buffer[(vectors_per_step + 1) * max_vector_items<ItemT>];
    const std::uint64_t room_left = room - moved;
    std::uint64_t gathered = 0;
    for (; i + vector_items <= num_items && gathered < room_left; i += vector_items) {
        gathered += append_selected<ItemT>(in + i, mask, threshold, buffer + gathered);
    }
    for (; i < num_items && gathered < room_left; ++i) {
        buffer[gathered] = in[i];
        gathered += keep(in[i]);
    }
    gathered = std::min(gathered, room_left);
    std::copy_n(buffer, gathered, out + moved);
    return moved + gathered;
}

/// The last items of a stream.
struct Ending {
    std::uint64_t begin;         ///< index of its first item
    std::uint64_t num_selected;  ///< kept items from there on
};

/// Iterates back from the end of `in` until it has a vector's worth of kept items or reaches the beginning.
/// Writes them in order to the end of `last` [2 * max_vector_items].
template <typename ItemT>
Ending gather_ending(const ItemT* in, std::uint64_t num_items, Predicate keep, ItemT* last) {
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const auto mask = mask_vector<ItemT>(keep);
    const auto threshold = threshold_vector<ItemT>(keep);
    ItemT* const end = last + 2 * max_vector_items<ItemT>;
    std::uint64_t gathered = 0;
    std::uint64_t i = num_items;
    const std::uint64_t whole_vectors_end = num_items - num_items % vector_items;
    while (i > whole_vectors_end) {
        --i;
        end[-1 - static_cast<std::ptrdiff_t>(gathered)] = in[i];
        gathered += keep(in[i]);
    }
    HWY_ALIGN ItemT compressed[max_vector_items<ItemT>];
    while (i > 0 && gathered < vector_items) {
        i -= vector_items;
        const auto items = load(in + i);
        const auto kept = selected_mask<ItemT>(items, mask, threshold);
        if (hn::AllFalse(TagOf<ItemT>(), kept)) continue;
        const std::uint64_t num_selected = count_items<ItemT>(kept);
        store(compress<ItemT>(items, kept), compressed);
        gathered += num_selected;
        std::copy_n(compressed, num_selected, end - gathered);
    }
    return {i, gathered};
}

/// Sets the last vector's worth of kept items aside, moves everything before in whole vectors, then writes
/// the items set aside over the unused lanes of the last vector.
template <typename ItemT, unsigned vectors_per_step>
HWY_NOINLINE std::uint64_t compact_in_steps(const ItemT* in, std::uint64_t num_items, Predicate keep,
                                            ItemT* out, bool prefetches) {
    HWY_ALIGN ItemT last[2 * max_vector_items<ItemT>];
    const Ending ending = gather_ending(in, num_items, keep, last);
    // Half of the range, so that adding a step does not overflow.
    constexpr std::uint64_t unlimited_room = std::numeric_limits<std::uint64_t>::max() / 2;
    const std::uint64_t moved =
        move_in_steps<ItemT, vectors_per_step>(in, ending.begin, keep, out, unlimited_room, prefetches);
    std::copy_n(last + 2 * max_vector_items<ItemT> - ending.num_selected, ending.num_selected, out + moved);
    return moved + ending.num_selected;
}

/// Instruction sets with fast masked stores that write only the selected bytes.
constexpr bool has_masked_stores = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL;

/// Stores only the kept items of each vector: no setup, and no branch on item values. Slower than
/// compact_in_steps for long streams.
template <typename ItemT>
HWY_NOINLINE std::uint64_t compact_masked(const ItemT* in, std::uint64_t num_items, Predicate keep,
                                          ItemT* out) {
    const TagOf<ItemT> tag;
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const auto mask = mask_vector<ItemT>(keep);
    const auto threshold = threshold_vector<ItemT>(keep);
    for (std::uint64_t i = 0, moved = 0;; i += vector_items) {
        const bool is_last = num_items - i <= vector_items;
        // Lanes past the end are 0, which no predicate keeps.
        const auto items = is_last ? hn::MaskedLoad(hn::FirstN(tag, (num_items - i) * lanes_per_item<ItemT>),
                                                    tag, reinterpret_cast<const LaneOf<ItemT>*>(in + i))
                                   : load(in + i);
        const auto kept = selected_mask<ItemT>(items, mask, threshold);
        const std::uint64_t num_lanes = hn::CountTrue(tag, kept);
        hn::BlendedStore(compress<ItemT>(items, kept), hn::FirstN(tag, num_lanes), tag,
                         reinterpret_cast<LaneOf<ItemT>*>(out + moved));
        moved += num_lanes / lanes_per_item<ItemT>;
        if (is_last) return moved;
    }
}

/// Gathers the kept items in a stack buffer with room for whole vectors, then copies them.
template <typename ItemT>
HWY_NOINLINE std::uint64_t compact_gathered(const ItemT* in, std::uint64_t num_items, Predicate keep,
                                            ItemT* out) {
    HWY_ALIGN ItemT buffer[tuning::short_bytes / sizeof(ItemT) + max_vector_items<ItemT>];
    const std::uint64_t vector_items = items_per_vector<ItemT>();
    const auto mask = mask_vector<ItemT>(keep);
    const auto threshold = threshold_vector<ItemT>(keep);
    std::uint64_t gathered = 0;
    std::uint64_t i = 0;
    for (; i + vector_items <= num_items; i += vector_items) {
        gathered += append_selected<ItemT>(in + i, mask, threshold, buffer + gathered);
    }
    for (; i < num_items; ++i) {
        buffer[gathered] = in[i];
        gathered += keep(in[i]);
    }
    std::copy_n(buffer, gathered, out);
    return gathered;
}

}  // namespace
}  // namespace compaction::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_TARGET

#endif  // guard
