#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/arguments.cuh"
#include "compaction/cuda/detail/launch.cuh"
#include "compaction/cuda/detail/mask.cuh"
#include "compaction/cuda/scan_counts.cuh"

/// The host side of a selection by a mask.
namespace compaction::cuda::detail {

/// Divides temporary storage into the arrays of a MaskState. Without storage it only adds up the sizes.
struct MaskStorage {
    static constexpr std::size_t alignment = 256;

    unsigned num_tiles;
    std::size_t bytes = 0;  ///< of the arrays, each rounded up to `alignment`
    MaskState state{};

    /// temp: null, or device memory of needed() bytes.
    MaskStorage(void* temp, std::uint64_t max_items)
        : num_tiles(static_cast<unsigned>(
              std::max<std::uint64_t>(1, (max_items + mask_tile_items - 1) / mask_tile_items))) {
        const auto begin = aligned_from(temp, alignment);
        state.total = take<std::uint64_t>(begin, 1);
        if (num_tiles > mask_summed_tiles) state.offsets = take<std::uint64_t>(begin, num_tiles);
        state.counts = take<std::uint32_t>(begin, num_tiles);
        state.words = take<std::uint32_t>(begin, std::size_t{num_tiles} * mask_tile_words);
    }

    /// The size of the storage, with room to align the first array.
    std::size_t needed() const { return bytes + alignment - 1; }

  private:
    template <typename T>
    T* take(std::uintptr_t begin, std::size_t count) {
        T* const array = reinterpret_cast<T*>(begin + bytes);
        bytes += (count * sizeof(T) + alignment - 1) / alignment * alignment;
        return array;
    }
};

inline namespace COMPACTION_ARCHITECTURES {

// nvcc overlooks the launch bounds of kernel templates (-Wmissing-launch-bounds).
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20238

/// Launches a kernel that calls wait_for_previous_launch. Uses programmatic dependent launch where the device
/// and the compiled code support it, except during capture: functions that read the edges of a graph may not
/// support programmatic ones.
template <auto Kernel, typename... ArgumentsT>
cudaError_t launch_dependent(const DeviceProperties& device, unsigned blocks, unsigned threads,
                             cudaStream_t stream, ArgumentsT... arguments) {
    Occupancy occupancy;
    if (const cudaError_t error =
            query_occupancy<Kernel>(device, {/*tile_items=*/1, threads, /*shared_bytes=*/0}, occupancy))
        return error;
    bool is_capturing = false;
    if (const cudaError_t error = query_capturing(stream, is_capturing)) return error;
    const bool overlapping = device.has_bulk_copies && occupancy.compiled_for_hopper && !is_capturing;
    return launch(Kernel, {blocks, threads, /*shared_bytes=*/0, stream, overlapping}, arguments...);
}

/// Launches `Kernel`, a scan_in_one_block, over the counts of the tiles, without recording times. The last
/// argument is `Kernel` again, from which StampsT is deduced.
template <auto Kernel, typename... StampsT>
cudaError_t launch_scan(const DeviceProperties& device, cudaStream_t stream, const MaskState& state,
                        unsigned num_tiles,
                        void (*)(const std::uint32_t*, unsigned, std::uint64_t*, std::uint64_t*,
                                 StampsT...)) {
    return launch_dependent<Kernel>(device, /*blocks=*/1, mask_scan_threads, stream, state.counts, num_tiles,
                                    state.offsets, state.total, StampsT{}...);
}

/// Whether the count is written to an integer type, which can be too small for it.
template <typename CountIteratorT>
constexpr bool counts_in_integer() {
    if constexpr (std::is_pointer_v<CountIteratorT>) {
        using Count = std::remove_pointer_t<CountIteratorT>;
        return std::is_integral_v<Count> && !std::is_same_v<Count, bool>;
    } else {
        return false;
    }
}

/// The longest selection whose count always fits.
template <typename CountIteratorT>
constexpr std::uint64_t max_counted() {
    if constexpr (counts_in_integer<CountIteratorT>()) {
        return max_items_for<std::remove_pointer_t<CountIteratorT>>;
    } else {
        return max_select_items;
    }
}
template <typename CountIteratorT, typename LengthT>
bool cannot_count(const LengthT& length) {
    return length.max_items > max_counted<CountIteratorT>();
}

/// Fills the rest of a padded output.
template <typename OutT>
cudaError_t fill_output(const OutT&, const std::uint64_t*, cudaStream_t) {
    return cudaSuccess;
}
template <typename IteratorT, typename FillT>
cudaError_t fill_output(const PaddedOutput<IteratorT, FillT>& to, const std::uint64_t* num_selected,
                        cudaStream_t stream) {
    if (to.size == 0) return cudaSuccess;
    const std::uint64_t blocks = (to.size + mask_threads - 1) / mask_threads;
    return launch(
        fill_kernel<IteratorT, FillT>,
        {static_cast<unsigned>(std::min<std::uint64_t>(blocks, max_fill_blocks)), mask_threads, 0, stream},
        to, num_selected);
}

/// Whether a padded output has items but no array, or is too large: a negative size is, after its conversion.
/// Other outputs are not checked.
template <typename OutT>
bool is_invalid_output(const OutT&) {
    return false;
}
template <typename IteratorT, typename FillT>
bool is_invalid_output(const PaddedOutput<IteratorT, FillT>& to) {
    return to.size > max_select_items || (to.size > 0 && is_null(to.out));
}

/// The array that a column reads.
template <typename InT, typename OutT>
InT input_of(const ItemColumn<InT, OutT>& column) {
    return column.in;
}
/// An IndexColumn has no input array.
struct NoInput {};
template <typename IndexT, typename OutT>
NoInput input_of(const IndexColumn<IndexT, OutT>&) {
    return {};
}

/// Whether an output is invalid or, if there are items, an array is null or an output begins within an
/// input.
template <typename LengthT, typename MarksT, typename... ColumnsT>
bool are_invalid_columns(const LengthT& length, const MarksT& marks, const ColumnsT&... columns) {
    if ((is_invalid_output(columns.out) || ...)) return true;
    if (length.max_items == 0) return false;
    if (is_null(marks) || (is_null(input_of(columns)) || ...)) return true;
    const auto begins_within_input = [&](const auto& out) {
        return begins_within(out, length, marks, input_of(columns)...);
    };
    return (begins_within_input(columns.out) || ...);
}

/// Selects the items that `mark` marks, into every column. `length`: HostLength or DeviceLength. Enqueues two
/// kernels, three for long streams, and one more for each padded output.
template <typename MarkT, typename LengthT, typename CountIteratorT, typename... ColumnsT>
cudaError_t select_masked(void* temp, std::size_t& temp_bytes, const MarkT& mark, const LengthT& length,
                          CountIteratorT num_selected, cudaStream_t stream, const ColumnsT&... columns) {
    if (cannot_count<CountIteratorT>(length)) return cudaErrorInvalidValue;
    const MaskStorage storage(temp, length.max_items);
    if (!temp) {
        temp_bytes = storage.needed();
        return cudaSuccess;
    }
    if (is_missing(length) || is_null(num_selected)) return cudaErrorInvalidValue;
    if (are_invalid_columns(length, mark.in, columns...)) return cudaErrorInvalidValue;
    if (temp_bytes < storage.needed()) return cudaErrorInvalidValue;
    DeviceProperties device;
    if (const cudaError_t error = query_current_device(device)) return error;

    const MaskState& state = storage.state;
    if (const cudaError_t error = launch(mark_kernel<MarkT, LengthT>,
                                         {storage.num_tiles, mask_threads, 0, stream}, mark, length, state))
        return error;
    if (state.offsets) {
        constexpr auto scan = scan_in_one_block<mask_scan_threads, mask_scan_counts_per_thread>;
        if (const cudaError_t error = launch_scan<scan>(device, stream, state, storage.num_tiles, scan))
            return error;
    }
    constexpr auto move = move_kernel<CountIteratorT, ColumnsT...>;
    if (const cudaError_t error = launch_dependent<move>(device, storage.num_tiles, mask_threads, stream,
                                                         state, num_selected, columns...)) {
        return error;
    }
    cudaError_t error = cudaSuccess;
    ((error = error ? error : fill_output(columns.out, state.total, stream)), ...);
    return error;
}

#pragma nv_diagnostic pop

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
