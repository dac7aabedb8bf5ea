#pragma once

#include <cstdint>

#include "compaction/host_device.hpp"
#include "workloads/stream_function.hpp"

namespace warpsieve {

using Item = std::uint32_t;

/// The array whose parts lie on the GPUs of a measurement, and what a selection of it must store.
///
/// A kept item holds its value, and any other item holds 0. Values rise by one from item to item and start
/// again after `num_values`, because the array may be longer.
struct WholeArray {
    static constexpr std::uint64_t num_values = 0xffffffffU;  ///< values are 1 to num_values

    std::uint32_t limit = 0;  ///< keep fraction in units of 2^-32
    std::uint64_t from = 0;   ///< items before this one are not kept

    /// Item i.
    COMPACTION_HOST_DEVICE Item operator[](std::uint64_t i) const {
        const Item value = static_cast<Item>(i % num_values + 1);
        return i >= from && keeps(value) ? value : 0;
    }

    /// The value before that of the first item that may be kept.
    Item start() const { return static_cast<Item>(from % num_values); }

    /// Whether `item` is a kept item, less than 2^31 items behind `before`, which is an item or start().
    COMPACTION_HOST_DEVICE bool follows(Item item, Item before) const {
        const std::uint64_t distance = (item + num_values - before) % num_values;
        return item != 0 && keeps(item) && distance > 0 && distance < std::uint64_t{1} << 31;
    }

  private:
    COMPACTION_HOST_DEVICE bool keeps(Item value) const {
        return static_cast<std::uint32_t>(workloads::random_bits(0, value)) < limit;
    }
};

}  // namespace warpsieve
