#include "cpu/engine.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "compaction/error.hpp"
#include "cpu/workers.hpp"

namespace compaction::cpu {
namespace {

constexpr std::uint64_t chunk_items = 65'536;
constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

/// The first difference between output and reference.
template <typename ItemT>
struct Difference {
    std::uint64_t index = none;
    ItemT expected{};
};

/// 64 bits that depend on every bit of an item. Source: Steele, Lea and Flood (2014), "Fast splittable
/// pseudorandom number generators", figure 17.
template <typename ItemT>
std::uint64_t hash_of(const ItemT& item) {
    std::uint64_t hash = 0;
    for (const Item word : std::bit_cast<std::array<Item, sizeof(ItemT) / sizeof(Item)>>(item)) {
        hash = (hash + word + 1) * 0x9e3779b97f4a7c15U;
        hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
        hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
        hash ^= hash >> 31;
    }
    return hash;
}

/// A stream and the output of its compaction.
template <typename ItemT>
struct CheckedStream {
    const ItemT* in;
    std::uint64_t num_items;
    const ItemT* out;
    Predicate keep;

    std::uint64_t num_chunks() const { return ceil_div(num_items, chunk_items); }
    std::uint64_t chunk_begin(std::uint64_t chunk) const { return chunk * chunk_items; }
    std::uint64_t chunk_end(std::uint64_t chunk) const {
        return std::min(num_items, (chunk + 1) * chunk_items);
    }

    /// Writes the exclusive scan of value_of(chunk) to `before` [num_chunks]; returns the total.
    template <typename ValueOf>
    std::uint64_t scan_chunks(std::uint64_t* before, ValueOf value_of) const {
        for_each_index(num_chunks(), [&](std::uint64_t chunk) { before[chunk] = value_of(chunk); });
        std::uint64_t total = 0;
        for (std::uint64_t chunk = 0; chunk < num_chunks(); ++chunk) {
            total += std::exchange(before[chunk], total);
        }
        return total;
    }

    /// Writes the rank of the first kept item of each chunk; returns the number of kept items.
    std::uint64_t rank_chunks(std::uint64_t* first_ranks) const {
        return scan_chunks(first_ranks, [this](std::uint64_t chunk) {
            return static_cast<std::uint64_t>(
                std::count_if(in + chunk_begin(chunk), in + chunk_end(chunk), keep));
        });
    }

    /// The first of the differences that `find_in_chunk` finds.
    template <typename FindInChunk>
    Difference<ItemT> first_difference(FindInChunk find_in_chunk) const {
        Difference<ItemT> first;
        std::mutex first_mutex;
        for_each_index(num_chunks(), [&](std::uint64_t chunk) {
            const Difference<ItemT> found = find_in_chunk(chunk);
            if (found.index == none) return;
            const std::lock_guard lock(first_mutex);
            if (found.index < first.index) first = found;
        });
        return first;
    }

    /// The first kept item of a chunk that is not at its rank, for ranks below `limit`.
    Difference<ItemT> first_out_of_order(std::uint64_t chunk, std::uint64_t rank, std::uint64_t limit) const {
        for (std::uint64_t i = chunk_begin(chunk); i < chunk_end(chunk); ++i) {
            if (!keep(in[i])) continue;
            if (rank >= limit) break;
            if (!(out[rank] == in[i])) return {rank, in[i]};
            ++rank;
        }
        return {};
    }

    Difference<ItemT> first_not_copied(std::uint64_t chunk) const {
        for (std::uint64_t i = chunk_begin(chunk); i < chunk_end(chunk); ++i) {
            if (!(out[i] == in[i])) return {i, in[i]};
        }
        return {};
    }
};

/// The sum of the hashes of those `items` [num_items] that `includes` accepts; independent of their order.
template <typename ItemT, typename Includes>
std::uint64_t unordered_hash(const ItemT* items, std::uint64_t num_items, Includes includes) {
    std::atomic<std::uint64_t> hash{0};
    for_each_index(ceil_div(num_items, chunk_items), [&](std::uint64_t chunk) {
        std::uint64_t sum = 0;
        const std::uint64_t end = std::min(num_items, (chunk + 1) * chunk_items);
        for (std::uint64_t i = chunk * chunk_items; i < end; ++i) {
            if (includes(items[i])) sum += hash_of(items[i]);
        }
        // Relaxed: the end of the parallel loop orders all additions before the load.
        hash.fetch_add(sum, std::memory_order_relaxed);
    });
    return hash.load(std::memory_order_relaxed);
}

template <typename ItemT>
void note_difference(Verdict& verdict, const Difference<ItemT>& difference, const ItemT& actual) {
    verdict.first_wrong = difference.index;
    const auto expected_words =
        std::bit_cast<std::array<Item, sizeof(ItemT) / sizeof(Item)>>(difference.expected);
    const auto actual_words = std::bit_cast<std::array<Item, sizeof(ItemT) / sizeof(Item)>>(actual);
    const auto [expected, found] = std::ranges::mismatch(expected_words, actual_words);
    verdict.expected_item = *expected;
    verdict.actual_item = *found;
}

template <typename ItemT>
class ChunkVerifier final : public Verifier {
  public:
    ChunkVerifier(Engine& engine, Comparison comparison) : engine_(engine), comparison_(comparison) {}

    void reserve(std::uint64_t max_items) override {
        if (max_items <= max_items_) return;
        const std::uint64_t chunks = ceil_div(max_items, chunk_items);
        before_chunk_ = engine_.allocate(chunks * sizeof(std::uint64_t));
        max_items_ = max_items;
    }

    bool enqueue(std::uint64_t run, const void* in, std::uint64_t num_items, const void* out,
                 const std::uint64_t* num_selected, Predicate keep) override {
        if (verdict_) return false;
        if (num_items > max_items_) {
            throw Error(ErrorCode::invalid_argument,
                        "The verifier was given " + std::to_string(num_items) + " items but " +
                            std::to_string(max_items_) +
                            " were reserved. Call reserve with the longest stream first.");
        }
        verdict_ = compare({static_cast<const ItemT*>(in), num_items, static_cast<const ItemT*>(out), keep},
                           num_selected);
        verdict_->run = run;
        return true;
    }

    std::optional<Verdict> poll() override { return std::exchange(verdict_, std::nullopt); }

  private:
    Verdict compare(const CheckedStream<ItemT>& stream, const std::uint64_t* num_selected) const {
        auto* const before = before_chunk_.as<std::uint64_t>();
        const bool selects = comparison_ != Comparison::copy && comparison_ != Comparison::exclusive_sums;
        Verdict verdict;
        verdict.expected_count = selects ? stream.rank_chunks(before) : stream.num_items;
        verdict.actual_count = selects ? *num_selected : stream.num_items;
        // `out` is unwritten beyond the actual count.
        const std::uint64_t limit = std::min(verdict.expected_count, verdict.actual_count);
        Difference<ItemT> first;
        switch (comparison_) {
            case Comparison::in_order:
                first = stream.first_difference([&](std::uint64_t chunk) {
                    return stream.first_out_of_order(chunk, before[chunk], limit);
                });
                break;
            case Comparison::copy:
                first = stream.first_difference(
                    [&](std::uint64_t chunk) { return stream.first_not_copied(chunk); });
                break;
            case Comparison::exclusive_sums:
                first = first_wrong_sum(stream, before);
                break;
            case Comparison::any_order:
                verdict.other_items =
                    verdict.expected_count == verdict.actual_count &&
                    unordered_hash(stream.in, stream.num_items, stream.keep) !=
                        unordered_hash(stream.out, verdict.actual_count, [](const ItemT&) { return true; });
                break;
            case Comparison::count:
                break;
        }
        if (first.index != none) {
            note_difference(verdict, first, stream.out[first.index]);
        }
        return verdict;
    }

    /// Only for 4-byte items; make_chunk_verifier refuses others.
    static Difference<ItemT> first_wrong_sum(const CheckedStream<ItemT>& stream, std::uint64_t* before) {
        if constexpr (std::is_same_v<ItemT, Item>) {
            stream.scan_chunks(before, [&](std::uint64_t chunk) {
                Item sum = 0;
                for (std::uint64_t i = stream.chunk_begin(chunk); i < stream.chunk_end(chunk); ++i) {
                    sum += stream.in[i];
                }
                return sum;
            });
            return stream.first_difference([&](std::uint64_t chunk) -> Difference<ItemT> {
                auto sum = static_cast<Item>(before[chunk]);
                for (std::uint64_t i = stream.chunk_begin(chunk); i < stream.chunk_end(chunk); ++i) {
                    if (stream.out[i] != sum) return {i, sum};
                    sum += stream.in[i];
                }
                return {};
            });
        }
        return {};
    }

    Engine& engine_;
    Comparison comparison_;
    Buffer before_chunk_;  ///< [chunks] sums per chunk, then their exclusive scan
    std::uint64_t max_items_ = 0;
    std::optional<Verdict> verdict_;
};

}  // namespace

std::unique_ptr<Verifier> make_chunk_verifier(Engine& engine, Comparison comparison, ItemSize item_size) {
    if (comparison == Comparison::exclusive_sums && item_size != ItemSize::bytes_4) {
        throw Error(ErrorCode::invalid_argument, "Scans take 4-byte items only.");
    }
    return visit_item_type(item_size, [&]<typename ItemT>(std::type_identity<ItemT>) {
        return std::unique_ptr<Verifier>(std::make_unique<ChunkVerifier<ItemT>>(engine, comparison));
    });
}

}  // namespace compaction::cpu
