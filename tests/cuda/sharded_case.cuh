#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "compaction/sharded_call.hpp"
#include "tests/cuda/select_fixture.cuh"

/// Random selections over sharded arrays, and what must come of them. Every rank can compute a whole case
/// from its seed.
namespace sharded_testing {

using compaction::ShardedArrays;
using compaction::ShardedCounts;
using compaction::ShardedPlan;
using compaction::ShardedResult;
using compaction::ShardedStatus;
using compaction::ShardedTarget;
using select_testing::Record;

using Keep = select_testing::Below;
inline constexpr Keep keep{select_testing::keep_half};

/// Items behind an output that no call may write to.
inline constexpr std::uint64_t margin = 64;
inline constexpr int untouched = 0xa5;

template <int Words>
std::vector<Record<Words>> items_of(std::uint64_t seed, std::uint64_t num_items, double density) {
    std::mt19937_64 random(seed);
    const auto limit = static_cast<std::uint32_t>(density * 4294967295.0);
    std::vector<Record<Words>> items(num_items);
    for (Record<Words>& item : items) {
        const std::uint64_t bits = random();
        const bool kept = density >= 1 || static_cast<std::uint32_t>(bits) < limit;
        for (std::uint32_t& word : item.word) word = static_cast<std::uint32_t>(bits >> 32) * 2654435761U;
        // The predicate of all ranks is the same; the density of a rank is in its items.
        item.word[0] = static_cast<std::uint32_t>(bits >> 33) | (kept ? 0 : select_testing::keep_half);
    }
    return items;
}

template <int Words>
struct Case {
    ShardedTarget target{ShardedResult::sharded};
    bool in_place = false;                          ///< the output is the input
    std::vector<std::vector<Record<Words>>> items;  ///< input of each rank
    std::vector<std::uint64_t> capacities;
    std::vector<std::vector<Record<Words>>> stored;  ///< expected output of each rank
    std::vector<ShardedCounts> counts;

    Case(std::uint64_t seed, unsigned num_ranks, std::uint64_t max_items) {
        std::mt19937_64 random(seed);
        const auto below = [&](std::uint64_t limit) { return random() % limit; };
        target.result = static_cast<ShardedResult>(below(3));
        target.root = static_cast<unsigned>(below(num_ranks));
        target.in_state = target.result == ShardedResult::balanced && below(2) == 0;
        in_place = target.result != ShardedResult::sharded && below(3) == 0;
        const bool skewed = below(4) == 0;
        const std::uint64_t only = below(num_ranks);
        std::vector<std::uint64_t> kept;
        std::vector<Record<Words>> all;
        for (unsigned rank = 0; rank < num_ranks; ++rank) {
            const std::uint64_t longest[] = {0, 40, 5000, max_items};
            const std::uint64_t num_items =
                below(std::min(longest[below(16) ? 1 + below(2) : below(2) * 3], max_items) + 1);
            const double densities[] = {0, 1, 0.5, 0.01, static_cast<double>(below(1000)) / 1000};
            const double density = skewed ? (rank == only ? 1 : 0) : densities[below(5)];
            items.push_back(items_of<Words>(random(), num_items, density));
            const std::size_t before = all.size();
            for (const Record<Words>& item : items.back()) {
                if (keep(item)) all.push_back(item);
            }
            kept.push_back(all.size() - before);
        }
        const std::vector<std::uint64_t> offsets = compaction::offsets_of(kept);
        const ShardedPlan plan{target.result, num_ranks, target.root, offsets.data()};
        const bool roomy = below(2) == 0;
        const std::uint64_t too_short = below(12) ? num_ranks : below(num_ranks);
        ShardedStatus status = ShardedStatus::ok;
        for (unsigned rank = 0; rank < num_ranks; ++rank) {
            const compaction::ItemRange range = plan.stored_by(rank);
            std::uint64_t capacity = roomy ? std::max<std::uint64_t>(range.size(), items[rank].size())
                                           : range.size() + below(3) * below(100);
            if (rank == too_short && range.size() && !target.in_state) {
                capacity = below(range.size());
                status = ShardedStatus::output_too_short;
            }
            capacities.push_back(capacity);
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(range.begin);
            stored.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(range.size()));
            counts.push_back({range.begin, range.size(), plan.total(), ShardedStatus::ok});
        }
        for (ShardedCounts& count : counts) count.status = status;
    }
};

/// The device memory of one rank, for one case after another.
template <int Words>
class RankArrays {
  public:
    /// max_items: of the parts and of the outputs, without margin
    RankArrays(std::uint64_t max_items, std::uint64_t max_stored)
        : out_size_(std::max(max_items, max_stored) + margin) {
        allocate(in_, max_items * sizeof(Record<Words>));
        allocate(out_, out_size_ * sizeof(Record<Words>));
        allocate(counts_, sizeof(ShardedCounts));
    }
    RankArrays(const RankArrays&) = delete;
    RankArrays& operator=(const RankArrays&) = delete;
    ~RankArrays() {
        for (void* const memory :
             {static_cast<void*>(in_), static_cast<void*>(out_), static_cast<void*>(counts_)}) {
            cudaFree(memory);
        }
    }

    /// Copies the rank's items and marks what must not be written, in the order of the stream.
    ShardedArrays<Record<Words>> prepare(const Case<Words>& of, unsigned rank, cudaStream_t stream) {
        const auto& items = of.items[rank];
        Record<Words>* const in = of.in_place ? out_ : in_;
        touched_ = std::min<std::uint64_t>(
            out_size_,
            std::max<std::uint64_t>({of.capacities[rank], of.counts[rank].num_stored, items.size()}) +
                margin);
        cudaMemsetAsync(out_, untouched, touched_ * sizeof(Record<Words>), stream);
        cudaMemsetAsync(counts_, untouched, sizeof(ShardedCounts), stream);
        cudaMemcpyAsync(in, items.data(), items.size() * sizeof(Record<Words>), cudaMemcpyHostToDevice,
                        stream);
        return {in, items.size(), out_, of.capacities[rank], counts_};
    }

    /// Describes the first error of a call; empty if it is correct. Synchronises the stream. kept: the items
    /// of the state, for results that stay there.
    std::string fault(const Case<Words>& of, unsigned rank, cudaStream_t stream, const Record<Words>* kept) {
        ShardedCounts counts;
        std::vector<Record<Words>> out(touched_);
        cudaMemcpyAsync(&counts, counts_, sizeof counts, cudaMemcpyDeviceToHost, stream);
        cudaMemcpyAsync(out.data(), out_, out.size() * sizeof(Record<Words>), cudaMemcpyDeviceToHost, stream);
        if (const cudaError_t error = cudaStreamSynchronize(stream)) return cudaGetErrorString(error);
        const ShardedCounts& right = of.counts[rank];
        if (counts.status != right.status) {
            return "status: " + std::string(name_of(counts.status)) + ", not " +
                   std::string(name_of(right.status));
        }
        if (counts.first != right.first || counts.num_stored != right.num_stored ||
            counts.total != right.total) {
            return "counts: " + std::to_string(counts.first) + ' ' + std::to_string(counts.num_stored) + ' ' +
                   std::to_string(counts.total) + ", not " + std::to_string(right.first) + ' ' +
                   std::to_string(right.num_stored) + ' ' + std::to_string(right.total);
        }
        if (of.target.in_state) {
            std::vector<Record<Words>> items(of.stored[rank].size());
            cudaMemcpyAsync(items.data(), kept + counts.begin, items.size() * sizeof(Record<Words>),
                            cudaMemcpyDeviceToHost, stream);
            if (const cudaError_t error = cudaStreamSynchronize(stream)) return cudaGetErrorString(error);
            if (items != of.stored[rank]) return "the items in the state are wrong";
        } else if (counts.begin != 0) {
            return "begin is not 0";
        }
        // A sharded output that is certainly long enough is written even if another one is too short.
        const bool written =
            (right.status == ShardedStatus::ok && !of.target.in_state) ||
            (of.target.result == ShardedResult::sharded && of.capacities[rank] >= of.items[rank].size());
        const std::size_t num_stored = written ? of.stored[rank].size() : 0;
        for (std::size_t i = 0; i < num_stored; ++i) {
            if (!(out[i] == of.stored[rank][i])) return "item " + std::to_string(i) + " is wrong";
        }
        for (std::size_t i = num_stored; i < out.size(); ++i) {
            const auto& items = of.items[rank];
            const bool is_input = of.in_place && i < items.size();
            if (is_input ? !(out[i] == items[i]) : out[i].word[0] != 0xa5a5a5a5U) {
                return "item " + std::to_string(i) + " behind the output was written";
            }
        }
        return {};
    }

  private:
    template <typename T>
    static void allocate(T*& memory, std::size_t bytes) {
        if (cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)) != cudaSuccess) memory = nullptr;
    }

    std::uint64_t out_size_;
    std::uint64_t touched_ = 0;
    Record<Words>* in_ = nullptr;
    Record<Words>* out_ = nullptr;
    ShardedCounts* counts_ = nullptr;
};

/// Keeps the stream busy.
template <int = 0>
__global__ void delay(unsigned long long ns) {
    const unsigned long long end = compaction::cuda::detail::timer_ns() + ns;
    while (compaction::cuda::detail::timer_ns() < end) {
    }
}

}  // namespace sharded_testing
