#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/view_model/snapshot.hpp"
#include "experiments/paired_ratio.hpp"
#include "experiments/statistics.hpp"

/// Model of the race: pace, progress, places and photo finish. Pure functions.
namespace warpsieve::panels {

/// A lane's measured time, fixed for one race on the screen. On a simulated GPU, a time is a number of steps.
struct Runner {
    double median_us = 0;  ///< 0: it does not take part
    experiments::Interval interval = {};
    experiments::PairedRatio over_fastest = {};

    bool runs() const { return median_us > 0; }
};

/// How much slower the race on the screen is than the machine: one factor for all lanes.
struct RacePace {
    double slowdown = 0;  ///< seconds on the screen per second of the machine; 0: nobody runs
    double seconds = 0;   ///< on the screen until the race ends; a runner that needs longer does not finish

    /// The time of the machine that `elapsed_s` seconds on the screen stand for.
    double machine_us(double elapsed_s) const { return slowdown > 0 ? elapsed_s * 1e6 / slowdown : 0; }
};

/// The slowest takes five seconds. If the fastest were then too quick to be seen, the race is slower, and it
/// ends after eight seconds.
RacePace pace_of(std::span<const Runner> runners);

/// The time in which a runner finishes, in seconds on the screen.
double finish_s(const Runner& runner, const RacePace& pace);
/// Filled fraction of the strip, 0 to 1.
float share_done(const Runner& runner, const RacePace& pace, double elapsed_s);

/// Indices of those that run, the first to finish first.
std::vector<std::size_t> finishing_order(std::span<const Runner> runners);

/// Places from 1; 0 for those that do not run. Those whose ratios do not differ significantly from that of
/// the first of them share its place, as in 1, 1, 3.
std::vector<std::uint32_t> places_of(std::span<const Runner> runners);

/// One race on the screen after the other. Medians are fixed at the start of each, so that no strip moves
/// back. When the first runner finishes, the race stands still for a moment: the photo finish.
struct Race {
    std::uint64_t serial = 0;  ///< serial of the measurement
    std::vector<Runner> runners;
    std::vector<std::uint32_t> places;
    RacePace pace;
    double began_s = 0;
    bool started = false;
    double photo_at_s = 0;  ///< when the first runner finishes, in seconds on the screen
    double photo_s = 0;     ///< how long the race stands still there; 0 if only one runs

    /// Seconds on the screen, without those of the photo finish.
    double elapsed_s(double now_s) const;
    /// Whether the race stands still because the first runner has just finished.
    bool in_photo(double now_s) const;
    /// Ends the photo finish.
    void go_on(double now_s);
    bool over(double now_s) const { return started && elapsed_s(now_s) >= pace.seconds; }
};

/// Starts a race when each lane has a ratio, and the next one some seconds after its end. A new
/// measurement ends it.
void advance(Race& race, const RaceFigures& figures, double now_s);

/// The same on a simulated GPU, where each lane takes the steps of its replay. Lanes without one do not run,
/// and two are needed.
void advance_in_steps(Race& race, const RaceFigures& figures, double now_s);

/// The two lanes whose memory is shown: the first two to finish. On a simulated GPU, the first two that can
/// run, because their steps are known only then. Nothing if there are not two.
std::optional<std::array<std::size_t, 2>> shown_pair(const Race& race, const RaceFigures& figures,
                                                     bool in_steps);

/// The time in the replays of the shown pair: the one that finishes first has ended when the race stands
/// still.
double replay_time(const Race& race, double first_duration, double now_s);

/// What the photo finish says of the first two: "Single pass is first at 3.04 µs. Sequence-wise takes 2.66
/// times as long [2.61, 2.70], median of 300 pairs." Empty if fewer than two run.
std::string photo_text(const Race& race, const RaceFigures& figures);

/// The same in steps, which make no ratio: "Single pass ends at step 64, when Sequence-wise has done 64 of
/// 141."
std::string photo_text_in_steps(const Race& race, const RaceFigures& figures);

/// The lane that the start waits for: of those without a ratio, the one with the fewest pairs. Nothing if a
/// race can start.
std::optional<std::size_t> awaited_lane(const RaceFigures& figures);

}  // namespace warpsieve::panels
