#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/ui.hpp"
#include "app/story/story.hpp"
#include "app/view_model/run_view.hpp"
#include "app/view_model/stream_view.hpp"

namespace warpsieve::panels {

/// Live fractions of the 8 x 8 tiles of the first 2^20 slots, 128 tiles to a row, for the way back.
inline constexpr std::uint32_t tiles_per_row = 128;

/// Where the story stands still until it is played, stepped or scrubbed.
struct SlowMotionStop {
    std::string_view chapter;  ///< title
    double share;              ///< of the chapter that has passed
};

/// What slow motion remembers between frames.
struct SlowMotionMemory {
    std::string algorithm;  ///< id; empty: there is no story yet
    std::uint64_t seed = 0;
    float density = 0;
    std::uint64_t full_slots = 0;
    story::Story story;
    std::vector<float> tiles;
    double time_s = 0;
    double last_now_s = 0;
    bool playing = true;
    std::optional<SlowMotionStop> stop;
};

void draw_slow_motion(Ui& ui);

/// Stops or continues; starts again from the end.
void toggle_slow_motion(SlowMotionMemory& memory);
/// Stops, and moves to the next (1) or the previous (-1) step.
void step_slow_motion(SlowMotionMemory& memory, int direction);

/// The slots, the parts and the output at a moment, within `area`.
void draw_stage(Ui& ui, const story::Moment& moment, const Box& area);

}  // namespace warpsieve::panels
