#pragma once

#include <algorithm>
#include <bit>

#include "app/scene/source.hpp"

namespace warpsieve::scene {

/// The streams of the literature as a field: one point per kept item, row by row from the far left; its
/// height is its value. A light front moves through the field in stream order.
class Synthetic {
  public:
    static constexpr SourceInfo info{
        .id = "synthetic",
        .name = "Synthetic",
        .meaning =
            "The streams that publications measure, as a field: one point per kept item, row by row from "
            "the far left, with its value as height. Pattern, live fraction and seed choose the same items "
            "as in `warpsieve bench`.",
        .has_patterns = true,
        .viewpoint = {.azimuth = 0.0F,
                      .elevation = 0.9F,
                      .distance = 20.0F,
                      .target = {0, 0, 0.3F},
                      .aspect = 1.9F,
                      .on_ground = false}};

    explicit Synthetic(const Frame& frame) : stream_(frame.stream) {
        // The number of columns is a power of two: once or twice the number of rows.
        const auto bits = static_cast<std::uint32_t>(std::bit_width(frame.slots - 1));
        column_bits_ = (bits + 1) / 2;
        const std::uint64_t columns = std::uint64_t{1} << column_bits_;
        const std::uint64_t rows = (frame.slots + columns - 1) >> column_bits_;
        column_width_ = width / static_cast<float>(columns);
        row_depth_ = depth / static_cast<float>(rows);
        // Random offsets avoid moire patterns between points and pixels.
        jitter_ = std::clamp((0.12F - column_width_) / 0.06F, 0.0F, 1.0F);
        const auto max_value = stream_.pattern == workloads::Pattern::structured ? workloads::max_structured
                                                                                 : ~compaction::Item{0};
        metres_per_value_ = max_height() / static_cast<float>(max_value);
        slots_to_age_ = 1.0F / static_cast<float>(frame.slots);
        constexpr std::uint64_t period = std::uint64_t{8} << 32;  // seconds in 32.32 fixed point
        front_ =
            static_cast<float>(static_cast<double>(frame.moment.time % period) / static_cast<double>(period));
    }

    COMPACTION_HOST_DEVICE bool is_live(std::uint32_t slot) const { return stream_(slot) != 0; }

    COMPACTION_HOST_DEVICE Position position_of(std::uint32_t slot) const {
        const std::uint32_t column = slot & ((1U << column_bits_) - 1);
        const std::uint32_t row = slot >> column_bits_;
        const std::uint32_t random = hash(slot);
        const float across = 0.5F + jitter_ * (unit(random) - 0.5F);
        const float along = 0.5F + jitter_ * (unit(random << 12) - 0.5F);
        constexpr float max_shown_age = 0.75F;  // the colours of older ones are dark
        const float behind = front_ - static_cast<float>(slot) * slots_to_age_;
        return {(static_cast<float>(column) + across) * column_width_ - width / 2,
                static_cast<float>(stream_(slot)) * metres_per_value_,
                (static_cast<float>(row) + along) * row_depth_ - depth / 2,
                max_shown_age * (behind < 0 ? behind + 1 : behind)};
    }

  private:
    /// Height of the largest value, in metres. Random values stay low, so that they do not hide the rows
    /// behind; the structured pattern rises too slowly to hide any.
    float max_height() const {
        constexpr float metres = 0.8F;
        if (stream_.pattern == workloads::Pattern::structured) return metres;
        return std::clamp(4 * row_depth_, 0.1F, metres);
    }

    static constexpr float width = 19.0F;  // metres
    static constexpr float depth = 13.0F;

    workloads::StreamFunction stream_;
    std::uint32_t column_bits_;
    float column_width_;
    float row_depth_;
    float jitter_;  ///< 0: points in the middle of their cells, 1: anywhere in the cell
    float metres_per_value_;
    float slots_to_age_;
    float front_;  ///< position of the light front, 0 to 1
};

}  // namespace warpsieve::scene
