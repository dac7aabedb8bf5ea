// The functions that lanes call: collective operations, barriers, shared memory.
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "platform/source_lines.hpp"
#include "simulated/counters.hpp"
#include "simulated/grid.hpp"
#include "simulated/memory.hpp"

namespace compaction::simulated {
namespace {

constexpr std::uint64_t undefined_value = 0xdddddddddddddddd;

const char* name_of(Collective operation) {
    switch (operation) {
        case Collective::sync:
            return "__syncwarp";
        case Collective::shuffle:
            return "__shfl_sync";
        case Collective::shuffle_up:
            return "__shfl_up_sync";
        case Collective::shuffle_down:
            return "__shfl_down_sync";
        case Collective::shuffle_xor:
            return "__shfl_xor_sync";
        case Collective::ballot:
            return "a vote";
        case Collective::add:
            return "__reduce_add_sync";
        case Collective::minimum:
            return "__reduce_min_sync";
        case Collective::maximum:
            return "__reduce_max_sync";
        case Collective::bit_and:
            return "__reduce_and_sync";
        case Collective::bit_or:
            return "__reduce_or_sync";
        case Collective::bit_xor:
            return "__reduce_xor_sync";
        case Collective::match:
            return "__match_any_sync";
        case Collective::match_all:
            return "__match_all_sync";
        case Collective::active:
            break;
    }
    return "__activemask";
}

bool same_line(const Site& a, const Site& b) {
    return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}
/// Two calls may stand on one line.
bool same_call(const Site& a, const Site& b) {
    return a.column == b.column && same_line(a, b);
}

template <typename Visit>
void for_each_lane(unsigned mask, Visit visit) {
    for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

/// The lane that a shuffle within groups of `width` lanes reads; the lane itself if there is none.
unsigned source_of(Collective operation, unsigned lane, unsigned parameter, unsigned width) {
    const unsigned first = lane / width * width;
    switch (operation) {
        case Collective::shuffle:
            return first + parameter % width;
        case Collective::shuffle_up:
            return lane - first >= parameter ? lane - parameter : lane;
        case Collective::shuffle_down:
            return parameter < first + width - lane ? lane + parameter : lane;
        default:
            return (lane ^ parameter) < first + width ? lane ^ parameter : lane;
    }
}

/// The value of a reduction after one more operand.
std::uint64_t reduced(Collective operation, std::uint64_t a, std::uint64_t b) {
    switch (operation) {
        case Collective::minimum:
            return std::min(a, b);
        case Collective::maximum:
            return std::max(a, b);
        case Collective::bit_and:
            return a & b;
        case Collective::bit_or:
            return a | b;
        case Collective::bit_xor:
            return a ^ b;
        default:
            return a + b;
    }
}

std::vector<unsigned> threads_of(const Warp& warp, unsigned mask) {
    std::vector<unsigned> threads;
    for_each_lane(mask, [&](unsigned l) { threads.push_back(warp.index * lanes_per_warp + l); });
    return threads;
}

/// Computes the results of a collective operation at which all lanes of the mask have arrived.
void resolve(Warp& warp, Collective operation, unsigned mask) {
    auto& lanes = warp.lanes;
    std::uint64_t all = 0;
    if (operation == Collective::ballot)
        for_each_lane(mask, [&](unsigned l) { all |= std::uint64_t{lanes[l].value != 0} << l; });
    if (operation >= Collective::add && operation <= Collective::bit_xor) {
        const auto first = static_cast<unsigned>(std::countr_zero(mask));
        all = lanes[first].value;
        for_each_lane(mask & (mask - 1), [&](unsigned l) { all = reduced(operation, all, lanes[l].value); });
    }
    for_each_lane(mask, [&](unsigned l) {
        switch (operation) {
            case Collective::sync:
                lanes[l].result = 0;
                break;
            case Collective::ballot:
            case Collective::add:
            case Collective::minimum:
            case Collective::maximum:
            case Collective::bit_and:
            case Collective::bit_or:
            case Collective::bit_xor:
                lanes[l].result = all;
                break;
            case Collective::match:
            case Collective::match_all:
                lanes[l].result = 0;
                for_each_lane(mask, [&](unsigned other) {
                    if (lanes[other].value == lanes[l].value) lanes[l].result |= std::uint64_t{1} << other;
                });
                break;
            default: {
                const unsigned source = source_of(operation, l, lanes[l].parameter, lanes[l].width);
                // A value of a lane outside the mask is undefined.
                lanes[l].result = mask >> source & 1U ? lanes[source].value : undefined_value;
            }
        }
    });
}

/// "lane 3", "lanes 0-15, 31": the set bits.
std::string numbers_text(const std::string& noun, unsigned mask) {
    std::string text = noun + (std::has_single_bit(mask) ? " " : "s ");
    bool first = true;
    while (mask != 0) {
        const int begin = std::countr_zero(mask);
        const int length = std::countr_one(mask >> begin);
        text += (first ? "" : ", ") + std::to_string(begin);
        if (length > 1) text += "-" + std::to_string(begin + length - 1);
        mask &= length == 32 ? 0 : ~(((1U << length) - 1) << begin);
        first = false;
    }
    return text;
}

}  // namespace

std::string site_text(const Site& site) {
    const std::string path = site.file;
    return path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(site.line);
}

void fail_at(const std::string& what, const Site& site) {
    fail(what + " (" + site_text(site) + ")");
}

uint3 position_in(const dim3& size, unsigned index) {
    return {index % size.x, index / size.x % size.y, index / size.x / size.y};
}

namespace {

std::string index_text(const dim3& size, unsigned index) {
    if (size.y <= 1 && size.z <= 1) return std::to_string(index);
    const uint3 at = position_in(size, index);
    return "(" + std::to_string(at.x) + ", " + std::to_string(at.y) +
           (size.z > 1 ? ", " + std::to_string(at.z) : "") + ")";
}

}  // namespace

std::string block_text(const Grid& grid, unsigned index) {
    return "block " + index_text(grid.shape.grid, index);
}
std::string thread_text(const Grid& grid, unsigned index) {
    return "thread " + index_text(grid.shape.block, index);
}

std::string lanes_text(unsigned mask) {
    return numbers_text("lane", mask);
}

namespace {

/// "lanes 0-3 wait at __syncwarp (a.cuh:12, for lanes 0-31)", a line for each location where lanes of the
/// warp wait.
std::vector<std::string> waiters_of(const Warp& warp) {
    std::map<std::string, unsigned> locations;
    for_each_lane(warp.alive, [&](unsigned l) {
        const Lane& lane = warp.lanes[l];
        const Wait& wait = lane.wait;
        if (wait.what == Wait::For::nothing) return;
        std::string location = "at " + std::string(wait.name) + " (" + site_text(wait.site);
        if (wait.what == Wait::For::lanes) location += ", for " + lanes_text(wait.mask);
        if (wait.what == Wait::For::word)
            location = std::string("for a word of ") +
                       (is_in_buffer(lane.last_load.from) ? "global" : "shared") + " memory that holds " +
                       std::to_string(lane.last_load.value) + " (" + location_text(lane.last_load_location);
        locations[location + ")"] |= 1U << l;
    });
    std::vector<std::string> lines;
    for (const auto& [location, mask] : locations)
        lines.push_back(lanes_text(mask) + (std::has_single_bit(mask) ? " waits " : " wait ") + location);
    return lines;
}

}  // namespace

std::string waiters_text(const Grid& grid) {
    constexpr std::size_t max_lines = 12;
    std::string text;
    std::size_t num_lines = 0;
    for (const auto& block : grid.resident) {
        if (block->alive == 0) continue;
        std::map<std::string, std::uint32_t> warp_masks;  // a block has at most 32 warps
        for (const Warp& warp : block->warps)
            for (const std::string& line : waiters_of(warp)) warp_masks[line] |= 1U << warp.index;
        for (const auto& [line, mask] : warp_masks) {
            if (++num_lines > max_lines) return text + "  ...\n";
            text += "  " + block_text(grid, block->index) + ", " + numbers_text("warp", mask) + ": " + line +
                    "\n";
        }
    }
    return text;
}

namespace {

/// The result of a collective operation counts as a reading. Its address, which is only hashed, identifies
/// the site.
void note_result(Grid& grid, const Site& site, std::uint64_t result) {
    if (!grid.had_news_lately()) note_if_new(grid, {site.file + site.line, result});
}

}  // namespace

std::uint64_t exchange(Collective operation, unsigned mask, std::uint64_t value, unsigned parameter,
                       const Site& site, unsigned width) {
    if (operation == Collective::sync && is_left_out(site)) return 0;
    Grid& grid = running_grid();
    Warp& warp = *grid.warp;
    const unsigned bit = 1U << grid.lane;
    note_operation(grid, warpsieve::platform::calling_instruction(), site);
    if (!(mask & bit))
        fail(std::string("wrong mask: the caller is not in it, at ") + name_of(operation) + " (" +
             site_text(site) + ")");
    if ((mask & warp.alive) != mask)
        fail(std::string("wrong mask: it names ") + lanes_text(mask & ~warp.alive) +
             ", which ended or never ran, at " + name_of(operation) + " (" + site_text(site) + ")");
    if (!std::has_single_bit(width) || width > lanes_per_warp)
        fail(std::string("wrong width: ") + name_of(operation) + " takes 1, 2, 4, 8, 16 or 32 lanes, not " +
             std::to_string(static_cast<int>(width)) + " (" + site_text(site) + ")");
    Lane& lane = grid.running();
    lane.value = value;
    lane.parameter = parameter;
    lane.width = width;
    if (grid.observer)
        grid.observer->add(grid, EventKind::collective, /*address=*/nullptr, /*bytes=*/0, value,
                           name_of(operation), SourceLocation::of(site));
    lane.loads_since_collective = 0;
    auto group = std::ranges::find_if(warp.groups, [&](const Group& each) {
        return each.operation == operation && each.mask == mask && same_line(each.site, site);
    });
    if (group == warp.groups.end()) {
        warp.groups.push_back({operation, mask, /*arrived=*/0, site});
        group = warp.groups.end() - 1;
    }
    group->arrived |= bit;
    if (group->arrived == mask) {
        warp.groups.erase(group);
        resolve(warp, operation, mask);
        if (grid.counters && mask == warp.alive) grid.counters->meet(warp);
        if (grid.observer) grid.observer->meet(warp, mask);
        // Shuffles and votes do not order memory accesses.
        if (grid.checker && operation == Collective::sync) {
            const std::vector<unsigned> threads = threads_of(warp, mask);
            grid.checker->join(*warp.block, threads, threads);
        }
        warp.ready |= mask & ~bit;
    } else {
        suspend(Wait::For::lanes, name_of(operation), mask, site);
    }
    note_result(grid, site, lane.result);
    return lane.result;
}

unsigned active_lanes(const Site& site) {
    Grid& grid = running_grid();
    Warp& warp = *grid.warp;
    note_operation(grid, warpsieve::platform::calling_instruction(), site);
    const auto find = [&] {
        return std::ranges::find_if(warp.groups, [&](const Group& each) {
            return each.operation == Collective::active && same_line(each.site, site);
        });
    };
    auto group = find();
    if (group == warp.groups.end()) {
        warp.groups.push_back({Collective::active, /*mask=*/0, /*arrived=*/0, site});
        group = warp.groups.end() - 1;
    }
    // The mask equals the arrived lanes, so that no lane waits for others of such a group.
    group->mask = group->arrived |= 1U << grid.lane;
    Lane& lane = grid.running();
    lane.result = 0;
    yield_lane();
    // The first lane that runs again decides for all that have arrived.
    if (lane.result == 0) {
        group = find();
        const unsigned active_mask = group->arrived;
        warp.groups.erase(group);
        for_each_lane(active_mask, [&](unsigned l) { warp.lanes[l].result = active_mask; });
    }
    return static_cast<unsigned>(lane.result);
}

void release_block_if_arrived(Block& block) {
    if (block.arrived == 0 || block.arrived < block.alive) return;
    if (Checker* const checker = running_grid().checker.get()) {
        std::vector<unsigned> from;
        std::vector<unsigned> to;
        for (const Warp& warp : block.warps) {
            const std::vector<unsigned> waiting = threads_of(warp, warp.at_barrier);
            const std::vector<unsigned> ended = threads_of(warp, warp.lanes_begun & ~warp.alive);
            to.insert(to.end(), waiting.begin(), waiting.end());
            from.insert(from.end(), ended.begin(), ended.end());
        }
        from.insert(from.end(), to.begin(), to.end());
        checker->join(block, from, to);
    }
    if (Observer* const observer = running_grid().observer) observer->release(block);
    block.last_votes = block.votes;
    block.arrived = block.votes = 0;
    for (Warp& warp : block.warps) {
        warp.ready |= warp.at_barrier;
        warp.at_barrier = 0;
    }
}

unsigned wait_for_block(bool value, const char* name, const Site& site) {
    if (is_left_out(site)) return value;
    Grid& grid = running_grid();
    Warp& warp = *grid.warp;
    Block& block = grid.block();
    const unsigned bit = 1U << grid.lane;
    note_operation(grid, warpsieve::platform::calling_instruction(), site);
    if (warp.alive != warp.lanes_begun)
        fail(std::string("divergent barrier: ") + lanes_text(warp.lanes_begun & ~warp.alive) +
             " of the warp ended before " + name + " (" + site_text(site) + ")");
    if (block.arrived == 0) block.barrier = {Wait::For::block, name, /*mask=*/0, site};
    if (!same_call(block.barrier.site, site)) {
        const bool on_one_line = same_line(block.barrier.site, site);
        const auto text = [&](const char* barrier, const Site& at) {
            return std::string(barrier) + " (" + site_text(at) +
                   (on_one_line ? ", column " + std::to_string(at.column) : "") + ")";
        };
        fail(std::string("divergent barrier: lanes of one ") + (warp.at_barrier != 0 ? "warp" : "block") +
             " are at " + text(block.barrier.name, block.barrier.site) + " and at " + text(name, site));
    }
    if (grid.observer)
        grid.observer->add(grid, EventKind::barrier, /*address=*/nullptr, /*bytes=*/0, value, name,
                           SourceLocation::of(site));
    warp.at_barrier |= bit;
    if (grid.counters && warp.at_barrier == warp.alive) grid.counters->meet(warp);
    block.votes += value;
    if (++block.arrived == block.alive) {
        release_block_if_arrived(block);
        warp.ready &= ~bit;
    } else {
        suspend(Wait::For::block, name, /*mask=*/0, site);
    }
    note_result(grid, site, block.last_votes);
    return block.last_votes;
}

void wait_for_launch(const Site& site) {
    Grid& grid = running_grid();
    note_operation(grid, warpsieve::platform::calling_instruction(), site);
    grid.block().waited_for_launch = true;
    if (grid.observer)
        grid.observer->add(grid, EventKind::launch_wait, /*address=*/nullptr, /*bytes=*/0, /*value=*/0,
                           /*name=*/"", SourceLocation::of(site));
}

void trigger_launch(const Site& site) {
    Grid& grid = running_grid();
    if (!grid.observer) return;
    note_operation(grid, warpsieve::platform::calling_instruction(), site);
    grid.observer->add(grid, EventKind::launch_trigger, /*address=*/nullptr, /*bytes=*/0, /*value=*/0,
                       /*name=*/"", SourceLocation::of(site));
}

void check_global(const void* address, std::size_t bytes, const char* what, const Site& site) {
    note_operation(running_grid(), warpsieve::platform::calling_instruction(), site, address, bytes);
    if (const char* const wrong = wrong_access(address, bytes, bytes))
        fail(std::string(wrong) + ": " + what + " of " + std::to_string(bytes) + " bytes (" +
             site_text(site) + ")");
}

void poison_shared(Block& block, std::size_t offset, std::size_t bytes) {
    constexpr int pattern = 0xdd;
    std::memset(block.shared_bytes() + offset, pattern, bytes);
}

void* dynamic_shared() {
    return running_grid().block().shared_bytes();
}

void* shared_variable(SharedVariable& variable, std::size_t bytes, std::size_t alignment) {
    Grid& grid = running_grid();
    if (variable.launch != grid.launch) {
        // Keeps an access past the end of a variable from hitting another variable.
        constexpr std::size_t gap_bytes = 64;
        const std::size_t used_bytes = grid.static_bytes + (grid.checker ? gap_bytes : 0);
        const std::size_t arena_begin = grid.arena_bytes - arena_static_bytes;
        const std::size_t begin =
            (arena_begin + used_bytes + alignment - 1) / alignment * alignment - arena_begin;
        if (begin + bytes > (grid.checker ? arena_static_bytes : max_static_shared_bytes))
            fail("more than 48 KiB of variables in shared memory");
        variable = {grid.launch, arena_begin + begin};
        grid.static_bytes = begin + bytes;
        grid.variables.push_back({variable.offset, variable.offset + bytes});
        for (const auto& block : grid.resident)
            if (block->alive > 0) poison_shared(*block, variable.offset, bytes);
    }
    return grid.block().shared_bytes() + variable.offset;
}

std::uint32_t shared_address_of(const void* address) {
    Grid& grid = running_grid();
    const auto offset = static_cast<const std::byte*>(address) - grid.block().shared_bytes();
    if (offset < 0 || static_cast<std::size_t>(offset) > grid.arena_bytes)
        fail("out of bounds: not an address in shared memory");
    return static_cast<std::uint32_t>(offset) + shared_base;
}

void* at_shared(std::uint32_t address, std::size_t bytes, const Site& site) {
    Grid& grid = running_grid();
    note_operation(grid, warpsieve::platform::calling_instruction(), site,
                   grid.block().shared_bytes() + (std::int64_t{address} - shared_base), bytes);
    if (address < shared_base || address - shared_base + bytes > grid.arena_bytes)
        fail("out of bounds: an access of shared memory (" + site_text(site) + ")");
    if (bytes <= 16 && address % bytes != 0)
        fail("misaligned: an access of " + std::to_string(bytes) + " bytes of shared memory (" +
             site_text(site) + ")");
    return grid.block().shared_bytes() + (address - shared_base);
}

}  // namespace compaction::simulated
