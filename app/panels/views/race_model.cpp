#include "app/panels/views/race_model.hpp"

#include <algorithm>

namespace warpsieve::panels {
namespace {

constexpr double race_seconds = 5;
constexpr double max_race_seconds = 8;
/// A strip that fills faster looks full from the start.
constexpr double min_run_seconds = 0.25;
/// How long the result stays before the next race.
constexpr double result_seconds = 3;

bool takes_part(const RaceLane& lane) {
    return lane.problem.empty();
}

}  // namespace

RacePace pace_of(std::span<const Runner> runners) {
    double fastest_us = 0;
    double slowest_us = 0;
    for (const Runner& runner : runners) {
        if (!runner.runs()) continue;
        fastest_us = fastest_us > 0 ? std::min(fastest_us, runner.median_us) : runner.median_us;
        slowest_us = std::max(slowest_us, runner.median_us);
    }
    if (slowest_us <= 0) return {};
    const double slowdown = std::max(race_seconds / slowest_us, min_run_seconds / fastest_us) * 1e6;
    return {slowdown, std::min(slowest_us * 1e-6 * slowdown, max_race_seconds)};
}

double finish_s(const Runner& runner, const RacePace& pace) {
    return runner.median_us * 1e-6 * pace.slowdown;
}

float share_done(const Runner& runner, const RacePace& pace, double elapsed_s) {
    const double finish = finish_s(runner, pace);
    const double elapsed = std::min(elapsed_s, pace.seconds);
    return finish > 0 ? static_cast<float>(std::clamp(elapsed / finish, 0.0, 1.0)) : 0.0F;
}

std::vector<std::size_t> finishing_order(std::span<const Runner> runners) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < runners.size(); ++i) {
        if (runners[i].runs()) order.push_back(i);
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return runners[i].median_us; });
    return order;
}

std::vector<std::uint32_t> places_of(std::span<const Runner> runners) {
    std::vector<std::uint32_t> places(runners.size(), 0);
    const Runner* first_of_place = nullptr;
    std::uint32_t place = 0;
    std::uint32_t finished = 0;
    for (const std::size_t index : finishing_order(runners)) {
        ++finished;
        const Runner& runner = runners[index];
        const bool slower = first_of_place &&
                            compare(first_of_place->interval, runner.interval) == experiments::Change::slower;
        if (!first_of_place || slower) {
            first_of_place = &runner;
            place = finished;
        }
        places[index] = place;
    }
    return places;
}

std::optional<std::size_t> awaited_lane(const RaceFigures& figures) {
    std::optional<std::size_t> slowest;
    for (std::size_t i = 0; i < figures.lanes.size(); ++i) {
        const RaceLane& lane = figures.lanes[i];
        if (!takes_part(lane) || lane.n >= min_times_per_lane) continue;
        if (!slowest || lane.n < figures.lanes[*slowest].n) slowest = i;
    }
    return slowest;
}

void advance(Race& race, const RaceFigures& figures, double now_s) {
    if (race.serial != figures.serial || race.runners.size() != figures.lanes.size()) {
        race = {};
        race.serial = figures.serial;
        race.runners.resize(figures.lanes.size());
    }
    if (race.started && race.elapsed_s(now_s) < race.pace.seconds + result_seconds) return;
    if (awaited_lane(figures)) return;
    for (std::size_t i = 0; i < figures.lanes.size(); ++i) {
        const RaceLane& lane = figures.lanes[i];
        race.runners[i] = takes_part(lane) ? Runner{lane.median_us, lane.interval} : Runner{};
    }
    race.pace = pace_of(race.runners);
    race.places = places_of(race.runners);
    race.began_s = now_s;
    race.started = race.pace.slowdown > 0;
}

}  // namespace warpsieve::panels
