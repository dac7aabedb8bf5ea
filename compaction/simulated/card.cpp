#include "simulated/card.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "compaction/error.hpp"
#include "simulated/grid.hpp"
#include "simulated/memory.hpp"

namespace compaction::simulated {

constinit thread_local Index threadIdx{};
constinit thread_local Index blockIdx{};
constinit thread_local Index blockDim{};
constinit thread_local Index gridDim{};

namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

#ifdef NDEBUG
constexpr std::size_t stack_bytes = 8 * 1024;
#else
constexpr std::size_t stack_bytes = 32 * 1024;
#endif
constexpr std::size_t stagger_bytes = 64;
constexpr unsigned staggered_tops = 16;
constexpr std::uint64_t end_mark = 0x5349'4d53'5441'434bU;
/// Sweeps in which lanes only poll, before the run counts as stuck.
constexpr unsigned most_idle_sweeps = 1U << 18;
/// Sweeps between late copies, while lanes can run.
constexpr unsigned most_late_sweeps = 64;
/// Turns of the lanes of a warp before the next warp runs, since they may be polling together.
constexpr unsigned most_turns = 1024;
constexpr std::uint64_t ns_per_step = 2;
constexpr std::uint64_t ns_per_launch = 2000;
constexpr std::uint64_t timer_step_ns = 32;

constinit thread_local Grid* running = nullptr;
constinit thread_local std::uint64_t now_ns = 0;
constinit thread_local std::uint64_t seed = 0;
std::atomic<std::uint64_t> num_launches{0};

void run_lane(transfer_t from) {
    Grid& grid = *static_cast<Grid*>(from.data);
    grid.scheduler = from.fctx;
    try {
        (*grid.body)();
    } catch (const std::exception& error) {
        fail(std::string("an exception left the kernel: ") + error.what());
    }
    Warp& warp = *grid.warp;
    const unsigned bit = 1U << grid.lane;
    warp.alive &= ~bit;
    --warp.block->alive;
    if (warp.at_barrier != 0 && grid.failure.empty()) {
        grid.failure = "divergent barrier: " + lanes_text(bit) + " of block " +
                       std::to_string(warp.block->index) + ", warp " + std::to_string(warp.index) +
                       " ended while others of its warp wait";
    }
    test_block_barrier(*warp.block);
    jump_fcontext(grid.scheduler, nullptr);
}

void switch_to_scheduler(Grid& grid) {
    grid.scheduler = jump_fcontext(grid.scheduler, nullptr).fctx;
}

/// Runs the lane until it waits, yields or ends.
void resume(Grid& grid, Warp& warp, unsigned lane) {
    Block& block = *warp.block;
    grid.warp = &warp;
    grid.lane = lane;
    grid.yielded = false;
    threadIdx.x = warp.index * lanes_per_warp + lane;
    blockIdx.x = block.index;
    Lane& state = warp.lanes[lane];
    state.wait.what = Wait::For::nothing;
    state.context = jump_fcontext(state.context, &grid).fctx;
    grid.clock[block.multiprocessor] += ns_per_step;
    if (grid.yielded)
        warp.polling |= 1U << lane;
    else
        grid.progressed = true;
    if (block.stacks->overflowed(threadIdx.x) && grid.failure.empty())
        grid.failure = "the stack of a lane overflowed";
}

unsigned choose_lane(Grid& grid, unsigned ready) {
    switch (grid.schedule.order) {
        case Order::forward:
            return static_cast<unsigned>(std::countr_zero(ready));
        case Order::reverse:
            return 31U - static_cast<unsigned>(std::countl_zero(ready));
        case Order::random:
            break;
    }
    const unsigned turn = grid.random.below(lanes_per_warp);
    return (static_cast<unsigned>(std::countr_zero(std::rotr(ready, static_cast<int>(turn)))) + turn) %
           lanes_per_warp;
}

void run_warp(Grid& grid, Warp& warp) {
    for (unsigned i = 0; i < most_turns && warp.ready != 0 && grid.failure.empty(); ++i) {
        const unsigned lane = choose_lane(grid, warp.ready);
        warp.ready &= ~(1U << lane);
        resume(grid, warp, lane);
        if (grid.schedule.order == Order::random && grid.random.below(64) == 0) break;
    }
    warp.ready |= warp.polling;
    warp.polling = 0;
}

void start_block(Grid& grid, Block& block, unsigned index, unsigned multiprocessor) {
    const unsigned threads = grid.shape.threads;
    block.index = index;
    block.multiprocessor = multiprocessor;
    block.alive = threads;
    block.arrived = block.votes = block.counted = 0;
    block.mbarriers.clear();
    block.warps.resize((threads + lanes_per_warp - 1) / lanes_per_warp);
    if (block.num_stacks < threads) {
        block.stacks = std::make_unique<Stacks>(threads);
        block.num_stacks = threads;
    }
    block.shared.resize(grid.arena_bytes / sizeof(SharedLine));
    poison_shared(block, 0, grid.shape.shared_bytes);
    poison_shared(block, grid.arena_bytes - max_static_shared_bytes, grid.static_bytes);
    for (unsigned w = 0; w < block.warps.size(); ++w) {
        Warp& warp = block.warps[w];
        const unsigned lanes = std::min(lanes_per_warp, threads - w * lanes_per_warp);
        warp.block = &block;
        warp.index = w;
        warp.lanes_begun = warp.alive = warp.ready = lanes == 32 ? ~0U : (1U << lanes) - 1;
        warp.polling = warp.at_barrier = 0;
        warp.groups.clear();
        for (unsigned l = 0; l < lanes; ++l) {
            const unsigned thread = w * lanes_per_warp + l;
            block.stacks->mark(thread);
            warp.lanes[l] = {};
            warp.lanes[l].context = make_fcontext(block.stacks->top_of(thread), stack_bytes / 2, run_lane);
        }
    }
}

/// Fills the multiprocessors with the next blocks.
void start_blocks(Grid& grid) {
    const unsigned most = resident_blocks(grid.shape) * grid.schedule.multiprocessors;
    for (unsigned i = 0; i < most && grid.next_block < grid.order.size(); ++i) {
        if (i == grid.resident.size()) grid.resident.push_back(std::make_unique<Block>());
        Block& block = *grid.resident[i];
        if (block.alive == 0)
            start_block(grid, block, grid.order[grid.next_block++], i % grid.schedule.multiprocessors);
    }
}

bool finished(const Grid& grid) {
    return grid.next_block == grid.order.size() &&
           std::ranges::all_of(grid.resident, [](const auto& block) { return block->alive == 0; });
}

/// Runs every warp that can run, once.
void sweep(Grid& grid) {
    const std::size_t blocks = grid.resident.size();
    const bool is_random = grid.schedule.order == Order::random;
    const bool backwards = grid.schedule.order == Order::reverse || (is_random && grid.random.below(2) == 0);
    const std::size_t first = is_random ? grid.random.below(static_cast<unsigned>(blocks)) : 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        Block& block = *grid.resident[((backwards ? blocks - 1 - i : i) + first) % blocks];
        if (block.alive == 0) continue;
        const std::size_t warps = block.warps.size();
        for (std::size_t w = 0; w < warps && grid.failure.empty(); ++w)
            run_warp(grid, block.warps[backwards ? warps - 1 - w : w]);
        if (block.alive == 0) complete_copies_of(grid, block);
        if (grid.schedule.copy_time == CopyTime::shuffled && !grid.copies.empty() &&
            grid.random.below(2) == 0)
            complete_copy(grid, grid.random.below(static_cast<unsigned>(grid.copies.size())));
    }
}

void run_to_end(Grid& grid) {
    unsigned idle_sweeps = 0;
    unsigned sweeps = 0;
    start_blocks(grid);
    while (grid.failure.empty() && !finished(grid)) {
        grid.progressed = false;
        sweep(grid);
        // Lanes that poll together count as progress, so copies cannot wait for its end.
        const bool copies_are_due = ++sweeps % most_late_sweeps == 0 && !grid.copies.empty();
        if (grid.progressed && !copies_are_due) {
            idle_sweeps = 0;
        } else if (!grid.copies.empty()) {
            const auto size = static_cast<unsigned>(grid.copies.size());
            complete_copy(grid, grid.schedule.copy_time == CopyTime::shuffled ? grid.random.below(size) : 0);
        } else if (std::ranges::none_of(grid.resident, [](const auto& block) {
                       return std::ranges::any_of(block->warps, [](const Warp& w) { return w.ready != 0; });
                   })) {
            grid.failure = "deadlock: no lane can run";
        } else if (++idle_sweeps > most_idle_sweeps) {
            grid.failure = "no progress: lanes poll for a value that nobody writes";
        }
        if (grid.failure.empty()) start_blocks(grid);
    }
}

/// Blocks are kept for the next launch of this thread, with their stacks.
std::vector<std::unique_ptr<Block>>& spare_blocks() {
    static thread_local std::vector<std::unique_ptr<Block>> spare;
    return spare;
}

}  // namespace

Stacks::Stacks(unsigned lanes)
    : memory_(static_cast<std::byte*>(std::aligned_alloc(4096, std::size_t{lanes} * stack_bytes)),
              std::free) {
    if (!memory_) throw Error(ErrorCode::out_of_memory, "No memory for the stacks of the simulated GPU.");
}
void* Stacks::top_of(unsigned lane) const {
    return memory_.get() + (lane + std::size_t{1}) * stack_bytes - lane % staggered_tops * stagger_bytes;
}
std::uint64_t* Stacks::end_mark_of(unsigned lane) const {
    return reinterpret_cast<std::uint64_t*>(memory_.get() + lane * stack_bytes);
}
void Stacks::mark(unsigned lane) {
    *end_mark_of(lane) = end_mark;
}
bool Stacks::overflowed(unsigned lane) const {
    return *end_mark_of(lane) != end_mark;
}

unsigned resident_blocks(const LaunchShape& shape) {
    unsigned blocks = std::min(max_blocks_per_multiprocessor,
                               max_threads_per_multiprocessor / std::max(shape.threads, lanes_per_warp));
    if (shape.shared_bytes > 0) {
        blocks =
            std::min(blocks, static_cast<unsigned>(shared_bytes_per_multiprocessor / shape.shared_bytes));
    }
    return blocks;
}

std::uint64_t current_seed() {
    return seed;
}
void set_seed(std::uint64_t new_seed) {
    seed = new_seed;
}
std::uint64_t clock_ns() {
    return now_ns;
}
void advance_clock(std::uint64_t ns) {
    now_ns += ns;
}

Grid& running_grid() {
    return *running;
}

void suspend(Wait::For what, const char* name, unsigned mask, const Site& site) {
    Grid& grid = running_grid();
    grid.running().wait = {what, name, mask, site};
    switch_to_scheduler(grid);
}

void yield_lane() {
    Grid& grid = running_grid();
    grid.yielded = true;
    switch_to_scheduler(grid);
}

void note_relaxed_load() {
    if (++running_grid().running().relaxed_loads % 8 == 0) yield_lane();
}

void fail(const std::string& what) {
    Grid& grid = running_grid();
    if (grid.failure.empty()) {
        grid.failure =
            what + "; by block " + std::to_string(blockIdx.x) + ", thread " + std::to_string(threadIdx.x);
    }
    switch_to_scheduler(grid);
    std::abort();
}

std::uint64_t simulated_ns() {
    Grid& grid = running_grid();
    std::uint64_t& clock = grid.clock[grid.block().multiprocessor];
    clock += timer_step_ns;  // a lane that waits for the time must see it pass
    return (now_ns + clock) / timer_step_ns * timer_step_ns;
}

unsigned multiprocessor_of_block() {
    return running_grid().block().multiprocessor;
}

void run_grid(const char* kernel, const LaunchShape& shape, const Schedule& schedule,
              const std::function<void()>& body) {
    if (shape.threads == 0 || shape.threads > 1024 || shape.blocks == 0 ||
        shape.shared_bytes > max_shared_bytes_per_block || resident_blocks(shape) == 0) {
        throw Error(ErrorCode::invalid_argument,
                    std::string(kernel) + ": the card cannot hold such a block.");
    }
    if (shape.cooperative && shape.blocks > resident_blocks(shape) * schedule.multiprocessors) {
        throw Error(ErrorCode::invalid_argument,
                    std::string(kernel) + ": a cooperative launch of " + std::to_string(shape.blocks) +
                        " blocks, but the card holds " +
                        std::to_string(resident_blocks(shape) * schedule.multiprocessors) + " at once.");
    }
    Grid grid(shape, schedule, body, ++num_launches);
    grid.resident.swap(spare_blocks());
    for (auto& block : grid.resident) block->alive = 0;
    grid.arena_bytes = (shape.shared_bytes + 127) / 128 * 128 + max_static_shared_bytes;
    std::iota(grid.order.begin(), grid.order.end(), 0U);
    if (schedule.order == Order::reverse) std::ranges::reverse(grid.order);
    if (schedule.order == Order::random) {
        for (unsigned i = shape.blocks; i > 1; --i)
            std::swap(grid.order[i - 1], grid.order[grid.random.below(i)]);
    }
    Grid* const outer = std::exchange(running, &grid);
    blockDim.x = shape.threads;
    gridDim.x = shape.blocks;
    run_to_end(grid);
    running = outer;
    now_ns += ns_per_launch + *std::ranges::max_element(grid.clock);
    if (grid.failure.empty()) {
        if (const void* const guard = overwritten_guard()) {
            grid.failure = "out of bounds: bytes beside a buffer were overwritten, first " +
                           std::to_string(reinterpret_cast<std::uintptr_t>(guard));
        }
    }
    std::string waiters = grid.failure.empty() ? "" : waiters_text(grid);
    for (auto& block : grid.resident) block->alive = 0;
    grid.resident.swap(spare_blocks());
    if (!grid.failure.empty()) {
        throw Error(ErrorCode::device_failure,
                    std::string(kernel) + " failed on the simulated GPU: " + grid.failure + ".\n" + waiters +
                        "Repeat with seed " + std::to_string(schedule.seed) + ".");
    }
}

}  // namespace compaction::simulated
