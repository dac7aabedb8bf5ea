// Included once per instruction set, after hwy/highway.h; the guard is Highway's own pattern for such files.
#if defined(COMPACTION_CPU_SIMD_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COMPACTION_CPU_SIMD_VECTORS_INL
#undef COMPACTION_CPU_SIMD_VECTORS_INL
#else
#define COMPACTION_CPU_SIMD_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/predicate.hpp"
#include "cpu/compress_tables.hpp"

// Items as vector lanes: load, store, test, count and compress.
#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace compaction::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// An item is a lane of 32 or 64 bits, or two lanes of 64 bits side by side.
template <typename ItemT>
using LaneOf = std::conditional_t<sizeof(ItemT) == 4, std::uint32_t, std::uint64_t>;
template <typename ItemT>
using TagOf = hn::ScalableTag<LaneOf<ItemT>>;
template <typename ItemT>
using VectorOf = hn::Vec<TagOf<ItemT>>;

template <typename ItemT>
constexpr std::size_t lanes_per_item = sizeof(ItemT) / sizeof(LaneOf<ItemT>);
template <typename ItemT>
constexpr std::size_t max_vector_items = hn::MaxLanes(TagOf<ItemT>()) / lanes_per_item<ItemT>;

template <typename ItemT>
HWY_INLINE std::uint64_t items_per_vector() {
    return hn::Lanes(TagOf<ItemT>()) / lanes_per_item<ItemT>;
}

template <typename ItemT>
HWY_INLINE VectorOf<ItemT> load(const ItemT* in) {
    return hn::LoadU(TagOf<ItemT>(), reinterpret_cast<const LaneOf<ItemT>*>(in));
}

template <typename ItemT>
HWY_INLINE void store(VectorOf<ItemT> items, ItemT* out) {
    hn::StoreU(items, TagOf<ItemT>(), reinterpret_cast<LaneOf<ItemT>*>(out));
}

/// Vectors with the predicate's mask and threshold in every lane. The flag word of a wide item is the upper
/// half of its last lane. Zeros in the lower half of the mask and ones in the lower half of the threshold
/// make (lane & mask) > threshold equivalent to the test of the flag word alone.
template <typename ItemT>
HWY_INLINE VectorOf<ItemT> mask_vector(Predicate keep) {
    if constexpr (sizeof(ItemT) == 4)
        return hn::Set(TagOf<ItemT>(), keep.mask);
    else
        return hn::Set(TagOf<ItemT>(), std::uint64_t{keep.mask} << 32);
}
template <typename ItemT>
HWY_INLINE VectorOf<ItemT> threshold_vector(Predicate keep) {
    if constexpr (sizeof(ItemT) == 4)
        return hn::Set(TagOf<ItemT>(), keep.threshold);
    else
        return hn::Set(TagOf<ItemT>(), std::uint64_t{keep.threshold} << 32 | 0xffffffffU);
}

/// The mask of the lanes whose item is kept.
template <typename ItemT>
HWY_INLINE hn::Mask<TagOf<ItemT>> selected_mask(VectorOf<ItemT> items, VectorOf<ItemT> mask,
                                                VectorOf<ItemT> threshold) {
    // Both lanes of a 16-byte item test the upper one.
    if constexpr (lanes_per_item<ItemT> == 2) items = hn::InterleaveUpper(TagOf<ItemT>(), items, items);
    return hn::Gt(hn::And(items, mask), threshold);
}

template <typename ItemT>
HWY_INLINE std::uint64_t count_items(hn::Mask<TagOf<ItemT>> kept) {
    return hn::CountTrue(TagOf<ItemT>(), kept) / lanes_per_item<ItemT>;
}

/// Instruction sets that have no compress instruction but can permute bytes or lanes.
constexpr bool has_bytes_table = HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_NEON;
constexpr bool has_lanes_table = HWY_TARGET == HWY_AVX2;

template <class Tag>
HWY_INLINE unsigned mask_bits(Tag tag, hn::Mask<Tag> kept) {
    std::uint8_t bits = 0;
    hn::StoreMaskBits(tag, kept, &bits);
    return bits;
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
template <class V>
HWY_INLINE V compress_natively(V items, hn::Mask<hn::DFromV<V>> kept) {
    // Highway 1.0.3 uses its table for 64-bit lanes even here.
    if constexpr (sizeof(hn::TFromV<V>) == 8)
        return V{_mm512_maskz_compress_epi64(kept.raw, items.raw)};
    else
        return hn::Compress(items, kept);
}
#else
template <class V>
HWY_INLINE V compress_natively(V items, hn::Mask<hn::DFromV<V>> kept) {
    return hn::Compress(items, kept);
}
#endif

/// Moves the items of the `kept` lanes to the front; the other lanes are then undefined. Without a compress
/// instruction, uses a table of permutations. Highway's Compress also has a table, but it is local to a
/// function, and GCC copies it to the stack for every vector.
template <typename ItemT>
HWY_INLINE VectorOf<ItemT> compress(VectorOf<ItemT> items, hn::Mask<TagOf<ItemT>> kept) {
    using Tag = TagOf<ItemT>;
    const Tag tag;
    if constexpr (has_bytes_table && sizeof(ItemT) == 16) {
        return items;  // a vector holds one item
    } else if constexpr (has_bytes_table) {
        const hn::Repartition<std::uint8_t, Tag> bytes;
        const auto permutation =
            hn::Load(bytes, byte_permutations<sizeof(ItemT)>[mask_bits(tag, kept)].data());
        return hn::BitCast(tag, hn::TableLookupBytes(hn::BitCast(bytes, items), permutation));
    } else if constexpr (has_lanes_table) {
        const hn::Repartition<std::uint32_t, Tag> words;
        const hn::Rebind<std::uint8_t, decltype(words)> bytes;
        const auto& permutation = word_permutations<sizeof(LaneOf<ItemT>)>[mask_bits(tag, kept)];
        const auto indices =
            hn::IndicesFromVec(words, hn::PromoteTo(words, hn::LoadU(bytes, permutation.data())));
        return hn::BitCast(tag, hn::TableLookupLanes(hn::BitCast(words, items), indices));
    } else {
        return compress_natively(items, kept);
    }
}

/// Stores the kept items of the vector at `in` to `out` and returns their number. Writes a whole vector; the
/// caller overwrites the rest.
template <typename ItemT>
HWY_INLINE std::uint64_t append_selected(const ItemT* in, VectorOf<ItemT> mask, VectorOf<ItemT> threshold,
                                         ItemT* out) {
    const auto items = load(in);
    const auto kept = selected_mask<ItemT>(items, mask, threshold);
    store(compress<ItemT>(items, kept), out);
    return count_items<ItemT>(kept);
}

}  // namespace
}  // namespace compaction::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_TARGET

#endif  // guard
