#pragma once

#include <bit>

#include "simulated/device.hpp"

/// Stands in for the toolkit's header of this name: the block, tiles of up to a warp and coalesced lanes.
namespace cooperative_groups {

using compaction::simulated::Site;
namespace simulated = compaction::simulated;

class thread_block {
  public:
    static void sync(const Site& site = Site::current()) { simulated::__syncthreads(site); }
    static unsigned thread_rank() {
        const simulated::uint3 at = simulated::threadIdx;
        const simulated::dim3 size = simulated::blockDim;
        return (at.z * size.y + at.y) * size.x + at.x;
    }
    static unsigned num_threads() {
        return simulated::blockDim.x * simulated::blockDim.y * simulated::blockDim.z;
    }
    static unsigned size() { return num_threads(); }
    static simulated::dim3 group_index() { return simulated::blockIdx; }
    static simulated::dim3 thread_index() { return simulated::threadIdx; }
    static simulated::dim3 group_dim() { return simulated::blockDim; }
    static simulated::dim3 dim_threads() { return simulated::blockDim; }
};
inline thread_block this_thread_block() {
    return {};
}

/// Lanes of a warp. Ranks number them from the lowest lane.
class lane_group {
  public:
    explicit lane_group(unsigned mask) : mask_(mask) {}

    void sync(const Site& site = Site::current()) const { simulated::__syncwarp(mask_, site); }
    unsigned thread_rank() const { return rank_of(lane()); }
    unsigned num_threads() const { return static_cast<unsigned>(std::popcount(mask_)); }
    unsigned size() const { return num_threads(); }
    template <typename T>
    T shfl(T value, unsigned rank, const Site& site = Site::current()) const {
        return simulated::__shfl_sync(mask_, value, static_cast<int>(lane_of(rank % num_threads())),
                                      /*width=*/32, site);
    }
    template <typename T>
    T shfl_up(T value, unsigned distance, const Site& site = Site::current()) const {
        const unsigned rank = thread_rank();
        return shfl(value, rank >= distance ? rank - distance : rank, site);
    }
    template <typename T>
    T shfl_down(T value, unsigned distance, const Site& site = Site::current()) const {
        const unsigned rank = thread_rank();
        return shfl(value, distance < num_threads() - rank ? rank + distance : rank, site);
    }
    int any(int value, const Site& site = Site::current()) const {
        return simulated::__any_sync(mask_, value, site);
    }
    int all(int value, const Site& site = Site::current()) const {
        return simulated::__all_sync(mask_, value, site);
    }
    unsigned ballot(int value, const Site& site = Site::current()) const {
        return packed(simulated::__ballot_sync(mask_, value, site));
    }
    template <typename T>
    unsigned match_any(T value, const Site& site = Site::current()) const {
        return packed(simulated::__match_any_sync(mask_, value, site));
    }
    template <typename T>
    unsigned match_all(T value, int& all_match, const Site& site = Site::current()) const {
        return packed(simulated::__match_all_sync(mask_, value, &all_match, site));
    }

  protected:
    static unsigned lane() { return thread_block::thread_rank() % 32; }

  private:
    unsigned rank_of(unsigned lane) const {
        return static_cast<unsigned>(std::popcount(mask_ & ((1U << lane) - 1)));
    }
    unsigned lane_of(unsigned rank) const {
        unsigned lanes = mask_;
        for (; rank > 0; --rank) lanes &= lanes - 1;
        return static_cast<unsigned>(std::countr_zero(lanes));
    }
    /// The bits of the group's lanes, by rank.
    unsigned packed(unsigned lanes) const {
        unsigned ranks = 0;
        for (unsigned rest = lanes & mask_; rest != 0; rest &= rest - 1)
            ranks |= 1U << rank_of(static_cast<unsigned>(std::countr_zero(rest)));
        return ranks;
    }

    unsigned mask_;
};

class coalesced_group : public lane_group {
    using lane_group::lane_group;
};
inline coalesced_group coalesced_threads(const Site& site = Site::current()) {
    return coalesced_group(simulated::active_lanes(site));
}

template <unsigned Size, typename ParentT = void>
class thread_block_tile : public lane_group {
    static_assert(Size <= 32 && std::has_single_bit(Size), "a tile has 1, 2, 4, 8, 16 or 32 threads");

  public:
    thread_block_tile() : lane_group(static_cast<unsigned>((1ULL << Size) - 1) << lane() / Size * Size) {}
    // NOLINTNEXTLINE(google-explicit-constructor): as CUDA does
    template <typename OtherT>
    thread_block_tile(const thread_block_tile<Size, OtherT>&) : thread_block_tile() {}

    static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
    static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }
    template <typename T>
    T shfl_xor(T value, unsigned rank_mask, const Site& site = Site::current()) const {
        return shfl(value, (thread_rank() ^ rank_mask) < Size ? thread_rank() ^ rank_mask : thread_rank(),
                    site);
    }
};
template <unsigned Size, typename ParentT>
thread_block_tile<Size, ParentT> tiled_partition(const ParentT&) {
    return {};
}

template <typename GroupT>
void sync(const GroupT& group, const Site& site = Site::current()) {
    group.sync(site);
}

}  // namespace cooperative_groups
