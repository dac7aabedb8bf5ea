#include "app/kernel_view/memory_map.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "app/kernel_view/word_accesses.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::BufferRole;
using compaction::LaneSite;
using compaction::LaneStepKind;
using compaction::MemorySpace;

constexpr std::uint32_t words_per_row = 32;

/// The key of a buffer is its index; that of shared memory is `none`.
template <typename AreaOrAccess>
std::uint32_t key_of(const AreaOrAccess& area) {
    return area.space == MemorySpace::shared ? none : area.buffer;
}

Touch touch_of(const MemoryAccess& access) {
    return access.stores ? Touch::written : Touch::read;
}

const Memory& memory_of(const State& state, const MemoryArea& area, std::uint32_t block) {
    return area.space == MemorySpace::shared ? state.shared[block] : state.global[area.buffer];
}

std::uint32_t num_words(std::uint64_t bytes) {
    return static_cast<std::uint32_t>((bytes + word_bytes - 1) / word_bytes);
}

bool is_of_launch(const Events& events, std::uint32_t event, std::uint32_t launch) {
    return event != none && events.events[event].launch == launch;
}

/// The warp whose lane or bulk copy wrote a word, as MapWord::writer.
std::uint32_t writer_in(const Events& events, std::uint32_t launch, std::uint32_t stored_by) {
    if (stored_by == none) return none;
    const Event& event = events.events[stored_by];
    const LaneStepKind kind = events.site_of(event).kind;
    if (event.launch != launch || !(is_by_lane(kind) || performs_copy(kind))) return earlier_launch;
    return events.warp_of(event);
}

bool is_use_of_mbarrier(LaneStepKind kind) {
    return kind == LaneStepKind::mbarrier_arrive || kind == LaneStepKind::mbarrier_phase ||
           kind == LaneStepKind::mbarrier_wait;
}

/// What a launch accesses of an area.
struct AccessedRows {
    std::set<std::uint32_t> rows;
    bool is_written = false;
};
/// Of each area that the launch accesses, by its key.
std::map<std::uint32_t, AccessedRows> accessed_areas(const Events& events, std::uint32_t launch) {
    std::map<std::uint32_t, AccessedRows> areas;
    const auto add = [&](const MemoryAccess& access) {
        AccessedRows& accessed = areas[key_of(access)];
        accessed.is_written = accessed.is_written || access.stores;
        for (std::uint32_t word = access.first_word(); word < access.end_word(); ++word)
            accessed.rows.insert(word / words_per_row);
    };
    for (std::uint32_t i = events.launch_begins[launch]; i < events.launch_begins[launch + 1]; ++i)
        for_each_access(events, events.events[i], add);
    return areas;
}

}  // namespace

std::vector<MemoryArea> memory_areas(const Events& events, std::uint32_t launch, std::uint32_t block) {
    std::vector<MemoryArea> areas;
    for (const auto& [index, accessed] : accessed_areas(events, launch)) {
        MemoryArea area{.name = "shared memory of block " + std::to_string(block), .used_rows = {}};
        if (index == none) {
            area.space = MemorySpace::shared;
            area.num_words = num_words(events.shared_bytes[launch]);
        } else {
            const compaction::TracedBuffer& buffer = events.trace.buffers[index];
            if (buffer.role == BufferRole::status) continue;
            area.buffer = index;
            area.name = buffer.name;
            area.element_bytes = buffer.element_bytes;
            area.num_words = num_words(buffer.num_elements * buffer.element_bytes);
            area.is_input = buffer.role == BufferRole::input;
        }
        area.used_rows.assign((area.num_words + words_per_row - 1) / words_per_row, false);
        area.is_written = accessed.is_written;
        for (const std::uint32_t row : accessed.rows)
            if (row < area.used_rows.size()) area.used_rows[row] = true;
        areas.push_back(std::move(area));
    }
    std::ranges::stable_sort(areas, {}, [&](const MemoryArea& area) {
        if (area.space == MemorySpace::shared) return 0;
        if (area.is_input) return 1;
        return events.trace.buffers[area.buffer].role == BufferRole::output ? 2 : 3;
    });
    return areas;
}

std::vector<MapWord> map_words(const Events& events, const State& state, std::span<const std::uint32_t> step,
                               const MemoryArea& area, std::uint32_t block) {
    const Memory& memory = memory_of(state, area, block);
    std::vector<MapWord> words(area.num_words);
    const std::size_t known = std::min<std::size_t>(words.size(), memory.stored_by.size());
    for (std::size_t i = 0; i < known; ++i) {
        const std::span<const std::byte> bytes = std::span(memory.bytes).subspan(i * word_bytes);
        words[i].value = static_cast<std::uint32_t>(
            number_of(bytes.first(std::min<std::size_t>(bytes.size(), word_bytes))));
        words[i].stored_by = memory.stored_by[i];
        words[i].writer = writer_in(events, state.launch, memory.stored_by[i]);
        words[i].is_read = is_of_launch(events, memory.loaded_by[i], state.launch);
    }
    for (const std::uint32_t index : step) {
        const Event& event = events.events[index];
        for_each_access(events, event, [&](const MemoryAccess& access) {
            const bool is_in_other_block = access.space == MemorySpace::shared && event.block != block;
            if (key_of(access) != key_of(area) || is_in_other_block) return;
            const auto end = std::min<std::size_t>(access.end_word(), words.size());
            for (std::size_t word = access.first_word(); word < end; ++word)
                words[word].now = std::max(words[word].now, touch_of(access));
        });
    }
    return words;
}

std::vector<StatusWord> status_words(const Events& events, const State& state,
                                     std::span<const std::uint32_t> step) {
    std::vector<StatusWord> all;
    for (std::uint32_t buffer = 0; buffer < events.trace.buffers.size(); ++buffer) {
        const compaction::TracedBuffer& traced = events.trace.buffers[buffer];
        if (traced.role != BufferRole::status) continue;
        const Memory& memory = state.global[buffer];
        const std::uint64_t per_copy = traced.num_elements / std::max(traced.format.copies, 1U);
        const auto touch_at = [&](std::uint64_t address) {
            Touch touch = Touch::none;
            for (const std::uint32_t index : step)
                for_each_access(events, events.events[index], [&](const MemoryAccess& access) {
                    if (key_of(access) == buffer && access.address < address + traced.element_bytes &&
                        address < access.address + access.bytes)
                        touch = std::max(touch, touch_of(access));
                });
            return touch;
        };
        for (std::uint64_t i = 0; i < per_copy; ++i) {
            StatusWord word{.buffer = buffer, .index = static_cast<std::uint32_t>(i)};
            for (std::uint64_t at = i; at < traced.num_elements; at += per_copy) {
                const std::size_t first = at * traced.element_bytes;
                const std::uint32_t stored_by = memory.stored_by[first / word_bytes];
                const std::uint32_t loaded_by = memory.loaded_by[first / word_bytes];
                if (is_of_launch(events, loaded_by, state.launch) &&
                    (word.read_by == none || loaded_by > word.read_by))
                    word.read_by = loaded_by;
                const std::uint32_t writer = writer_in(events, state.launch, stored_by);
                const bool is_accessed = writer != none && writer != earlier_launch;
                if (is_accessed) {
                    word.stored_by = stored_by;
                    word.number = traced.format.number_in(
                        number_of(std::span(memory.bytes).subspan(first, traced.element_bytes)));
                }
                if (is_accessed || word.read_by != none) word.now = std::max(word.now, touch_at(first));
            }
            if (word.stored_by != none || word.read_by != none) all.push_back(word);
        }
    }
    return all;
}

std::vector<BarrierState> barriers_at(const Events& events, const Steps& steps, std::size_t step,
                                      const State& state, std::uint32_t block) {
    std::vector<BarrierState> all;
    if (state.launch == none) return all;
    const std::string of_block = " of block " + std::to_string(block);
    const std::uint32_t threads = events.trace.launches[state.launch].threads;
    if (threads > 32)
        all.push_back(
            {.name = "__syncthreads" + of_block, .arrived = state.arrived[block], .expected = threads});
    const std::size_t first_mbarrier = all.size();
    std::map<std::uint32_t, std::size_t> by_address;
    const std::size_t end = steps.begins[step + 1];
    for (std::size_t i = 0; i < end; ++i) {
        const Event& event = events.events[steps.events[i]];
        if (event.launch != state.launch || event.block != block) continue;
        const LaneStepKind kind = events.site_of(event).kind;
        const std::uint64_t operand = kind == LaneStepKind::mbarrier_init || is_use_of_mbarrier(kind)
                                          ? events.numbers[event.first_number]
                                          : 0;
        if (kind == LaneStepKind::mbarrier_init) {
            const auto number = static_cast<std::uint32_t>(all.size() - first_mbarrier);
            by_address[event.address] = all.size();
            all.push_back({.name = "mbarrier " + std::to_string(number) + of_block,
                           .mbarrier = number,
                           .expected = static_cast<std::uint32_t>(operand)});
        } else if (is_use_of_mbarrier(kind)) {
            const auto found = by_address.find(event.address);
            const std::size_t index = kind == LaneStepKind::mbarrier_phase ? first_mbarrier + operand
                                      : found == by_address.end()          ? all.size()
                                                                           : found->second;
            if (index >= all.size()) continue;
            BarrierState& barrier = all[index];
            if (kind == LaneStepKind::mbarrier_arrive) {
                ++barrier.arrived;
                barrier.bytes += operand;
            } else if (kind == LaneStepKind::mbarrier_phase) {
                barrier.arrived = 0;
                barrier.bytes = 0;
                ++barrier.phases;
            }
            barrier.is_used_now = i >= steps.begins[step];
        }
    }
    return all;
}

const char* whereabouts(const Events& events, const State& state, std::uint32_t warp) {
    const std::uint32_t threads = events.trace.launches[state.launch].threads;
    const std::uint32_t block = warp / events.warps_per_block(state.launch);
    const std::uint32_t first = warp % events.warps_per_block(state.launch) * 32;
    constexpr std::array names{"not begun", "runs", "at a barrier", "ended"};
    std::array<unsigned, names.size()> lanes{};
    for (std::uint32_t thread = first; thread < std::min(first + 32, threads); ++thread) {
        const std::uint32_t site = state.sites[std::size_t{block} * threads + thread];
        const LaneStepKind kind = site == none ? LaneStepKind::launch : events.trace.sites[site].kind;
        const bool waits = kind == LaneStepKind::barrier && state.arrived[block] != 0;
        ++lanes[site == none ? 0 : waits ? 2 : kind == LaneStepKind::end ? 3 : 1];
    }
    return names[static_cast<std::size_t>(std::ranges::max_element(lanes) - lanes.begin())];
}

}  // namespace warpsieve::kernel_view
