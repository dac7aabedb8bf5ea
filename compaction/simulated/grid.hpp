#pragma once

#include <array>
#include <bitset>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/fault_guard.hpp"
#include "platform/fenced_memory.hpp"
#include "simulated/checker.hpp"
#include "simulated/gpu.hpp"
#include "simulated/observer.hpp"

/// The state of a running grid; private to the engine.
namespace compaction::simulated {

class Counters;

using Context = boost::context::detail::fcontext_t;

/// Random numbers that depend on the seed alone.
/// Source: Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
        z = (z ^ z >> 27) * 0x94d049bb133111ebU;
        return z ^ z >> 31;
    }
    /// A number below `limit`, which is at least 1.
    unsigned below(unsigned limit) { return static_cast<unsigned>((next() >> 32) * limit >> 32); }

  private:
    std::uint64_t state_;
};

struct Block;

/// The event that a lane waits for.
struct Wait {
    enum class For : std::uint8_t { nothing, lanes, block, mbarrier, word } what = For::nothing;
    const char* name = "";
    unsigned mask = 0;
    Site site;
};

/// What a lane has read: the value of a word, or the result of a collective operation at a site.
struct Reading {
    const void* from = nullptr;
    std::uint64_t value = 0;

    std::uint32_t hash() const {
        return static_cast<std::uint32_t>((reinterpret_cast<std::uintptr_t>(from) * 0x9e37'79b9'7f4a'7c15U ^
                                           value * 0xc2b2'ae3d'27d4'eb4fU) >>
                                          32);
    }
};

struct Lane {
    Context context = nullptr;
    Wait wait;
    std::uint64_t value = 0;              ///< of the last collective operation: its argument
    std::uint64_t result = 0;             ///< of that operation
    unsigned parameter = 0;               ///< the lane or the distance of a shuffle
    unsigned width = lanes_per_warp;      ///< of a shuffle
    unsigned open_group = 0;              ///< the number of the open group of copies to global memory
    unsigned loads_since_collective = 0;  ///< counted by yield_if_polling()
    // A lane polls if it keeps reading what it has read before.
    std::array<std::uint32_t, 4> readings{};  ///< hashes of the last different ones
    unsigned oldest_reading = 0;
    unsigned num_readings_in_turn = 0;
    unsigned repeated_readings = 0;  ///< in a row
    Reading last_load;
    SourceLocation last_load_location;
};

/// Lanes that have arrived at a collective operation.
struct Group {
    Collective operation;
    unsigned mask;
    unsigned arrived;
    Site site;
};

struct Warp {
    Block* block = nullptr;
    unsigned index = 0;
    // Masks of lanes.
    unsigned lanes_begun = 0;
    unsigned alive = 0;
    unsigned ready = 0;
    unsigned polling = 0;  ///< ready, but has yielded
    unsigned at_barrier = 0;
    std::int64_t priority = 0;  ///< used by the adversarial order
    std::vector<Group> groups;
    std::array<Lane, lanes_per_warp> lanes;
};

struct Mbarrier {
    unsigned arrivals = 0;                            ///< in each phase
    unsigned pending_arrivals = 0;                    ///< in the current phase
    std::int64_t pending_bytes = 0;                   ///< expected and not arrived
    unsigned parity = 0;                              ///< the parity of the current phase
    std::vector<std::pair<Warp*, unsigned>> waiters;  ///< warp and lane of each
    const Lane* initialiser = nullptr;
    bool fenced = false;  ///< visible to bulk copies
};

struct Copy {
    Block* block;
    void* global;
    std::uint32_t shared;  ///< address in shared memory
    unsigned bytes;
    std::uint32_t barrier;  ///< shared address of the mbarrier; 0 for a copy to global memory
    Lane* lane;
    unsigned group;   ///< its number among the groups of the lane
    unsigned thread;  ///< the thread that requested it
    Epoch epoch = 0;  ///< for the checker

    bool is_to_shared() const { return barrier != 0; }
};

/// Packed stacks for the lanes of a block. Their tops are staggered, because they would otherwise share cache
/// sets.
class Stacks {
  public:
    Stacks(unsigned lanes, std::size_t bytes_per_lane);
    std::size_t bytes_per_lane() const { return bytes_per_lane_; }
    void* top_of(unsigned lane) const;
    bool overflowed(unsigned lane) const;
    void set_end_mark(unsigned lane);
    bool contains(const void* address) const;
    /// Whether the address is just below all stacks, where a deep overflow ends up.
    bool is_below(const void* address) const;

  private:
    std::uint64_t* end_mark_of(unsigned lane) const;
    std::size_t bytes_per_lane_;
    warpsieve::platform::FencedMemory memory_;
};

struct Block {
    unsigned index = 0;
    unsigned multiprocessor = 0;
    unsigned alive = 0;    ///< the number of lanes that have not ended
    unsigned arrived = 0;  ///< the number of lanes at the barrier
    unsigned votes = 0;
    unsigned last_votes = 0;         ///< the votes of the last complete barrier
    Wait barrier;                    ///< the one where lanes wait
    bool waited_for_launch = false;  ///< for the previous launch; true if that has ended
    std::vector<Warp> warps;
    std::vector<Mbarrier> mbarriers;
    std::unique_ptr<Stacks> stacks;
    unsigned num_stacks = 0;
    warpsieve::platform::FencedMemory shared;
    BlockChecks checks;

    std::byte* shared_bytes() { return shared.data(); }
};

/// What the running lane does.
struct Operation {
    const void* caller = nullptr;  ///< an instruction of the kernel; null: `location` has it
    SourceLocation location;
    const void* address = nullptr;  ///< null if it is no access
    std::size_t bytes = 0;
};

/// Bytes of the shared memory of a block.
struct SharedRange {
    std::size_t begin;
    std::size_t end;
};

/// What all lanes have done together.
struct Work {
    std::uint64_t turns = 0;
    std::uint64_t atomic_readings = 0;  ///< and volatile ones
    Work operator-(const Work& earlier) const {
        return {turns - earlier.turns, atomic_readings - earlier.atomic_readings};
    }
};

struct Grid {
    Grid(const LaunchShape& launch_shape, const Schedule& launch_schedule,
         const std::function<void()>& kernel, std::uint64_t launch_number)
        : shape(launch_shape),
          schedule(launch_schedule),
          body(&kernel),
          launch(launch_number),
          random(schedule.seed),
          order(shape.blocks),
          preemptions_left(schedule.preemptions) {}

    LaunchShape shape;
    Schedule schedule;
    const std::function<void()>* body;
    std::uint64_t launch;  ///< the number of this launch
    Random random;
    std::vector<unsigned> order;  ///< the order of the blocks
    std::size_t next_block = 0;
    std::vector<std::unique_ptr<Block>> resident;
    std::vector<Copy> copies;
    std::array<std::uint64_t, Schedule::max_multiprocessors> clock{};  ///< since the launch began, in ns
    std::size_t static_bytes = 0;        ///< of the variables in shared memory that lanes have reached so far
    std::size_t arena_bytes = 0;         ///< of shared memory in a block: dynamic, then static
    std::vector<SharedRange> variables;  ///< in static shared memory
    std::unique_ptr<Checker> checker;    ///< null if nothing is checked
    Observer* observer = nullptr;        ///< null if nothing is traced
    Counters* counters = nullptr;        ///< null if nothing is counted
    std::string failure;
    std::function<std::string()> describe;  ///< details in addition to `failure`
    Context scheduler = nullptr;
    Warp* warp = nullptr;  ///< the warp of the running lane
    unsigned lane = 0;
    Operation operation;  ///< the last one, if there is an observer
    // State of the adversarial order.
    unsigned preemptions_left;
    unsigned steps_to_preemption = 0;
    std::int64_t lowest_priority = 0;
    const Warp* favoured = nullptr;
    unsigned favoured_sweeps = 0;

    bool progressed = false;  ///< whether a lane has done more than poll in this sweep
    bool yielded = false;     ///< whether the lane has yielded in this turn

    Work work;             ///< so far
    Work work_at_news;     ///< when a lane last did something for the first time
    Work work_at_advance;  ///< when a lane last began, ended, or read a word that none had read
    bool lane_runs = false;
    const std::function<void()>* errand = nullptr;  ///< of the running lane
    warpsieve::platform::Fault fault;               ///< of the lane that ran last
    SourceLocation last_access;                     ///< of the running lane, if accesses are observed
    std::uint64_t turn_of_tick = 0;                 ///< the turn in which the fault guard last ticked
    bool is_endless = false;                        ///< the lane of that turn has run for too long
    bool is_instrumented = false;
    unsigned num_words_read = 0;
    std::bitset<1U << 16> words_read;  ///< by hash; emptied when half full

    Block& block() const { return *warp->block; }
    Lane& running() const { return warp->lanes[lane]; }
    /// The index of the running lane in its block.
    unsigned thread() const { return warp->index * lanes_per_warp + lane; }
    void note_news() { work_at_news = work; }
    void note_begin_or_end() { work_at_news = work_at_advance = work; }
    void note_word_read(const void* word) {
        const std::size_t hash = (reinterpret_cast<std::uintptr_t>(word) >> 2) * 0x9e37'79b9'7f4a'7c15U >> 48;
        if (words_read[hash]) return;
        if (++num_words_read > words_read.size() / 2) {
            words_read.reset();
            num_words_read = 1;
        }
        words_read[hash] = true;
        work_at_advance = work;
    }
    bool had_news_lately() const {
        constexpr std::uint64_t recent_turns = 1U << 11;
        return work.turns - work_at_news.turns < recent_turns;
    }
};

/// Notes what the running lane is about to do. `caller`: warpsieve::platform::calling_instruction().
inline void note_operation(Grid& grid, const void* caller, const Site& site, const void* address = nullptr,
                           std::size_t bytes = 0) {
    grid.operation = {caller, SourceLocation::of(site), address, bytes};
}

/// Overwrites shared memory that the block has not written yet, so that no value of an earlier block remains.
void poison_shared(Block& block, std::size_t offset, std::size_t bytes);

/// Runs all lanes until they have ended, or sets `failure`. `max_turn_s`: the processor time that a lane may
/// run without waiting; 0 for no limit. `patience`: a factor of the limits on steps without progress.
void run_to_end(Grid& grid, double max_turn_s, double patience);

/// note_reading (gpu.hpp) for instrumented code: also called outside lanes and for words outside GPU memory,
/// which it ignores.
void note_instrumented_reading(const void* word, std::uint64_t value, const SourceLocation& location);

/// Records a reading of the running lane. Returns whether it is new: not among its last few readings.
bool note_if_new(Grid& grid, const Reading& reading);
/// The running lane fails if it has run for too long.
void end_endless_lane(Grid& grid, const SourceLocation& location);

/// The memory that an address belongs to, for the running lane.
struct Location {
    Space space = Space::none;  ///< none for a stack, a constant or a variable of the program
    std::uintptr_t offset = 0;  ///< offset in the buffer or in the shared memory of the block
    std::uintptr_t buffer = 0;  ///< address of the buffer
};
Location location_of(Grid& grid, const void* address);

/// The grid that the calling thread runs.
Grid& running_grid();

/// Runs a function of the running lane outside its small stack.
void run_outside_lanes(const std::function<void()>& errand);

/// Stops the running lane until another lane or a copy makes it ready.
void suspend(Wait::For what, const char* name, unsigned mask, const Site& site);

/// In a schedule with slow lanes: lets the other lanes run for up to 1024 sweeps, in one of `one_in` calls.
void delay_slow_lane(unsigned one_in);

/// The address of the first shared byte; not 0, so that no shared address is null.
inline constexpr std::uint32_t shared_base = 0x400;

/// "kernels.cuh:12"
std::string site_text(const Site& site);
/// The position with that linear index, in which x varies fastest.
uint3 position_in(const dim3& size, unsigned index);
/// "block 3", "block (1, 2, 0)", and the same for a thread: by its index if there is one dimension only.
std::string block_text(const Grid& grid, unsigned index);
std::string thread_text(const Grid& grid, unsigned index);
/// "lanes 0-15, 31"
std::string lanes_text(unsigned mask);
/// The waiting lanes of the resident blocks, a line for each location where some wait.
std::string waiters_text(const Grid& grid);

/// Carries out copy `index` and removes it.
void complete_copy(Grid& grid, std::size_t index);
/// Completes the remaining copies of the block before its shared memory is reused.
void complete_copies_of(Grid& grid, const Block& block);

/// Releases the block if all its lanes have arrived at the barrier.
void release_block_if_arrived(Block& block);

}  // namespace compaction::simulated
