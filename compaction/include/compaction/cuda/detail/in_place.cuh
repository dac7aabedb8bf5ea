#pragma once

#include <cuda_runtime_api.h>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/cub_dispatch.cuh"
#include "compaction/cuda/detail/mask.cuh"
#include "compaction/cuda/select_length.cuh"

/// Calls in place: one array instead of input and output.
///
/// A selection by mask would overwrite items that other blocks have yet to move, and CUB takes no length on
/// the device. So with such a length, CUB selects by flags that are computed, not stored: whether an item is
/// below the length and marked. Other calls that no kernel makes in place write to an array in the temporary
/// storage, which is then copied back.
namespace compaction::cuda::detail {

/// An iterator over the computed flags.
template <typename MarkT, typename LengthT>
class MarksBelow {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = bool;
    using difference_type = std::int64_t;
    using pointer = void;
    using reference = bool;

    MarksBelow(const MarkT& mark, const DeviceLength<LengthT>& length) : mark_(mark), length_(length) {}

    __host__ __device__ MarksBelow operator+(difference_type distance) const {
        MarksBelow later = *this;
        later.position_ += static_cast<std::uint64_t>(distance);
        return later;
    }
    /// Copies the mark for each flag, since predicates may change themselves.
    __device__ bool operator*() const {
        if (position_ >= length_.num_items()) return false;
        MarkT mark = mark_;
        auto loaded = mark.load(position_);
        return mark.test(loaded, position_);
    }
    __device__ bool operator[](difference_type distance) const { return *(*this + distance); }

  private:
    MarkT mark_;
    DeviceLength<LengthT> length_;
    std::uint64_t position_ = 0;
};

inline namespace COMPACTION_ARCHITECTURES {

/// Selects the items of `data` below `length` that `mark` marks. The length is copied first: CUB begins by
/// writing zero to the count, which may share memory with the length.
template <typename DataT, typename MarkT, typename CountIteratorT, typename LengthT>
cudaError_t select_below_length(void* temp, std::size_t& temp_bytes, DataT data, const MarkT& mark,
                                CountIteratorT num_selected, const DeviceLength<LengthT>& length,
                                cudaStream_t stream) {
    constexpr std::size_t copied_length_bytes = storage_alignment;
    auto* const copied_length = reinterpret_cast<LengthT*>(aligned_from(temp, alignof(LengthT)));
    void* storage = nullptr;
    std::size_t bytes = 0;
    if (temp) {
        if (is_missing(length) || temp_bytes < copied_length_bytes) return cudaErrorInvalidValue;
        storage = static_cast<std::byte*>(temp) + copied_length_bytes;
        bytes = temp_bytes - copied_length_bytes;
        if (const cudaError_t error = cudaMemcpyAsync(copied_length, length.length, sizeof(LengthT),
                                                      cudaMemcpyDeviceToDevice, stream))
            return error;
    }
    const MarksBelow flags(mark, DeviceLength<LengthT>{copied_length, length.max_items});
    const cudaError_t error = cub_dispatch(
        storage, bytes, num_selected, length.max_items,
        [&](void* cub_temp, std::size_t& size) {
            return cub::DeviceSelect::Flagged(cub_temp, size, data, flags, num_selected,
                                              static_cast<std::int64_t>(length.max_items), stream);
        },
        data, mark.in);
    if (!temp) temp_bytes = bytes + copied_length_bytes;
    return error;
}

/// Selects in place: by select.cuh if the arguments fit, else by `call(temp, temp_bytes)`, which calls CUB.
/// With a length on the device, by `mark`, the equivalent of `selector` for masks.
template <typename DataT, typename MarkT, typename SelectorT, typename CountIteratorT, typename LengthT,
          typename CallT>
cudaError_t select_in_place(void* temp, std::size_t& temp_bytes, DataT data, const MarkT& mark,
                            [[maybe_unused]] const SelectorT& selector, CountIteratorT num_selected,
                            LengthT num_items, cudaStream_t stream, [[maybe_unused]] CallT call) {
    static_assert(fits_cub<DataT, decltype(mark.in)>,
                  "CUB selects in place, and needs items and flags with a default constructor");
    const std::uint64_t item_count = as_length(num_items).max_items;
    if constexpr (is_device_length<LengthT>) {
        if (item_count > max_cub_select_items) return cudaErrorInvalidValue;
        return select_below_length(temp, temp_bytes, data, mark, num_selected, num_items, stream);
    } else {
        const auto by_cub = [&](std::size_t& bytes) {
            if (item_count > max_cub_select_items) return cudaErrorInvalidValue;
            return cub_dispatch(temp, bytes, num_selected, item_count, call, data, mark.in);
        };
        if constexpr (types_have_fast_path<DataT, DataT, CountIteratorT, SelectorT>() &&
                      is_vector_item<ItemOf<DataT>>) {
            const ItemOf<DataT>* const in = data;
            const InPlace<SelectorT> in_place{selector};
            // Too long for CUB: select.cuh selects, or refuses the arguments.
            if (item_count > max_cub_select_items)
                return select_with_storage(temp, temp_bytes, in, data, num_selected, item_count, in_place,
                                           stream);
            return select_fast_or_other(temp, temp_bytes, in, data, num_selected, item_count, in_place,
                                        stream, by_cub);
        }
        return by_cub(temp_bytes);
    }
}

// nvcc overlooks the launch bounds of kernel templates (-Wmissing-launch-bounds).
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20238

/// Copies the items up to a length, HostLength or DeviceLength.
template <typename ItemT, typename DataT, typename LengthT>
__global__ void __launch_bounds__(mask_threads) copy_kernel(const ItemT* items, DataT data, LengthT length) {
    const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
    const std::uint64_t num_items = length.num_items();
    for (std::uint64_t i = thread_in_grid(); i < num_items; i += threads) store_at(data, i, items[i]);
}

#pragma nv_diagnostic pop

/// Calls `call(temp, temp_bytes, items)`, which writes its output to `items`, [num_items] in the temporary
/// storage, and copies them to `data` up to `output_length`.
template <typename DataT, typename LengthT, typename CallT>
cudaError_t call_and_copy_back(void* temp, std::size_t& temp_bytes, DataT data, std::uint64_t num_items,
                               const LengthT& output_length, cudaStream_t stream, CallT call) {
    using Item = ItemOf<DataT>;
    if (num_items > max_select_items) return cudaErrorInvalidValue;
    const std::size_t items_bytes = num_items * sizeof(Item) + storage_alignment - 1;
    if (temp && temp_bytes < items_bytes) return cudaErrorInvalidValue;
    auto* const items = reinterpret_cast<Item*>(aligned_from(temp, storage_alignment));
    void* const rest = temp ? static_cast<std::byte*>(temp) + items_bytes : nullptr;
    std::size_t rest_bytes = temp ? temp_bytes - items_bytes : 0;
    if (const cudaError_t error = call(rest, rest_bytes, items)) return error;
    if (!temp) temp_bytes = items_bytes + rest_bytes;
    if (!temp || num_items == 0) return cudaSuccess;
    const std::uint64_t blocks = (num_items + mask_threads - 1) / mask_threads;
    return launch(
        copy_kernel<Item, DataT, LengthT>,
        {static_cast<unsigned>(std::min<std::uint64_t>(blocks, max_fill_blocks)), mask_threads, 0, stream},
        items, data, output_length);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
