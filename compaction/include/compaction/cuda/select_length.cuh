#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>

/// Arguments of the select family besides iterators: a length that only the device knows, and an output of a
/// fixed size. With them, a selection uses a mask (detail/mask.cuh); one whose output is its input uses CUB
/// (detail/in_place.cuh).
namespace compaction::cuda {

/// A stream of the first min(*length, max_items) items. length: [1] device memory, read when the work runs,
/// so that a selection can follow another one without a transfer to the host. A negative length counts as 0.
/// The number of selected items may be written to `length`. In a partition into three parts, this holds only
/// for the number of items in the first part.
template <typename LengthT>
struct DeviceLength {
    const LengthT* length;    ///< [1] device memory
    std::uint64_t max_items;  ///< upper bound of the length

    /// The length, read when the work runs; at most `max_items`.
    __device__ std::uint64_t num_items() const {
        const LengthT value = *length;
        if constexpr (std::is_signed_v<LengthT>) {
            if (value < 0) return 0;
        }
        const auto items = static_cast<std::uint64_t>(value);
        return items < max_items ? items : max_items;
    }
};

/// Makes a DeviceLength.
template <typename LengthT>
DeviceLength<LengthT> device_length(const LengthT* length, std::uint64_t max_items) {
    static_assert(std::is_integral_v<LengthT>, "the length is an integer");
    return {length, max_items};
}

/// An output of exactly `size` items: the selected ones, up to `size`, and then `fill`. The number of
/// selected items that a function reports is not limited by `size`.
template <typename IteratorT, typename FillT>
struct PaddedOutput {
    IteratorT out;       ///< [size]
    std::uint64_t size;  ///< number of items that are written
    FillT fill;          ///< written after the selected items
};

/// out: [size] device memory or iterator; fill: assignable to its items.
template <typename IteratorT, typename FillT>
PaddedOutput<IteratorT, FillT> padded(IteratorT out, std::uint64_t size, FillT fill) {
    return {out, size, fill};
}

namespace detail {

/// A length that the host knows.
struct HostLength {
    std::uint64_t max_items;

    __device__ std::uint64_t num_items() const { return max_items; }
};

template <typename T>
inline constexpr bool is_device_length = false;
template <typename LengthT>
inline constexpr bool is_device_length<DeviceLength<LengthT>> = true;

/// Whether an argument is a number of items: a DeviceLength, an integer other than bool, or an enumerator.
template <typename T>
inline constexpr bool is_length = is_device_length<T> ||
                                  (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>;

template <typename T>
inline constexpr bool is_padded = false;
template <typename IteratorT, typename FillT>
inline constexpr bool is_padded<PaddedOutput<IteratorT, FillT>> = true;

/// Converts a number of items. A negative number becomes one that is too large, which callers reject.
template <typename LengthT>
HostLength as_length(LengthT num_items) {
    return {static_cast<std::uint64_t>(num_items)};
}
template <typename LengthT>
DeviceLength<LengthT> as_length(const DeviceLength<LengthT>& length) {
    return length;
}

inline bool is_missing(const HostLength&) {
    return false;
}
template <typename LengthT>
bool is_missing(const DeviceLength<LengthT>& length) {
    return !length.length;
}

/// Whether an argument is a null pointer.
template <typename IteratorT>
bool is_null([[maybe_unused]] const IteratorT& iterator) {
    if constexpr (std::is_pointer_v<IteratorT>) {
        return !iterator;
    } else {
        return false;
    }
}

/// The type that an iterator takes as an offset.
template <typename IteratorT>
using DifferenceOf =
    std::conditional_t<std::is_void_v<typename std::iterator_traits<IteratorT>::difference_type>,
                       std::int64_t, typename std::iterator_traits<IteratorT>::difference_type>;

/// The type of the items behind an iterator.
template <typename IteratorT>
using ItemOf = std::remove_cv_t<typename std::iterator_traits<IteratorT>::value_type>;

}  // namespace detail

}  // namespace compaction::cuda
