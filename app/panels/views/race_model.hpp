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

/// The time of a lane, fixed for one race on the screen. On a simulated GPU, `median_us` is a number of
/// steps.
struct Runner {
    double median_us = 0;  ///< 0: the lane does not run
    experiments::Interval interval = {};
    experiments::PairedRatio over_fastest = {};  ///< ratio of its time to that of the fastest

    bool runs() const { return median_us > 0; }
};

/// How much slower the race on the screen is than the machine: one factor for all lanes.
struct RacePace {
    double slowdown = 0;  ///< seconds on the screen per second of the machine; 0: no lane runs
    double seconds = 0;   ///< length of the race on the screen; a runner that needs longer does not finish

    /// Converts seconds on the screen to microseconds of the machine.
    double machine_us(double elapsed_s) const { return slowdown > 0 ? elapsed_s * 1e6 / slowdown : 0; }
};

/// The pace at which the slowest runner takes five seconds. If the fastest would then finish too quickly to
/// be seen, the pace is slower, and the race ends after eight seconds at the latest.
RacePace pace_of(std::span<const Runner> runners);

/// The time that a runner takes, in seconds on the screen.
double finish_s(const Runner& runner, const RacePace& pace);
/// Filled fraction of the strip, 0 to 1.
float share_done(const Runner& runner, const RacePace& pace, double elapsed_s);

/// Indices of the runners, in the order in which they finish.
std::vector<std::size_t> finishing_order(std::span<const Runner> runners);

/// The place of each runner, from 1; 0 for lanes that do not run. A runner shares the place of an earlier one
/// whose ratio does not differ significantly, as in 1, 1, 3.
std::vector<std::uint32_t> places_of(std::span<const Runner> runners);

/// A race on the screen; races follow each other. Medians are fixed at the start, so that no strip moves
/// back. When the first runner finishes, the race stands still for a moment: the photo finish.
struct Race {
    std::uint64_t serial = 0;  ///< serial of the measurement
    std::vector<Runner> runners;
    std::vector<std::uint32_t> places;
    RacePace pace;
    double began_s = 0;
    bool started = false;
    double photo_at_s = 0;  ///< when the first runner finishes, in seconds after `began_s`
    double photo_s = 0;     ///< how long the race stands still then; 0 if there is only one runner

    /// Seconds since the start, without those of the photo finish.
    double elapsed_s(double now_s) const;
    /// Whether the race stands still because the first runner has just finished.
    bool in_photo(double now_s) const;
    /// Ends the photo finish.
    void go_on(double now_s);
    bool is_over(double now_s) const { return started && elapsed_s(now_s) >= pace.seconds; }
};

/// Starts a race when each lane has a ratio and the previous race ended some seconds ago. A new measurement
/// ends the race.
void start_when_due(Race& race, const RaceFigures& figures, double now_s);

/// Like start_when_due(), for a simulated GPU, where a lane takes the steps of its replay. Lanes without a
/// replay do not run. Needs two runners.
void start_in_steps_when_due(Race& race, const RaceFigures& figures, double now_s);

/// The two lanes whose memory is shown: the first two to finish. On a simulated GPU, the first two that can
/// run, because steps are known only after they are shown. Nullopt if there are not two.
std::optional<std::array<std::size_t, 2>> shown_pair(const Race& race, const RaceFigures& figures,
                                                     bool in_steps);

/// The time that the playheads of the shown pair show, in the unit of the replays. The replay of the first to
/// finish, which lasts `first_duration`, ends with the photo finish.
double replay_time(const Race& race, double first_duration, double now_s);

enum class PhotoDetail : std::uint8_t { interval, interval_and_pairs };
/// The photo finish in words: "Single pass is first at 3.04 µs. Sequence-wise takes 2.66 times as long [2.61,
/// 2.70], median of 300 pairs." Empty if there are fewer than two runners.
std::string photo_text(const Race& race, const RaceFigures& figures,
                       PhotoDetail detail = PhotoDetail::interval_and_pairs);

/// The photo finish in steps, which have no ratio: "Single pass ends at step 64, when Sequence-wise has done
/// 64 of 141."
std::string photo_text_in_steps(const Race& race, const RaceFigures& figures);

/// The lane that the start waits for: of those without a ratio, the one with the fewest pairs. Nullopt if a
/// race can start.
std::optional<std::size_t> awaited_lane(const RaceFigures& figures);

}  // namespace warpsieve::panels
