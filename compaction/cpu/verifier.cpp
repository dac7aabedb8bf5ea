#include "cpu/verifier.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "compaction/error.hpp"

namespace compaction::cpu {
namespace {

constexpr std::uint64_t chunk_items = 65'536;

using ChunkRange = tbb::blocked_range<std::uint64_t>;

/// A place where output and reference differ.
struct Difference {
    std::uint64_t rank = std::numeric_limits<std::uint64_t>::max();
    Item expected = 0;
};

/// Where the stream, its result and the ranks of its chunks lie, for the two parallel passes.
struct Comparison {
    const Item* in;
    std::uint64_t num_items;
    const Item* out;
    Keep keep;
    std::uint64_t* chunk_ranks;

    std::uint64_t num_chunks() const { return (num_items + chunk_items - 1) / chunk_items; }
    const Item* chunk_begin(std::uint64_t chunk) const { return in + chunk * chunk_items; }
    const Item* chunk_end(std::uint64_t chunk) const {
        return in + std::min(num_items, (chunk + 1) * chunk_items);
    }

    /// Leaves in chunk_ranks the rank of the first kept item of each chunk; returns how many are kept in all.
    std::uint64_t rank_chunks() const {
        tbb::parallel_for(ChunkRange(0, num_chunks()), [this](const ChunkRange& chunks) {
            for (std::uint64_t chunk = chunks.begin(); chunk != chunks.end(); ++chunk) {
                const auto kept = std::count_if(chunk_begin(chunk), chunk_end(chunk), keep);
                chunk_ranks[chunk] = static_cast<std::uint64_t>(kept);
            }
        });
        std::uint64_t total = 0;
        for (std::uint64_t chunk = 0; chunk < num_chunks(); ++chunk) {
            total += std::exchange(chunk_ranks[chunk], total);
        }
        return total;
    }

    /// The first kept item of a chunk that is not at its rank, among the ranks below `limit`.
    Difference first_difference_in(std::uint64_t chunk, std::uint64_t limit) const {
        std::uint64_t rank = chunk_ranks[chunk];
        for (const Item* item = chunk_begin(chunk); item != chunk_end(chunk); ++item) {
            if (!keep(*item)) continue;
            if (rank >= limit) break;
            if (out[rank] != *item) return {rank, *item};
            ++rank;
        }
        return {};
    }

    Difference first_difference(std::uint64_t limit) const {
        const auto earlier = [](const Difference& a, const Difference& b) {
            return a.rank <= b.rank ? a : b;
        };
        return tbb::parallel_reduce(
            ChunkRange(0, num_chunks()), Difference{},
            [&](const ChunkRange& chunks, Difference first) {
                for (std::uint64_t chunk = chunks.begin(); chunk != chunks.end(); ++chunk) {
                    first = earlier(first, first_difference_in(chunk, limit));
                }
                return first;
            },
            earlier);
    }
};

}  // namespace

void ChunkVerifier::reserve(std::uint64_t max_items) {
    if (max_items <= max_items_) return;
    const std::uint64_t chunks = (max_items + chunk_items - 1) / chunk_items;
    chunk_ranks_ = engine_.allocate(chunks * sizeof(std::uint64_t));
    max_items_ = max_items;
}

bool ChunkVerifier::enqueue(std::uint64_t run, const Item* in, std::uint64_t num_items, const Item* out,
                            const std::uint64_t* num_selected, Keep keep) {
    if (verdict_) return false;
    if (num_items > max_items_) {
        throw Error(ErrorCode::invalid_argument, "The verifier was given " + std::to_string(num_items) +
                                                     " items but has room for " + std::to_string(max_items_) +
                                                     ". Call reserve with the longest stream first.");
    }
    const Comparison comparison{in, num_items, out, keep, chunk_ranks_.as<std::uint64_t>()};
    Verdict verdict;
    verdict.run = run;
    verdict.actual_count = *num_selected;
    verdict.expected_count = comparison.rank_chunks();
    // What lies in `out` beyond the actual count was never written, so it is not read.
    const Difference first =
        comparison.first_difference(std::min(verdict.expected_count, verdict.actual_count));
    if (first.rank < verdict.expected_count) {
        verdict.first_wrong = first.rank;
        verdict.expected_item = first.expected;
        verdict.actual_item = out[first.rank];
    }
    verdict_ = verdict;
    return true;
}

std::optional<Verdict> ChunkVerifier::poll() {
    return std::exchange(verdict_, std::nullopt);
}

}  // namespace compaction::cpu
