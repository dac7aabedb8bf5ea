#pragma once

#include <algorithm>

#include "app/scene/source.hpp"

namespace warpsieve::scene {

/// A picture that stands upright: one point per slot of a bright pixel, row by row from the top left. A light
/// front moves through it in the order of the slots.
class Picture {
  public:
    static constexpr SourceInfo info{
        .id = "picture",
        .name = "Picture",
        .meaning =
            "The bright pixels of your own picture are the live slots, row by row: a PNG file or a word. "
            "Compaction squeezes them into the dense array, and each particle shows its pixel again.",
        .has_patterns = false,
        .viewpoint = {.azimuth = 0.0F,
                      .elevation = 0.12F,
                      .distance = 14.5F,
                      .target = {0, 0, 0},
                      .aspect = 1.75F,
                      .on_ground = false},
        .has_picture = true};

    explicit Picture(const Frame& frame) : stream_(frame.stream) {
        columns_ = static_cast<std::uint32_t>(std::max<std::uint64_t>(stream_.columns, 1));
        const auto rows = static_cast<std::uint32_t>((frame.slots + columns_ - 1) / columns_);
        pixel_ = std::min(width / static_cast<float>(columns_), height / static_cast<float>(rows));
        left_ = -0.5F * pixel_ * static_cast<float>(columns_);
        top_ = 0.5F * pixel_ * static_cast<float>(rows);
        slots_to_age_ = 1.0F / static_cast<float>(frame.slots);
        constexpr std::uint64_t period = std::uint64_t{6} << 32;  // seconds in 32.32 fixed point
        front_ =
            static_cast<float>(static_cast<double>(frame.moment.time % period) / static_cast<double>(period));
    }

    COMPACTION_HOST_DEVICE bool is_live(std::uint32_t slot) const { return stream_(slot) != 0; }

    COMPACTION_HOST_DEVICE Position position_of(std::uint32_t slot) const {
        const std::uint32_t random = hash(slot);
        // Random offsets avoid moire patterns between points and pixels.
        const float across = unit(random);
        const float down = unit(random << 12);
        constexpr float max_shown_age = 0.75F;  // the colours of older ones are dark
        const float behind = front_ - static_cast<float>(slot) * slots_to_age_;
        return {left_ + (static_cast<float>(slot % columns_) + across) * pixel_,
                top_ - (static_cast<float>(slot / columns_) + down) * pixel_,
                thickness * (unit(hash(random)) - 0.5F), max_shown_age * (behind < 0 ? behind + 1 : behind)};
    }

  private:
    static constexpr float width = 16.0F;  // metres
    static constexpr float height = 8.5F;
    static constexpr float thickness = 0.25F;

    workloads::StreamFunction stream_;
    std::uint32_t columns_;
    float pixel_;  ///< side of a pixel, in metres
    float left_;
    float top_;
    float slots_to_age_;
    float front_;  ///< position of the light front: 0 at the first slot, 1 at the last
};

}  // namespace warpsieve::scene
