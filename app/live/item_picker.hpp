#pragma once

#include <chrono>
#include <cstdint>

#include "app/gl/pixels.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/pick.hpp"
#include "app/scene/source.hpp"
#include "app/view_model/requests.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// Finds the particle under the mouse, and locates on the screen the one that is followed. Picks up to twenty
/// times a second, using at most an eighth of the host's time.
class ItemPicker {
  public:
    /// Updates `result` for this frame. `area`: where the particles are drawn; empty while they are hidden.
    void step(const scene::Frame& frame, const scene::Placement& placement, const scene::Camera& camera,
              const gl::Rectangle& area, const Requests& requests, FollowResult& result);

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point last_pick_;      ///< when the last pick began
    Clock::duration pick_duration_{};  ///< how long it took
    std::uint64_t turn_ = 0;           ///< PickQuery::turn of the next pick
};

}  // namespace warpsieve
