#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <cuda_runtime.h>

/// Stands in for the toolkit's header of this name: the grid, the block, tiles of up to a warp and coalesced
/// lanes.
namespace cooperative_groups {

using compaction::simulated::Site;
namespace simulated = compaction::simulated;

/// Any group, as a parameter of a function.
class thread_group {
  public:
    void sync(const Site& site = Site::current()) const;
    unsigned long long thread_rank() const;
    unsigned long long num_threads() const;
    unsigned long long size() const { return num_threads(); }
    /// The part of a block or of lanes that the caller is in, `size` threads.
    thread_group tile(unsigned size, const Site& site) const;

  protected:
    enum class Kind : std::uint8_t { grid, block, lanes };
    explicit thread_group(Kind kind, unsigned mask = 0) : mask_(mask), kind_(kind) {}

    unsigned mask_;  ///< of the lanes in their warp

  private:
    Kind kind_;
};

class thread_block : public thread_group {
  public:
    thread_block() : thread_group(Kind::block) {}

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

/// All blocks of a cooperative launch.
class grid_group : public thread_group {
  public:
    grid_group() : thread_group(Kind::grid) {}

    static bool is_valid() { return simulated::BarrierOfGrid::exists(); }
    static void sync(const Site& site = Site::current()) { simulated::BarrierOfGrid::wait(site); }
    static unsigned long long block_rank() {
        const simulated::uint3 at = simulated::blockIdx;
        const simulated::dim3 size = simulated::gridDim;
        return (at.z * std::uint64_t{size.y} + at.y) * size.x + at.x;
    }
    static unsigned long long num_blocks() {
        return std::uint64_t{simulated::gridDim.x} * simulated::gridDim.y * simulated::gridDim.z;
    }
    static unsigned long long thread_rank() {
        return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
    }
    static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
    static unsigned long long size() { return num_threads(); }
    static simulated::dim3 group_dim() { return simulated::gridDim; }
    static simulated::dim3 dim_blocks() { return simulated::gridDim; }
    static simulated::dim3 block_index() { return simulated::blockIdx; }
};
inline grid_group this_grid() {
    return {};
}

/// Lanes of a warp. Ranks number them from the lowest lane.
class lane_group : public thread_group {
  public:
    explicit lane_group(unsigned mask) : thread_group(Kind::lanes, mask) {}

    void sync(const Site& site = Site::current()) const { simulated::__syncwarp(mask_, site); }
    unsigned thread_rank() const { return rank_of(lane()); }
    unsigned num_threads() const { return static_cast<unsigned>(std::popcount(mask_)); }
    unsigned size() const { return num_threads(); }
    template <typename T>
    T shfl(T value, unsigned rank, const Site& site = Site::current()) const {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32,
                      "a shuffle takes trivially copyable values of up to 32 bytes");
        std::array<std::uint64_t, (sizeof(T) + 7) / 8> words{};
        std::memcpy(words.data(), &value, sizeof value);
        for (std::uint64_t& word : words)
            word = simulated::__shfl_sync(mask_, word, static_cast<int>(lane_of(rank % num_threads())),
                                          /*width=*/32, site);
        std::memcpy(&value, words.data(), sizeof value);
        return value;
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

    /// The lanes of the group in whose ranks `size` goes equally often as in the caller's.
    unsigned lanes_of_tile(unsigned size) const {
        unsigned lanes = 0;
        for (unsigned rest = mask_; rest != 0; rest &= rest - 1) {
            const auto each = static_cast<unsigned>(std::countr_zero(rest));
            if (rank_of(each) / size == thread_rank() / size) lanes |= 1U << each;
        }
        return lanes;
    }
    template <typename T>
    unsigned lanes_of_label(T label, const Site& site) const {
        return simulated::__match_any_sync(mask_, label, site);
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
};

class coalesced_group : public lane_group {
    using lane_group::lane_group;
};
inline coalesced_group coalesced_threads(const Site& site = Site::current()) {
    return coalesced_group(simulated::active_lanes(site));
}

template <unsigned Size, typename ParentT = void>
class thread_block_tile : public lane_group {
    static_assert(Size <= 32 && std::has_single_bit(Size),
                  "on the simulated GPU, a tile has 1, 2, 4, 8, 16 or 32 threads");

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

inline thread_group tiled_partition(const thread_group& parent, unsigned size,
                                    const Site& site = Site::current()) {
    return parent.tile(size, site);
}
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
    return coalesced_group(parent.lanes_of_tile(size));
}
/// The lanes of the group with the same label as the caller.
template <typename T>
coalesced_group labeled_partition(const lane_group& group, T label, const Site& site = Site::current()) {
    return coalesced_group(group.lanes_of_label(label, site));
}
inline coalesced_group binary_partition(const lane_group& group, bool label,
                                        const Site& site = Site::current()) {
    return labeled_partition(group, label, site);
}

/// The memory of larger tiles.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
    static_assert(MaxBlockSize == 0, "the simulated GPU has no tiles of more than 32 threads");
};

inline thread_group thread_group::tile(unsigned size, const Site& site) const {
    if (size > 32 || !std::has_single_bit(size))
        simulated::fail_at("on the simulated GPU, a tile has 1, 2, 4, 8, 16 or 32 threads", site);
    if (kind_ == Kind::lanes) return lane_group(lane_group(mask_).lanes_of_tile(size));
    const unsigned rest = thread_block::num_threads() - thread_block::thread_rank() / 32 * 32;
    return lane_group(lane_group(rest >= 32 ? ~0U : (1U << rest) - 1).lanes_of_tile(size));
}
inline void thread_group::sync(const Site& site) const {
    if (kind_ == Kind::grid) return grid_group::sync(site);
    if (kind_ == Kind::block) return thread_block::sync(site);
    lane_group(mask_).sync(site);
}
inline unsigned long long thread_group::thread_rank() const {
    if (kind_ == Kind::grid) return grid_group::thread_rank();
    return kind_ == Kind::block ? thread_block::thread_rank() : lane_group(mask_).thread_rank();
}
inline unsigned long long thread_group::num_threads() const {
    if (kind_ == Kind::grid) return grid_group::num_threads();
    return kind_ == Kind::block ? thread_block::num_threads() : lane_group(mask_).num_threads();
}

template <typename GroupT>
void sync(const GroupT& group, const Site& site = Site::current()) {
    group.sync(site);
}

}  // namespace cooperative_groups
