// The scheduler: runs the lanes of a grid in the order of the schedule.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "compaction/error.hpp"
#include "platform/fault_guard.hpp"
#include "platform/fenced_memory.hpp"
#include "platform/source_lines.hpp"
#include "simulated/counters.hpp"
#include "simulated/grid.hpp"
#include "simulated/memory.hpp"
#include "simulated/source_location.hpp"

namespace compaction::simulated {
namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;
using warpsieve::platform::Fault;
using warpsieve::platform::FencedMemory;

#ifdef NDEBUG
constexpr std::size_t default_stack_bytes = 8 * 1024;
#else
constexpr std::size_t default_stack_bytes = 32 * 1024;
#endif
/// The tops of neighbouring stacks are this far apart modulo the size of a stack.
constexpr std::size_t stagger_bytes = 64;
constexpr unsigned staggered_tops = 16;
constexpr std::size_t max_staggered_bytes = (staggered_tops - 1) * stagger_bytes;
constexpr std::uint64_t end_mark = 0x5349'4d53'5441'434bU;

// A turn: a lane runs until it waits, yields or ends. A sweep: every warp that can run takes its turns once.

// News: a lane does something that is not among what it did last. An advance: a lane begins, ends, or reads a
// word that no lane has read. With these limits, most hangs are found after some 10 s. Some limits are for
// all lanes together, and count only if each lane has done a share. Readings: atomic and volatile ones. Plain
// accesses are seen in instrumented code only.

/// Sweeps in which lanes only poll, without news, before the run counts as stuck.
constexpr unsigned max_quiet_sweeps = 1U << 18;
/// The same where many lanes poll, once they have taken more than max_quiet_turns turns.
constexpr unsigned max_quiet_sweeps_of_many_lanes = 1U << 6;
constexpr std::uint64_t max_quiet_turns = 1U << 20;
/// Readings of lanes that only poll, without an advance, though they read values that change.
constexpr std::uint64_t max_idle_readings = 3U << 22;
constexpr std::uint64_t max_idle_readings_of_lane = 1U << 14;
/// For lanes that also wait for each other: the turns without news, of a lane and of all lanes, and the
/// readings of all lanes.
constexpr std::uint64_t max_turns_without_news = 1U << 22;
constexpr std::uint64_t max_instrumented_turns_without_news = 1U << 18;
constexpr std::uint64_t max_instrumented_turns_of_all_without_news = 1U << 25;
constexpr std::uint64_t max_instrumented_readings_of_all_without_news = 1U << 23;
/// For the same: the turns and the readings without an advance.
constexpr std::uint64_t max_turns_without_advance = 1U << 27;
constexpr std::uint64_t max_turns_of_lane_without_advance = 1U << 20;
constexpr std::uint64_t max_readings_without_advance = 1U << 24;
constexpr std::uint64_t max_readings_of_lane_without_advance = 1U << 16;
/// A factor of these, since code that is not instrumented may read words that nobody sees.
constexpr std::uint64_t factor_without_instrumentation = 16;
/// A factor of all these limits where lanes are delayed, and the sweeps of the longest delay.
constexpr double factor_of_slow_lanes = 2;
constexpr unsigned log2_max_delay_sweeps = 10;
/// Sweeps between late copies, while lanes can run.
constexpr unsigned max_late_sweeps = 64;
/// Turns of the lanes of a warp in a sweep, before the next warp runs, since they may be polling together.
constexpr unsigned max_warp_turns = 1024;
/// The limit on turns in the adversarial order.
constexpr unsigned max_adversarial_warp_turns = 64;
/// Sweeps in a row that one warp runs in the adversarial order while others can run, since it may be polling.
constexpr unsigned max_favoured_sweeps = 64;
/// In the random order, a warp stops after one turn in this many.
constexpr unsigned turns_per_random_break = 64;
constexpr std::uint64_t ns_per_turn = 2;
/// Atomic loads of a lane after which it may be polling, so other lanes run.
constexpr unsigned loads_before_yield = 8;

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
    grid.note_begin_or_end();
    if (grid.observer)
        grid.observer->add(grid, EventKind::end, /*address=*/nullptr, /*bytes=*/0, /*value=*/0, /*name=*/"",
                           /*location=*/{});
    warp.alive &= ~bit;
    if (grid.counters && warp.alive == 0) grid.counters->meet(warp);
    --warp.block->alive;
    if (warp.at_barrier != 0 && grid.failure.empty()) {
        grid.failure = "divergent barrier: " + lanes_text(bit) + " of " +
                       block_text(grid, warp.block->index) + ", warp " + std::to_string(warp.index) +
                       " ended while others of its warp wait";
    }
    release_block_if_arrived(*warp.block);
    jump_fcontext(grid.scheduler, nullptr);
}

void switch_to_scheduler(Grid& grid) {
    grid.scheduler = jump_fcontext(grid.scheduler, nullptr).fctx;
}

/// A lane that is in the middle of a turn at that many ticks has run for too long.
constexpr double ticks_of_a_turn = 2;

/// Called in a signal handler. Leaves a lane that faults or runs without end, and returns to the scheduler.
void interrupt_lane(void* context, const Fault& fault) {
    Grid& grid = *static_cast<Grid*>(context);
    if (!grid.lane_runs || !grid.failure.empty()) return;
    if (fault.kind == Fault::Kind::tick) {
        // At the first tick, the turn may have just begun. After the second tick, the lane fails at its next
        // access. If a third tick comes, the lane makes no access: leave it here.
        if (grid.turn_of_tick != grid.work.turns) {
            grid.turn_of_tick = grid.work.turns;
            grid.is_endless = false;
            return;
        }
        if (!std::exchange(grid.is_endless, true)) {
            watches_accesses = true;
            return;
        }
    }
    grid.fault = fault;
    switch_to_scheduler(grid);
}

/// ", 0 bytes after the end of a buffer of 240 bytes"
std::string place_text(const Block& block, const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const GlobalRange range = global_range_at(address);
    const auto bytes_from = [&](std::uintptr_t begin) {
        return ", " + std::to_string(at - begin) + " bytes ";
    };
    if (range.what == GlobalRange::guard) {
        return (at < range.data ? ", " + std::to_string(range.data - at) + " bytes before"
                                : bytes_from(range.data + range.size) + "after the end of") +
               " a buffer of " + std::to_string(range.size) + " bytes";
    }
    if (block.shared.is_near(address)) return " of shared memory, outside every variable of the block";
    if (at == 0) return " by a null pointer, or by a value that is no address";
    constexpr std::uintptr_t near_null = 1U << 16;
    if (at < near_null) return bytes_from(0) + "after a null pointer";
    return " far from every buffer";
}

/// The line of the kernel that faults. If the fault is inside the engine or a library: the line of the last
/// access.
std::string line_of_fault(const Grid& grid) {
    const auto found = warpsieve::platform::source_line(grid.fault.instruction, engine_paths);
    const bool is_in_kernel =
        found.line > 0 && !warpsieve::platform::contains_one_of(found.file, engine_paths);
    if (is_in_kernel || !grid.last_access.file_or_instruction)
        return location_text({grid.fault.instruction, 0});
    return location_text(grid.last_access);
}

std::string by_lane_text(const Grid& grid) {
    return "; by " + block_text(grid, grid.block().index) + ", " + thread_text(grid, grid.thread());
}

std::string endless_text(const std::string& line) {
    return "endless loop: a lane runs on and lets no other lane run (" + line +
           "); if it waits for a word there, it must read the word by an atomic access, or by a volatile one "
           "in a file that is compiled for the checks";
}

std::string overflow_text(const Stacks& stacks, const std::string& line) {
    constexpr std::size_t limit_of_cuda = std::size_t{512} * 1024;
    const std::size_t bytes = stacks.bytes_per_lane();
    return "the stack of a lane overflowed" + (line.empty() ? "" : " (" + line + ")") + ": it holds " +
           std::to_string(std::min(bytes, limit_of_cuda) / 1024) +
           " KiB of local variables and calls; check the indices of local arrays, then make the arrays "
           "smaller, nest fewer calls, or " +
           (bytes < limit_of_cuda ? "raise LaunchShape::stack_bytes" : "use memory of cudaMalloc()");
}

/// The fault of the lane that ran last.
std::string fault_text(Grid& grid) {
    const Fault& fault = grid.fault;
    const std::string line = line_of_fault(grid);
    switch (fault.kind) {
        case Fault::Kind::none:
            break;
        case Fault::Kind::tick:
            return endless_text(line);
        case Fault::Kind::division:
            return "division of an integer by zero (" + line + ")";
        case Fault::Kind::instruction:
            return "trap: an instruction that ends the kernel (" + line + ")";
        case Fault::Kind::access:
            const Stacks& stacks = *grid.block().stacks;
            if (stacks.overflowed(grid.thread()) || stacks.is_below(fault.address))
                return overflow_text(stacks, line);
            return "out of bounds: an access (" + line + ")" + place_text(grid.block(), fault.address);
    }
    return "";
}

/// Runs the lane until it waits, yields or ends.
void resume(Grid& grid, Warp& warp, unsigned lane) {
    Block& block = *warp.block;
    grid.warp = &warp;
    grid.lane = lane;
    grid.yielded = false;
    const unsigned thread = grid.thread();
    threadIdx = grid.shape.block.x == 0 ? uint3{thread, 0, 0} : position_in(grid.shape.block, thread);
    blockIdx = grid.shape.grid.x == 0 ? uint3{block.index, 0, 0} : position_in(grid.shape.grid, block.index);
    Lane& state = warp.lanes[lane];
    state.wait.what = Wait::For::nothing;
    state.num_readings_in_turn = 0;
    ++grid.work.turns;
    grid.last_access = {};
    do {
        if (grid.errand) (*std::exchange(grid.errand, nullptr))();
        grid.lane_runs = true;
        state.context = jump_fcontext(state.context, &grid).fctx;
        grid.lane_runs = false;
    } while (grid.errand);
    if (grid.fault.kind != Fault::Kind::none) {
        grid.failure = fault_text(grid) + by_lane_text(grid);
        return;
    }
    grid.clock[block.multiprocessor] += ns_per_turn;
    if (grid.yielded)
        warp.polling |= 1U << lane;
    else
        grid.progressed = true;
    if (block.stacks->overflowed(thread) && grid.failure.empty())
        grid.failure =
            overflow_text(*block.stacks,
                          grid.last_access.file_or_instruction ? location_text(grid.last_access) : "") +
            by_lane_text(grid);
}

/// The mask of the lanes that other lanes of the warp wait for.
unsigned awaited_mask(const Warp& warp) {
    unsigned mask = warp.at_barrier != 0 ? ~warp.at_barrier : 0;
    for (const Group& group : warp.groups) mask |= group.mask & ~group.arrived;
    return mask;
}

unsigned choose_lane(Grid& grid, const Warp& warp) {
    unsigned ready = warp.ready;
    switch (grid.schedule.order) {
        case Order::forward:
            return static_cast<unsigned>(std::countr_zero(ready));
        case Order::reverse:
            return 31U - static_cast<unsigned>(std::countl_zero(ready));
        case Order::random:
            break;
        case Order::adversarial:
            if (const unsigned free = ready & ~awaited_mask(warp)) ready = free;
    }
    const unsigned turn = grid.random.below(lanes_per_warp);
    return (static_cast<unsigned>(std::countr_zero(std::rotr(ready, static_cast<int>(turn)))) + turn) %
           lanes_per_warp;
}

/// The steps between two preemptions: random, with a logarithmic distribution.
unsigned random_steps_to_preemption(Random& random) {
    return 1 + random.below(2U << random.below(14));
}

/// Counts a step in the adversarial order. At the chosen steps, puts the running warp behind all others and
/// returns true.
bool try_preempt(Grid& grid, Warp& warp) {
    if (grid.preemptions_left == 0 || --grid.steps_to_preemption > 0) return false;
    --grid.preemptions_left;
    grid.steps_to_preemption = random_steps_to_preemption(grid.random);
    warp.priority = --grid.lowest_priority;
    return true;
}

void run_warp(Grid& grid, Warp& warp) {
    const Order order = grid.schedule.order;
    const unsigned turn_limit = order == Order::adversarial ? max_adversarial_warp_turns : max_warp_turns;
    for (unsigned i = 0; i < turn_limit && warp.ready != 0 && grid.failure.empty(); ++i) {
        const unsigned lane = choose_lane(grid, warp);
        warp.ready &= ~(1U << lane);
        resume(grid, warp, lane);
        if (order == Order::random && grid.random.below(turns_per_random_break) == 0) break;
        if (order == Order::adversarial && try_preempt(grid, warp)) break;
    }
    warp.ready |= warp.polling;
    warp.polling = 0;
}

std::int64_t random_priority(Random& random) {
    return static_cast<std::int64_t>(random.next() >> 1);
}

void start_block(Grid& grid, Block& block, unsigned index, unsigned multiprocessor) {
    const unsigned threads = grid.shape.threads;
    block.index = index;
    block.multiprocessor = multiprocessor;
    block.alive = threads;
    block.arrived = block.votes = block.last_votes = 0;
    block.waited_for_launch = !grid.shape.overlapping;
    block.mbarriers.clear();
    block.warps.resize((threads + lanes_per_warp - 1) / lanes_per_warp);
    const std::size_t stack_bytes = std::max(grid.shape.stack_bytes, default_stack_bytes);
    if (block.num_stacks < threads || block.stacks->bytes_per_lane() != stack_bytes) {
        block.stacks = std::make_unique<Stacks>(threads, stack_bytes);
        block.num_stacks = threads;
    }
    if (block.shared.size() < grid.arena_bytes) block.shared = FencedMemory(grid.arena_bytes);
    if (!block.shared.data()) throw Error(ErrorCode::out_of_memory, "No memory for the simulated GPU.");
    grid.note_begin_or_end();
    poison_shared(block, 0, grid.shape.shared_bytes);
    poison_shared(block, grid.arena_bytes - arena_static_bytes, grid.static_bytes);
    if (grid.checker) grid.checker->start_block(block);
    if (grid.observer) grid.observer->start_block(block);
    for (unsigned w = 0; w < block.warps.size(); ++w) {
        Warp& warp = block.warps[w];
        const unsigned lanes = std::min(lanes_per_warp, threads - w * lanes_per_warp);
        warp.block = &block;
        warp.index = w;
        warp.lanes_begun = warp.alive = warp.ready = lanes == 32 ? ~0U : (1U << lanes) - 1;
        warp.polling = warp.at_barrier = 0;
        warp.groups.clear();
        if (grid.schedule.order == Order::adversarial) warp.priority = random_priority(grid.random);
        for (unsigned l = 0; l < lanes; ++l) {
            const unsigned thread = w * lanes_per_warp + l;
            block.stacks->set_end_mark(thread);
            warp.lanes[l] = {};
            warp.lanes[l].context =
                make_fcontext(block.stacks->top_of(thread), stack_bytes - max_staggered_bytes, run_lane);
        }
    }
}

/// Fills the multiprocessors with the next blocks.
void start_blocks(Grid& grid) {
    const unsigned max_resident = resident_blocks(grid.shape) * grid.schedule.multiprocessors;
    for (unsigned i = 0; i < max_resident && grid.next_block < grid.order.size(); ++i) {
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

/// Call after lanes of the block have run. Completes the copies of a block that has ended and, if copies are
/// shuffled, now and then one copy of any block.
void complete_due_copies(Grid& grid, Block& block) {
    if (block.alive == 0) complete_copies_of(grid, block);
    if (grid.schedule.copy_time == CopyTime::shuffled && !grid.copies.empty() && grid.random.below(2) == 0)
        complete_copy(grid, grid.random.below(static_cast<unsigned>(grid.copies.size())));
}

/// The number of lanes of the block that wait at a barrier or an mbarrier.
unsigned num_waiting(const Block& block) {
    unsigned lanes = block.arrived;
    for (const Mbarrier& barrier : block.mbarriers) lanes += static_cast<unsigned>(barrier.waiters.size());
    return lanes;
}

/// Runs the warp that the adversary favours: of the blocks in which the fewest lanes wait, the warp with the
/// highest priority. Warps that fell behind, whose priorities are negative, come last. If the warp only
/// polls, runs the next one too.
void sweep_adversarially(Grid& grid) {
    struct Candidate {
        unsigned waiting;
        std::int64_t priority;
        Warp* warp;
    };
    static thread_local std::vector<Candidate> ready;
    ready.clear();
    for (const auto& block : grid.resident) {
        if (block->alive == 0) continue;
        const unsigned waiting = num_waiting(*block);
        for (Warp& warp : block->warps)
            if (warp.ready != 0) ready.push_back({waiting, warp.priority, &warp});
    }
    // Once all warps were preempted, they get new priorities.
    if (std::ranges::all_of(ready, [](const Candidate& each) { return each.priority < 0; })) {
        grid.lowest_priority = 0;
        for (Candidate& each : ready) each.priority = each.warp->priority = random_priority(grid.random);
    }
    while (!ready.empty() && grid.failure.empty()) {
        const auto best = std::ranges::min_element(ready, [](const Candidate& a, const Candidate& b) {
            return std::pair(a.priority < 0 ? ~0U : a.waiting, -a.priority) <
                   std::pair(b.priority < 0 ? ~0U : b.waiting, -b.priority);
        });
        Warp& warp = *best->warp;
        *best = ready.back();
        ready.pop_back();
        grid.favoured_sweeps = &warp == grid.favoured ? grid.favoured_sweeps + 1 : 0;
        grid.favoured = &warp;
        run_warp(grid, warp);
        complete_due_copies(grid, *warp.block);
        if (grid.favoured_sweeps == max_favoured_sweeps) {
            warp.priority = --grid.lowest_priority;
            grid.favoured_sweeps = 0;
        } else if (grid.progressed) {
            return;
        }
    }
}

/// Runs every warp that can run, once.
void sweep(Grid& grid) {
    if (grid.schedule.order == Order::adversarial) return sweep_adversarially(grid);
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
        complete_due_copies(grid, block);
    }
}

std::uint64_t num_lanes(const Grid& grid) {
    std::uint64_t lanes = 0;
    for (const auto& block : grid.resident) lanes += block->alive;
    return lanes;
}

/// Finds runs that will not end.
class Hangs {
  public:
    Hangs(const Grid& grid, double patience)
        : grid_(grid), patience_(grid.schedule.slow_lanes ? patience * factor_of_slow_lanes : patience) {}

    /// In the last sweep, a lane has done more than poll.
    void note_progress() {
        quiet_sweeps_ = 0;
        work_at_progress_ = grid_.work;
    }
    /// In the last sweep, lanes have only polled. Returns whether they have done so for too long.
    bool poll_for_ever() {
        const unsigned delay_sweeps = grid_.schedule.slow_lanes ? 1U << log2_max_delay_sweeps : 0;
        const Work idle = grid_.work - work_at_progress_;
        const Work quiet = grid_.work - grid_.work_at_news;
        const Work unadvanced = grid_.work - grid_.work_at_advance;
        quiet_sweeps_ = turns_at_news_ == grid_.work_at_news.turns ? quiet_sweeps_ + 1 : 0;
        turns_at_news_ = grid_.work_at_news.turns;
        return exceeds(quiet_sweeps_, max_quiet_sweeps) ||
               (quiet_sweeps_ > max_quiet_sweeps_of_many_lanes + delay_sweeps &&
                exceeds(std::min(idle.turns, quiet.turns), max_quiet_turns)) ||
               exceeds_for_all(std::min(idle.atomic_readings, unadvanced.atomic_readings), max_idle_readings,
                               max_idle_readings_of_lane);
    }
    /// Whether lanes have only repeated for a long time what they had done before, such as voting about a
    /// word that nobody writes.
    bool repeat_themselves() const {
        const Work quiet = grid_.work - grid_.work_at_news;
        if (!grid_.is_instrumented)
            return exceeds_for_all(quiet.turns, max_turns_without_news, max_turns_without_news);
        return (quiet_sweeps_ == 0 &&
                exceeds(quiet.atomic_readings, max_instrumented_readings_of_all_without_news)) ||
               exceeds(quiet.turns, max_instrumented_turns_of_all_without_news) ||
               exceeds_for_all(quiet.turns, max_instrumented_turns_without_news,
                               max_instrumented_turns_without_news);
    }
    /// Whether lanes have read the same words only, for a long time.
    bool do_not_advance() const {
        const Work unadvanced = grid_.work - grid_.work_at_advance;
        const std::uint64_t factor = grid_.is_instrumented ? 1 : factor_without_instrumentation;
        return exceeds_for_all(unadvanced.turns, max_turns_without_advance * factor,
                               max_turns_of_lane_without_advance * factor) ||
               exceeds_for_all(unadvanced.atomic_readings, max_readings_without_advance * factor,
                               max_readings_of_lane_without_advance * factor);
    }

  private:
    bool exceeds(std::uint64_t number, std::uint64_t limit) const {
        return static_cast<double>(number) > static_cast<double>(limit) * patience_;
    }

    /// Whether the number exceeds the limit, and the limit of a lane for all lanes.
    bool exceeds_for_all(std::uint64_t number, std::uint64_t limit, std::uint64_t limit_of_lane) const {
        return exceeds(number, limit) && exceeds(number, limit_of_lane * num_lanes(grid_));
    }

    const Grid& grid_;
    double patience_;
    unsigned quiet_sweeps_ = 0;        ///< in a row, without progress
    std::uint64_t turns_at_news_ = 0;  ///< of the last such sweep
    Work work_at_progress_;
};

/// What to do if the kernel needs as many steps.
constexpr const char* patience_text =
    "; find who should write the words that lanes wait for, or, if the kernel is right and takes longer, set "
    "WARPSIEVE_SIMULATED_PATIENCE=10, or Checks::patience";

/// Whether any lane can run.
bool has_ready_lane(const Grid& grid) {
    return std::ranges::any_of(grid.resident, [](const auto& block) {
        return block->alive > 0 &&
               std::ranges::any_of(block->warps, [](const Warp& warp) { return warp.ready != 0; });
    });
}

}  // namespace

void run_to_end(Grid& grid, double max_turn_s, double patience) {
    const warpsieve::platform::FaultGuard guard(interrupt_lane, &grid, max_turn_s / ticks_of_a_turn);
    Hangs hangs(grid, patience);
    unsigned sweeps = 0;
    if (grid.schedule.order == Order::adversarial)
        grid.steps_to_preemption = random_steps_to_preemption(grid.random);
    start_blocks(grid);
    while (grid.failure.empty() && !finished(grid)) {
        grid.progressed = false;
        if (grid.counters) grid.counters->sample(grid);
        sweep(grid);
        if (!grid.failure.empty()) break;
        // A late copy is completed when there is no progress. A warp that polls with collectives, such as
        // __any_sync, progresses in every sweep, so a copy is also completed every max_late_sweeps sweeps.
        const bool copies_are_due = ++sweeps % max_late_sweeps == 0 && !grid.copies.empty();
        if (grid.progressed && !copies_are_due) {
            hangs.note_progress();
        } else if (!grid.copies.empty()) {
            const auto size = static_cast<unsigned>(grid.copies.size());
            complete_copy(grid, grid.schedule.copy_time == CopyTime::shuffled ? grid.random.below(size) : 0);
        } else if (!has_ready_lane(grid)) {
            grid.failure = "deadlock: no lane can run";
        } else if (hangs.poll_for_ever()) {
            grid.failure =
                std::string("no progress: lanes poll for a value that nobody writes") + patience_text;
        }
        if (grid.failure.empty() && (hangs.repeat_themselves() || hangs.do_not_advance()))
            grid.failure =
                std::string("no progress: lanes repeat what they have done before") + patience_text;
        if (grid.failure.empty()) start_blocks(grid);
    }
}

Stacks::Stacks(unsigned lanes, std::size_t bytes_per_lane)
    : bytes_per_lane_(bytes_per_lane), memory_(lanes * bytes_per_lane) {
    if (!memory_.data())
        throw Error(ErrorCode::out_of_memory, "No memory for the stacks of the simulated GPU.");
}
void* Stacks::top_of(unsigned lane) const {
    return memory_.data() + (lane + std::size_t{1}) * bytes_per_lane_ - lane % staggered_tops * stagger_bytes;
}
std::uint64_t* Stacks::end_mark_of(unsigned lane) const {
    return reinterpret_cast<std::uint64_t*>(memory_.data() + lane * bytes_per_lane_);
}
void Stacks::set_end_mark(unsigned lane) {
    *end_mark_of(lane) = end_mark;
}
bool Stacks::overflowed(unsigned lane) const {
    return *end_mark_of(lane) != end_mark;
}

bool Stacks::is_below(const void* address) const {
    constexpr std::size_t largest_frame_bytes = 1U << 20;
    // The difference wraps around for an address above, and is then too large.
    return static_cast<std::size_t>(memory_.data() - static_cast<const std::byte*>(address)) <=
           largest_frame_bytes;
}
bool Stacks::contains(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - memory_.data()) < memory_.size();
}

void run_outside_lanes(const std::function<void()>& errand) {
    Grid& grid = running_grid();
    grid.errand = &errand;
    switch_to_scheduler(grid);
}

void suspend(Wait::For what, const char* name, unsigned mask, const Site& site) {
    Grid& grid = running_grid();
    grid.running().wait = {what, name, mask, site};
    switch_to_scheduler(grid);
}

namespace {

/// Lets other lanes run.
void give_way(Grid& grid) {
    grid.yielded = true;
    switch_to_scheduler(grid);
}

}  // namespace

void yield_lane() {
    Grid& grid = running_grid();
    Lane& lane = grid.running();
    if (lane.last_load.from) lane.wait.what = Wait::For::word;
    give_way(grid);
}

void preempt_before_atomic() {
    Grid& grid = running_grid();
    if (try_preempt(grid, *grid.warp)) give_way(grid);
}

void delay_slow_lane(unsigned one_in) {
    Grid& grid = running_grid();
    if (!grid.schedule.slow_lanes || grid.random.below(one_in) != 0) return;
    // Short delays are more likely than long ones.
    for (unsigned sweeps = 1U << grid.random.below(log2_max_delay_sweeps + 1); sweeps > 0; --sweeps)
        give_way(grid);
}

bool note_if_new(Grid& grid, const Reading& reading) {
    Lane& lane = grid.running();
    const std::uint32_t hash = reading.hash();
    if (std::ranges::find(lane.readings, hash) != lane.readings.end()) return false;
    lane.readings[lane.oldest_reading++ % lane.readings.size()] = hash;
    grid.note_news();
    return true;
}

void end_endless_lane(Grid& grid, const SourceLocation& location) {
    if (std::exchange(grid.is_endless, false) && grid.turn_of_tick == grid.work.turns)
        fail_with([location] { return endless_text(location_text(location)); });
}

void yield_if_polling() {
    if (++running_grid().running().loads_since_collective % loads_before_yield == 0) yield_lane();
}

void fail(const std::string& what) {
    Grid& grid = running_grid();
    if (grid.failure.empty()) {
        if (grid.observer) grid.observer->fail(grid);
        grid.failure = what + by_lane_text(grid);
    }
    switch_to_scheduler(grid);
    std::abort();
}

void fail_with(const std::function<std::string()>& describe) {
    Grid& grid = running_grid();
    if (grid.failure.empty()) grid.describe = describe;
    fail("");
}

}  // namespace compaction::simulated
