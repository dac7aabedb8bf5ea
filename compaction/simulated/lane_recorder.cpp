#include "simulated/lane_recorder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "compaction/error.hpp"
#include "platform/source_lines.hpp"
#include "simulated/grid.hpp"
#include "simulated/memory.hpp"
#include "simulated/record_lanes.hpp"

namespace compaction::simulated {
namespace {

constexpr std::uint32_t unknown_place = 0;

LaneStepKind kind_of(EventKind kind) {
    switch (kind) {
        case EventKind::read:
            return LaneStepKind::load;
        case EventKind::write:
            return LaneStepKind::store;
        case EventKind::atomic_read:
            return LaneStepKind::atomic_load;
        case EventKind::atomic_write:
            return LaneStepKind::atomic_store;
        case EventKind::atomic_update:
            return LaneStepKind::atomic_update;
        case EventKind::fence:
            return LaneStepKind::fence;
        case EventKind::launch_trigger:
            return LaneStepKind::launch_trigger;
        case EventKind::launch_wait:
            return LaneStepKind::launch_wait;
        case EventKind::collective:
            return LaneStepKind::collective;
        case EventKind::barrier:
            return LaneStepKind::barrier;
        case EventKind::mbarrier_init:
            return LaneStepKind::mbarrier_init;
        case EventKind::mbarrier_arrive:
            return LaneStepKind::mbarrier_arrive;
        case EventKind::mbarrier_wait:
            return LaneStepKind::mbarrier_wait;
        case EventKind::copy_to_shared:
            return LaneStepKind::copy_to_shared;
        case EventKind::copy_to_global:
            return LaneStepKind::copy_to_global;
        case EventKind::note:
            return LaneStepKind::note;
        case EventKind::end:
            break;
    }
    return LaneStepKind::end;
}

}  // namespace

LaneRecorder::LaneRecorder(LaneTrace& trace, const std::vector<const void*>& memory)
    : TraceRecorder(trace.launches, trace.buffers, memory), trace_(trace), writer_(trace), place_keys_(1) {
    trace.loads_hash = hash_of_nothing;
}

std::uint32_t LaneRecorder::find_or_add_place(const PlaceKey& key) {
    const auto [found, is_new] = places_.emplace(key, static_cast<std::uint32_t>(place_keys_.size()));
    if (is_new) place_keys_.push_back(key);
    return found->second;
}

std::uint32_t LaneRecorder::find_or_add_site(const LaneSiteKey& key) {
    const auto [found, is_new] = sites_.emplace(key, static_cast<std::uint32_t>(trace_.sites.size()));
    if (is_new) trace_.sites.push_back({key.kind, key.space, key.buffer, key.bytes, key.place, key.name});
    return found->second;
}

std::uint64_t LaneRecorder::first_thread(const Block& block) const {
    return std::uint64_t{block.index} * threads_per_block_;
}

void LaneRecorder::begin_step(LaneStepKind kind, std::uint64_t thread, std::uint32_t place,
                              const char* name) {
    site_key_ = {kind, MemorySpace::none, /*buffer=*/0, /*bytes=*/0, place, name};
    step_.thread = static_cast<std::uint32_t>(thread);
    step_.address = 0;
    step_.operands.clear();
    step_.results.clear();
    step_.stored.clear();
}

std::size_t LaneRecorder::end_step() {
    step_.site = find_or_add_site(site_key_);
    return writer_.add(step_);
}

void LaneRecorder::hash_load(const void* bytes, std::size_t count) {
    trace_.loads_hash = hash_with(trace_.loads_hash, {static_cast<const std::byte*>(bytes), count});
}

void LaneRecorder::begin_launch(const Grid& grid, std::string kernel) {
    add_launch(grid, std::move(kernel));
    trace_.seed = grid.schedule.seed;
    threads_per_block_ = grid.shape.threads;
    begin_step(LaneStepKind::launch, /*thread=*/0, unknown_place);
    end_step();
}

void LaneRecorder::start_block(const Block& block) {
    trace_.launches.back().multiprocessors[block.index] = static_cast<std::uint8_t>(block.multiprocessor);
}

/// Sets the address of the step. Returns whether the memory is part of the trace.
bool LaneRecorder::set_address(Grid& grid, const void* address, std::size_t bytes) {
    const Location memory = location_of(grid, address);
    if (memory.space == Space::none) return false;
    site_key_.bytes = static_cast<std::uint32_t>(bytes);
    site_key_.space = MemorySpace::shared;
    step_.address = memory.offset;
    if (memory.space == Space::shared) return true;
    const Range* const range = range_of(address, bytes);
    if (!range) {
        report_unknown_buffer(grid.operation.location);
        return false;
    }
    site_key_.space = MemorySpace::global;
    site_key_.buffer = range->buffer;
    step_.address = reinterpret_cast<std::uintptr_t>(address) - range->begin;
    return true;
}

void LaneRecorder::add(Grid& grid, EventKind kind, const void* address, std::size_t bytes,
                       std::uint64_t value, const char* name, const SourceLocation& location) {
    const LaneStepKind step_kind = kind_of(kind);
    begin_step(step_kind, thread_in_launch(grid), unknown_place, name);
    if (address && !set_address(grid, address, bytes)) return;
    // An access without a step has no place: a place ends the lines that follow the step before.
    const void* const caller = location.line > 0 ? grid.operation.caller : nullptr;
    if (location.file_or_instruction) site_key_.place = find_or_add_place({location, caller});
    finish_writes_before(grid, kind, address, bytes);
    const bool is_copy = kind == EventKind::copy_to_shared || kind == EventKind::copy_to_global;
    const bool has_value =
        is_copy || (!is_access(kind) && kind != EventKind::fence && kind != EventKind::launch_trigger &&
                    kind != EventKind::launch_wait && kind != EventKind::end);
    if (kind == EventKind::collective) {
        step_.operands = {value, grid.running().parameter};
    } else if (has_value) {
        step_.operands = {value};
    }
    if (loads(step_kind)) hash_load(address, bytes);
    if (holds_stored_bytes(step_kind)) step_.stored.resize(bytes);
    const std::size_t packed_index = end_step();
    if (!holds_stored_bytes(step_kind)) return;
    announce(grid, address, bytes, step_kind == LaneStepKind::atomic_update, stores_.size());
    stores_.push_back({packed_index, address, bytes});
}

void LaneRecorder::finish_write(std::size_t number) {
    const AnnouncedStore& store = stores_[number];
    std::memcpy(trace_.packed.data() + store.packed_index, store.address, store.bytes);
    if (number + 1 == stores_.size()) stores_.clear();
}

void LaneRecorder::add_copy(const Copy& copy) {
    finish_writes();
    const bool to_shared = copy.is_to_shared();
    const std::uint32_t offset = copy.shared - shared_base;
    begin_step(to_shared ? LaneStepKind::copied_to_shared : LaneStepKind::copied_to_global,
               first_thread(*copy.block) + copy.thread, unknown_place);
    const Range* const range = range_of(copy.global, copy.bytes);
    if (!range) return report_unknown_buffer({});
    site_key_.space = MemorySpace::global;
    site_key_.buffer = range->buffer;
    site_key_.bytes = copy.bytes;
    step_.address = reinterpret_cast<std::uintptr_t>(copy.global) - range->begin;
    step_.operands = {offset};
    hash_load(to_shared ? copy.global : copy.block->shared_bytes() + offset, copy.bytes);
    end_step();
}

void LaneRecorder::run_line(const Grid& grid, const void* code) {
    begin_step(LaneStepKind::line, thread_in_launch(grid), find_or_add_place({{code, 0}, nullptr}));
    end_step();
}

void LaneRecorder::meet(const Warp& warp, unsigned mask) {
    // The site of the step before, in which the last lane arrived, has the place and the name.
    begin_step(LaneStepKind::collective_results,
               first_thread(*warp.block) + warp.index * lanes_per_warp + std::countr_zero(mask),
               site_key_.place, site_key_.name);
    step_.mask = mask;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1)
        step_.results.push_back(warp.lanes[static_cast<std::size_t>(std::countr_zero(rest))].result);
    end_step();
}

void LaneRecorder::release(const Block& block) {
    finish_writes();
    begin_step(LaneStepKind::barrier_release, first_thread(block), unknown_place);
    end_step();
}

void LaneRecorder::complete_phase(const Block& block, std::size_t index) {
    finish_writes();
    begin_step(LaneStepKind::mbarrier_phase, first_thread(block), unknown_place);
    step_.operands = {index, block.mbarriers[index].parity};
    end_step();
}

void LaneRecorder::fail(const Grid& grid) {
    finish_writes();
    const Operation& operation = grid.operation;
    const PlaceKey key{operation.location, operation.location.line > 0 ? operation.caller : nullptr};
    begin_step(LaneStepKind::fault, thread_in_launch(grid),
               key.location.file_or_instruction ? find_or_add_place(key) : unknown_place);
    const auto at = reinterpret_cast<std::uintptr_t>(operation.address);
    const auto shared = reinterpret_cast<std::uintptr_t>(grid.block().shared_bytes());
    site_key_.bytes = static_cast<std::uint32_t>(operation.bytes);
    if (operation.address && at - shared < grid.arena_bytes) {
        site_key_.space = MemorySpace::shared;
        step_.address = at - shared;
    } else if (operation.address && !ranges().empty()) {
        // The last buffer that begins before it: most faults are past an end.
        const auto next = std::ranges::upper_bound(ranges(), at, {}, &Range::begin);
        const Range& range = next == ranges().begin() ? *next : *std::prev(next);
        site_key_.space = MemorySpace::global;
        site_key_.buffer = range.buffer;
        step_.address = at - range.begin;
    }
    end_step();
}

void LaneRecorder::write_range(const void* to, std::size_t bytes) {
    for_each_buffer(to, bytes, [&](const Range& range, std::uintptr_t address, std::size_t part_bytes) {
        begin_step(LaneStepKind::memory, /*thread=*/0, unknown_place);
        site_key_.space = MemorySpace::global;
        site_key_.buffer = range.buffer;
        site_key_.bytes = static_cast<std::uint32_t>(part_bytes);
        step_.address = address - range.begin;
        const auto* const from = reinterpret_cast<const std::byte*>(address);
        step_.stored.assign(from, from + part_bytes);
        end_step();
    });
}

void LaneRecorder::on_memory_changed(const char* call, const void* to, std::size_t bytes) {
    if (bytes == 0 || !is_in_buffer(to)) return;
    add_launch(LaunchKind::memory, call);
    begin_step(LaneStepKind::launch, /*thread=*/0, unknown_place);
    end_step();
    write_range(to, bytes);
}

void LaneRecorder::on_library_call(const char* call, const void*, std::size_t, const void* to,
                                   std::size_t bytes_written) {
    add_launch(LaunchKind::library, call);
    begin_step(LaneStepKind::launch, /*thread=*/0, unknown_place);
    end_step();
    write_range(to, bytes_written);
}

void LaneRecorder::finish(const std::string& fault) {
    trace_.fault = fault;
    std::vector<const void*> instructions;
    for (const PlaceKey& key : place_keys_)
        instructions.push_back(key.location.line > 0 ? key.caller : key.location.file_or_instruction);
    const auto found = warpsieve::platform::source_frames(instructions);
    const auto has_line = [](const std::vector<warpsieve::platform::SourceLine>& frames) {
        return std::ranges::any_of(frames, [](const auto& frame) { return frame.line > 0; });
    };
    if (!found.empty() && std::ranges::none_of(found, has_line))
        trace_.missing_lines =
            "Source lines are missing: " + warpsieve::platform::missing_lines_reason() + '.';
    std::vector<const void*> block_begins;
    for (const LaneSite& site : trace_.sites)
        if (site.kind == LaneStepKind::line) block_begins.push_back(instructions[site.place]);
    const auto found_after = warpsieve::platform::source_lines_after(instructions, block_begins);
    const auto add_frames = [](const std::vector<warpsieve::platform::SourceLine>& from,
                               std::vector<SourceFrame>& to) {
        for (const warpsieve::platform::SourceLine& each : from)
            if (!warpsieve::platform::contains_one_of(each.file, engine_paths))
                to.push_back({each.function, each.file, each.line});
    };
    for (std::size_t i = 0; i < place_keys_.size(); ++i) {
        add_frames(found_after[i], trace_.lines_after.emplace_back());
        std::vector<SourceFrame>& frames = trace_.places.emplace_back();
        add_frames(found[i], frames);
        const SourceLocation& location = place_keys_[i].location;
        if (location.line == 0) continue;
        // The line of the call is known, though the line table may give another line of its statement.
        if (frames.empty()) frames.emplace_back();
        frames.front().file = static_cast<const char*>(location.file_or_instruction);
        frames.front().line = location.line;
    }
}

LaneTrace record_lanes(const std::vector<RecordedBuffer>& buffers, const std::function<void()>& launch) {
    LaneTrace trace;
    std::vector<const void*> memory;
    for (const RecordedBuffer& buffer : buffers) {
        const auto* const bytes = static_cast<const std::byte*>(buffer.data);
        TracedBuffer& traced = trace.buffers.emplace_back();
        traced.role = memory.empty() ? BufferRole::input : BufferRole::items;
        traced.name = buffer.name;
        traced.num_elements = buffer.size_bytes / buffer.element_bytes;
        traced.element_bytes = buffer.element_bytes;
        traced.initial.assign(bytes, bytes + buffer.size_bytes);
        memory.push_back(buffer.data);
    }
    LaneRecorder recorder(trace, memory);
    std::string fault;
    try {
        launch();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::device_failure) throw;
        fault = error.what();
    }
    recorder.finish(fault);
    if (!recorder.failure().empty())
        throw Error(ErrorCode::invalid_argument, "No trace: " + recorder.failure());
    return trace;
}

}  // namespace compaction::simulated
