// The functions that lanes call: mbarriers and bulk copies.
#include <cstring>
#include <string>

#include "platform/source_lines.hpp"
#include "simulated/counters.hpp"
#include "simulated/grid.hpp"
#include "simulated/memory.hpp"

namespace compaction::simulated {
namespace {

constexpr std::uint64_t mbarrier_mark = 0x4d42'4152'0000'0000U;
/// CUDA's alignment of a bulk copy, its addresses and its size, in bytes.
constexpr unsigned copy_alignment = 16;

Mbarrier& mbarrier_at(Block& block, std::uint32_t address, const Site& site) {
    std::uint64_t word = 0;
    const void* const pointer = at_shared(address, sizeof word, site);
    std::memcpy(&word, pointer, sizeof word);
    const std::uint64_t index = word ^ mbarrier_mark;
    if (index >= block.mbarriers.size())
        fail("no initialised mbarrier at shared address " + std::to_string(address) + " (" + site_text(site) +
             ")");
    if (Checker* const checker = running_grid().checker.get())
        checker->access(pointer, sizeof word, Access::atomic_read, SourceLocation::of(site));
    return block.mbarriers[index];
}

std::size_t index_in(const Block& block, const Mbarrier& barrier) {
    return static_cast<std::size_t>(&barrier - block.mbarriers.data());
}

void complete_phase_if_done(Block& block, Mbarrier& barrier) {
    if (barrier.pending_arrivals > 0 || barrier.pending_bytes != 0) return;
    if (Checker* const checker = running_grid().checker.get())
        checker->complete_phase(block, index_in(block, barrier));
    if (Observer* const observer = running_grid().observer)
        observer->complete_phase(block, index_in(block, barrier));
    barrier.pending_arrivals = barrier.arrivals;
    barrier.parity ^= 1;
    for (const auto& [warp, lane] : barrier.waiters) warp->ready |= 1U << lane;
    barrier.waiters.clear();
}

}  // namespace

void init_mbarrier(std::uint32_t barrier, unsigned arrivals, const Site& site) {
    Grid& grid = running_grid();
    Block& block = grid.block();
    const void* const caller = warpsieve::platform::calling_instruction();
    const std::uint64_t word = mbarrier_mark ^ block.mbarriers.size();
    void* const pointer = at_shared(barrier, sizeof word, site);
    if (grid.checker) grid.checker->access(pointer, sizeof word, Access::write, SourceLocation::of(site));
    note_operation(grid, caller, site);
    if (grid.observer)
        grid.observer->add(grid, EventKind::mbarrier_init, pointer, /*bytes=*/0, arrivals, /*name=*/"",
                           SourceLocation::of(site));
    std::memcpy(pointer, &word, sizeof word);
    block.mbarriers.push_back(
        {.arrivals = arrivals, .pending_arrivals = arrivals, .waiters = {}, .initialiser = &grid.running()});
}

void fence_mbarrier_init() {
    Grid& grid = running_grid();
    for (Mbarrier& barrier : grid.block().mbarriers)
        if (barrier.initialiser == &grid.running()) barrier.fenced = true;
}

void fence_for_bulk_copies() {
    if (Checker* const checker = running_grid().checker.get()) checker->fence_for_copies();
}

void arrive_at_mbarrier(std::uint32_t barrier, unsigned expected_bytes, const Site& site) {
    Grid& grid = running_grid();
    Block& block = grid.block();
    Mbarrier& state = mbarrier_at(block, barrier, site);
    const void* const pointer = at_shared(barrier, sizeof(std::uint64_t), site);
    note_operation(grid, warpsieve::platform::calling_instruction(), site);
    if (state.pending_arrivals == 0) fail("too many arrivals at an mbarrier (" + site_text(site) + ")");
    if (grid.checker) grid.checker->arrive(index_in(block, state));
    if (grid.observer)
        grid.observer->add(grid, EventKind::mbarrier_arrive, pointer, /*bytes=*/0, expected_bytes,
                           /*name=*/"", SourceLocation::of(site));
    if (grid.observer) grid.observer->use_mbarrier(grid, EventKind::mbarrier_arrive, index_in(block, state));
    state.pending_bytes += expected_bytes;
    --state.pending_arrivals;
    complete_phase_if_done(block, state);
}

namespace {

/// The running lane stops waiting: the phase of that parity is complete.
void end_wait(Grid& grid, const void* caller, std::uint32_t barrier, unsigned parity, const Site& site) {
    const std::size_t number = index_in(grid.block(), mbarrier_at(grid.block(), barrier, site));
    const void* const pointer = at_shared(barrier, sizeof(std::uint64_t), site);
    if (grid.checker) grid.checker->acquire_phase(number);
    note_operation(grid, caller, site);
    if (!grid.observer) return;
    grid.observer->add(grid, EventKind::mbarrier_wait, pointer, /*bytes=*/0, parity, /*name=*/"",
                       SourceLocation::of(site));
    grid.observer->use_mbarrier(grid, EventKind::mbarrier_wait, number);
}

}  // namespace

bool try_wait_for_mbarrier(std::uint32_t barrier, unsigned parity, const Site& site) {
    Grid& grid = running_grid();
    const Mbarrier& state = mbarrier_at(grid.block(), barrier, site);
    if (state.parity == parity) {
        note_reading(at_shared(barrier, sizeof(std::uint64_t), site), parity, SourceLocation::of(site));
        return false;
    }
    end_wait(grid, warpsieve::platform::calling_instruction(), barrier, parity, site);
    return true;
}

void wait_for_mbarrier(std::uint32_t barrier, unsigned parity, const Site& site) {
    Grid& grid = running_grid();
    const void* const caller = warpsieve::platform::calling_instruction();
    delay_slow_lane(/*one_in=*/256);
    while (mbarrier_at(grid.block(), barrier, site).parity == parity) {
        mbarrier_at(grid.block(), barrier, site).waiters.emplace_back(grid.warp, grid.lane);
        suspend(Wait::For::mbarrier, "mbarrier", /*mask=*/0, site);
    }
    end_wait(grid, caller, barrier, parity, site);
}

void complete_copy(Grid& grid, std::size_t index) {
    const Copy copy = grid.copies[index];
    grid.copies.erase(grid.copies.begin() + static_cast<std::ptrdiff_t>(index));
    std::byte* const shared = copy.block->shared_bytes() + (copy.shared - shared_base);
    grid.note_news();
    if (grid.observer) grid.observer->add_copy(copy);
    if (!copy.is_to_shared()) {
        std::memcpy(copy.global, shared, copy.bytes);
        return;
    }
    std::memcpy(shared, copy.global, copy.bytes);
    std::uint64_t word = 0;
    std::memcpy(&word, copy.block->shared_bytes() + (copy.barrier - shared_base), sizeof word);
    const std::uint64_t mbarrier = word ^ mbarrier_mark;
    if (mbarrier >= copy.block->mbarriers.size()) {
        if (grid.failure.empty()) grid.failure = "a bulk copy ended, and its mbarrier is overwritten";
        return;
    }
    if (grid.checker) grid.checker->copy_arrives(*copy.block, mbarrier, copy.thread, copy.epoch);
    copy.block->mbarriers[mbarrier].pending_bytes -= copy.bytes;
    complete_phase_if_done(*copy.block, copy.block->mbarriers[mbarrier]);
}

void complete_copies_of(Grid& grid, const Block& block) {
    for (std::size_t i = 0; i < grid.copies.size();) {
        if (grid.copies[i].block == &block)
            complete_copy(grid, i);
        else
            ++i;
    }
}

namespace {

void request_copy(Copy copy, const void* caller, const Site& site) {
    Grid& grid = running_grid();
    note_operation(grid, caller, site, copy.global, copy.bytes);
    const std::string location = " (" + site_text(site) + ")";
    if (copy.bytes % copy_alignment != 0 || copy.shared % copy_alignment != 0 ||
        reinterpret_cast<std::uintptr_t>(copy.global) % copy_alignment != 0)
        fail("misaligned: a bulk copy" + location);
    if (const char* const wrong = wrong_access(copy.global, copy.bytes, copy_alignment))
        fail(std::string(wrong) + ": a bulk copy" + location);
    if (copy.bytes > 0) {
        const void* const shared = at_shared(copy.shared, copy.bytes, site);
        if (grid.checker)
            copy.epoch = grid.checker->copy(shared, copy.global, copy.bytes, copy.is_to_shared(),
                                            SourceLocation::of(site));
    }
    const bool to_shared = copy.is_to_shared();
    if (grid.counters) grid.counters->copy(copy.bytes, to_shared);
    if (grid.observer)
        grid.observer->add(grid, to_shared ? EventKind::copy_to_shared : EventKind::copy_to_global,
                           copy.global, copy.bytes, copy.shared - shared_base, /*name=*/"",
                           SourceLocation::of(site));
    if (grid.observer && to_shared)
        grid.observer->use_mbarrier(grid, EventKind::copy_to_shared,
                                    index_in(*copy.block, mbarrier_at(*copy.block, copy.barrier, site)));
    grid.copies.push_back(copy);
    if (grid.schedule.copy_time == CopyTime::at_once) complete_copy(grid, grid.copies.size() - 1);
}

}  // namespace

void copy_to_shared(std::uint32_t to, const void* from, unsigned bytes, std::uint32_t barrier,
                    const Site& site) {
    Grid& grid = running_grid();
    if (!mbarrier_at(grid.block(), barrier, site).fenced)
        fail(
            "no fence: a bulk copy may not see its mbarrier, since its initialisation is not followed by "
            "fence_barrier_init (" +
            site_text(site) + ")");
    request_copy({.block = &grid.block(),
                  .global = const_cast<void*>(from),
                  .shared = to,
                  .bytes = bytes,
                  .barrier = barrier,
                  .lane = &grid.running(),
                  .group = 0,
                  .thread = grid.thread()},
                 warpsieve::platform::calling_instruction(), site);
}

void copy_to_global(void* to, std::uint32_t from, unsigned bytes, const Site& site) {
    Grid& grid = running_grid();
    request_copy({.block = &grid.block(),
                  .global = to,
                  .shared = from,
                  .bytes = bytes,
                  .barrier = 0,
                  .lane = &grid.running(),
                  .group = grid.running().open_group,
                  .thread = grid.thread()},
                 warpsieve::platform::calling_instruction(), site);
}

void commit_copies() {
    Grid& grid = running_grid();
    ++grid.running().open_group;
    if (grid.checker) grid.checker->commit_copies();
}

void wait_for_copies(unsigned max_pending) {
    Grid& grid = running_grid();
    const Lane& lane = grid.running();
    if (grid.checker) grid.checker->wait_for_copies(max_pending);
    for (std::size_t i = 0; i < grid.copies.size();) {
        const Copy& copy = grid.copies[i];
        if (copy.lane == &lane && !copy.is_to_shared() && copy.group + max_pending < lane.open_group)
            complete_copy(grid, i);
        else
            ++i;
    }
}

}  // namespace compaction::simulated
