#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/labs/runner.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/check_view.hpp"
#include "app/view_model/machine_view.hpp"
#include "app/view_model/messages.hpp"
#include "app/view_model/requests.hpp"
#include "app/view_model/run_view.hpp"
#include "app/view_model/slot_map_view.hpp"
#include "app/view_model/timings_view.hpp"

/// What the application shows the panels, by subject. Panels read the parts they show, edit the Settings and
/// set Requests; they own nothing.
namespace warpsieve {

struct Badge;
struct ChangeCard;

/// The buffer that is compacted.
struct StreamView {
    std::uint64_t slots = 0;
    std::uint64_t memory_bytes = 0;  ///< of the slots
};

/// How reliable the figures are, and what the last change did.
struct QualityView {
    std::span<const Badge> badges;
    const ChangeCard* change = nullptr;
};

struct LabsView {
    std::vector<std::shared_ptr<const labs::Report>> reports;  ///< the last of each lab that ran
    bool running = false;                                      ///< one of them is not finished
};

/// The frame that is drawn.
struct DisplayView {
    double now_s = 0;
    std::uint64_t frame = 0;
    float scale = 1;
    bool for_picture = false;  ///< a picture is taken of this frame: transient items are left out
    bool plain_plots = false;  ///< software OpenGL: lines instead of filled, anti-aliased areas
    bool recording = false;
    std::uint64_t frames_recorded = 0;  ///< of the recording that runs
};

struct View {
    CatalogueView catalogue;
    MachineView machine;
    StreamView stream;
    RunsView runs;
    ChecksView checks;
    TimingsView timings;
    QualityView quality;
    LabsView labs;
    SlotMapView slot_map;
    DisplayView display;
    Messages messages;
};

}  // namespace warpsieve
