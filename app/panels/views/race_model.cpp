#include "app/panels/views/race_model.hpp"

#include <algorithm>

#include "app/format/figures.hpp"

namespace warpsieve::panels {
namespace {

constexpr double race_seconds = 5;
constexpr double max_race_seconds = 8;
/// A strip that fills faster looks full from the start.
constexpr double min_run_seconds = 0.25;
/// How long the race stands still when the first runner finishes.
constexpr double photo_seconds = 3;
/// How long the result stays before the next race.
constexpr double result_seconds = 3;

bool takes_part(const RaceLane& lane) {
    return lane.problem.empty();
}

/// Ends the race of an earlier measurement.
void end_if_outdated(Race& race, const RaceFigures& figures) {
    if (race.serial == figures.serial && race.runners.size() == figures.lanes.size()) return;
    race = {};
    race.serial = figures.serial;
    race.runners.resize(figures.lanes.size());
}

bool is_due(const Race& race, double now_s) {
    return !race.started || race.elapsed_s(now_s) >= race.pace.seconds + result_seconds;
}

/// Starts a race of `race.runners`.
void start(Race& race, double now_s) {
    race.pace = pace_of(race.runners);
    race.places = places_of(race.runners);
    const std::vector<std::size_t> order = finishing_order(race.runners);
    race.photo_at_s = order.empty() ? 0 : finish_s(race.runners[order.front()], race.pace);
    race.photo_s = order.size() > 1 ? photo_seconds : 0;
    race.began_s = now_s;
    race.started = race.pace.slowdown > 0;
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
    return {.slowdown = slowdown, .seconds = std::min(slowest_us * 1e-6 * slowdown, max_race_seconds)};
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
    std::uint32_t num_finished = 0;
    for (const std::size_t index : finishing_order(runners)) {
        ++num_finished;
        const Runner& runner = runners[index];
        const bool is_slower =
            first_of_place && compare(first_of_place->over_fastest.interval, runner.over_fastest.interval) ==
                                  experiments::Change::slower;
        if (!first_of_place || is_slower) {
            first_of_place = &runner;
            place = num_finished;
        }
        places[index] = place;
    }
    return places;
}

std::optional<std::size_t> awaited_lane(const RaceFigures& figures) {
    std::optional<std::size_t> fewest_pairs;
    for (std::size_t i = 0; i < figures.lanes.size(); ++i) {
        const RaceLane& lane = figures.lanes[i];
        if (!takes_part(lane) || lane.over_fastest.known()) continue;
        if (!fewest_pairs || lane.over_fastest.pairs < figures.lanes[*fewest_pairs].over_fastest.pairs)
            fewest_pairs = i;
    }
    return fewest_pairs;
}

double Race::elapsed_s(double now_s) const {
    if (!started) return 0;
    const double since_start_s = now_s - began_s;
    if (since_start_s < photo_at_s) return since_start_s;
    return std::max(photo_at_s, since_start_s - photo_s);
}

bool Race::in_photo(double now_s) const {
    const double since_start_s = now_s - began_s;
    return started && since_start_s >= photo_at_s && since_start_s < photo_at_s + photo_s;
}

void Race::go_on(double now_s) {
    if (in_photo(now_s)) photo_s = now_s - began_s - photo_at_s;
}

std::string photo_text(const Race& race, const RaceFigures& figures, PhotoDetail detail) {
    const std::vector<std::size_t> order = finishing_order(race.runners);
    if (!race.started || order.size() < 2 || figures.lanes.size() != race.runners.size()) return {};
    const std::string& first = figures.lanes[order[0]].algorithm->name;
    const std::string& second = figures.lanes[order[1]].algorithm->name;
    const experiments::PairedRatio& ratio = race.runners[order[1]].over_fastest;
    const std::string first_time = format::duration_text(race.runners[order[0]].median_us);
    std::string interval_and_pairs =
        "[" + format::significant(ratio.interval.low) + ", " + format::significant(ratio.interval.high) + "]";
    if (detail == PhotoDetail::interval_and_pairs)
        interval_and_pairs += ", median of " + format::grouped(ratio.pairs) + " pairs";
    interval_and_pairs += ".";
    const std::string takes = second + " takes " + format::significant(ratio.median) + " times as long ";
    const bool shares_first_place = race.places[order[1]] == 1;
    if (shares_first_place)
        return "shared at " + first_time + ": " + takes + "as " + first + " " + interval_and_pairs;
    return first + " is first at " + first_time + ". " + takes + interval_and_pairs;
}

void start_when_due(Race& race, const RaceFigures& figures, double now_s) {
    end_if_outdated(race, figures);
    if (!is_due(race, now_s) || awaited_lane(figures)) return;
    for (std::size_t i = 0; i < figures.lanes.size(); ++i) {
        const RaceLane& lane = figures.lanes[i];
        race.runners[i] =
            takes_part(lane) ? Runner{lane.median_us, lane.interval, lane.over_fastest} : Runner{};
    }
    start(race, now_s);
}

void start_in_steps_when_due(Race& race, const RaceFigures& figures, double now_s) {
    end_if_outdated(race, figures);
    if (!is_due(race, now_s)) return;
    for (std::size_t i = 0; i < figures.lanes.size(); ++i) {
        const double steps = figures.lanes[i].replay ? figures.lanes[i].replay->duration() : 0;
        race.runners[i] = {.median_us = steps};
    }
    if (finishing_order(race.runners).size() > 1) start(race, now_s);
}

std::optional<std::array<std::size_t, 2>> shown_pair(const Race& race, const RaceFigures& figures,
                                                     bool in_steps) {
    std::vector<std::size_t> order;
    if (in_steps) {
        for (std::size_t i = 0; i < figures.lanes.size(); ++i) {
            if (takes_part(figures.lanes[i])) order.push_back(i);
        }
    } else if (race.started) {
        order = finishing_order(race.runners);
    }
    if (order.size() < 2) return std::nullopt;
    return std::array{order[0], order[1]};
}

double replay_time(const Race& race, double first_duration, double now_s) {
    // photo_at_s is when the first finishes, and its replay lasts until then.
    return race.photo_at_s > 0 ? race.elapsed_s(now_s) / race.photo_at_s * first_duration : 0;
}

std::string photo_text_in_steps(const Race& race, const RaceFigures& figures) {
    const std::vector<std::size_t> order = finishing_order(race.runners);
    if (!race.started || order.size() < 2 || figures.lanes.size() != race.runners.size()) return {};
    const auto steps = [&](std::size_t i) {
        return format::grouped(static_cast<std::uint64_t>(race.runners[order[i]].median_us));
    };
    return figures.lanes[order[0]].algorithm->name + " ends at step " + steps(0) + ", when " +
           figures.lanes[order[1]].algorithm->name + " has done " + steps(0) + " of " + steps(1) + ".";
}

}  // namespace warpsieve::panels
