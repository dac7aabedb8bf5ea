#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "app/gl/pixels.hpp"
#include "app/scene/slot_sample.hpp"
#include "compaction/partition.hpp"

namespace warpsieve {

/// Side of the slot map's textures in pixels; a picture uses a corner of one.
inline constexpr int map_picture_side = 1024;

/// Input of the slot map.
struct SlotMapView {
    compaction::Partition partition;                    ///< of the algorithm and layout in force
    std::shared_ptr<const scene::SlotSample> sample;    ///< null before the first
    std::shared_ptr<const scene::SlotSample> sample_b;  ///< of B's output, where both were requested
    unsigned slots_texture = 0;   ///< gl::Picture of the slots, painted as the map requested
    unsigned places_texture = 0;  ///< gl::Picture of the output's places
};

/// What the slot map requests while it is shown. Valid until the panels are built again.
struct SlotMapRequest {
    const scene::SampleRequest* sample = nullptr;  ///< the sample to take; never null
    bool both = false;                             ///< sample B's output too, of the same frame
    gl::PixelSize picture{0, 0};                   ///< of both pictures; empty: nothing to upload
    std::span<const std::uint32_t> slots;          ///< [picture] pixels for slots_texture
    std::span<const std::uint32_t> places;         ///< [picture] pixels for places_texture
};

}  // namespace warpsieve
