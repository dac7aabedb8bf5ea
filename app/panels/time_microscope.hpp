#pragma once

#include <memory>
#include <optional>

#include "app/panels/ui.hpp"
#include "app/plots/address_plot.hpp"
#include "app/trace/memory_replay.hpp"
#include "app/trace/playhead.hpp"

/// The controls of the time microscope: the dial of slow motion, and the plot of time by address as a
/// scrubber.
namespace warpsieve::panels {

/// The compaction that slow motion plays. All views that show it share the playhead.
struct SlowMotion {
    std::shared_ptr<trace::MemoryReplay> replay;  ///< null before the first replay
    trace::Playhead playhead;
    double last_update_s = 0;
    /// The mouse was on the dial, or text was typed into it, when it was last drawn.
    bool holds_dial = false;

    /// Takes the newest replay, and lets time pass if the dial is off real time. A view that shows the replay
    /// must call this once in each frame.
    void update(const Ui& ui);
    /// Needs a replay.
    void play_or_pause() { playhead.play_or_pause(replay->duration()); }
    /// Moves the playhead by one key step and pauses. `direction`: 1 or -1. Needs a replay.
    void step(int direction);
};

/// The height of the dial, in pixels.
float slow_motion_dial_height(const Ui& ui);

/// Draws the dial, a logarithmic slider from real time to a million times slower, at the top of the
/// rectangle. On a simulated GPU it sets steps per second, because a simulated schedule has no times. A
/// double-click resets it.
/// Records itself as "slow motion dial".
void slow_motion_dial(Ui& ui, const Rect& box);

/// Draws the plot, over which the mouse, and the arrow keys with the keyboard focus, move the playhead.
/// Returns the new time of the playhead if it moves. Records itself as "plot of time by address". A tooltip
/// says what is under the mouse. Times are in the unit of the replay; `playhead` is empty for the end.
std::optional<double> address_scrubber(Ui& ui, plots::AddressPlot& plot, const Rect& box,
                                       const std::shared_ptr<const trace::MemoryReplay>& replay,
                                       std::optional<double> playhead);

}  // namespace warpsieve::panels
