#pragma once

#include <optional>
#include <string>

#include "app/panels/ui.hpp"
#include "app/view_model/snapshot.hpp"
#include "workloads/streams.hpp"

namespace warpsieve::panels {

/// The presentation: no panels, and another source and algorithm every few seconds.
struct Presentation {
    /// Settings that the presentation replaces, to be restored.
    struct Before {
        std::string tab;
        std::string source;
        workloads::Pattern pattern;
        compaction::EngineId engine;
        AlgorithmConfig a;
    };
    std::optional<Before> before;  ///< empty while no presentation runs
    double began_s = 0;
    double next_change_s = 0;  ///< time of the next change of source and algorithm

    bool runs() const { return before.has_value(); }
};

/// The time for which each source and algorithm is shown.
inline constexpr double change_interval_s = 9;

void start_presentation(Presentation& presentation, Settings& settings, double now_s);
/// Restores the settings from before the presentation. Does nothing while none runs.
void end_presentation(Presentation& presentation, Settings& settings);

/// Draws the caption over the scene, and changes source and algorithm when the change is due.
void draw_presentation(Ui& ui, Presentation& presentation, const Snapshot& snapshot);

}  // namespace warpsieve::panels
