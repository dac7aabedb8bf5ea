// Passes the actions of lanes to the observers of a launch: the checker, a trace, counters.
#include <algorithm>
#include <array>
#include <cstring>

#include "simulated/checker.hpp"
#include "simulated/counters.hpp"
#include "simulated/grid.hpp"
#include "simulated/memory.hpp"
#include "simulated/trace.hpp"

namespace compaction::simulated {

constinit thread_local bool watches_accesses = false;
constinit thread_local bool watches_atomics = false;

Location location_of(Grid& grid, const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto shared = reinterpret_cast<std::uintptr_t>(grid.block().shared_bytes());
    if (at - shared < grid.arena_bytes) return {Space::shared, at - shared};
    const GlobalRange range = global_range_at(address);
    if (range.what != GlobalRange::inside || grid.block().stacks->contains(address)) return {};
    return {Space::global, at - range.data, range.data};
}

void watch_access(const void* address, std::size_t bytes, Access access, const SourceLocation& location) {
    Grid& grid = running_grid();
    if (grid.checker) grid.checker->access(address, bytes, access, location);
    if (grid.counters) grid.counters->access(grid, address, bytes, access, location);
    if (!grid.trace) return;
    constexpr std::array kinds{EventKind::read, EventKind::write, EventKind::atomic_read,
                               EventKind::atomic_write};
    grid.trace->add(grid, kinds[static_cast<std::size_t>(access)], address, bytes, 0, "", location);
}

std::uint64_t watch_atomic(const void* word, std::size_t bytes, Atomic kind, MemoryOrder order, Scope scope,
                           const SourceLocation& location) {
    preempt_before_atomic();
    if (kind != Atomic::load) delay_slow_lane(64);
    Grid& grid = running_grid();
    std::uint64_t value = 0;
    std::memcpy(&value, word, std::min(bytes, sizeof value));
    if (grid.checker) value = grid.checker->atomic(word, bytes, kind, order, scope, location);
    if (grid.counters)
        grid.counters->access(grid, word, bytes,
                              kind == Atomic::load ? Access::atomic_read : Access::atomic_write, location);
    constexpr std::array kinds{EventKind::atomic_read, EventKind::atomic_write, EventKind::atomic_update};
    if (grid.trace)
        grid.trace->add(grid, kinds[static_cast<std::size_t>(kind)], word, bytes, value, "", location);
    return value;
}

void watch_fence(Scope scope, const Site& site) {
    Grid& grid = running_grid();
    if (grid.checker) grid.checker->fence(scope);
    if (grid.trace) grid.trace->add(grid, EventKind::fence, nullptr, 0, 0, "", SourceLocation::of(site));
}

void note_value(const char* name, std::uint64_t value, const Site& site) {
    Grid& grid = running_grid();
    if (grid.trace) grid.trace->add(grid, EventKind::note, nullptr, 0, value, name, SourceLocation::of(site));
}

}  // namespace compaction::simulated
