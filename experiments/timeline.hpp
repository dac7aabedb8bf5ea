#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/timing.hpp"
#include "experiments/statistics.hpp"

namespace experiments {

/// The name of FrameSample::between_us in tables and files; the window shortens it.
inline constexpr std::string_view between_calls_name = "between calls";

/// Timings of one frame of the live view, in microseconds.
struct FrameSample {
    std::uint64_t frame = 0;
    const compaction::Algorithm* algorithm = nullptr;  ///< in the catalogue; the phases below are its
    /// Mean time of one compaction: all compactions of the frame timed as one span, divided by their number.
    /// If there are phases, they and between_us add up to it.
    float total_us = 0;
    std::array<float, compaction::max_phases> phase_us{};  ///< means over the frame's compactions
    std::size_t num_phases = 0;                            ///< 0: the phases were not timed
    float between_us = 0;  ///< from the last block of one compaction to the first of the next
    /// Mean of RunTiming::hidden_us.
    std::array<float, compaction::max_phases> hidden_us{};
    /// Mean of RunTiming::gap_us over those compactions that recorded it.
    std::array<float, compaction::max_phases> gap_us{};
    bool gaps_known = false;  ///< whether any compaction recorded gap_us
    float interop_us = 0;     ///< host time of map and unmap; outside the total
    float simulate_us = 0;    ///< computing the particles; outside the total
    float frame_us = 0;       ///< from the start of this frame to that of the next
    std::uint64_t num_kept = 0;
    /// The last clock of the processors that was measured before the frame ended; 0 if unknown.
    double clock_hz = 0;
    /// Number of configuration changes before this frame. Frames of one epoch are comparable.
    std::uint32_t config_epoch = 0;

    std::span<const float> phases() const { return {phase_us.data(), num_phases}; }
};

/// All frames of side A and of side B of a run, oldest first.
using FrameLogs = std::array<std::vector<FrameSample>, 2>;

/// The last frames of the live view, oldest first, in a ring buffer that is allocated once.
///
/// The index of a frame shifts as the ring moves on. Its ordinal, the number of frames pushed before it, is
/// permanent. (Frame numbers have gaps where timings were dropped.)
class Timeline {
  public:
    explicit Timeline(std::size_t capacity = 6'000) { samples_.resize(capacity); }

    void push(const FrameSample& sample) {
        samples_[next_] = sample;
        next_ = (next_ + 1) % samples_.size();
        size_ = std::min(size_ + 1, samples_.size());
        ++pushed_;
    }
    void clear() { size_ = 0; }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return samples_.size(); }
    /// The ordinal of the oldest frame that is still stored.
    std::uint64_t begin() const { return pushed_ - size_; }
    /// One past the ordinal of the newest frame.
    std::uint64_t end() const { return pushed_; }
    bool holds(std::uint64_t ordinal) const { return ordinal >= begin() && ordinal < end(); }
    /// The frame with that ordinal; requires holds(ordinal).
    const FrameSample& at(std::uint64_t ordinal) const {
        return (*this)[static_cast<std::size_t>(ordinal - begin())];
    }
    /// The frame with index `i` in the ring; 0 is the oldest.
    const FrameSample& operator[](std::size_t i) const {
        const std::size_t index = next_ + samples_.size() - size_ + i;
        return samples_[index < samples_.size() ? index : index - samples_.size()];
    }

  private:
    std::vector<FrameSample> samples_;
    std::size_t next_ = 0;      ///< index in samples_ of the next frame to store
    std::size_t size_ = 0;      ///< number of frames stored
    std::uint64_t pushed_ = 0;  ///< number of frames pushed so far
};

/// Totals of a saved run, for comparison with the current one. Times in microseconds.
struct SavedRun {
    std::string name;             ///< file name
    std::string algorithm;        ///< id; "several" if its frames used more than one
    std::vector<float> total_us;  ///< per frame, oldest first; empty if only the summary was saved
    Summary us;                   ///< summary of total_us
};

}  // namespace experiments
