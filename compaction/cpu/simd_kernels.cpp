// Highway compiles this file once per instruction set by including it again from foreach_target.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h has to come first.
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "cpu/simd_kernels.hpp"

#ifndef COMPACTION_CPU_LANE_TABLE
#define COMPACTION_CPU_LANE_TABLE
namespace compaction::cpu {

/// For each mask of 8 lanes, the numbers of its true lanes in rising order, then zeros. Masks of 4 lanes are
/// its first 16.
constexpr std::array<std::array<std::uint8_t, 8>, 256> kept_lanes_of_mask = [] {
    std::array<std::array<std::uint8_t, 8>, 256> table{};
    for (unsigned mask = 0; mask < table.size(); ++mask) {
        unsigned kept = 0;
        for (std::uint8_t lane = 0; lane < 8; ++lane) {
            if (mask >> lane & 1) table[mask][kept++] = lane;
        }
    }
    return table;
}();

}  // namespace compaction::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace compaction::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<Item>;
using Vector = hn::Vec<Tag>;

/// Keep, a vector at a time: the lanes whose item is kept.
HWY_INLINE hn::Mask<Tag> kept_lanes(Vector items, Vector mask, Vector threshold) {
    return hn::Gt(hn::And(items, mask), threshold);
}

/// A lane of a counting vector holds 32 bits, so it is emptied before it can overflow.
constexpr std::uint64_t items_per_tally = std::uint64_t{1} << 30;

template <unsigned vectors_per_step>
std::uint64_t count_in_steps(const Item* in, std::uint64_t num_items, Keep keep) {
    const Tag tag;
    const std::uint64_t lanes = hn::Lanes(tag);
    const std::uint64_t step = vectors_per_step * lanes;
    const Vector mask = hn::Set(tag, keep.mask);
    const Vector threshold = hn::Set(tag, keep.threshold);
    std::uint64_t kept = 0;
    std::uint64_t i = 0;
    while (i + step <= num_items) {
        const std::uint64_t tally_end = std::min(num_items, i + items_per_tally);
        // True lanes of a mask read as -1, so subtracting masks counts lane by lane, without leaving the
        // vector unit.
        Vector tally = hn::Zero(tag);
        for (; i + step <= tally_end; i += step) {
            for (unsigned v = 0; v < vectors_per_step; ++v) {
                const Vector items = hn::LoadU(tag, in + i + v * lanes);
                tally = hn::Sub(tally, hn::VecFromMask(tag, kept_lanes(items, mask, threshold)));
            }
        }
        kept += hn::GetLane(hn::SumOfLanes(tag, tally));
    }
    for (; i < num_items; ++i) kept += keep(in[i]);
    return kept;
}

/// The items of the `kept` lanes, moved to the front; what the other lanes then hold is of no use.
HWY_INLINE Vector compress(Vector items, hn::Mask<Tag> kept) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_NEON
    // No instruction does this here, so a table says for each mask which lanes to take. Highway's Compress
    // does the same, but its table is local to a function and GCC copies the whole of it onto the stack for
    // every vector.
    const Tag tag;
    std::uint8_t bits = 0;
    hn::StoreMaskBits(tag, kept, &bits);
    const hn::Rebind<std::uint8_t, Tag> index_tag;
    const auto lanes_to_take = hn::PromoteTo(tag, hn::LoadU(index_tag, kept_lanes_of_mask[bits].data()));
    return hn::TableLookupLanes(items, hn::IndicesFromVec(tag, lanes_to_take));
#else
    return hn::Compress(items, kept);
#endif
}

template <unsigned vectors_per_step>
void move_in_steps(const Item* in, std::uint64_t num_items, Keep keep, Item* out, std::uint64_t num_kept) {
    const Tag tag;
    const std::uint64_t lanes = hn::Lanes(tag);
    const std::uint64_t step = vectors_per_step * lanes;
    const Vector mask = hn::Set(tag, keep.mask);
    const Vector threshold = hn::Set(tag, keep.threshold);
    std::uint64_t i = 0;
    std::uint64_t moved = 0;

    // A compressed vector is stored whole: what follows its kept items is overwritten by the next store. That
    // is safe only while the whole vector lies before the end of this sequence's output; beyond is the next
    // sequence's.
    for (; i + step <= num_items && moved + step <= num_kept; i += step) {
        for (unsigned v = 0; v < vectors_per_step; ++v) {
            const Vector items = hn::LoadU(tag, in + i + v * lanes);
            const auto kept = kept_lanes(items, mask, threshold);
            hn::StoreU(compress(items, kept), tag, out + moved);
            moved += hn::CountTrue(tag, kept);
        }
    }
    // Fewer than a step of kept items are left. They are gathered here, where there is room for whole
    // vectors, and copied at the end. A masked store would not do: some instruction sets build it from a load
    // and a full store, which would undo what another thread has written there in between.
    HWY_ALIGN Item last[(vectors_per_step + 1) * hn::MaxLanes(Tag())];
    const std::uint64_t num_last = num_kept - moved;
    std::uint64_t gathered = 0;
    for (; i + lanes <= num_items && gathered < num_last; i += lanes) {
        const Vector items = hn::LoadU(tag, in + i);
        const auto kept = kept_lanes(items, mask, threshold);
        hn::StoreU(compress(items, kept), tag, last + gathered);
        gathered += hn::CountTrue(tag, kept);
    }
    for (; i < num_items && gathered < num_last; ++i) {
        if (keep(in[i])) last[gathered++] = in[i];
    }
    std::copy_n(last, std::min(gathered, num_last), out + moved);
}

std::uint64_t count_kept(const Item* in, std::uint64_t num_items, Keep keep, unsigned vectors_per_step) {
    switch (vectors_per_step) {
        case 1:
            return count_in_steps<1>(in, num_items, keep);
        case 2:
            return count_in_steps<2>(in, num_items, keep);
        default:
            return count_in_steps<4>(in, num_items, keep);
    }
}

void move_kept(const Item* in, std::uint64_t num_items, Keep keep, Item* out, std::uint64_t num_kept,
               unsigned vectors_per_step) {
    switch (vectors_per_step) {
        case 1:
            return move_in_steps<1>(in, num_items, keep, out, num_kept);
        case 2:
            return move_in_steps<2>(in, num_items, keep, out, num_kept);
        default:
            return move_in_steps<4>(in, num_items, keep, out, num_kept);
    }
}

const char* target_name() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace
}  // namespace compaction::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace compaction::cpu {

HWY_EXPORT(count_kept);
HWY_EXPORT(move_kept);
HWY_EXPORT(target_name);

std::uint64_t count_kept(const Item* in, std::uint64_t num_items, Keep keep, unsigned vectors_per_step) {
    return HWY_DYNAMIC_DISPATCH(count_kept)(in, num_items, keep, vectors_per_step);
}

void move_kept(const Item* in, std::uint64_t num_items, Keep keep, Item* out, std::uint64_t num_kept,
               unsigned vectors_per_step) {
    HWY_DYNAMIC_DISPATCH(move_kept)(in, num_items, keep, out, num_kept, vectors_per_step);
}

std::string_view simd_target() {
    return HWY_DYNAMIC_DISPATCH(target_name)();
}

}  // namespace compaction::cpu
#endif  // HWY_ONCE
