#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace experiments {

/// Decides which batches of compactions time their first compaction phase by phase. The batches themselves
/// spend at most 0.25 % of their time on it, which keeps the whole cost under 1 %.
///
/// A boundary between two phases is not free. On a GPU an event makes the next kernel wait until the previous
/// one has drained: about 1.5 us each, which lengthens a short compaction by half. So batches are timed as a
/// whole, and only some split their first compaction. The cost of a split is measured: the difference between
/// batches with and without one, and at least the difference between the sum of the phases and a plain
/// compaction, since batches of short compactions are noisy.
///
/// If two algorithms take turns at running first, the position of a batch decides which of them finds cold
/// caches. Both kinds of batch are therefore measured in both positions, and splits are an odd number of
/// batches apart.
class SplitSchedule {
  public:
    /// Whether to split the first compaction of the next batch of `compactions`.
    bool next(std::uint32_t compactions);

    /// Adds the time of a batch of `compactions` in microseconds. `split`: one of them was split.
    void add_batch(float us, std::uint32_t compactions, bool split);
    /// Adds the sum of the phases of a split compaction.
    void add_split(float us) { phases_.add(us); }

    /// Whether the total of a batch with a split compaction is usable: the boundaries take under 0.25 % of
    /// it.
    bool split_batches_count() const;

    /// Discards all measurements; call after a change of what runs.
    void restart();

    /// Cost of a split in microseconds; 0 until known.
    double cost_us() const;
    /// Compactions between two splits.
    std::uint32_t period() const;

  private:
    static constexpr std::size_t kept = 32;

    /// The last batch times of one kind.
    struct Ring {
        std::array<float, kept> us{};
        std::size_t size = 0;
        std::size_t next = 0;
        double median = 0;  ///< updated by add(): read more often than it changes
        void add(float value);
    };

    bool known() const;

    Ring plain_;
    Ring split_;
    Ring phases_;
    std::uint32_t compactions_ = 0;  ///< per batch
    std::uint64_t batches_since_split_ = 0;
    std::uint64_t batches_learned_from_ = 0;
};

}  // namespace experiments
