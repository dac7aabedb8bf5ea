#pragma once

#include <cstdint>

#include "compaction/host_device.hpp"
#include "compaction/item.hpp"

namespace compaction {

/// The predicate, as data: an item is kept when `(flag_word(item) & mask) > threshold`.
///
/// One mask and one compare cover the three questions streams are asked, so kernels need a single
/// instantiation and the choice costs no branch: is the entry non-empty, is it above a threshold, has it any
/// of these bits set.
struct Predicate {
    Item mask = ~Item{0};
    Item threshold = 0;

    template <typename ItemT>
    COMPACTION_HOST_DEVICE constexpr bool operator()(const ItemT& item) const {
        return (flag_word(item) & mask) > threshold;
    }

    bool operator==(const Predicate&) const = default;
};

/// Keeps every non-empty (non-zero) item: the seeds' "copy only the valid entries".
constexpr Predicate keep_non_zero() {
    return {};
}

/// Keeps every item greater than `threshold`.
constexpr Predicate keep_above(Item threshold) {
    return {~Item{0}, threshold};
}

/// Keeps every item that has at least one bit of `bits` set.
constexpr Predicate keep_any_bit(Item bits) {
    return {bits, 0};
}

}  // namespace compaction
