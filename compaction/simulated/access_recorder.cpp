#include "simulated/access_recorder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <tuple>

#include "simulated/grid.hpp"
#include "simulated/memory.hpp"

namespace compaction::simulated {
namespace {

/// A lane uses what it has loaded at least this many steps later.
constexpr std::uint64_t min_steps_after_load = 6;
constexpr std::uint64_t word_bytes = 4;

std::uintptr_t address_of(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

bool is_global(Action action) {
    return action <= Action::bulk_store;
}

bool is_shared(Action action) {
    return action == Action::shared_load || action == Action::shared_store;
}

bool writes(Action action) {
    return action == Action::store || action == Action::atomic || action == Action::bulk_store ||
           action == Action::shared_store;
}

/// Whether the action itself needs what its lane has loaded.
bool uses_loads(Action action) {
    return action != Action::load && action != Action::bulk_load && action != Action::copy_arrive;
}

bool is_arrival(Action action) {
    return action == Action::barrier || action == Action::arrive || action == Action::copy_arrive;
}

AccessKind kind_of(Action action) {
    switch (action) {
        case Action::store:
            return AccessKind::store;
        case Action::atomic:
            return AccessKind::atomic;
        case Action::bulk_load:
            return AccessKind::bulk_load;
        case Action::bulk_store:
            return AccessKind::bulk_store;
        default:
            return AccessKind::load;
    }
}

Action action_of(EventKind kind) {
    switch (kind) {
        case EventKind::write:
        case EventKind::atomic_write:
            return Action::store;
        case EventKind::atomic_update:
            return Action::atomic;
        case EventKind::copy_to_shared:
            return Action::bulk_load;
        case EventKind::copy_to_global:
            return Action::bulk_store;
        default:
            return Action::load;
    }
}

template <typename Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace

AccessRecorder::AccessRecorder(AccessTrace& trace, const std::vector<const void*>& memory)
    : TraceRecorder(trace.launches, trace.buffers, memory), trace_(trace), writer_(trace) {
    for (const TracedBuffer& buffer : trace.buffers)
        words_.emplace_back((buffer.num_elements * buffer.element_bytes + word_bytes - 1) / word_bytes);
    memory_.resize(memory.size());
    for (const Range& range : ranges()) memory_[range.buffer] = range.begin;
}

std::uint32_t AccessRecorder::warp_of(const Block& block, unsigned warp) const {
    return block.index * warps_per_block_ + warp;
}

// --- Recording ---

void AccessRecorder::begin_launch(const Grid& grid, std::string kernel) {
    TracedLaunch& launch = add_launch(grid, std::move(kernel));
    launch.begin_step = launch.end_step = next_step_;
    warps_per_block_ = (launch.threads + lanes_per_warp - 1) / lanes_per_warp;
    actions_.clear();
    values_.clear();
    warps_.assign(std::size_t{launch.blocks} * warps_per_block_, {});
    last_polls_.clear();
    current_phases_.clear();
    ended_phases_.clear();
    copies_.clear();
    shared_words_.clear();
    barrier_phases_.clear();
    processors_ = {};
    for (Multiprocessor& processor : processors_) processor.max_resident = resident_blocks(grid.shape);
}

void AccessRecorder::start_block(const Block& block) {
    trace_.launches.back().multiprocessors[block.index] = static_cast<std::uint8_t>(block.multiprocessor);
    processors_[block.multiprocessor].blocks.push_back(block.index);
}

LaneAction& AccessRecorder::append(std::uint32_t warp, unsigned lane, Action action, std::uint32_t object) {
    WarpState& state = warps_[warp];
    const unsigned bit = 1U << lane;
    state.actions.push_back(static_cast<std::uint32_t>(actions_.size()));
    LaneAction& added = actions_.emplace_back();
    added.action = action;
    added.lane = static_cast<std::uint8_t>(lane);
    added.follows_loads = uses_loads(action) || (state.uses_loads_mask & bit) != 0;
    added.warp = warp;
    added.num_meetings = state.num_meetings[lane];
    added.object = object;
    state.uses_loads_mask &= ~bit;
    return added;
}

void AccessRecorder::add(Grid& grid, EventKind kind, const void* address, std::size_t bytes, std::uint64_t,
                         const char*, const SourceLocation& location) {
    // An atomic operation may read variables of its lane between its announcement and its store.
    const bool is_used = is_access(kind) && bytes > 0;
    const Location memory = is_used ? location_of(grid, address) : Location{};
    if (is_used && memory.space == Space::none) return;
    finish_writes_before(grid, kind, address, bytes);
    if (!is_used) return;
    const std::uint32_t warp = warp_of(grid.block(), grid.warp->index);
    Action action = action_of(kind);
    if (memory.space == Space::shared) {
        if (kind == EventKind::write) warps_[warp].uses_loads_mask |= 1U << grid.lane;
        if (kind == EventKind::read || kind == EventKind::write) return;
        action = writes(action) || action == Action::atomic ? Action::shared_store : Action::shared_load;
    }
    const Range* const range = memory.space == Space::global ? range_of(address, bytes) : nullptr;
    if (memory.space == Space::global && !range) return report_unknown_buffer(location);
    const auto index = static_cast<std::uint32_t>(actions_.size());
    LaneAction& added = append(warp, grid.lane, action, range ? range->buffer : grid.block().index);
    added.bytes = static_cast<std::uint32_t>(bytes);
    added.address = range ? address_of(address) - range->begin : memory.offset;
    added.location = location;
    if (kind == EventKind::atomic_read) mark_repeated_poll(index);
    if (kind == EventKind::copy_to_global)
        copies_[{warp * lanes_per_warp + grid.lane, address}].push_back(index);
    if (action == Action::store || action == Action::atomic)
        announce(grid, address, bytes, action == Action::atomic, index);
}

/// If the lane repeats an atomic load, the previous one was a failed poll.
void AccessRecorder::mark_repeated_poll(std::uint32_t index) {
    const LaneAction& load = actions_[index];
    const std::uint64_t address_and_object = load.address << 8 | load.object;
    const auto [last, is_first] = last_polls_.emplace(
        std::tuple(load.warp, unsigned{load.lane}, address_and_object, load.location), index);
    if (is_first) return;
    actions_[last->second].is_failed_poll = true;
    last->second = index;
}

void AccessRecorder::copy_values(LaneAction& action, const std::byte* from, std::size_t bytes) {
    action.first_value = values_.size();
    values_.insert(values_.end(), from, from + bytes);
}

void AccessRecorder::finish_write(std::size_t number) {
    LaneAction& action = actions_[number];
    // An access of a part of an element stores the whole element.
    const std::uint64_t element = trace_.buffers[action.object].element_bytes;
    const std::uint64_t begin = action.address / element * element;
    const std::uint64_t end = (action.address + action.bytes + element - 1) / element * element;
    const auto* const from = reinterpret_cast<const std::byte*>(memory_[action.object]);
    copy_values(action, from + begin, end - begin);
}

void AccessRecorder::add_copy(const Copy& copy) {
    finish_writes();
    if (copy.is_to_shared()) return;
    const std::uint32_t warp = warp_of(*copy.block, copy.thread / lanes_per_warp);
    const auto found = copies_.find({warp * lanes_per_warp + copy.thread % lanes_per_warp, copy.global});
    if (found == copies_.end()) return;
    LaneAction& action = actions_[found->second.front()];
    copy_values(action, copy.block->shared_bytes() + (copy.shared - shared_base), action.bytes);
    found->second.erase(found->second.begin());
    if (found->second.empty()) copies_.erase(found);
}

void AccessRecorder::meet(const Warp& warp, unsigned mask) {
    WarpState& state = warps_[warp_of(*warp.block, warp.index)];
    std::uint32_t max_meetings = 0;
    for_each_lane(mask,
                  [&](unsigned lane) { max_meetings = std::max(max_meetings, state.num_meetings[lane]); });
    for_each_lane(mask, [&](unsigned lane) { state.num_meetings[lane] = max_meetings + 1; });
    state.uses_loads_mask |= mask;
}

void AccessRecorder::release(const Block& block) {
    finish_writes();
    const auto barrier = static_cast<std::uint32_t>(barrier_phases_.size());
    barrier_phases_.emplace_back();
    for (const Warp& warp : block.warps) {
        if (warp.at_barrier == 0) continue;
        meet(warp, warp.at_barrier);
        for_each_lane(warp.at_barrier, [&](unsigned lane) {
            append(warp_of(block, warp.index), lane, Action::barrier, barrier);
        });
        meet(warp, warp.at_barrier);
    }
}

void AccessRecorder::use_mbarrier(const Grid& grid, EventKind kind, std::size_t index) {
    finish_writes();
    const auto [phase, is_new] =
        current_phases_.emplace(std::pair(grid.block().index, index), barrier_phases_.size());
    if (is_new) barrier_phases_.emplace_back();
    const std::uint32_t warp = warp_of(grid.block(), grid.warp->index);
    if (kind != EventKind::mbarrier_wait) {
        const bool is_copy = kind == EventKind::copy_to_shared;
        append(warp, grid.lane, is_copy ? Action::copy_arrive : Action::arrive, phase->second);
    } else if (const auto ended = ended_phases_.find(phase->first); ended != ended_phases_.end()) {
        append(warp, grid.lane, Action::wait, ended->second);
    }
}

void AccessRecorder::complete_phase(const Block& block, std::size_t index) {
    finish_writes();
    const auto current = current_phases_.find({block.index, index});
    if (current == current_phases_.end()) return;
    ended_phases_[current->first] = current->second;
    current->second = static_cast<std::uint32_t>(barrier_phases_.size());
    barrier_phases_.emplace_back();
}

void AccessRecorder::on_memory_changed(const char* call, const void* to, std::size_t bytes) {
    if (bytes == 0 || !is_in_buffer(to)) return;
    TracedLaunch& launch = add_launch(LaunchKind::memory, call);
    launch.begin_step = launch.end_step = next_step_;
    write_range(AccessKind::bulk_store, to, bytes);
}

void AccessRecorder::on_library_call(const char* call, const void* from, std::size_t bytes_read,
                                     const void* to, std::size_t bytes_written) {
    TracedLaunch& launch = add_launch(LaunchKind::library, call);
    launch.begin_step = launch.end_step = next_step_;
    write_range(AccessKind::bulk_load, from, bytes_read);
    write_range(AccessKind::bulk_store, to, bytes_written);
}

void AccessRecorder::write_range(AccessKind kind, const void* from, std::size_t bytes) {
    for_each_buffer(from, bytes, [&](const Range& range, std::uintptr_t address, std::size_t part_bytes) {
        const std::size_t element = trace_.buffers[range.buffer].element_bytes;
        access_ = {};
        access_.step = next_step_++;
        access_.kind = kind;
        access_.buffer = range.buffer;
        access_.launch = static_cast<std::uint32_t>(trace_.launches.size() - 1);
        access_.lane_mask = 1;
        access_.elements_per_lane = static_cast<std::uint32_t>((part_bytes + element - 1) / element);
        access_.elements.resize(access_.elements_per_lane);
        std::iota(access_.elements.begin(), access_.elements.end(), (address - range.begin) / element);
        const auto* const values =
            reinterpret_cast<const std::byte*>(range.begin) + access_.elements.front() * element;
        if (stores(kind)) access_.values.assign(values, values + access_.elements.size() * element);
        writer_.add(access_);
        trace_.launches.back().end_step = next_step_;
    });
}

// --- Joining the lanes of warps ---

void AccessRecorder::join_lanes() {
    warp_actions_.clear();
    warp_action_of_.assign(actions_.size(), WarpAction::none);
    running_.assign(warps_.size(), {});
    std::vector<std::uint32_t> lanes[lanes_per_warp];
    for (std::uint32_t w = 0; w < warps_.size(); ++w) {
        for (auto& lane : lanes) lane.clear();
        for (const std::uint32_t index : warps_[w].actions)
            if (!actions_[index].is_failed_poll) lanes[actions_[index].lane].push_back(index);
        std::vector<std::uint32_t> joined;
        for (const auto& lane : lanes) join_lane(joined, lane);
        for (std::size_t i = 0; i < joined.size(); ++i)
            (i == 0 ? running_[w].next : warp_actions_[joined[i - 1]].next) = joined[i];
    }
}

void AccessRecorder::join_lane(std::vector<std::uint32_t>& joined, const std::vector<std::uint32_t>& lane) {
    std::size_t next = 0;  // in `joined`: the first that this lane may still join
    for (std::size_t i = 0; i < lane.size(); ++i) {
        const LaneAction& action = actions_[lane[i]];
        const auto joined_at = [&](std::size_t position) -> const LaneAction& {
            return actions_[warp_actions_[joined[position]].first];
        };
        while (next < joined.size() && joined_at(next).num_meetings < action.num_meetings) ++next;
        // Other lanes may do more before the same instruction, but not what this lane does next.
        std::size_t found = next;
        while (found < joined.size() && joined_at(found).num_meetings == action.num_meetings &&
               !joined_at(found).same_instruction(action)) {
            if (i + 1 < lane.size() && joined_at(found).same_instruction(actions_[lane[i + 1]])) break;
            ++found;
        }
        const bool joins = found < joined.size() && joined_at(found).num_meetings == action.num_meetings &&
                           joined_at(found).same_instruction(action);
        if (!joins) {
            joined.insert(joined.begin() + static_cast<std::ptrdiff_t>(next),
                          static_cast<std::uint32_t>(warp_actions_.size()));
            warp_actions_.emplace_back().warp = action.warp;
            found = next;
        }
        WarpAction& warp_action = warp_actions_[joined[found]];
        warp_action.lane_mask |= 1U << action.lane;
        warp_action.first = std::min(warp_action.first, lane[i]);
        warp_action.follows_loads |= action.follows_loads;
        warp_action.lane_actions[action.lane] = lane[i];
        warp_action_of_[lane[i]] = joined[found];
        next = found + 1;
    }
}

/// Splits the WarpAction of a LaneAction: the lanes whose LaneActions are `index` or later become a
/// WarpAction of their own, which follows.
void AccessRecorder::split(std::uint32_t index) {
    const std::uint32_t earlier_index = warp_action_of_[index];
    const auto later_index = static_cast<std::uint32_t>(warp_actions_.size());
    warp_actions_.emplace_back(warp_actions_[earlier_index]);
    WarpAction& earlier = warp_actions_[earlier_index];
    WarpAction& later = warp_actions_[later_index];
    later.predecessors.clear();
    later.lane_mask = 0;
    later.first = index;
    for_each_lane(earlier.lane_mask, [&](unsigned lane) {
        if (earlier.lane_actions[lane] >= index) later.lane_mask |= 1U << lane;
    });
    for_each_lane(later.lane_mask,
                  [&](unsigned lane) { warp_action_of_[later.lane_actions[lane]] = later_index; });
    earlier.lane_mask &= ~later.lane_mask;
    earlier.next = later_index;
}

/// Orders the WarpAction `predecessor` of another warp before the LaneAction `index`.
void AccessRecorder::add_predecessor(std::uint32_t index, std::uint32_t predecessor) {
    if (predecessor == WarpAction::none) return;
    if (warp_actions_[predecessor].warp == actions_[index].warp) return;
    // Some lanes of an access may run before an access of another warp, and some after it.
    if (warp_actions_[warp_action_of_[index]].first < warp_actions_[predecessor].first) split(index);
    std::vector<std::uint32_t>& predecessors = warp_actions_[warp_action_of_[index]].predecessors;
    if (predecessors.empty() || predecessors.back() != predecessor) predecessors.push_back(predecessor);
}

void AccessRecorder::link(std::uint32_t index, WordState& word) {
    const auto launch = static_cast<std::uint32_t>(trace_.launches.size());
    if (word.launch != launch) word = {launch, WarpAction::none, WarpAction::none};
    add_predecessor(index, word.writer);
    if (writes(actions_[index].action)) {
        add_predecessor(index, word.reader);
        word.writer = warp_action_of_[index];
        word.reader = WarpAction::none;
    } else {
        word.reader = warp_action_of_[index];
    }
}

void AccessRecorder::link_words() {
    for (std::uint32_t index = 0; index < actions_.size(); ++index) {
        const LaneAction& action = actions_[index];
        if (action.is_failed_poll || (!is_global(action.action) && !is_shared(action.action))) continue;
        const std::uint64_t end = (action.address + action.bytes + word_bytes - 1) / word_bytes;
        for (std::uint64_t word = action.address / word_bytes; word < end; ++word)
            link(index, is_global(action.action) ? words_[action.object][word]
                                                 : shared_words_[{action.object, word}]);
    }
}

// --- The time rule ---

bool AccessRecorder::predecessors_are_done(const WarpAction& action, std::uint64_t step) const {
    return std::ranges::all_of(action.predecessors, [&](std::uint32_t index) {
        const WarpAction& predecessor = warp_actions_[index];
        return predecessor.step != WarpAction::not_yet && predecessor.step < step;
    });
}

bool AccessRecorder::try_pass(RunningWarp& warp, std::uint64_t step) {
    if (warp.next == WarpAction::none) return false;
    WarpAction& next = warp_actions_[warp.next];
    const LaneAction& action = actions_[next.first];
    if (is_global(action.action) || (next.follows_loads && step < warp.loads_end)) return false;
    bool passes = true;
    if (is_shared(action.action)) {
        passes = predecessors_are_done(next, step);
    } else {
        BarrierPhase& phase = barrier_phases_[action.object];
        if (is_arrival(action.action) && !warp.has_arrived) {
            ++phase.arrived;
            phase.step =
                std::max({phase.step, step, action.action == Action::copy_arrive ? warp.bulk_loads_end : 0});
            warp.has_arrived = true;
        }
        if (action.action == Action::barrier || action.action == Action::wait)
            passes = phase.arrived == phase.expected && phase.step <= step;
    }
    if (!passes) return false;
    next.step = step;
    warp.has_arrived = false;
    warp.next = next.next;
    return true;
}

bool AccessRecorder::may_issue(const RunningWarp& warp, std::uint64_t step) const {
    if (warp.next == WarpAction::none) return false;
    const WarpAction& next = warp_actions_[warp.next];
    return is_global(actions_[next.first].action) && (!next.follows_loads || step >= warp.loads_end) &&
           predecessors_are_done(next, step);
}

void AccessRecorder::issue(RunningWarp& warp, std::uint64_t step) {
    WarpAction& next = warp_actions_[warp.next];
    const Action action = actions_[next.first].action;
    next.step = step;
    if (action == Action::load || action == Action::atomic) warp.loads_end = step + min_steps_after_load;
    if (action == Action::bulk_load) warp.bulk_loads_end = step + min_steps_after_load;
    write(next, step);
    warp.next = next.next;
}

bool AccessRecorder::try_issue_one(Multiprocessor& processor, std::uint64_t step) {
    const std::size_t num = processor.warps.size();
    for (std::size_t i = 0; i < num; ++i) {
        const std::size_t turn = (processor.turn + i) % num;
        RunningWarp& warp = running_[processor.warps[turn]];
        if (!may_issue(warp, step)) continue;
        issue(warp, step);
        processor.turn = turn + 1;
        return true;
    }
    return false;
}

bool AccessRecorder::start_blocks() {
    bool any = false;
    for (Multiprocessor& processor : processors_) {
        while (processor.num_started < processor.blocks.size() &&
               processor.num_started - processor.num_ended < processor.max_resident) {
            const std::uint32_t block = processor.blocks[processor.num_started++];
            num_alive_warps_[block] = warps_per_block_;
            for (std::uint32_t w = 0; w < warps_per_block_; ++w)
                processor.warps.push_back(block * warps_per_block_ + w);
            any = true;
        }
    }
    return any;
}

void AccessRecorder::retire(Multiprocessor& processor) {
    std::erase_if(processor.warps, [&](std::uint32_t warp) {
        if (running_[warp].next != WarpAction::none) return false;
        if (--num_alive_warps_[warp / warps_per_block_] == 0) ++processor.num_ended;
        return true;
    });
}

/// Whether some warp waits only for what it has loaded, or for the next step.
bool AccessRecorder::is_waiting_for_time(std::uint64_t step) const {
    for (const Multiprocessor& processor : processors_) {
        for (const std::uint32_t w : processor.warps) {
            const RunningWarp& warp = running_[w];
            const WarpAction& next = warp_actions_[warp.next];
            const LaneAction& action = actions_[next.first];
            if (next.follows_loads && step < warp.loads_end) return true;
            const bool waits_at_barrier = !is_global(action.action) && !is_shared(action.action);
            if (waits_at_barrier &&
                barrier_phases_[action.object].arrived == barrier_phases_[action.object].expected)
                return true;
            if (!waits_at_barrier && predecessors_are_done(next, step + 1)) return true;
        }
    }
    return false;
}

void AccessRecorder::schedule() {
    for (const WarpAction& action : warp_actions_)
        if (const LaneAction& first = actions_[action.first]; is_arrival(first.action))
            ++barrier_phases_[first.object].expected;
    num_alive_warps_.assign(trace_.launches.back().blocks, 0);
    TracedLaunch& launch = trace_.launches.back();
    const auto any_left = [&] {
        return std::ranges::any_of(processors_, [](const Multiprocessor& processor) {
            return !processor.warps.empty() || processor.num_started < processor.blocks.size();
        });
    };
    for (std::uint64_t step = next_step_; any_left(); ++step) {
        bool has_progressed = false;
        for (bool again = true; again;) {
            again = start_blocks();
            for (Multiprocessor& processor : processors_) {
                for (const std::uint32_t warp : processor.warps) {
                    while (try_pass(running_[warp], step)) again = true;
                }
                const std::size_t before = processor.warps.size();
                retire(processor);
                again |= processor.warps.size() < before;
            }
            has_progressed |= again;
        }
        for (Multiprocessor& processor : processors_) {
            if (!try_issue_one(processor, step)) continue;
            if (launch.end_step == next_step_) launch.begin_step = step;
            launch.end_step = step + 1;
            has_progressed = true;
            retire(processor);
        }
        if (!has_progressed && any_left() && !is_waiting_for_time(step))
            return report("its accesses wait for each other in the schedule", {});
    }
    next_step_ = launch.end_step;
}

void AccessRecorder::end_launch() {
    finish_writes();
    join_lanes();
    link_words();
    schedule();
}

void AccessRecorder::write(const WarpAction& action, std::uint64_t step) {
    const LaneAction& first = actions_[action.first];
    const std::size_t element = trace_.buffers[first.object].element_bytes;
    access_.step = step;
    access_.kind = kind_of(first.action);
    access_.buffer = first.object;
    access_.launch = static_cast<std::uint32_t>(trace_.launches.size() - 1);
    access_.block = action.warp / warps_per_block_;
    access_.warp = action.warp % warps_per_block_;
    access_.lane_mask = action.lane_mask;
    access_.elements_per_lane = static_cast<std::uint32_t>((first.bytes + element - 1) / element);
    access_.elements.clear();
    access_.values.clear();
    for_each_lane(action.lane_mask, [&](unsigned lane) {
        const LaneAction& each = actions_[action.lane_actions[lane]];
        for (std::uint32_t i = 0; i < access_.elements_per_lane; ++i)
            access_.elements.push_back(each.address / element + i);
        const std::byte* const values = values_.data() + each.first_value;
        if (stores(access_.kind))
            access_.values.insert(access_.values.end(), values, values + access_.elements_per_lane * element);
    });
    writer_.add(access_);
}

}  // namespace compaction::simulated
