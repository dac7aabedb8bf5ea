#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "compaction/cuda/detail/selectors.cuh"
#include "compaction/cuda/select_length.cuh"

/// The arguments of a call: whether they are valid, and whether they fit the kernels of select.cuh.
namespace compaction::cuda::detail {

inline constexpr std::uint64_t max_select_items = std::uint64_t{1} << 40;

/// The longest selection whose count always fits CountT.
template <typename CountT>
constexpr std::uint64_t max_items_for =
    std::min(max_select_items, static_cast<std::uint64_t>(std::numeric_limits<CountT>::max()));

/// The first aligned address at or after `address`.
inline std::uintptr_t aligned_from(const void* address, std::size_t alignment) {
    return (reinterpret_cast<std::uintptr_t>(address) + alignment - 1) / alignment * alignment;
}

/// Calls `fast(temp_bytes)` if the arguments fit it, else `other(temp_bytes)`. The choice depends on the
/// pointers of a call, so a call that only queries the size returns the larger of both sizes.
template <typename FastT, typename OtherT>
cudaError_t call_fast_or_other(const void* temp, std::size_t& temp_bytes, bool fits_fast, FastT fast,
                               OtherT other) {
    if (temp) return fits_fast ? fast(temp_bytes) : other(temp_bytes);
    std::size_t fast_bytes = 0;
    if (const cudaError_t error = fast(fast_bytes)) return error;
    const cudaError_t error = other(temp_bytes);
    temp_bytes = std::max(temp_bytes, fast_bytes);
    return error;
}

/// The addresses of an array argument.
struct Range {
    std::uintptr_t begin;
    std::uint64_t bytes;

    template <typename T>
    Range(const T* data, std::uint64_t size)
        : begin(reinterpret_cast<std::uintptr_t>(data)), bytes(size * sizeof(T)) {}

    bool overlaps(const Range& other) const {
        return begin < other.begin + other.bytes && other.begin < begin + bytes;
    }
    bool is_aligned_to(std::size_t alignment) const { return begin % alignment == 0; }
};

/// The first `size` items behind a pointer or a padded output's pointer; empty for any other iterator.
template <typename IteratorT>
Range range_of(const IteratorT& iterator, std::uint64_t size) {
    if constexpr (std::is_pointer_v<IteratorT>) {
        return {const_cast<std::remove_cv_t<std::remove_pointer_t<IteratorT>>*>(iterator),
                iterator ? size : 0};
    } else {
        return {static_cast<const char*>(nullptr), 0};
    }
}
template <typename IteratorT, typename FillT>
Range range_of(const PaddedOutput<IteratorT, FillT>& to, std::uint64_t size) {
    return range_of(to.out, std::min(size, to.size));
}

/// Whether an output begins within one of the inputs, as far as pointers tell. With a length on the device
/// an input may end before its `max_items`, so then only its begin counts.
template <typename LengthT, typename OutT, typename... InputsT>
bool begins_within(const OutT& out, const LengthT& length, const InputsT&... inputs) {
    const std::uint64_t max_items =
        is_device_length<LengthT> ? std::min<std::uint64_t>(length.max_items, 1) : length.max_items;
    const Range first = range_of(out, 1);
    return (range_of(inputs, max_items).overlaps(first) || ...);
}

/// Checks the arrays that a selector reads besides the items.
template <typename PredicateT>
cudaError_t check_selector(const ByPredicate<PredicateT>&, const Range&, const Range&, std::uint64_t) {
    return cudaSuccess;
}
template <typename FlagT>
cudaError_t check_flags(const FlagT* flags, const Range& first_selected, const Range& num_selected,
                        std::uint64_t num_items) {
    if (!flags) return cudaErrorInvalidValue;
    const Range range(flags, num_items);
    if (!range.is_aligned_to(alignof(FlagT))) return cudaErrorMisalignedAddress;
    return range.overlaps(first_selected) || range.overlaps(num_selected) ? cudaErrorInvalidValue
                                                                          : cudaSuccess;
}
template <typename FlagT>
cudaError_t check_selector(const ByFlag<FlagT>& selector, const Range& first_selected,
                           const Range& num_selected, std::uint64_t num_items) {
    return check_flags(selector.flags, first_selected, num_selected, num_items);
}
template <typename FlagT, typename PredicateT>
cudaError_t check_selector(const ByFlagIf<FlagT, PredicateT>& selector, const Range& first_selected,
                           const Range& num_selected, std::uint64_t num_items) {
    return check_flags(selector.flags, first_selected, num_selected, num_items);
}

template <typename ItemT, typename EqualT>
cudaError_t check_selector(const FirstOfRun<ItemT, EqualT>&, const Range&, const Range&, std::uint64_t) {
    return cudaSuccess;
}
template <typename SelectorT>
cudaError_t check_selector(const PositionsOf<SelectorT>& positions, const Range& first_selected,
                           const Range& num_selected, std::uint64_t num_items) {
    return check_selector(positions.selector, first_selected, num_selected, num_items);
}

/// Whether the items are aligned as far as their size tells, and CountT can hold the count.
template <typename ItemT, typename CountT>
bool values_have_fast_path(const ItemT* in, const ItemT* out, const CountT*, std::uint64_t num_items) {
    const auto is_aligned = [](const ItemT* items) {
        return reinterpret_cast<std::uintptr_t>(items) % alignment_in<sizeof(ItemT)> == 0;
    };
    return is_aligned(in) && is_aligned(out) && num_items <= max_items_for<CountT>;
}

/// Checks the arguments of any call, before anything is launched. How much of `out` is written is unknown
/// here, so only an overlap with its first item is found. `out` may be null if nothing is kept.
template <typename ItemT, typename SelectorT, typename CountT>
cudaError_t check_selection(const ItemT* in, const ItemT* out, const CountT* num_selected,
                            std::uint64_t num_items, const SelectorT& selector) {
    if (!num_selected || num_items > max_items_for<CountT>) return cudaErrorInvalidValue;
    const Range count_range(num_selected, 1);
    if (!count_range.is_aligned_to(alignof(CountT))) return cudaErrorMisalignedAddress;
    if (num_items == 0) return cudaSuccess;
    if (reads_array<SelectorT> && !in) return cudaErrorInvalidValue;
    const Range in_range(in, reads_array<SelectorT> ? num_items : 0);
    const Range first_selected(out, out ? 1 : 0);
    constexpr std::size_t alignment = alignment_in<sizeof(ItemT)>;
    if (!in_range.is_aligned_to(alignment) || !first_selected.is_aligned_to(alignment))
        return cudaErrorMisalignedAddress;
    constexpr bool in_place = selects_in_place<SelectorT>;
    if ((!in_place && in_range.overlaps(first_selected)) || count_range.overlaps(in_range) ||
        count_range.overlaps(first_selected))
        return cudaErrorInvalidValue;
    return check_selector(selector, in_place ? in_range : first_selected, count_range, num_items);
}

}  // namespace compaction::cuda::detail
