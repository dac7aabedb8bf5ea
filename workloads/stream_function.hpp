#pragma once

#include <cstdint>
#include <vector>

#include "compaction/host_device.hpp"
#include "workloads/streams.hpp"

/// Streams as functions of the place, for whoever makes an item where it is used: on the host or in a kernel.
namespace workloads {

/// 64 well-mixed bits for each (seed, index), so that any item can be made without those before it.
/// Source: Steele, Lea and Flood (2014), "Fast splittable pseudorandom number generators", figure 17
/// (SplitMix64).
COMPACTION_HOST_DEVICE inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// A non-zero value from the lower half of `bits`; the upper half stays free to decide whether it is kept.
COMPACTION_HOST_DEVICE inline Item value_from(std::uint64_t bits) {
    const auto value = static_cast<Item>(bits);
    return value > 0 ? value : 1;
}

/// The most that an item of Pattern::structured is.
inline constexpr Item most_structured = 0xffff;

/// The stream that fill_stream makes, item by item. Where a run of Pattern::runs ends follows from the runs
/// before it, so that is looked up; all else follows from the place.
struct StreamFunction {
    Pattern pattern = Pattern::empty;
    std::uint64_t num_items = 0;
    std::uint64_t seed = 0;
    double keep_fraction = 0;      ///< 0 to 1
    std::uint64_t kept_below = 0;  ///< the same, of 2^32
    /// Where the runs of Pattern::runs end, the last one behind the end of the stream or at it: [num_runs],
    /// never falling. Runs of even number are kept. Other patterns read none.
    const std::uint64_t* run_ends = nullptr;
    std::uint64_t num_runs = 0;

    COMPACTION_HOST_DEVICE Item operator()(std::uint64_t i) const {
        if (!is_kept(i)) return 0;
        return pattern == Pattern::structured ? static_cast<Item>(i + 1) & most_structured
                                              : value_from(random_bits(seed, i));
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
        }
        return false;
    }

    /// Which run item i is in: the first that ends behind it.
    COMPACTION_HOST_DEVICE std::uint64_t run_of(std::uint64_t i) const {
        std::uint64_t low = 0;
        std::uint64_t high = num_runs;
        while (low < high) {
            const std::uint64_t middle = (low + high) / 2;
            if (run_ends[middle] > i) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
};

/// Whether both make the same items, wherever the run ends that they look up lie.
inline bool same_stream(const StreamFunction& a, const StreamFunction& b) {
    return a.pattern == b.pattern && a.num_items == b.num_items && a.seed == b.seed &&
           a.keep_fraction == b.keep_fraction;
}

/// Makes stream functions, and keeps what they look up.
class StreamFunctions {
  public:
    /// Valid until the next call. `keep_fraction` is limited to 0..1; NaN counts as 0. Runs are laid out anew
    /// only where the stream is another than before; that takes some microseconds for a million items, and
    /// allocates only where there are more runs than ever before.
    StreamFunction make(Pattern pattern, std::uint64_t num_items, double keep_fraction, std::uint64_t seed);

  private:
    void lay_out_runs(const StreamFunction& stream);

    StreamFunction laid_out_;
    std::vector<std::uint64_t> run_ends_;
};

}  // namespace workloads
