#pragma once

#include <span>

#include "app/gl/keys.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/check_view.hpp"
#include "app/view_model/display_view.hpp"
#include "app/view_model/follow_view.hpp"
#include "app/view_model/labs_view.hpp"
#include "app/view_model/machine_view.hpp"
#include "app/view_model/messages.hpp"
#include "app/view_model/race_view.hpp"
#include "app/view_model/requests.hpp"
#include "app/view_model/run_view.hpp"
#include "app/view_model/slot_map_view.hpp"
#include "app/view_model/stream_view.hpp"
#include "app/view_model/timings_view.hpp"

/// What the application shows the panels, by subject. Panels read the parts they show, edit the Settings and
/// set Requests; they own nothing.
namespace warpsieve {

struct Badge;
struct ChangeCard;

/// How reliable the figures are, and what the last change did.
struct QualityView {
    std::span<const Badge> badges;
    const ChangeCard* change = nullptr;
};

struct View {
    CatalogueView catalogue;
    MachineView machine;
    const Settings* defaults = nullptr;  ///< what a reset gives on this machine; null: Settings{}
    StreamView stream;
    RunsView runs;
    ChecksView checks;
    TimingsView timings;
    QualityView quality;
    LabsView labs;
    SlotMapView slot_map;
    FollowView follow;
    RaceView race;
    DisplayView display;
    Messages messages;
    std::span<const gl::KeyEvent> keys;  ///< of this frame, oldest first
};

}  // namespace warpsieve
