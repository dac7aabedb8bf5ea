#include "app/kernel_view/warp_view.hpp"

#include <algorithm>
#include <map>

namespace warpsieve::kernel_view {
namespace {

using compaction::LaneSite;
using compaction::LaneStepKind;

/// The nearest step in that direction for which `is` holds, or `otherwise`.
template <typename Is>
std::size_t find_step(const Steps& steps, std::size_t step, int direction, std::size_t otherwise, Is is) {
    for (std::size_t at = step; direction > 0 ? at + 1 < steps.size() : at > 0;) {
        at = direction > 0 ? at + 1 : at - 1;
        if (std::ranges::any_of(steps[at], is)) return at;
    }
    return otherwise;
}

constexpr std::uint32_t row_bytes = 32 * word_bytes;
constexpr std::uint32_t sector_words = sector_bytes / word_bytes;

bool is_access(LaneStepKind kind) {
    return is_by_lane(kind) && (loads(kind) || holds_stored_bytes(kind));
}

/// All words of the sectors of which `words` has one.
std::uint32_t whole_sectors(std::uint32_t words) {
    std::uint32_t whole = 0;
    for (std::uint32_t sector = (1U << sector_words) - 1; sector != 0; sector <<= sector_words)
        if ((words & sector) != 0) whole |= sector;
    return whole;
}

/// The words of the row that `bytes` holds, as far as it reaches.
Value words_at(std::span<const std::byte> bytes, std::uint32_t address, std::uint32_t wanted) {
    Value words;
    for (std::uint32_t word = 0; word < 32; ++word) {
        const std::size_t at = std::size_t{address} + word * word_bytes;
        if ((wanted >> word & 1) == 0 || at + word_bytes > bytes.size()) continue;
        words.of_lane[word] = number_of(bytes.subspan(at, word_bytes));
        words.known |= 1U << word;
    }
    return words;
}

/// The lane that the shuffle gives to `lane`. `operand`: the distance, the mask of bits, or the lane.
std::uint32_t source_of_shuffle(std::string_view call, std::uint32_t lane, std::uint32_t operand) {
    if (call == "__shfl_up_sync") return lane < operand ? lane : lane - operand;
    if (call == "__shfl_down_sync") return lane + operand > 31 ? lane : lane + operand;
    return call == "__shfl_xor_sync" ? lane ^ operand : operand % 32;
}

}  // namespace

std::vector<SourceRow> source_rows(const Events& events, std::uint32_t launch) {
    std::map<Line, std::uint32_t> ran;  // the index of each line that ran
    for (std::uint32_t i = events.launch_begins[launch]; i < events.launch_begins[launch + 1]; ++i) {
        const Event& event = events.events[i];
        if (!is_by_lane(events.site_of(event).kind)) continue;
        for (const auto* lines : {&events.site_lines[event.site], &events.line_sets[event.line_set]})
            for (const std::uint32_t line : *lines) ran.emplace(events.lines[line], line);
    }
    std::vector<std::uint32_t> functions;
    for (const auto& [line, index] : ran)
        if (functions.empty() || functions.back() != line.function) functions.push_back(line.function);
    const std::string& kernel = events.trace.launches[launch].kernel;
    std::ranges::stable_sort(functions, {}, [&](std::uint32_t index) {
        const SourceFunction& function = events.functions[index];
        return function.name == kernel ? 0 : function.measures() ? 2 : 1;
    });
    std::vector<SourceRow> rows;
    for (const std::uint32_t function : functions) {
        rows.push_back({.function = function, .number = 0, .line = none});  // the name of the function
        const SourceFunction& source = events.functions[function];
        for (std::uint32_t i = 0; i < source.lines.size(); ++i) {
            const auto found = ran.find(Line{function, source.first_line + i});
            rows.push_back({function, source.first_line + i, found == ran.end() ? none : found->second});
        }
    }
    return rows;
}

WarpView warp_view(const Events& events, std::span<const std::uint32_t> step, std::uint32_t warp) {
    WarpView view;
    view.warp = warp;
    for (const std::uint32_t index : step) {
        const Event& event = events.events[index];
        if (!is_by_lane(events.site_of(event).kind) || events.warp_of(event) != warp) continue;
        if (view.running == 0) view.path = events.site_lines[event.site];
        view.running |= 1U << event.lane();
    }
    return view;
}

std::vector<LineDots> line_dots(const Events& events, const State& state, const WarpView& view) {
    std::vector<LineDots> all(events.lines.size());
    if (state.launch == none) return all;
    const std::uint32_t threads = events.trace.launches[state.launch].threads;
    const std::uint32_t warps = events.warps_per_block(state.launch);
    const std::uint32_t first_thread = view.warp % warps * 32;
    std::uint32_t existing_lanes = 0;
    for (std::uint32_t lane = 0; lane < 32 && first_thread + lane < threads; ++lane) {
        existing_lanes |= 1U << lane;
        const std::uint32_t site =
            state.sites[std::size_t{view.warp / warps} * threads + first_thread + lane];
        if (site == none) continue;
        for (const std::uint32_t line : events.site_lines[site]) all[line].here |= 1U << lane;
    }
    for (std::size_t line = 0; line < all.size(); ++line) {
        LineDots& dots = all[line];
        if (line == view.line()) {
            dots = {.now = view.running, .off = existing_lanes & ~view.running, .here = 0, .was = 0};
        } else {
            dots.was = state.seen[view.warp * events.lines.size() + line] & ~dots.here;
        }
    }
    return all;
}

std::vector<MemoryRow> accessed_rows(const Events& events, const State& state,
                                     std::span<const std::uint32_t> step) {
    const Event& first = events.events[step[0]];
    const LaneSite& site = events.site_of(first);
    if (!is_access(site.kind)) return {};
    std::map<std::uint32_t, std::uint32_t> accessed;  // words of each row
    for (const std::uint32_t index : step) {
        const Event& event = events.events[index];
        const std::uint32_t end = event.address + events.site_of(event).bytes;
        for (std::uint32_t word = event.address / word_bytes; word * word_bytes < end; ++word)
            accessed[word / 32] |= 1U << word % 32;
    }
    const bool is_shared = site.space == compaction::MemorySpace::shared;
    const Memory& memory = state.memory_of(first, site);
    std::vector<MemoryRow> rows;
    for (const auto& [row, words] : accessed) {
        const std::uint32_t address = row * row_bytes;
        MemoryRow& added = rows.emplace_back();
        added.space = site.space;
        if (is_shared) {
            added.name = "shared byte " + std::to_string(address);
        } else {
            const compaction::TracedBuffer& buffer = events.trace.buffers[site.buffer];
            added.name = buffer.name + "[" + std::to_string(address / buffer.element_bytes) + "]";
        }
        added.words = words_at(memory.bytes, address, is_shared ? ~0U : whole_sectors(words));
        added.accessed = words;
    }
    return rows;
}

std::optional<Shuffle> shuffle_of(const Events& events, std::span<const std::uint32_t> step,
                                  std::uint32_t warp) {
    Shuffle shuffle;
    for (const std::uint32_t index : step) {
        const Event& event = events.events[index];
        const LaneSite& site = events.site_of(event);
        if (!site.name.starts_with("__shfl") || events.warp_of(event) != warp) continue;
        if (site.kind == LaneStepKind::collective) {
            const auto operand = static_cast<std::uint32_t>(events.numbers[event.first_number + 1]);
            shuffle.passed.of_lane[event.lane()] = events.numbers[event.first_number];
            shuffle.passed.known |= 1U << event.lane();
            shuffle.source_lane[event.lane()] = source_of_shuffle(site.name, event.lane(), operand);
        } else if (site.kind == LaneStepKind::collective_results) {
            const std::uint32_t name = events.site_names[event.site];
            shuffle.name = name == none ? "gets" : events.names[name];
            shuffle.results.known = event.mask;
            std::size_t result = event.first_number;
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                if ((event.mask >> lane & 1) != 0) shuffle.results.of_lane[lane] = events.numbers[result++];
        }
    }
    if (shuffle.passed.known == 0 || shuffle.passed.known != shuffle.results.known) return {};
    return shuffle;
}

Value words_of_banks(std::span<const MemoryRow> rows) {
    Value banks;
    banks.known = ~0U;
    for (const MemoryRow& row : rows)
        for (std::uint32_t bank = 0; bank < 32; ++bank) banks.of_lane[bank] += row.accessed >> bank & 1;
    return banks;
}

Mark mark_of(const compaction::LaneSite& site) {
    using enum LaneStepKind;
    const LaneStepKind kind = site.kind;
    const bool is_shared = site.space == compaction::MemorySpace::shared;
    if (kind == barrier || kind == barrier_release || kind == mbarrier_phase || kind == mbarrier_wait ||
        kind == mbarrier_arrive)
        return Mark::barrier;
    if (is_barrier_of_warp(site)) return Mark::warp_barrier;
    if (kind == collective || kind == collective_results) return Mark::collective;
    if (holds_stored_bytes(kind) || kind == copied_to_global)
        return is_shared ? Mark::shared_write : Mark::write;
    if (loads(kind)) return is_shared ? Mark::shared_read : Mark::read;
    return Mark::other;
}

std::size_t index_of_style(Mark mark) {
    return static_cast<std::size_t>(std::ranges::find(mark_styles, mark, &MarkStyle::mark) -
                                    mark_styles.begin());
}

bool is_milestone(const compaction::LaneSite& site) {
    return site.kind == LaneStepKind::launch || site.kind == LaneStepKind::barrier_release ||
           site.kind == LaneStepKind::mbarrier_phase ||
           (site.kind == LaneStepKind::collective_results && is_barrier_of_warp(site));
}

StepRange steps_of_launch(const Events& events, const Steps& steps, std::uint32_t launch) {
    StepRange range;
    const auto launch_of = [&](std::size_t step) { return events.events[steps[step][0]].launch; };
    // Launches run one after the other.
    while (range.begin < steps.size() && launch_of(range.begin) < launch) ++range.begin;
    range.end = range.begin;
    while (range.end < steps.size() && launch_of(range.end) == launch) ++range.end;
    return range;
}

std::vector<Mark> timeline_cells(const Events& events, const Steps& steps, StepRange range, std::size_t rows,
                                 std::size_t columns) {
    std::vector<Mark> cells(rows * columns, Mark::nothing);
    if (range.size() == 0) return cells;
    const std::size_t warps = events.num_warps(events.events[steps[range.begin][0]].launch);
    for (std::size_t step = range.begin; step < range.end; ++step) {
        const std::size_t column = (step - range.begin) * columns / range.size();
        for (const std::uint32_t index : steps[step]) {
            const Event& event = events.events[index];
            const compaction::LaneSite& site = events.site_of(event);
            if (site.kind == LaneStepKind::launch || site.kind == LaneStepKind::memory) continue;
            const std::size_t row =
                warps <= rows ? events.warp_of(event) : events.warp_of(event) * rows / warps;
            Mark& cell = cells[row * columns + column];
            cell = std::max(cell, mark_of(site));
        }
    }
    return cells;
}

std::size_t next_milestone(const Events& events, const Steps& steps, std::size_t step, int direction) {
    return find_step(steps, step, direction, direction > 0 ? steps.size() - 1 : 0,
                     [&](std::uint32_t index) { return is_milestone(events.site_of(events.events[index])); });
}

std::size_t next_at_line(const Events& events, const Steps& steps, std::size_t step, int direction,
                         std::span<const std::uint32_t> lines) {
    return find_step(steps, step, direction, step, [&](std::uint32_t index) {
        const Event& event = events.events[index];
        if (!is_by_lane(events.site_of(event).kind)) return false;
        const std::vector<std::uint32_t>& path = events.site_lines[event.site];
        return !path.empty() && std::ranges::find(lines, path.front()) != lines.end();
    });
}

std::size_t step_with(const Steps& steps, std::uint32_t event) {
    const auto at = std::ranges::find(steps.events, event) - steps.events.begin();
    return static_cast<std::size_t>(std::ranges::upper_bound(steps.begins, static_cast<std::uint32_t>(at)) -
                                    steps.begins.begin() - 1);
}

}  // namespace warpsieve::kernel_view
