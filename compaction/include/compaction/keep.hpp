#pragma once

#include <cstdint>

#include "compaction/host_device.hpp"

namespace compaction {

/// One item of a stream.
using Item = std::uint32_t;

/// The predicate, as data: an item is kept when `(item & mask) > threshold`.
///
/// One mask and one compare cover the three questions streams are asked, so kernels need a single
/// instantiation and the choice costs no branch: is the entry non-empty, is it above a threshold, has it any
/// of these bits set.
struct Keep {
    Item mask = ~Item{0};
    Item threshold = 0;

    COMPACTION_HOST_DEVICE constexpr bool operator()(Item item) const { return (item & mask) > threshold; }

    bool operator==(const Keep&) const = default;
};

/// Keeps every non-empty (non-zero) item: the seeds' "copy only the valid entries".
constexpr Keep keep_non_zero() {
    return {};
}

/// Keeps every item greater than `threshold`.
constexpr Keep keep_above(Item threshold) {
    return {~Item{0}, threshold};
}

/// Keeps every item that has at least one bit of `bits` set.
constexpr Keep keep_any_bit(Item bits) {
    return {bits, 0};
}

}  // namespace compaction
