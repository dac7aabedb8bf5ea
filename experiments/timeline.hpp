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
    /// The processors' clock, as measured last before this frame ended; 0 where it is not known.
    double clock_hz = 0;
    /// How often what is measured had changed before this frame: frames of one config_epoch can be compared.
    std::uint32_t config_epoch = 0;

    std::span<const float> phases() const { return {phase_us.data(), num_phases}; }
};

/// The last frames of the live view, oldest first, in a ring that is allocated once.
///
/// Beside its index, which shifts as the ring moves on, each frame has an ordinal, which it keeps: how many
/// were pushed before it. (Frame numbers have gaps where timings were dropped.)
class Timeline {
  public:
    explicit Timeline(std::size_t capacity = 6'000) { samples_.resize(capacity); }

    void push(const FrameSample& sample);
    void clear() { size_ = 0; }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return samples_.size(); }
    /// One past the ordinal of the newest frame, and the ordinal of the oldest that is still there.
    std::uint64_t end() const { return pushed_; }
    std::uint64_t begin() const { return pushed_ - size_; }
    bool holds(std::uint64_t ordinal) const { return ordinal >= begin() && ordinal < end(); }
    /// The frame of an ordinal that it `holds`.
    const FrameSample& at(std::uint64_t ordinal) const {
        return (*this)[static_cast<std::size_t>(ordinal - begin())];
    }
    /// 0 is the oldest.
    const FrameSample& operator[](std::size_t i) const {
        const std::size_t place = next_ + samples_.size() - size_ + i;
        return samples_[place < samples_.size() ? place : place - samples_.size()];
    }

  private:
    std::vector<FrameSample> samples_;
    std::size_t next_ = 0;
    std::size_t size_ = 0;
    std::uint64_t pushed_ = 0;
};

}  // namespace experiments
