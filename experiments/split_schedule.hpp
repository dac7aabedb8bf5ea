#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace experiments {

/// Decides in which batches of compactions the first one is timed phase by phase, so that doing so costs
/// under 1 % of the time spent compacting.
///
/// A boundary between two phases is not free: on a GPU an event there makes the next kernel wait until the
/// one before has drained and its time is written, some 1.5 us each, which lengthens a short compaction by
/// half. So a batch is timed from outside, and only now and then its first compaction is split into its
/// phases. What that costs is not assumed but learned: from batches with a
/// split compaction and batches without, and, since batches of short compactions are noisy, at least what a
/// split one's phases add up to beyond a plain one.
///
/// Where two algorithms take turns at running first, a batch's place decides which of them found the caches
/// cold. So each kind is learned in both places, and splits come an odd number of batches apart: else all of
/// them, and with a period of two all that is plain, would fall into one place.
class SplitSchedule {
  public:
    /// Whether to split the first compaction of the next batch of `compactions`.
    bool next(std::uint32_t compactions);

    /// Takes in the time of a batch of `compactions`, in microseconds, and whether one of them was split.
    void add_batch(float us, std::uint32_t compactions, bool split);
    /// Takes in the phases of a split compaction, added up.
    void add_split(float us) { phases_.add(us); }

    /// Whether a batch with a split compaction still tells the time of one without: the boundaries are under
    /// 1 % of it.
    bool split_batches_count() const;

    /// Forgets what was measured: something else runs now.
    void restart();

    /// What a split adds, in microseconds; 0 until it is known.
    double cost_us() const;
    /// Compactions between two that are split.
    std::uint32_t period() const;

  private:
    static constexpr std::size_t kept = 32;

    /// The last few batch times of one kind.
    struct Ring {
        std::array<float, kept> us{};
        std::size_t size = 0;
        std::size_t next = 0;
        double median = 0;  ///< kept up to date by add: it is asked for more often than it changes
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
