#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compaction/host_device.hpp"
#include "workloads/streams.hpp"

/// Streams as functions of the item index, for code on the host or in a kernel that makes items where it uses
/// them.
namespace workloads {

/// 64 well-mixed bits for each (seed, index), so that any item can be made independently.
/// Source: Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators", figure 17
/// (SplitMix64).
COMPACTION_HOST_DEVICE inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// A non-zero value from the lower half of `bits`; the upper half decides whether the item is kept.
COMPACTION_HOST_DEVICE inline Item value_from(std::uint64_t bits) {
    const auto value = static_cast<Item>(bits);
    return value > 0 ? value : 1;
}

/// The largest item of Pattern::structured.
inline constexpr Item max_structured = 0xffff;

/// Computes the stream of fill_stream item by item. Two patterns look in a table whether an item is kept:
/// Pattern::runs, because each run depends on the previous ones, and Pattern::picture.
struct StreamFunction {
    Pattern pattern = Pattern::empty;
    std::uint64_t num_items = 0;
    std::uint64_t seed = 0;
    double keep_fraction = 0;      ///< 0 to 1
    std::uint64_t kept_below = 0;  ///< keep_fraction * 2^32
    /// [table_size] Pattern::runs: the ends of the runs, in ascending order; the last one is at or past the
    /// end of the stream. Runs with even index are kept. Pattern::picture: a bit for each item, the lowest
    /// first; empty without a picture. Other patterns have no table.
    const std::uint64_t* table = nullptr;
    std::uint64_t table_size = 0;
    std::uint64_t columns = 0;         ///< items in a row of the picture; 0 without one
    std::uint64_t picture_number = 0;  ///< 1 for the first picture of a StreamFunctions; 0 without one

    /// Item i; 0 if it is not kept.
    COMPACTION_HOST_DEVICE Item operator()(std::uint64_t i) const {
        if (!is_kept(i)) return 0;
        return pattern == Pattern::structured ? static_cast<Item>(i + 1) & max_structured
                                              : value_from(random_bits(seed, i));
    }

    /// The index of the run that contains item i: the first run that ends past it.
    COMPACTION_HOST_DEVICE std::uint64_t run_of(std::uint64_t i) const {
        std::uint64_t low = 0;
        std::uint64_t high = table_size;
        while (low < high) {
            const std::uint64_t middle = (low + high) / 2;
            if (table[middle] > i) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

  private:
    COMPACTION_HOST_DEVICE bool is_kept(std::uint64_t i) const {
        switch (pattern) {
            case Pattern::empty:
                return false;
            case Pattern::full:
                return true;
            case Pattern::first_only:
                return i == 0;
            case Pattern::last_only:
                return i + 1 == num_items;
            case Pattern::structured:
                return i % 2 == 0;
            case Pattern::random:
                return random_bits(seed, i) >> 32 < kept_below;
            case Pattern::runs:
                return run_of(i) % 2 == 0;
            case Pattern::ramp:
                return random_bits(seed, i) >> 32 <
                       static_cast<std::uint64_t>(static_cast<double>(i) / static_cast<double>(num_items) *
                                                  0x1p32);
            case Pattern::picture:
                return table_size > 0 && (table[i / 64] >> (i % 64) & 1) != 0;
        }
        return false;
    }
};

/// Whether both make the same items, wherever their tables are stored.
inline bool same_stream(const StreamFunction& a, const StreamFunction& b) {
    return a.pattern == b.pattern && a.num_items == b.num_items && a.seed == b.seed &&
           a.keep_fraction == b.keep_fraction && a.picture_number == b.picture_number;
}

/// Fills `part` with the items `first`, `first + 1`, ... of a stream; all of them must be in it.
void fill_part(std::span<Item> part, const StreamFunction& item_at, std::uint64_t first);

/// Makes stream functions and owns their tables.
class StreamFunctions {
  public:
    /// The result is valid until the next call, and for as long as its table() is kept. Clamps
    /// `keep_fraction` to 0..1; NaN becomes 0. Computes the table if the stream differs from the last one:
    /// for runs, this takes some microseconds per million items; for a picture, some milliseconds. Allocates
    /// then. `picture`: for Pattern::picture; null: it keeps nothing.
    StreamFunction make(Pattern pattern, std::uint64_t num_items, double keep_fraction, std::uint64_t seed,
                        const PicturePointer& picture = nullptr);

    /// The table of the last stream; null for one without. It never changes.
    std::shared_ptr<const std::vector<std::uint64_t>> table() const { return table_; }

  private:
    void compute_run_ends(const StreamFunction& stream);
    void compute_bits(const StreamFunction& stream);

    StreamFunction table_stream_;  ///< the stream that table_ belongs to
    PicturePointer picture_;       ///< the last picture
    std::uint64_t num_pictures_ = 0;
    std::shared_ptr<const std::vector<std::uint64_t>> table_;
};

}  // namespace workloads
