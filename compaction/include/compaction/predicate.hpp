#pragma once

#include <cstdint>

#include "compaction/host_device.hpp"
#include "compaction/item.hpp"

namespace compaction {

/// The predicate as data: an item is kept if `(flag_word(item) & mask) > threshold`.
///
/// One mask and one comparison cover three tests: non-zero, above a threshold, any of some bits set. So a
/// kernel needs one instantiation, and the choice of test costs no branch. An item whose flag word is zero is
/// never kept.
struct Predicate {
    Item mask = ~Item{0};  ///< the bits of the flag word that count
    Item threshold = 0;    ///< kept if the masked flag word is greater

    /// Whether the item is kept.
    template <typename ItemT>
    COMPACTION_HOST_DEVICE constexpr bool operator()(const ItemT& item) const {
        return (flag_word(item) & mask) > threshold;
    }

    /// Compares mask and threshold.
    bool operator==(const Predicate&) const = default;
};

/// Keeps every item whose flag word is not zero.
constexpr Predicate keep_non_zero() {
    return {};
}

/// Keeps every item whose flag word is greater than `threshold`.
constexpr Predicate keep_above(Item threshold) {
    return {~Item{0}, threshold};
}

/// Keeps every item whose flag word has at least one bit of `bits` set.
constexpr Predicate keep_any_bit(Item bits) {
    return {bits, 0};
}

}  // namespace compaction
