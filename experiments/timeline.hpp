#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/timing.hpp"

namespace experiments {

/// What one frame of the live view measured. Times in microseconds.
struct FrameSample {
    std::uint64_t frame = 0;
    const compaction::Algorithm* algorithm = nullptr;  ///< whose phases these are; from the catalogue
    /// One compaction, timed from outside over the frame's compactions, without boundaries between its
    /// phases.
    float total_us = 0;
    bool plain = false;  ///< that total belongs to this frame; otherwise it is carried on
    /// The phases of the last compaction that was timed phase by phase; num_phases is 0 before the first one.
    std::array<float, compaction::max_phases> phase_us{};
    std::size_t num_phases = 0;
    bool split = false;     ///< that compaction belongs to this frame; otherwise its phases are carried on
    float interop_us = 0;   ///< host time of map and unmap; outside the total
    float simulate_us = 0;  ///< outside the total
    float frame_us = 0;     ///< whole frame, from its start to the next one's
    std::uint64_t num_kept = 0;

    std::span<const float> phases() const { return {phase_us.data(), num_phases}; }
};

/// The last frames of the live view, oldest first, in a ring that is allocated once.
class Timeline {
  public:
    explicit Timeline(std::size_t capacity = 600) { samples_.resize(capacity); }

    void push(const FrameSample& sample);
    void clear() { size_ = 0; }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return samples_.size(); }
    /// 0 is the oldest.
    const FrameSample& operator[](std::size_t i) const {
        return samples_[(next_ + samples_.size() - size_ + i) % samples_.size()];
    }

  private:
    std::vector<FrameSample> samples_;
    std::size_t next_ = 0;
    std::size_t size_ = 0;
};

}  // namespace experiments
