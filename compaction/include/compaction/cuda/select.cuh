#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/arguments.cuh"
#include "compaction/cuda/detail/launch_tags.cuh"
#include "compaction/cuda/detail/overload_diagnostics.cuh"
#include "compaction/cuda/detail/select.cuh"

/// Stream compaction for CUDA programs: copies the selected items of an array, in order, to the front of
/// another array.
///
/// Header-only. Needs nvcc and C++17, and no other part of this library. The input is read once. The result
/// does not depend on timing. Items are trivially copyable and have 1 or 2 bytes, or a multiple of 4 up
/// to 28. They are aligned to the largest power of two that divides their size: an item of 12 bytes to 4, one
/// of 16 bytes to 16. docs/explanation/single_pass.md explains how it works.
///
/// Compile for the GPUs that the program runs on: the fastest paths on Hopper and later need code for sm_90
/// or later. Older code, such as nvcc's default, runs there too, but it compacts long streams by the slower
/// ticketed path, and its launches do not overlap.
///
/// With code for sm_90 or later, a selection may start before the previous kernel of its stream has ended
/// (programmatic dependent launch). It prefetches input to the L2 cache, and waits for the end of that kernel
/// before it reads or writes any memory. Captured selections do not overlap unless a SelectState asks for it.
/// Use a SelectState and `let_launches_overlap(false)`
/// - if the previous kernel is itself a programmatic dependent that may not wait for the kernel before it;
/// - if it triggers its dependents and then waits for a kernel of another stream, which may not start while
///   blocks of the selection are resident;
/// - if the input is in memory of the host or of another GPU, and is written there while that kernel runs;
/// - if the predicate reads by `__ldg` or through a texture what that kernel writes.
///
/// Arguments of all functions:
/// - in: [num_items], out: [*num_selected], num_selected: [1], in device memory. Only the first *num_selected
///   items of `out` are written; they and the count must not overlap each other or any input. `out` may be
///   null if nothing is kept.
/// - num_items: 0 to 2^40, and at most the largest CountT, which is an integer type other than bool. `in`
///   may be null only if it is 0.
/// - predicate: a `__device__` function object, copied to the device, that always returns the same for the
///   same item. It is called in any order, and may be called more than once for an item. It may change itself
///   or its item: both are copies that are discarded after the call.
///
/// select_iterators.cuh extends these functions to iterators, to items of other sizes and to in-place
/// selection; select_indices.cuh, select_columns.cuh, select_partition.cuh and select_unique.cuh hold the
/// rest of the family. docs/reference/select.md says which calls are fast.
///
/// Errors, all before anything is launched: cudaErrorInvalidValue for a null pointer, an output that begins
/// within an input, too many items or too little temporary storage; cudaErrorMisalignedAddress for an array
/// that is not aligned to an item, a flag or a count; cudaErrorInvalidDevice for a state that belongs to
/// another device than the current one. After that, the error of the launch. Only SelectState::reserve and
/// reserve_for synchronise or allocate. All other functions can be captured into a CUDA graph. The work is
/// ordered on `stream`.
///
/// Several host threads may call these functions at once. Two calls whose work may run at the same time must
/// not use the same SelectState or the same temporary storage. Compile all files of a program with the same
/// --default-stream. In relocatable code, a predicate that calls a function of another file must use at most
/// 64 registers, the limit of the kernels.
///
/// Kernel attributes are cached per device and belong to its primary context: do not call these functions in
/// a context made with the driver API. After cudaDeviceReset, states and graphs are lost, and new ones can be
/// made.
///
/// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back", for the
/// look-back. The calling convention is CUB's, so `compaction::cuda::select_if` replaces
/// `cub::DeviceSelect::If`.
namespace compaction::cuda {

class SelectState;

namespace detail {
inline namespace COMPACTION_ARCHITECTURES {
template <typename ItemT, typename SelectorT, typename CountT>
cudaError_t select_with_state(SelectState& state, const ItemT* in, ItemT* out, CountT* num_selected,
                              std::uint64_t num_items, const SelectorT& selector, unsigned requested_blocks,
                              cudaStream_t stream);
}  // namespace COMPACTION_ARCHITECTURES

/// The device memory of a SelectState.
struct StateMemory {
    const TileState* tile_state;        ///< null if nothing is reserved
    const std::uint32_t* ticket_words;  ///< [num_ticket_words] the words of a TicketState
    std::uint64_t num_ticket_words;
};
}  // namespace detail

/// Device memory that selections reuse. It is initialised once, so that a selection is a single kernel.
/// Selections that share a state must be ordered one after the other, for example by one stream. The state
/// belongs to the device that was current at the first `reserve`, and must outlive the work enqueued with
/// it.
class SelectState {
  public:
    SelectState() = default;
    /// Leaves `other` empty.
    SelectState(SelectState&& other) noexcept { *this = std::move(other); }
    /// Swaps with `other`.
    SelectState& operator=(SelectState&& other) noexcept {
        std::swap(tile_state_, other.tile_state_);
        std::swap(ticket_words_, other.ticket_words_);
        std::swap(num_ticket_words_, other.num_ticket_words_);
        std::swap(storage_, other.storage_);
        std::swap(storage_bytes_, other.storage_bytes_);
        std::swap(device_, other.device_);
        std::swap(overlap_, other.overlap_);
        return *this;
    }
    ~SelectState() { release(); }

    /// Allocates the memory for selections of up to `max_items` items of type ItemT, and initialises it on
    /// `stream`. Does nothing if that much is already reserved; otherwise synchronises. If it fails, the
    /// earlier reservation remains valid. If it reserves more than before, do not replay graphs captured
    /// earlier with the state: they may use freed memory.
    template <typename ItemT>
    cudaError_t reserve(std::uint64_t max_items, cudaStream_t stream = nullptr) {
        if (max_items > detail::max_select_items) return cudaErrorInvalidValue;
        const bool has_device = tile_state_ || storage_;
        if (const cudaError_t error = has_device ? check_device() : cudaSuccess) return error;
        if (const cudaError_t error = tile_state_ ? cudaSuccess : allocate_tile_state(stream)) return error;
        const std::uint64_t needed = detail::ticket_words<ItemT>(max_items);
        if (needed <= num_ticket_words_) return cudaSuccess;
        std::uint32_t* tickets = nullptr;
        if (const cudaError_t error = cudaMalloc(&tickets, needed * sizeof(std::uint32_t))) return error;
        num_ticket_words_ = needed;
        return cudaFree(std::exchange(ticket_words_, tickets));
    }

    /// Allocates temporary storage for the functions that need more than the state itself; docs/reference/
    /// select.md lists them. `call(temp, bytes)` calls such a function with temporary storage. Otherwise
    /// behaves like `reserve`.
    template <typename CallT>
    cudaError_t reserve_for(CallT call) {
        std::size_t needed = 0;
        if (const cudaError_t error = call(static_cast<void*>(nullptr), needed)) return error;
        const bool has_device = tile_state_ || storage_;
        if (const cudaError_t error = has_device ? check_device() : detail::query_current_device(device_))
            return error;
        if (needed <= storage_bytes_) return cudaSuccess;
        void* storage = nullptr;
        if (const cudaError_t error = cudaMalloc(&storage, needed)) return error;
        storage_bytes_ = needed;
        return cudaFree(std::exchange(storage_, storage));
    }

    /// Calls `call(temp, bytes)` with the storage that `reserve_for` allocated.
    template <typename CallT>
    cudaError_t call_with_storage(CallT call) {
        if (!storage_) return cudaErrorInvalidValue;
        if (const cudaError_t error = check_device()) return error;
        std::size_t bytes = storage_bytes_;
        return call(storage_, bytes);
    }

    /// Whether a selection may start before the previous kernel has ended; see the head of this file. The
    /// default is yes on a stream and no in a captured graph. Selections in the storage of `reserve_for`
    /// always use the default.
    void let_launches_overlap(bool overlap) {
        overlap_ = overlap ? detail::Overlap::always : detail::Overlap::never;
    }

    /// The number of blocks and the tiles of an aligned selection of `num_items`, after `reserve`.
    /// `requested_blocks`: 0, or the number of blocks of the ticketed path.
    template <typename ItemT, typename PredicateT, typename CountT>
    cudaError_t blocks(std::uint64_t num_items, unsigned requested_blocks, unsigned& num_blocks,
                       detail::Tiling& tiling) const {
        if (const cudaError_t error = check_device()) return error;
        detail::Plan plan;
        const cudaError_t error = detail::Selection<ItemT, detail::ByPredicate<PredicateT>, CountT>::choose(
            device_, num_items, requested_blocks, plan);
        num_blocks = plan.blocks;
        if (!error) tiling = detail::tiling_of<ItemT>(plan, num_items);
        return error;
    }

    /// The device memory that `reserve` allocated, for tools that show it.
    detail::StateMemory memory() const { return {tile_state_, ticket_words_, num_ticket_words_}; }

  private:
    template <typename ItemT, typename SelectorT, typename CountT>
    friend cudaError_t detail::COMPACTION_ARCHITECTURES::select_with_state(
        SelectState& state, const ItemT* in, ItemT* out, CountT* num_selected, std::uint64_t num_items,
        const SelectorT& selector, unsigned requested_blocks, cudaStream_t stream);

    cudaError_t allocate_tile_state(cudaStream_t stream) {
        if (const cudaError_t error = detail::query_current_device(device_)) return error;
        detail::TileState* state = nullptr;
        if (const cudaError_t error = cudaMalloc(&state, sizeof(detail::TileState))) return error;
        cudaError_t error = cudaMemsetAsync(state, 0, sizeof(detail::TileState), stream);
        // The first selection may be on another stream.
        if (!error) error = cudaStreamSynchronize(stream);
        if (error) {
            cudaFree(state);
        } else {
            tile_state_ = state;
        }
        return error;
    }

    /// Checks that the state belongs to the current device.
    cudaError_t check_device() const {
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        return device == device_.device ? cudaSuccess : cudaErrorInvalidDevice;
    }

    /// Enqueues a selection whose arguments have been checked.
    template <typename ItemT, typename SelectorT, typename CountT>
    cudaError_t enqueue(const detail::Selection<ItemT, SelectorT, CountT>& selection,
                        unsigned requested_blocks, cudaStream_t stream) {
        if (!tile_state_) return cudaErrorInvalidValue;
        if (const cudaError_t error = check_device()) return error;
        detail::Plan plan;
        if (const cudaError_t error = selection.choose(device_, selection.input.end, requested_blocks, plan))
            return error;
        const std::uint64_t max_tiles =
            detail::ticketed_shape<ItemT, detail::few_rows>.num_tiles(selection.input.end);
        if (plan.path != detail::Path::single_wave && max_tiles >= num_ticket_words_)
            return cudaErrorInvalidValue;
        detail::Start start;
        if (const cudaError_t error = detail::choose_start(overlap_, stream, start)) return error;
        return selection.launch(device_, plan, start, tile_state_, ticket_words_, stream);
    }

    void release() {
        // A destructor cannot report the errors of a lost device.
        cudaFree(tile_state_);
        cudaFree(ticket_words_);
        cudaFree(storage_);
    }

    detail::DeviceProperties device_;
    detail::Overlap overlap_ = detail::Overlap::on_streams;
    detail::TileState* tile_state_ = nullptr;
    std::uint32_t* ticket_words_ = nullptr;
    std::uint64_t num_ticket_words_ = 0;
    void* storage_ = nullptr;
    std::size_t storage_bytes_ = 0;
};

namespace detail {

/// Called first, so that the compiler reports these errors first.
template <typename ItemT, typename CountT>
constexpr void check_types() {
    static_assert(is_select_item<ItemT>,
                  "items are trivially copyable, of 1 or 2 bytes or a multiple of 4 up to 28");
    static_assert(std::is_integral_v<CountT> && !std::is_same_v<CountT, bool>,
                  "the number of selected items is an integer, and bool would count to one");
}

template <typename ItemT, typename SelectorT, typename CountT>
Selection<ItemT, SelectorT, CountT> make_selection(const ItemT* in, ItemT* out, CountT* num_selected,
                                                   std::uint64_t num_items, const SelectorT& selector) {
    return {make_aligned_span(in, num_items), out, num_selected, selector};
}

inline namespace COMPACTION_ARCHITECTURES {

/// Selects with the caller's state. `requested_blocks`: 0, or the number of blocks of the ticketed path.
template <typename ItemT, typename SelectorT, typename CountT>
cudaError_t select_with_state(SelectState& state, const ItemT* in, ItemT* out, CountT* num_selected,
                              std::uint64_t num_items, const SelectorT& selector, unsigned requested_blocks,
                              cudaStream_t stream) {
    check_types<ItemT, CountT>();
    if (const cudaError_t error = check_selection(in, out, num_selected, num_items, selector)) return error;
    return state.enqueue(make_selection(in, out, num_selected, num_items, selector), requested_blocks,
                         stream);
}

/// Selects with temporary storage of unknown content.
template <typename ItemT, typename SelectorT, typename CountT>
cudaError_t select_with_storage(void* temp, std::size_t& temp_bytes, const ItemT* in, ItemT* out,
                                CountT* num_selected, std::uint64_t num_items, const SelectorT& selector,
                                cudaStream_t stream) {
    check_types<ItemT, CountT>();
    constexpr std::size_t alignment = 256;
    if (num_items > max_items_for<CountT>) return cudaErrorInvalidValue;
    DeviceProperties device;
    if (const cudaError_t error = query_current_device(device)) return error;
    using SelectionT = Selection<ItemT, SelectorT, CountT>;
    Plan plan;
    // The longest aligned input: the offset within its first vector is unknown while `temp` is null.
    const std::uint64_t longest = num_items + vector_items<ItemT> - 1;
    if (const cudaError_t error = SelectionT::choose(device, longest, /*requested_blocks=*/0, plan))
        return error;
    std::size_t needed = sizeof(TileState);
    if (plan.path != Path::single_wave) needed += ticket_words<ItemT>(num_items) * sizeof(std::uint32_t);
    if (!temp) {
        temp_bytes = needed + alignment - 1;
        return cudaSuccess;
    }
    if (const cudaError_t error = check_selection(in, out, num_selected, num_items, selector)) return error;
    if (temp_bytes < needed + alignment - 1) return cudaErrorInvalidValue;

    const SelectionT selection = make_selection(in, out, num_selected, num_items, selector);
    if (const cudaError_t error = selection.choose(device, selection.input.end, /*requested_blocks=*/0, plan))
        return error;
    auto* const state = reinterpret_cast<TileState*>(aligned_from(temp, alignment));
    auto* const tickets = reinterpret_cast<std::uint32_t*>(state + 1);
    LaunchTags tags;
    if (const std::uint64_t num_tags = selection.num_tags(plan); num_tags > 0) {
        if (const cudaError_t error = tags_for(stream, num_tags, tags)) return error;
        const bool resets = tags.source == LaunchTags::Source::state;
        if (const cudaError_t error = resets ? selection.reset(plan, state, stream) : cudaSuccess)
            return error;
    }
    Start start;
    if (const cudaError_t error = choose_start(Overlap::on_streams, stream, start)) return error;
    return selection.launch(device, plan, start, state, tickets, stream, /*limits=*/{}, tags);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace detail

inline namespace COMPACTION_ARCHITECTURES {

/// Copies the items for which `predicate` returns true, in order, to the front of `out`, and their number
/// to *num_selected.
///
/// temp: device memory of temp_bytes bytes, with any content. If `temp` is null, the call only sets
/// `temp_bytes` to the size needed, which grows with num_items: pass the largest num_items that you will use.
/// Enqueues one kernel. On GPUs or in code before sm_90, long streams also need a short one before it. A
/// captured call needs one of 4096 counters; if none is free, it also enqueues a kernel that clears the
/// storage. The content of the storage can cause a wrong result only with a probability of 2^-49 for each of
/// its words; docs/explanation/single_pass.md says why.
template <typename ItemT, typename CountT, typename PredicateT,
          typename = std::enable_if_t<detail::is_aligned_select_item<ItemT>>>
cudaError_t select_if(void* temp, std::size_t& temp_bytes, const ItemT* in, ItemT* out, CountT* num_selected,
                      std::uint64_t num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::select_with_storage(temp, temp_bytes, in, out, num_selected, num_items,
                                       detail::ByPredicate<PredicateT>{predicate}, stream);
}

/// Overload with a state that is reserved for at least `num_items` items of that type. Enqueues one kernel;
/// on GPUs or in code before sm_90, long streams also need a short one before it.
template <typename ItemT, typename CountT, typename PredicateT,
          typename = std::enable_if_t<detail::is_aligned_select_item<ItemT>>>
cudaError_t select_if(SelectState& state, const ItemT* in, ItemT* out, CountT* num_selected,
                      std::uint64_t num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::select_with_state(state, in, out, num_selected, num_items,
                                     detail::ByPredicate<PredicateT>{predicate}, /*requested_blocks=*/0,
                                     stream);
}

/// Copies the items whose flag is not zero. flags: [num_items] device memory, of any type that converts to
/// bool; may be null only if num_items is 0.
template <typename ItemT, typename FlagT, typename CountT,
          typename = std::enable_if_t<detail::is_aligned_select_item<ItemT>>>
cudaError_t select_flagged(void* temp, std::size_t& temp_bytes, const ItemT* in, const FlagT* flags,
                           ItemT* out, CountT* num_selected, std::uint64_t num_items,
                           cudaStream_t stream = nullptr) {
    return detail::select_with_storage(temp, temp_bytes, in, out, num_selected, num_items,
                                       detail::ByFlag<FlagT>{flags}, stream);
}

/// Overload with a reserved state.
template <typename ItemT, typename FlagT, typename CountT,
          typename = std::enable_if_t<detail::is_aligned_select_item<ItemT>>>
cudaError_t select_flagged(SelectState& state, const ItemT* in, const FlagT* flags, ItemT* out,
                           CountT* num_selected, std::uint64_t num_items, cudaStream_t stream = nullptr) {
    return detail::select_with_state(state, in, out, num_selected, num_items, detail::ByFlag<FlagT>{flags},
                                     /*requested_blocks=*/0, stream);
}

/// Copies the items for whose flag `predicate` returns true. flags: as for select_flagged.
template <typename ItemT, typename FlagT, typename CountT, typename PredicateT,
          typename = std::enable_if_t<detail::is_aligned_select_item<ItemT>>>
cudaError_t select_flagged_if(void* temp, std::size_t& temp_bytes, const ItemT* in, const FlagT* flags,
                              ItemT* out, CountT* num_selected, std::uint64_t num_items, PredicateT predicate,
                              cudaStream_t stream = nullptr) {
    return detail::select_with_storage(temp, temp_bytes, in, out, num_selected, num_items,
                                       detail::ByFlagIf<FlagT, PredicateT>{flags, predicate}, stream);
}

/// Overload with a reserved state.
template <typename ItemT, typename FlagT, typename CountT, typename PredicateT,
          typename = std::enable_if_t<detail::is_aligned_select_item<ItemT>>>
cudaError_t select_flagged_if(SelectState& state, const ItemT* in, const FlagT* flags, ItemT* out,
                              CountT* num_selected, std::uint64_t num_items, PredicateT predicate,
                              cudaStream_t stream = nullptr) {
    return detail::select_with_state(state, in, out, num_selected, num_items,
                                     detail::ByFlagIf<FlagT, PredicateT>{flags, predicate},
                                     /*requested_blocks=*/0, stream);
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
