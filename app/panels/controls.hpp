#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/ui.hpp"
#include "app/settings/presets.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::panels {

struct ControlsMemory {
    std::string folder;  ///< text in the field of the capture folder
    bool typing_folder = false;
    std::string picture;  ///< text in the field of the picture
    bool typing_picture = false;
    const Preset* preset = nullptr;      ///< the current preset, cached
    std::optional<RunConfig> preset_of;  ///< the settings for which `preset` was found
};

/// The controls of the left column.
void draw_controls(Ui& ui);

/// The group "Algorithm".
void draw_algorithm_controls(Ui& ui);

}  // namespace warpsieve::panels
