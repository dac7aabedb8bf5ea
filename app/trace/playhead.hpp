#pragma once

/// Slow motion: how fast a compaction is played, and where the playhead is.
namespace warpsieve::trace {

/// The dial of slow motion goes from 0, real time, to this position.
inline constexpr int last_dial_position = 100;

/// How many times slower than in reality microseconds pass: 1 at position 0, a million at the last one, at
/// which a compaction of 10 us takes 10 s.
double slowdown_at(int position);
/// How many steps of a simulated schedule pass in a second: 4,000 at position 0, 4 at the last one.
double steps_per_second_at(int position);
/// The position with the nearest slowdown or number of steps, clamped to the dial.
int dial_position_of_slowdown(double slowdown);
int dial_position_of_steps_per_second(double steps_per_second);

/// Steps or microseconds of a replay that pass in a second. 0 at position 0: in real time, a compaction is
/// too short to see.
double playhead_speed(int position, bool in_steps);

/// Plays a compaction again and again. It rests at the end for a moment.
struct Playhead {
    double time = 0;      ///< in the unit of the replay
    bool playing = true;  ///< else paused
    double rested_s = 0;  ///< seconds since the end was reached

    /// Lets `seconds` pass. `speed`: playhead_speed().
    void pass(double seconds, double speed, double duration);
    /// Moves to a time and pauses there.
    void scrub(double to_time);
    /// Pauses or resumes. At the end, resumes from the begin.
    void play_or_pause(double duration);
};

}  // namespace warpsieve::trace
