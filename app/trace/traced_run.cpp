#include "app/trace/traced_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

namespace warpsieve::trace {
namespace {

using compaction::max_phases;
using compaction::RunTrace;
using compaction::WarpRole;
using compaction::WorkSpan;

bool is_usable(const WorkSpan& span, std::uint32_t processors) {
    return std::isfinite(span.begin_us) && std::isfinite(span.end_us) && span.end_us >= span.begin_us &&
           span.processor < processors && span.phase < max_phases;
}

/// Calls function(begin, end) for each interval that the spans cover, in order and without overlap.
template <typename Function>
void for_each_covered(std::span<const WorkSpan> by_begin, Function function) {
    float covered = -std::numeric_limits<float>::infinity();
    for (const WorkSpan& span : by_begin) {
        const float begin = std::max(span.begin_us, covered);
        if (span.end_us > begin) function(begin, span.end_us);
        covered = std::max(covered, span.end_us);
    }
}

struct BusyTimes {
    double busy_us = 0;     ///< covered by spans
    double waiting_us = 0;  ///< in gaps between them
};

BusyTimes busy_times_of(std::span<const WorkSpan> by_begin) {
    BusyTimes times;
    if (by_begin.empty()) return times;
    float previous_end = by_begin.front().begin_us;
    for_each_covered(by_begin, [&](float begin, float end) {
        times.busy_us += static_cast<double>(end - begin);
        times.waiting_us += static_cast<double>(begin - previous_end);
        previous_end = end;
    });
    return times;
}

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

std::span<const WorkSpan> row_of(const TracedRun& run, std::uint32_t processor) {
    return std::span(run.spans).subspan(run.rows[processor], run.rows[processor + 1] - run.rows[processor]);
}

/// Moves the spans of warp roles from `run.spans` to `run.lanes`, one lane for each role. Only the spans of
/// whole blocks stay.
void split_off_roles(TracedRun& run) {
    for (const WarpRole role : {WarpRole::count, WarpRole::look_back, WarpRole::scatter}) {
        RoleLane lane{role, {}, 0};
        std::ranges::copy_if(run.spans, std::back_inserter(lane.spans),
                             [role](const WorkSpan& span) { return span.role == role; });
        if (lane.spans.empty()) continue;
        std::ranges::sort(lane.spans, {}, &WorkSpan::begin_us);
        run.roles_block = lane.spans.front().block;
        run.roles_processor = lane.spans.front().processor;
        const BusyTimes times = busy_times_of(lane.spans);
        lane.waiting_share = ratio(times.waiting_us, times.busy_us + times.waiting_us);
        run.lanes.push_back(std::move(lane));
    }
    std::erase_if(run.spans, [](const WorkSpan& span) { return span.role != WarpRole::all; });
}

void sort_into_rows(TracedRun& run) {
    std::ranges::sort(run.spans, {}, [](const WorkSpan& span) {
        return std::tuple(span.processor, span.begin_us, span.end_us, span.block);
    });
    run.rows.resize(run.processors + 1);
    for (std::uint32_t processor = 0; processor <= run.processors; ++processor) {
        const auto first = std::ranges::lower_bound(run.spans, processor, {}, &WorkSpan::processor);
        run.rows[processor] = static_cast<std::size_t>(first - run.spans.begin());
    }
}

/// Gives each span the first track that is free when it begins. Spans that find none share the last track.
void assign_tracks(TracedRun& run) {
    run.tracks.assign(run.spans.size(), 0);
    std::array<float, 64> free_from{};
    for (std::uint32_t processor = 0; processor < run.processors; ++processor) {
        free_from.fill(-std::numeric_limits<float>::infinity());
        for (std::size_t i = run.rows[processor]; i < run.rows[processor + 1]; ++i) {
            const WorkSpan& span = run.spans[i];
            const auto track = std::ranges::find_if(free_from, [&](float us) { return us <= span.begin_us; });
            const auto index = std::min<std::ptrdiff_t>(track - free_from.begin(), std::ssize(free_from) - 1);
            free_from[static_cast<std::size_t>(index)] = span.end_us;
            run.tracks[i] = static_cast<std::uint8_t>(index);
            run.num_tracks = std::max(run.num_tracks, static_cast<std::uint32_t>(index) + 1);
        }
    }
}

void find_busy_steps(TracedRun& run) {
    struct Change {
        float time_us;
        int by;
        auto operator<=>(const Change&) const = default;
    };
    std::vector<Change> changes;
    changes.reserve(run.spans.size() * 2);
    for (std::uint32_t processor = 0; processor < run.processors; ++processor) {
        for_each_covered(row_of(run, processor), [&](float begin, float end) {
            changes.push_back({begin, 1});
            changes.push_back({end, -1});
        });
    }
    std::ranges::sort(changes);
    int busy = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        busy += changes[i].by;
        // Changes at the same time make one step.
        if (i + 1 < changes.size() && changes[i + 1].time_us == changes[i].time_us) continue;
        run.busy.push_back({changes[i].time_us, static_cast<std::uint32_t>(busy)});
    }
}

void find_figures(TracedRun& run) {
    double busiest = 0;
    double busy = 0;
    double waiting = 0;
    std::uint32_t active_processors = 0;
    for (std::uint32_t processor = 0; processor < run.processors; ++processor) {
        const BusyTimes times = busy_times_of(row_of(run, processor));
        busiest = std::max(busiest, times.busy_us);
        busy += times.busy_us;
        waiting += times.waiting_us;
        active_processors += row_of(run, processor).empty() ? 0 : 1;
    }
    const double duration = static_cast<double>(run.end_us - run.begin_us);
    // The time in which fewer than half of the processors are busy, also at the start and between phases.
    double mostly_idle = static_cast<double>(run.busy.empty() ? 0 : run.busy.front().begin_us - run.begin_us);
    for (std::size_t i = 0; i + 1 < run.busy.size(); ++i)
        if (2 * run.busy[i].num_busy < run.processors)
            mostly_idle += static_cast<double>(run.busy[i + 1].begin_us - run.busy[i].begin_us);
    // Rounding may make the sum of many steps exceed the duration.
    run.figures = {.busy_share = ratio(busy, duration * run.processors),
                   .mostly_idle_share = std::min(1.0, ratio(mostly_idle, duration)),
                   .imbalance = ratio(busiest * run.processors, busy),
                   .waiting_share = ratio(waiting, busy + waiting),
                   .waiting_us = ratio(waiting, active_processors)};
}

/// [first, last): the indices of the spans of a processor that may reach into the window.
std::pair<std::size_t, std::size_t> spans_within(const TracedRun& run, std::uint32_t processor,
                                                 TimeWindow window) {
    const auto row = row_of(run, processor);
    // The spans are sorted by begin. At most num_tracks of those that begin before the window reach into it.
    const auto inside = std::ranges::lower_bound(row, window.begin_us, {}, &WorkSpan::begin_us);
    const auto last = std::ranges::upper_bound(row, window.end_us, {}, &WorkSpan::begin_us);
    auto begin = static_cast<std::size_t>(inside - row.begin());
    std::size_t max_open = run.num_tracks;
    for (std::size_t i = begin; i > 0 && max_open > 0; --i) {
        if (row[i - 1].end_us < window.begin_us) continue;
        begin = i - 1;
        --max_open;
    }
    return {run.rows[processor] + begin, run.rows[processor] + static_cast<std::size_t>(last - row.begin())};
}

/// Sums over the spans of one processor in one bin of time.
struct Bin {
    float busy_us = 0;
    std::array<float, max_phases> phase_us{};
    std::uint32_t first_span = 0;
    std::uint32_t num_spans = 0;
};

/// Splits the interval from begin to end at the borders of the bins, and calls function(bin, begin, end) for
/// each piece.
template <typename Function>
void for_each_piece(TimeWindow window, std::size_t num_bins, float begin, float end, Function function) {
    const float bin_us = window.length_us() / static_cast<float>(num_bins);
    const auto bin_of = [&](float us) {
        const float position =
            std::clamp((us - window.begin_us) / bin_us, 0.0F, static_cast<float>(num_bins - 1));
        return static_cast<std::size_t>(position);
    };
    const float low = std::max(begin, window.begin_us);
    const float high = std::min(end, window.end_us);
    if (high < low) return;
    for (std::size_t bin = bin_of(low); bin <= bin_of(high); ++bin) {
        const float bin_begin = window.begin_us + bin_us * static_cast<float>(bin);
        function(bin, std::max(low, bin_begin),
                 bin + 1 == num_bins ? high : std::min(high, bin_begin + bin_us));
    }
}

void merge_row(const TracedRun& run, std::uint32_t processor, TimeWindow window, std::vector<Bin>& bins,
               std::vector<WorkBar>& bars) {
    std::ranges::fill(bins, Bin{});
    const auto [first, last] = spans_within(run, processor, window);
    float covered = -std::numeric_limits<float>::infinity();
    for (std::size_t i = first; i < last; ++i) {
        const WorkSpan& span = run.spans[i];
        for_each_piece(window, bins.size(), span.begin_us, span.end_us,
                       [&](std::size_t index, float begin, float end) {
                           Bin& bin = bins[index];
                           if (bin.num_spans++ == 0) bin.first_span = static_cast<std::uint32_t>(i);
                           bin.phase_us[span.phase] += std::max(0.0F, end - begin);
                           bin.busy_us += std::max(0.0F, end - std::max(begin, covered));
                       });
        covered = std::max(covered, span.end_us);
    }
    const float bin_us = window.length_us() / static_cast<float>(bins.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const Bin& bin = bins[i];
        if (bin.num_spans == 0) continue;
        const float begin = window.begin_us + bin_us * static_cast<float>(i);
        const auto longest_phase = std::ranges::max_element(bin.phase_us) - bin.phase_us.begin();
        bars.push_back({.begin_us = begin,
                        .end_us = begin + bin_us,
                        .processor = processor,
                        .first_span = bin.first_span,
                        .num_spans = bin.num_spans,
                        .busy_share = std::min(1.0F, bin.busy_us / bin_us),
                        .track = 0,
                        .phase = static_cast<std::uint8_t>(longest_phase)});
    }
}

}  // namespace

std::string_view name_of(WarpRole role) {
    switch (role) {
        case WarpRole::count:
            return "count";
        case WarpRole::look_back:
            return "look-back";
        case WarpRole::scatter:
            return "scatter";
        case WarpRole::all:
            break;
    }
    return "block";
}

float TracedRun::phase_begin_us(std::size_t phase) const {
    float begin = 0;
    for (std::size_t i = 0; i < std::min(phase, timing.num_phases); ++i) begin += timing.phase_us[i];
    return begin;
}

std::string TracedRun::omissions() const {
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
        if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + what;
    };
    std::uint64_t appends_left_out = 0;
    for (const compaction::LaunchTrace& launch : launches) appends_left_out += launch.appends_left_out;
    add(blocks_merged, " blocks share spans");
    add(spans_left_out, " blocks and roles are left out");
    add(launches_left_out, " launches are left out");
    add(appends_left_out, " warps have no record of what they append");
    return text;
}

std::string TracedRun::phase_name(std::size_t phase) const {
    return phase < algorithm->phases.size() ? algorithm->phases[phase].name
                                            : "phase " + std::to_string(phase + 1);
}

const char* TracedRun::processor_word() const {
    return algorithm->engine != compaction::EngineId::cpu ? "multiprocessor" : "worker";
}

const compaction::BlockParts* TracedRun::parts_of(const WorkSpan& span) const {
    if (span.launch >= launches.size() || !launches[span.launch].parts) return nullptr;
    return &*launches[span.launch].parts;
}

TracedRun prepare(const compaction::Algorithm& algorithm, std::uint64_t frame, RunTrace trace,
                  double whole_us) {
    TracedRun run;
    run.algorithm = &algorithm;
    run.frame = frame;
    run.processors = trace.processors;
    run.timing = trace.timing;
    run.blocks_merged = trace.blocks_merged;
    run.spans_left_out = trace.spans_left_out;
    run.launches_left_out = trace.launches_left_out;
    run.clock_step_us = trace.clock_step_us;
    run.schedule_seed = trace.schedule_seed;
    run.launches = std::move(trace.launches);
    run.spans = std::move(trace.spans);
    std::erase_if(run.spans, [&](const WorkSpan& span) { return !is_usable(span, run.processors); });
    split_off_roles(run);
    sort_into_rows(run);
    if (run.spans.empty()) {
        // The kernels of a library record no spans: its whole time becomes its only phase.
        if (run.spans_left_out == 0 && algorithm.phases.size() == 1 && whole_us > 0) {
            run.timing.num_phases = 1;
            run.timing.phase_us[0] = run.end_us = static_cast<float>(whole_us);
        }
        return run;
    }
    // The first phase begins at 0, before its first block.
    run.begin_us = std::min(0.0F, std::ranges::min(run.spans, {}, &WorkSpan::begin_us).begin_us);
    run.end_us = std::ranges::max(run.spans, {}, &WorkSpan::end_us).end_us;
    assign_tracks(run);
    find_busy_steps(run);
    find_figures(run);
    return run;
}

bool collect_bars(const TracedRun& run, TimeWindow window, std::size_t max_bars, std::vector<WorkBar>& bars) {
    bars.clear();
    if (run.spans.empty() || !(window.length_us() > 0)) return false;
    std::size_t num_visible = 0;
    for (std::uint32_t processor = 0; processor < run.processors; ++processor) {
        const auto [first, last] = spans_within(run, processor, window);
        num_visible += last - first;
    }
    if (num_visible > max_bars) {
        std::vector<Bin> bins(std::max<std::size_t>(1, max_bars / run.processors));
        for (std::uint32_t processor = 0; processor < run.processors; ++processor)
            merge_row(run, processor, window, bins, bars);
        return true;
    }
    bars.reserve(num_visible);
    for (std::uint32_t processor = 0; processor < run.processors; ++processor) {
        const auto [first, last] = spans_within(run, processor, window);
        for (std::size_t i = first; i < last; ++i) {
            const WorkSpan& span = run.spans[i];
            if (span.end_us < window.begin_us) continue;
            bars.push_back({.begin_us = span.begin_us,
                            .end_us = span.end_us,
                            .processor = processor,
                            .first_span = static_cast<std::uint32_t>(i),
                            .num_spans = 1,
                            .busy_share = 1,
                            .track = run.tracks[i],
                            .phase = span.phase});
        }
    }
    return false;
}

std::vector<float> busy_columns(const TracedRun& run, TimeWindow window, std::size_t columns) {
    std::vector<float> busy(columns, 0.0F);
    if (columns == 0 || !(window.length_us() > 0)) return busy;
    const float column_us = window.length_us() / static_cast<float>(columns);
    for (std::size_t i = 0; i + 1 < run.busy.size(); ++i) {
        for_each_piece(window, columns, run.busy[i].begin_us, run.busy[i + 1].begin_us,
                       [&](std::size_t column, float begin, float end) {
                           busy[column] += static_cast<float>(run.busy[i].num_busy) *
                                           std::max(0.0F, end - begin) / column_us;
                       });
    }
    return busy;
}

namespace {

/// One step of the clock of an H200.
constexpr float min_window_us = 0.032F;
/// Share of the run's time that is left empty on either side.
constexpr float window_margin = 0.02F;

}  // namespace

TimeWindow whole_window(const TracedRun& run) {
    const float length = std::max(run.end_us - run.begin_us, min_window_us);
    return {run.begin_us - length * window_margin, run.begin_us + length * (1 + window_margin)};
}

TimeWindow whole_window(const TracedRun& a, const TracedRun& b) {
    const TimeWindow of_a = whole_window(a);
    const TimeWindow of_b = whole_window(b);
    return {std::min(of_a.begin_us, of_b.begin_us), std::max(of_a.end_us, of_b.end_us)};
}

TimeWindow zoomed(TimeWindow all, TimeWindow window, float fixed_us, float factor) {
    const float length =
        std::clamp(window.length_us() * factor, std::min(min_window_us, all.length_us()), all.length_us());
    const float ratio = window.length_us() > 0 ? length / window.length_us() : 1;
    const float begin = fixed_us - (fixed_us - window.begin_us) * ratio;
    return moved(all, {begin, begin + length}, 0);
}

TimeWindow moved(TimeWindow all, TimeWindow window, float by_us) {
    const float length = window.length_us();
    if (length >= all.length_us()) return all;
    const float begin =
        std::clamp(window.begin_us + by_us, all.begin_us, std::max(all.begin_us, all.end_us - length));
    return {begin, std::min(begin + length, all.end_us)};
}

}  // namespace warpsieve::trace
