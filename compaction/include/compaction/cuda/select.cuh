#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compaction/cuda/detail/select.cuh"

/// Stream compaction for CUDA programs: the selected items of an array, in their order, at the front of
/// another.
///
/// Header-only; needs nvcc and C++20, and no other part of this library. The input is read once; the result
/// does not depend on timing. Items are trivially copyable and of 4, 8 or 16 bytes, aligned to their size.
/// docs/explanation/single_pass.md explains how it works.
///
/// Compile for the cards it is to run on: what is fastest on Hopper and later is in code made for sm_90 or
/// later alone. Older code, such as nvcc makes where no -arch is given, runs there too, but takes long
/// streams by ticket and lets no launches overlap.
///
/// What all functions here ask of their arguments:
/// - in: [num_items], out: [num_items], num_selected: [1], all device memory. Only the first *num_selected
///   items of `out` are written. What is written, all of `out` and the count, must overlap neither each other
///   nor what is read: nothing is compacted in place.
/// - num_items: 0 to 2^40, and no more than CountT can count, which is an integer other than bool. in and out
///   may be null only where it is 0.
/// - the predicate: a `__device__` function object, copied to the device, that says the same whenever it is
///   asked about an item. It is asked in no order, and may be asked again.
///
/// All return cudaErrorInvalidValue for a null pointer, overlapping ranges, a length over the limit or too
/// little temporary storage, cudaErrorMisalignedAddress for arrays not aligned to an item, a flag or a count,
/// and cudaErrorInvalidDevice for a state of another device than the current one, each before anything is
/// launched; else what the launch says. None allocates (but SelectState::reserve) and none synchronises; all
/// can be captured into a CUDA graph. The work is ordered on `stream`.
///
/// What a device makes of a kernel is asked once and remembered, to spare every call the asking. That holds
/// for a device's primary context: call nothing here after cudaDeviceReset, or in a context of the driver
/// API's own making.
///
/// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back", for looking
/// back; the calling convention is that of CUB, so that `compaction::cuda::select_if` replaces
/// `cub::DeviceSelect::If`.
namespace compaction::cuda {

class SelectState;

namespace detail {
template <typename ItemT, typename SelectorT, typename CountT>
cudaError_t select_with_state(SelectState& state, const ItemT* in, ItemT* out, CountT* num_selected,
                              std::uint64_t num_items, const SelectorT& keeps, unsigned asked_blocks,
                              cudaStream_t stream);
}  // namespace detail

/// What selections keep between each other: device memory that is initialised once, so that a selection is a
/// single kernel. Selections that share a state must be ordered one after the other (by one stream, say).
/// Belongs to the device that was current when it was first reserved, and is refused while another one is;
/// must outlive what was enqueued with it.
class SelectState {
  public:
    SelectState() = default;
    SelectState(SelectState&& other) noexcept { *this = std::move(other); }
    SelectState& operator=(SelectState&& other) noexcept {
        std::swap(board_, other.board_);
        std::swap(tickets_, other.tickets_);
        std::swap(num_tickets_, other.num_tickets_);
        std::swap(card_, other.card_);
        std::swap(overlap_, other.overlap_);
        return *this;
    }
    ~SelectState() { release(); }

    /// Allocates what selections of up to `max_items` items of type ItemT need, and initialises it on
    /// `stream`. Allocates nothing if that much was reserved before. Synchronises where it allocates. Where
    /// it fails, what was reserved before is still there. Where more than before is reserved, graphs that
    /// were captured with the state must not be replayed any more: they may use memory that is freed then.
    template <typename ItemT>
    cudaError_t reserve(std::uint64_t max_items, cudaStream_t stream = nullptr) {
        if (max_items > detail::max_select_items) return cudaErrorInvalidValue;
        if (const cudaError_t error = board_ ? check_device() : make_board(stream)) return error;
        const std::uint64_t wanted = detail::ticket_words<ItemT>(max_items);
        if (wanted <= num_tickets_) return cudaSuccess;
        std::uint32_t* tickets = nullptr;
        if (const cudaError_t error = cudaMalloc(&tickets, wanted * sizeof(std::uint32_t))) return error;
        num_tickets_ = wanted;
        return cudaFree(std::exchange(tickets_, tickets));
    }

    /// Lets a selection's kernel be launched while the one before it in the stream still runs (programmatic
    /// dependent launch; the card and the code of sm_90 or later): it calls for its input into the L2 cache
    /// and waits before it looks at anything, so nothing changes but the time between kernels. Off unless
    /// asked for. Serves short streams; long ones begin as ever.
    void let_launches_overlap(bool overlap) { overlap_ = overlap; }

    /// With how many blocks an aligned selection of `num_items` is compacted, and in which tiles, once
    /// reserved. `asked_blocks`: 0, or the number of blocks that are to take tiles by ticket.
    template <typename ItemT, typename PredicateT, typename CountT>
    cudaError_t blocks(std::uint64_t num_items, unsigned asked_blocks, unsigned& num_blocks,
                       detail::Tiling& tiling) const {
        if (const cudaError_t error = check_device()) return error;
        detail::Plan plan;
        const cudaError_t error = detail::Selection<ItemT, detail::ByPredicate<PredicateT>, CountT>::choose(
            card_, num_items, asked_blocks, plan);
        num_blocks = plan.blocks;
        if (!error) tiling = detail::tiling_of<ItemT>(plan, num_items);
        return error;
    }

  private:
    template <typename ItemT, typename SelectorT, typename CountT>
    friend cudaError_t detail::select_with_state(SelectState& state, const ItemT* in, ItemT* out,
                                                 CountT* num_selected, std::uint64_t num_items,
                                                 const SelectorT& keeps, unsigned asked_blocks,
                                                 cudaStream_t stream);

    cudaError_t make_board(cudaStream_t stream) {
        if (const cudaError_t error = detail::current_card(card_)) return error;
        detail::Board* board = nullptr;
        if (const cudaError_t error = cudaMalloc(&board, sizeof(detail::Board))) return error;
        cudaError_t error = cudaMemsetAsync(board, 0, sizeof(detail::Board), stream);
        // The first selection may be on another stream.
        if (!error) error = cudaStreamSynchronize(stream);
        if (error) {
            cudaFree(board);
        } else {
            board_ = board;
        }
        return error;
    }

    /// That memory and kernels are of the device that is current.
    cudaError_t check_device() const {
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        return device == card_.device ? cudaSuccess : cudaErrorInvalidDevice;
    }

    /// Enqueues a selection that has been checked.
    template <typename ItemT, typename SelectorT, typename CountT>
    cudaError_t enqueue(const detail::Selection<ItemT, SelectorT, CountT>& selection, unsigned asked_blocks,
                        cudaStream_t stream) {
        if (!board_) return cudaErrorInvalidValue;
        if (const cudaError_t error = check_device()) return error;
        detail::Plan plan;
        if (const cudaError_t error = selection.choose(card_, selection.stream.end, asked_blocks, plan))
            return error;
        if (plan.path == detail::Path::ticketed) {
            if (plan.num_tiles >= num_tickets_) return cudaErrorInvalidValue;
            const std::size_t bytes = (std::size_t{1} + plan.num_tiles) * sizeof(std::uint32_t);
            if (const cudaError_t error = cudaMemsetAsync(tickets_, 0, bytes, stream)) return error;
        }
        const auto begin = overlap_ ? detail::Begin::during_launch : detail::Begin::after_launch;
        return selection.launch(card_, plan, begin, board_, tickets_, stream);
    }

    void release() {
        // Errors of a device that is lost already cannot be told from here.
        cudaFree(board_);
        cudaFree(tickets_);
    }

    detail::Card card_;
    bool overlap_ = false;
    detail::Board* board_ = nullptr;
    std::uint32_t* tickets_ = nullptr;
    std::uint64_t num_tickets_ = 0;
};

namespace detail {

template <typename ItemT, typename SelectorT, typename CountT>
Selection<ItemT, SelectorT, CountT> make_selection(const ItemT* in, ItemT* out, CountT* num_selected,
                                                   std::uint64_t num_items, const SelectorT& keeps) {
    static_assert(std::is_trivially_copyable_v<ItemT>, "items are moved as bits");
    static_assert(sizeof(ItemT) == 4 || sizeof(ItemT) == 8 || sizeof(ItemT) == 16,
                  "items are of 4, 8 or 16 bytes");
    static_assert(std::is_integral_v<CountT> && !std::is_same_v<CountT, bool>,
                  "the number of selected items is an integer, and bool would count to one");
    return {make_stream(in, num_items), out, num_selected, keeps};
}

/// With a state of the caller's. `asked_blocks`: 0, or the number of blocks that are to take tiles by ticket.
template <typename ItemT, typename SelectorT, typename CountT>
cudaError_t select_with_state(SelectState& state, const ItemT* in, ItemT* out, CountT* num_selected,
                              std::uint64_t num_items, const SelectorT& keeps, unsigned asked_blocks,
                              cudaStream_t stream) {
    if (const cudaError_t error = check_selection(in, out, num_selected, num_items, keeps)) return error;
    return state.enqueue(make_selection(in, out, num_selected, num_items, keeps), asked_blocks, stream);
}

/// With temporary storage that may hold anything, so it is initialised first.
template <typename ItemT, typename SelectorT, typename CountT>
cudaError_t select_with_storage(void* temp, std::size_t& temp_bytes, const ItemT* in, ItemT* out,
                                CountT* num_selected, std::uint64_t num_items, const SelectorT& keeps,
                                cudaStream_t stream) {
    constexpr std::size_t alignment = 256;
    if (num_items > most_items<CountT>) return cudaErrorInvalidValue;
    Card card;
    if (const cudaError_t error = current_card(card)) return error;
    using SelectionT = Selection<ItemT, SelectorT, CountT>;
    Plan plan;
    // As long as the stream can be for its place within a vector, which is not known where `temp` is null.
    const std::uint64_t longest = num_items + vector_items<ItemT> - 1;
    if (const cudaError_t error = SelectionT::choose(card, longest, 0, plan, true)) return error;
    // What is too long for a shot there may be just short enough elsewhere, and then needs a board.
    std::size_t needed = sizeof(Board);
    if (plan.path == Path::ticketed)
        needed = std::max(needed, ticket_words<ItemT>(num_items) * sizeof(std::uint32_t));
    if (!temp) {
        temp_bytes = needed + alignment - 1;
        return cudaSuccess;
    }
    if (const cudaError_t error = check_selection(in, out, num_selected, num_items, keeps)) return error;
    if (temp_bytes < needed + alignment - 1) return cudaErrorInvalidValue;

    const auto aligned = (reinterpret_cast<std::uintptr_t>(temp) + alignment - 1) / alignment * alignment;
    const SelectionT selection = make_selection(in, out, num_selected, num_items, keeps);
    if (const cudaError_t error = selection.choose(card, selection.stream.end, 0, plan, true)) return error;
    auto* const board = reinterpret_cast<Board*>(aligned);
    auto* const tickets = reinterpret_cast<std::uint32_t*>(aligned);
    Begin begin = Begin::after_launch;
    if (plan.path == Path::ticketed) {
        const std::size_t bytes = (std::size_t{1} + plan.num_tiles) * sizeof(std::uint32_t);
        if (const cudaError_t error = cudaMemsetAsync(tickets, 0, bytes, stream)) return error;
    } else if (plan.path == Path::ring || plan.blocks > 1) {
        if (const cudaError_t error = selection.reset(plan, board, stream)) return error;
        begin = Begin::during_reset;
    }
    return selection.launch(card, plan, begin, board, tickets, stream);
}

}  // namespace detail

/// Copies the items that `predicate` says yes to, in their order, to the front of `out`, and their number to
/// *num_selected.
///
/// temp: device memory of temp_bytes, whatever it holds. With a null `temp` nothing is done but that
/// `temp_bytes` is set to what is needed, which depends on the length of long streams on older cards alone.
/// Two kernels on the stream, of which the first resets the storage; for the shortest streams one.
template <typename ItemT, typename CountT, typename PredicateT>
cudaError_t select_if(void* temp, std::size_t& temp_bytes, const ItemT* in, ItemT* out, CountT* num_selected,
                      std::uint64_t num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::select_with_storage(temp, temp_bytes, in, out, num_selected, num_items,
                                       detail::ByPredicate<PredicateT>{predicate}, stream);
}

/// The same with a state that was reserved for at least `num_items` of such items: one kernel and nothing
/// else, but on cards or in code without bulk copies (before sm_90), where a memset goes before long streams.
template <typename ItemT, typename CountT, typename PredicateT>
cudaError_t select_if(SelectState& state, const ItemT* in, ItemT* out, CountT* num_selected,
                      std::uint64_t num_items, PredicateT predicate, cudaStream_t stream = nullptr) {
    return detail::select_with_state(state, in, out, num_selected, num_items,
                                     detail::ByPredicate<PredicateT>{predicate}, 0, stream);
}

/// Copies the items whose flag is not zero. flags: [num_items] device memory, of any type that converts to
/// bool; null only where num_items is 0.
template <typename ItemT, typename FlagT, typename CountT>
cudaError_t select_flagged(void* temp, std::size_t& temp_bytes, const ItemT* in, const FlagT* flags,
                           ItemT* out, CountT* num_selected, std::uint64_t num_items,
                           cudaStream_t stream = nullptr) {
    return detail::select_with_storage(temp, temp_bytes, in, out, num_selected, num_items,
                                       detail::ByFlag<FlagT>{flags}, stream);
}

/// The same with a reserved state.
template <typename ItemT, typename FlagT, typename CountT>
cudaError_t select_flagged(SelectState& state, const ItemT* in, const FlagT* flags, ItemT* out,
                           CountT* num_selected, std::uint64_t num_items, cudaStream_t stream = nullptr) {
    return detail::select_with_state(state, in, out, num_selected, num_items, detail::ByFlag<FlagT>{flags}, 0,
                                     stream);
}

}  // namespace compaction::cuda
