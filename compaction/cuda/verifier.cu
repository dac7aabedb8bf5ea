// The device verifier. Each warp checks a chunk of the stream in rows of 32 items: it ranks kept items by
// ballots, adds sums lane by lane, and compares each item with the one at its position in the output. The
// code is simple on purpose and shares neither kernels nor scans with the algorithms it checks.
#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>

#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/warp.cuh"
#include "compaction/error.hpp"
#include "cuda/engine.hpp"

namespace compaction::cuda {
namespace {

constexpr unsigned chunk_items = 2048;
constexpr unsigned threads_per_block = 256;
constexpr std::uint64_t none = ~std::uint64_t{0};

/// The first index at which the expected and the actual output differ, or `none`, and the first differing
/// words of the two items there.
struct Difference {
    std::uint64_t index = none;
    Item expected = 0;
    Item actual = 0;
};

/// The result for the host.
struct Finding {
    std::uint64_t expected_count;
    std::uint64_t actual_count;
    std::uint64_t expected_bag;  ///< sums of hashes
    std::uint64_t actual_bag;
    Difference first;
};

__device__ std::uint64_t chunk_of_warp() {
    return std::uint64_t{blockIdx.x} * (threads_per_block / warp_size) + warp_in_block();
}

/// The index in the stream of this lane's item in the row that begins at item `row_begin` of a chunk.
__device__ std::uint64_t index_of_lane(std::uint64_t chunk, unsigned row_begin) {
    return chunk * chunk_items + row_begin + lane_index();
}

__device__ Item word_of(Item item, std::size_t) {
    return item;
}
template <std::size_t Words>
__device__ Item word_of(const WideItem<Words>& item, std::size_t word) {
    return item.word[word];
}

/// The sum over all lanes and the sum over the lanes before this one, added lane by lane.
template <typename T>
struct LaneSums {
    T before = 0;
    T total = 0;

    __device__ explicit LaneSums(T value_of_this_lane) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const T value = __shfl_sync(all_lanes, value_of_this_lane, lane);
            if (lane < lane_index()) before += value;
            total += value;
        }
    }
};

/// The number of kept items of each chunk. counts: [num_chunks].
template <typename ItemT>
__global__ void count_chunks(const ItemT* in, std::uint64_t num_items, std::uint64_t num_chunks,
                             std::uint64_t* counts, Predicate keep) {
    const std::uint64_t chunk = chunk_of_warp();
    if (chunk >= num_chunks) return;
    unsigned count = 0;
    for (unsigned row_begin = 0; row_begin < chunk_items; row_begin += warp_size) {
        const std::uint64_t i = index_of_lane(chunk, row_begin);
        count += __popc(__ballot_sync(all_lanes, i < num_items && keep(in[i])));
    }
    if (lane_index() == 0) counts[chunk] = count;
}

/// The sum of the items of each chunk. sums: [num_chunks].
__global__ void sum_chunks(const Item* in, std::uint64_t num_items, std::uint64_t num_chunks,
                           std::uint64_t* sums) {
    const std::uint64_t chunk = chunk_of_warp();
    if (chunk >= num_chunks) return;
    std::uint64_t lane_sum = 0;
    for (unsigned row_begin = 0; row_begin < chunk_items; row_begin += warp_size) {
        const std::uint64_t i = index_of_lane(chunk, row_begin);
        if (i < num_items) lane_sum += in[i];
    }
    const LaneSums<std::uint64_t> sums_of_lanes(lane_sum);
    if (lane_index() == 0) sums[chunk] = sums_of_lanes.total;
}

/// Exclusive scan of the values of all chunks, in place. One warp: slow and simple.
__global__ void scan_chunks(std::uint64_t* values, std::uint64_t num_chunks, std::uint64_t* total) {
    std::uint64_t before = 0;
    for (std::uint64_t first = 0; first < num_chunks; first += warp_size) {
        const std::uint64_t chunk = first + lane_index();
        const LaneSums<std::uint64_t> sums(chunk < num_chunks ? values[chunk] : 0);
        if (chunk < num_chunks) values[chunk] = before + sums.before;
        before += sums.total;
    }
    if (lane_index() == 0) *total = before;
}

/// The difference of the first lane whose two items differ. All lanes call; a lane without a comparison
/// passes the same item twice.
template <typename ItemT>
__device__ Difference first_difference_in_row(std::uint64_t index, const ItemT& expected,
                                              const ItemT& actual) {
    Difference lane_difference;
#pragma unroll
    for (std::size_t word = 0; word < sizeof(ItemT) / sizeof(Item); ++word) {
        const bool differs = word_of(expected, word) != word_of(actual, word);
        if (differs && lane_difference.index == none)
            lane_difference = {index, word_of(expected, word), word_of(actual, word)};
    }
    const unsigned differing_mask = __ballot_sync(all_lanes, lane_difference.index != none);
    if (!differing_mask) return {};
    const int first_lane = __ffs(static_cast<int>(differing_mask)) - 1;
    return {__shfl_sync(all_lanes, lane_difference.index, first_lane),
            __shfl_sync(all_lanes, lane_difference.expected, first_lane),
            __shfl_sync(all_lanes, lane_difference.actual, first_lane)};
}

/// Compares every kept item with the item at its rank, up to the count of the output.
template <typename ItemT>
__global__ void compare_kept(const ItemT* in, std::uint64_t num_items, std::uint64_t num_chunks,
                             const ItemT* out, const std::uint64_t* num_selected,
                             const std::uint64_t* first_ranks, Difference* differences, Predicate keep) {
    const std::uint64_t chunk = chunk_of_warp();
    if (chunk >= num_chunks) return;
    const std::uint64_t num_written = min(*num_selected, num_items);
    std::uint64_t row_rank = first_ranks[chunk];
    Difference difference;
    for (unsigned row_begin = 0; row_begin < chunk_items && difference.index == none;
         row_begin += warp_size) {
        const std::uint64_t i = index_of_lane(chunk, row_begin);
        const ItemT item = i < num_items ? in[i] : ItemT{};
        const unsigned kept_mask = __ballot_sync(all_lanes, i < num_items && keep(item));
        const std::uint64_t rank = row_rank + __popc(kept_mask & ((1U << lane_index()) - 1));
        const bool compared = (kept_mask >> lane_index() & 1) && rank < num_written;
        ItemT actual = item;
        if (compared) actual = out[rank];
        difference = first_difference_in_row(rank, item, actual);
        row_rank += __popc(kept_mask);
    }
    if (lane_index() == 0) differences[chunk] = difference;
}

/// Compares every item with the item at the same index of the output.
template <typename ItemT>
__global__ void compare_copies(const ItemT* in, std::uint64_t num_items, std::uint64_t num_chunks,
                               const ItemT* out, Difference* differences) {
    const std::uint64_t chunk = chunk_of_warp();
    if (chunk >= num_chunks) return;
    Difference difference;
    for (unsigned row_begin = 0; row_begin < chunk_items && difference.index == none;
         row_begin += warp_size) {
        const std::uint64_t i = index_of_lane(chunk, row_begin);
        const ItemT item = i < num_items ? in[i] : ItemT{};
        ItemT actual = item;
        if (i < num_items) actual = out[i];
        difference = first_difference_in_row(i, item, actual);
    }
    if (lane_index() == 0) differences[chunk] = difference;
}

/// Compares the sum of the items before each item with the output at its index, modulo 2^32.
__global__ void compare_sums(const Item* in, std::uint64_t num_items, std::uint64_t num_chunks,
                             const Item* out, const std::uint64_t* sums_before, Difference* differences) {
    const std::uint64_t chunk = chunk_of_warp();
    if (chunk >= num_chunks) return;
    auto before_row = static_cast<Item>(sums_before[chunk]);
    Difference difference;
    for (unsigned row_begin = 0; row_begin < chunk_items && difference.index == none;
         row_begin += warp_size) {
        const std::uint64_t i = index_of_lane(chunk, row_begin);
        const LaneSums<Item> sums(i < num_items ? in[i] : 0);
        const Item expected = before_row + sums.before;
        Item actual = expected;
        if (i < num_items) actual = out[i];
        difference = first_difference_in_row(i, expected, actual);
        before_row += sums.total;
    }
    if (lane_index() == 0) differences[chunk] = difference;
}

/// 64 bits that depend on every bit of an item. Source: Steele, Lea and Flood (2014), "Fast splittable
/// pseudorandom number generators", figure 17.
template <typename ItemT>
__device__ std::uint64_t hash_of(const ItemT& item) {
    std::uint64_t hash = 0;
#pragma unroll
    for (std::size_t word = 0; word < sizeof(ItemT) / sizeof(Item); ++word) {
        hash = (hash + word_of(item, word) + 1) * 0x9e3779b97f4a7c15U;
        hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
        hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
        hash ^= hash >> 31;
    }
    return hash;
}

/// Adds the hashes of items to `bag`: of the kept items of the input or, if `num_selected` is given, of
/// that many items of the output. Sums of hashes do not depend on the order.
template <typename ItemT>
__global__ void hash_bag(const ItemT* items, std::uint64_t num_items, std::uint64_t num_chunks,
                         const std::uint64_t* num_selected, Predicate keep, std::uint64_t* bag) {
    const std::uint64_t chunk = chunk_of_warp();
    if (chunk >= num_chunks) return;
    const std::uint64_t limit = num_selected ? min(*num_selected, num_items) : num_items;
    std::uint64_t lane_bag = 0;
    for (unsigned row_begin = 0; row_begin < chunk_items; row_begin += warp_size) {
        const std::uint64_t i = index_of_lane(chunk, row_begin);
        if (i < limit && (num_selected || keep(items[i]))) lane_bag += hash_of(items[i]);
    }
    const LaneSums<std::uint64_t> sums(lane_bag);
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    if (lane_index() == 0) atomicAdd(reinterpret_cast<unsigned long long*>(bag), sums.total);
}

/// Reports the difference of the first chunk that has one. Launched with one warp.
/// num_selected: [1] or null.
__global__ void report(const Difference* differences, std::uint64_t num_chunks,
                       const std::uint64_t* num_selected, Finding* finding) {
    Difference first;
    for (std::uint64_t start = 0; start < num_chunks && first.index == none; start += warp_size) {
        const std::uint64_t chunk = start + lane_index();
        const Difference lane_difference = chunk < num_chunks ? differences[chunk] : first;
        const unsigned differing_mask = __ballot_sync(all_lanes, lane_difference.index != none);
        if (differing_mask) {
            const int first_lane = __ffs(static_cast<int>(differing_mask)) - 1;
            first = {__shfl_sync(all_lanes, lane_difference.index, first_lane),
                     __shfl_sync(all_lanes, lane_difference.expected, first_lane),
                     __shfl_sync(all_lanes, lane_difference.actual, first_lane)};
        }
    }
    if (lane_index() != 0) return;
    finding->first = first;
    finding->actual_count = num_selected ? *num_selected : 0;
}

std::uint64_t chunks_of(std::uint64_t num_items) {
    return (num_items + chunk_items - 1) / chunk_items;
}

template <typename ItemT>
class DeviceVerifier final : public Verifier {
  public:
    DeviceVerifier(cudaStream_t stream, Comparison comparison)
        : stream_(stream), comparison_(comparison), finding_(1), host_finding_(1) {}

    void reserve(std::uint64_t max_items) override {
        if (max_items <= reserved_items_) return;
        reserved_items_ = 0;  // the old memory is freed before the allocation, which may fail
        before_chunk_.grow_to(chunks_of(max_items));
        differences_.grow_to(chunks_of(max_items));
        reserved_items_ = max_items;
    }

    bool enqueue(std::uint64_t run, const void* in, std::uint64_t num_items, const void* out,
                 const std::uint64_t* num_selected, Predicate keep) override {
        if (awaited_) return false;
        if (num_items > reserved_items_) {
            throw Error(ErrorCode::invalid_argument, "The verifier was given " + std::to_string(num_items) +
                                                         " items but has room for " +
                                                         std::to_string(reserved_items_) +
                                                         ". Call reserve with the longest stream first.");
        }
        check(cudaMemsetAsync(finding_.data(), 0, sizeof(Finding), stream_), "cudaMemsetAsync");
        enqueue_comparison(static_cast<const ItemT*>(in), num_items, static_cast<const ItemT*>(out),
                           num_selected, keep);
        const std::uint64_t num_compared = compares_positions() ? chunks_of(num_items) : 0;
        check(detail::launch(report, {1, warp_size, 0, stream_}, differences_.data(), num_compared,
                             selects() ? num_selected : nullptr, finding_.data()),
              "report");
        check(cudaMemcpyAsync(host_finding_.data(), finding_.data(), sizeof(Finding), cudaMemcpyDeviceToHost,
                              stream_),
              "cudaMemcpyAsync of the verdict");
        finished_.record(stream_);
        awaited_ = true;
        run_ = run;
        num_items_ = num_items;
        return true;
    }

    std::optional<Verdict> poll() override {
        if (!awaited_ || !finished_.ready()) return std::nullopt;
        awaited_ = false;
        const Finding& finding = *host_finding_.data();
        Verdict verdict;
        verdict.run = run_;
        verdict.expected_count = selects() ? finding.expected_count : num_items_;
        verdict.actual_count = selects() ? finding.actual_count : num_items_;
        if (finding.first.index != none) {
            verdict.first_wrong = finding.first.index;
            verdict.expected_item = finding.first.expected;
            verdict.actual_item = finding.first.actual;
        }
        // If the counts differ, they already report the failure.
        verdict.other_items = comparison_ == Comparison::any_order &&
                              verdict.expected_count == verdict.actual_count &&
                              finding.expected_bag != finding.actual_bag;
        return verdict;
    }

  private:
    bool selects() const {
        return comparison_ != Comparison::copy && comparison_ != Comparison::exclusive_sums;
    }
    bool compares_positions() const {
        return comparison_ != Comparison::any_order && comparison_ != Comparison::count;
    }

    /// Launches a kernel with a warp for every chunk of the stream.
    template <typename... Parameters, typename... Arguments>
    void launch_over_chunks(const char* name,
                            void (*kernel)(const ItemT*, std::uint64_t, std::uint64_t, Parameters...),
                            const ItemT* items, std::uint64_t num_items, Arguments... arguments) {
        const std::uint64_t num_chunks = chunks_of(num_items);
        if (num_chunks == 0) return;
        constexpr unsigned warps_in_block = threads_per_block / warp_size;
        const auto blocks = static_cast<unsigned>((num_chunks + warps_in_block - 1) / warps_in_block);
        check(detail::launch(kernel, {blocks, threads_per_block, 0, stream_}, items, num_items, num_chunks,
                             arguments...),
              name);
    }

    void enqueue_scan(std::uint64_t num_items) {
        check(detail::launch(scan_chunks, {1, warp_size, 0, stream_}, before_chunk_.data(),
                             chunks_of(num_items), &finding_.data()->expected_count),
              "scan_chunks");
    }

    void enqueue_comparison(const ItemT* in, std::uint64_t num_items, const ItemT* out,
                            const std::uint64_t* num_selected, Predicate keep) {
        if (selects()) {
            launch_over_chunks("count_chunks", count_chunks<ItemT>, in, num_items, before_chunk_.data(),
                               keep);
            enqueue_scan(num_items);
        }
        switch (comparison_) {
            case Comparison::in_order:
                launch_over_chunks("compare_kept", compare_kept<ItemT>, in, num_items, out, num_selected,
                                   before_chunk_.data(), differences_.data(), keep);
                break;
            case Comparison::any_order:
                launch_over_chunks("hash_bag", hash_bag<ItemT>, in, num_items, /*num_selected=*/nullptr, keep,
                                   &finding_.data()->expected_bag);
                launch_over_chunks("hash_bag", hash_bag<ItemT>, out, num_items, num_selected, keep,
                                   &finding_.data()->actual_bag);
                break;
            case Comparison::copy:
                launch_over_chunks("compare_copies", compare_copies<ItemT>, in, num_items, out,
                                   differences_.data());
                break;
            case Comparison::exclusive_sums:
                if constexpr (std::is_same_v<ItemT, Item>) {
                    launch_over_chunks("sum_chunks", sum_chunks, in, num_items, before_chunk_.data());
                    enqueue_scan(num_items);
                    launch_over_chunks("compare_sums", compare_sums, in, num_items, out, before_chunk_.data(),
                                       differences_.data());
                }
                break;
            case Comparison::count:
                break;
        }
    }

    cudaStream_t stream_;
    Comparison comparison_;
    DeviceBuffer<std::uint64_t> before_chunk_;  ///< [chunks] the value of each chunk, then the sum before it
    DeviceBuffer<Difference> differences_;      ///< [chunks]
    DeviceBuffer<Finding> finding_;
    PinnedBuffer<Finding> host_finding_;
    Event finished_;
    bool awaited_ = false;
    std::uint64_t run_ = 0;
    std::uint64_t num_items_ = 0;  ///< in the run
    std::uint64_t reserved_items_ = 0;
};

}  // namespace

std::unique_ptr<Verifier> make_device_verifier(cudaStream_t stream, Comparison comparison,
                                               ItemSize item_size) {
    if (comparison == Comparison::exclusive_sums && item_size != ItemSize::bytes_4) {
        throw Error(ErrorCode::invalid_argument, "Sums exist only for 4-byte items.");
    }
    return visit_item_type(item_size, [&]<typename ItemT>(std::type_identity<ItemT>) {
        return std::unique_ptr<Verifier>(std::make_unique<DeviceVerifier<ItemT>>(stream, comparison));
    });
}

}  // namespace compaction::cuda
