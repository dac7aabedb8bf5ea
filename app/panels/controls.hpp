#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/ui.hpp"
#include "app/settings/presets.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {

struct ControlsMemory {
    std::string folder;
    bool typing_folder = false;
    std::string picture;  ///< text in the field of the picture
    bool typing_picture = false;
    // The number of kept items as shown; it changes as rarely as the figures, so that it can be read.
    std::uint64_t shown_kept = 0;
    std::optional<std::uint64_t> shown_kept_serial;  ///< DisplayInfo::figures_serial
    // The current preset, cached until the settings change.
    std::optional<RunConfig> preset_of;
    const Preset* preset = nullptr;
};

/// The controls of the left column.
void draw_controls(Ui& ui);

/// The group "Algorithm".
void draw_algorithm_controls(Ui& ui);

}  // namespace warpsieve::panels
