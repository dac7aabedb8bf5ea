#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace experiments {

/// Decides which compactions are timed phase by phase, so that doing so costs under 1 % of the time spent compacting.
///
/// A boundary between two phases is not free: on a GPU an event there makes the next kernel wait until the one before has drained
/// and its time is written, some 1.5 us each, which would lengthen a short compaction by half. So the total is timed from outside,
/// over a batch of compactions without boundaries, and only now and then one is split into its phases. What the boundaries cost is
/// not assumed but learned: it is the sum of a split compaction's phases less the total of an unsplit one.
class SplitSchedule {
  public:
    enum class Plan : std::uint8_t {
        none,          ///< no compaction of this batch is split
        within_batch,  ///< split the batch's last: the boundaries are under 1 % of the batch
        extra_run,     ///< run and split one more, outside the batch
    };

    /// The plan for the next batch of `compactions`.
    Plan next(std::uint32_t compactions);

    /// Takes in what was measured: one unsplit compaction's total, one split compaction's phases added up; microseconds.
    void add_total(float us) { totals_.add(us); }
    void add_split(float us) { splits_.add(us); }

    /// Forgets what was measured: something else runs now.
    void restart();

    /// What splitting adds to a compaction, in microseconds; 0 until it is known.
    double cost_us() const;
    /// Compactions between two that are split.
    std::uint32_t period() const;

  private:
    static constexpr std::size_t kept = 32;

    struct Ring {
        std::array<float, kept> values{};
        std::size_t size = 0;
        std::size_t next = 0;
        void add(float value);
        std::span<const float> span() const { return {values.data(), size}; }
    };

    bool known() const { return splits_.size >= 8 && totals_.size >= 8; }

    Ring totals_;
    Ring splits_;
    std::uint64_t since_split_ = 0;  ///< compactions since the last that was split
};

}  // namespace experiments
