#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/sharded_connect.cuh"
#include "compaction/cuda/detail/sharded_rank.cuh"
#include "compaction/cuda/select.cuh"
#include "compaction/sharded_call.hpp"

/// The memory and connections of selections over a sharded array.
namespace compaction::cuda {

/// Choices for a ShardedSelectState. They must be the same on all ranks.
struct ShardedOptions {
    /// The longest that a rank waits for others, and for the work of the stream before a call. If it passes,
    /// calls fail. Times above one day count as one day.
    std::chrono::milliseconds timeout{30'000};
    bool use_peer_memory = true;  ///< false: the network path even where GPUs reach each other's memory
    /// Whether balanced results may stay in the memory of the state (ShardedTarget::in_state). The state then
    /// holds three times as many items.
    bool keeps_results = false;
};

inline namespace COMPACTION_ARCHITECTURES {

/// The state of one rank, which all selections over a communicator use. Create the states of all ranks
/// together, once per communicator. Calls that use them must be made on all ranks in the same order, and one
/// after the other, for example on one stream.
///
/// The state does not own the communicator, but aborts it if a call on the network path fails, because its
/// work on the stream would otherwise never end. Then `aborted()` is true, and the communicator must be
/// neither used nor destroyed. While the state exists, do not abort the communicator; call `abort`. Destroy
/// the state before the communicator, after the work of all ranks has finished. A communicator that does not
/// block (ncclConfig_t::blocking = 0) lets the host notice the timeout while NCCL connects; with a blocking
/// communicator, such a wait has no bound.
class ShardedSelectState {
  public:
    /// An empty state, which cannot select; see `create`.
    ShardedSelectState() = default;
    /// Leaves the other state empty.
    ShardedSelectState(ShardedSelectState&&) noexcept = default;
    /// Releases the resources of this state first.
    ShardedSelectState& operator=(ShardedSelectState&&) noexcept = default;

    /// Allocates the memory for selections of up to `max_items` items of type ItemT on this rank, and
    /// connects it with that of the other ranks. Call it on all ranks; max_items may differ. `communicator`
    /// must be ready (ncclCommGetAsyncError). Synchronises. All ranks get an error if one does.
    template <typename ItemT>
    ShardedStatus create(ncclComm_t communicator, std::uint64_t max_items,
                         const ShardedOptions& options = {}) {
        return create<ItemT>(this, &communicator, 1, max_items, options);
    }

    /// Creates the states of several communicators of one process, which one thread must not create one by
    /// one. states, communicators: [num_states]
    template <typename ItemT>
    static ShardedStatus create(ShardedSelectState* states, const ncclComm_t* communicators, int num_states,
                                std::uint64_t max_items, const ShardedOptions& options = {}) {
        if (num_states < 1 || max_items > detail::max_select_items) return ShardedStatus::invalid_argument;
        const detail::DeviceGuard guard;
        std::vector<detail::ShardedRank*> ranks;
        bool ready = true;
        for (int i = 0; i < num_states; ++i) {
            states[i].rank_ = std::make_unique<detail::ShardedRank>(communicators[i]);
            detail::ShardedRank& rank = *ranks.emplace_back(states[i].rank_.get());
            rank.max_items = max_items;
            rank.item_bytes = sizeof(ItemT);
            rank.keeps_results = options.keeps_results;
            // Without buffers, a rank cannot tell the others that it failed.
            if (const cudaError_t error = rank.open()) return detail::fail_all_ranks(ranks, error);
            ready = ready && rank.select.template reserve<ItemT>(max_items) == cudaSuccess;
        }
        const std::chrono::milliseconds longest = std::chrono::hours(24);  // in ns, it fits in 64 bits
        return detail::connect(ranks, ready, std::clamp(options.timeout, options.timeout.zero(), longest),
                               options.use_peer_memory);
    }

    /// Whether a rank has failed: ok, or the error of the first call that failed for good; output_too_short
    /// is not such an error. Does not wait: calls on the peer-memory path may still be running.
    ShardedStatus status() const { return rank_ ? rank_->status() : ShardedStatus::invalid_argument; }
    /// The CUDA and NCCL errors behind cuda_error and nccl_error.
    detail::ShardedErrors errors() const { return rank_ ? rank_->errors : detail::ShardedErrors{}; }
    /// Whether the state has aborted the communicator.
    bool aborted() const { return rank_ && rank_->aborted; }

    /// Ends all calls of this rank, for example if the program knows that a rank is lost. Calls of this rank
    /// that wait for others end, also on the GPU, and those of the other ranks fail at the latest after the
    /// timeout. status() is then ShardedStatus::aborted. Once `create` has returned, any thread may call
    /// `abort`, also while another thread makes a call. On the network path, `abort` waits for that call and
    /// aborts the communicator. On the peer-memory path, the communicator can be aborted once the state is
    /// destroyed. Returns ok, or why that failed.
    ShardedStatus abort() { return rank_ ? rank_->abort() : ShardedStatus::invalid_argument; }

    /// The memory in which results stay (ShardedTarget::in_state); ItemT is that of `create`.
    /// [3 * max_items] device memory, with the greatest max_items of all ranks. The items are valid until the
    /// next call. Null if the state was created without ShardedOptions::keeps_results.
    template <typename ItemT>
    const ItemT* items() const {
        if (!rank_ || !rank_->keeps_results) return nullptr;
        return detail::staging_in<ItemT>(rank_->window, rank_->peers.num_ranks);
    }

    /// The path that calls use, and the reason if it is the network path.
    ChosenPath path() const { return rank_ ? rank_->path : ChosenPath{}; }

    /// Implementation, for benchmarks that time a single step. Not a part of the interface.
    detail::ShardedRank& internals() { return *rank_; }

  private:
    template <typename ItemT, typename PredicateT>
    friend ShardedStatus sharded_select_if(ShardedSelectState* states, ShardedTarget target,
                                           const ShardedArrays<ItemT>* arrays, int num_states,
                                           PredicateT predicate, const cudaStream_t* streams);

    std::unique_ptr<detail::ShardedRank> rank_;
};

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
