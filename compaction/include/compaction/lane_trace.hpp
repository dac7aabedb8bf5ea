#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/access_trace.hpp"

/// What each lane did in one compaction on the simulated GPU, step by step.
namespace compaction {

/// What a step of a lane does.
enum class LaneStepKind : std::uint8_t {
    launch,              ///< the next launch begins; by no lane
    memory,              ///< the runtime or a library changes global memory between launches; by no lane
    load,                ///< a plain load
    store,               ///< a plain store
    atomic_load,         ///< an atomic or volatile load
    atomic_store,        ///< an atomic or volatile store
    atomic_update,       ///< a read-modify-write
    fence,               ///< a memory fence
    launch_trigger,      ///< allows the next launch to begin; here, launches never overlap
    launch_wait,         ///< waits for the end of the previous launch; here, launches never overlap
    collective,          ///< arrives at a collective operation of the warp; operands: its value, and the lane
                         ///< or the distance of a shuffle
    collective_results,  ///< the lanes of `mask` have arrived; results: one for each of them
    barrier,             ///< arrives at a barrier of the block; operand: its vote
    barrier_release,     ///< all lanes of the block have arrived
    mbarrier_init,       ///< operand: the arrivals that it waits for
    mbarrier_arrive,     ///< operand: the bytes that it expects in addition
    mbarrier_phase,      ///< a phase of the mbarrier completes; operands: the number of the mbarrier in the
                         ///< block, and the parity of the phase
    mbarrier_wait,       ///< stops waiting; operand: the parity of the phase
    copy_to_shared,      ///< requests a bulk copy from `address` in global memory; operand: where in shared
                         ///< memory it goes
    copy_to_global,      ///< requests a bulk copy to `address` in global memory; operand: where in shared
                         ///< memory it comes from
    copied_to_shared,    ///< that copy is performed; operand as above
    copied_to_global,    ///< that copy is performed; operand as above
    note,                ///< the kernel names a value; operand: the value
    line,                ///< begins to run a basic block
    end,                 ///< the lane ends
    fault,               ///< the launch fails here, with the access or the operation that is wrong
};

/// The name of the kind: "load", "collective results".
std::string_view name_of(LaneStepKind kind);

/// Whether steps of that kind read memory.
constexpr bool loads(LaneStepKind kind) {
    return kind == LaneStepKind::load || kind == LaneStepKind::atomic_load ||
           kind == LaneStepKind::atomic_update || kind == LaneStepKind::copied_to_shared ||
           kind == LaneStepKind::copied_to_global;
}

/// Whether the trace holds the bytes that steps of that kind store. Copies store what they load.
constexpr bool holds_stored_bytes(LaneStepKind kind) {
    return kind == LaneStepKind::store || kind == LaneStepKind::atomic_store ||
           kind == LaneStepKind::atomic_update || kind == LaneStepKind::memory;
}

/// Whether steps of that kind perform a bulk copy.
constexpr bool performs_copy(LaneStepKind kind) {
    return kind == LaneStepKind::copied_to_shared || kind == LaneStepKind::copied_to_global;
}

/// The memory of an access.
enum class MemorySpace : std::uint8_t {
    none,    ///< the step has no address
    global,  ///< a buffer of the trace
    shared,  ///< shared memory of the block
};

/// A function that runs, and where in it.
struct SourceFrame {
    std::string function;    ///< with its arguments; "" if not known
    std::string file;        ///< as the compiler was given it; "" if not known
    std::uint32_t line = 0;  ///< from 1; 0 if not known

    /// Compares all members.
    bool operator==(const SourceFrame&) const = default;
};

/// What all steps of one instruction have in common.
struct LaneSite {
    LaneStepKind kind = LaneStepKind::load;  ///< what the steps do
    MemorySpace space = MemorySpace::none;   ///< where `LaneStep::address` is
    std::uint32_t buffer = 0;                ///< in global memory: index into LaneTrace::buffers
    std::uint32_t bytes = 0;                 ///< of the access or copy
    std::uint32_t place = 0;                 ///< index into LaneTrace::places
    std::string name;                        ///< of a collective operation, a barrier or a note

    /// Compares all members.
    bool operator==(const LaneSite&) const = default;
};

/// What every lane did in one compaction, in the order in which the simulated GPU did it. The schedule is one
/// of many that the CUDA programming model allows; steps are not times.
///
/// `packed` holds the steps one after the other, read by LaneReader:
/// - a byte: bit 0 whether the thread changes, bit 1 whether the site differs from the one that followed the
///   previous site last time, bit 2 whether the address differs from the expected one, bit 3 whether all
///   results or all bytes are equal;
/// - the signed difference of the thread's number in the launch, the number of the site, and the signed
///   difference from the expected address, each only where the first byte says so; the expected address
///   continues the distance of the last two addresses of the site;
/// - operands, mask and results as numbers, stored bytes as they are.
/// Numbers are written as in AccessTrace. Loaded values are not written: the reader plays the stores.
struct LaneTrace {
    std::string algorithm;                         ///< Algorithm::id
    std::uint64_t seed = 0;                        ///< of the simulated schedule
    std::vector<TracedBuffer> buffers;             ///< the first one is the input
    std::vector<TracedLaunch> launches;            ///< in the order they ran; without steps of the time rule
    std::vector<LaneSite> sites;                   ///< in the order of their first step
    std::vector<std::vector<SourceFrame>> places;  ///< the innermost function first; empty for code of
                                                   ///< the simulated GPU itself, or if not known
    std::vector<std::vector<SourceFrame>> lines_after;  ///< [places] the lines of the code between a
                                                        ///< step there and the lane's next step
    std::vector<std::byte> packed;                      ///< the steps
    std::uint64_t num_steps = 0;                        ///< in `packed`; below 2^32
    std::uint64_t loads_hash = 0;  ///< of what the run loaded; see LaneReader::loads_hash
    std::string fault;             ///< why the run failed; "" if it did not
    std::string missing_lines;     ///< a sentence: why lines are not known; "" if they are
};

/// What shared memory holds where no lane has stored.
inline constexpr std::byte not_stored{0xdd};

/// The value of LaneTrace::loads_hash before the first load.
inline constexpr std::uint64_t hash_of_nothing = 0xcbf2'9ce4'8422'2325;

/// Bytes that a step reads, and the step that stored them.
struct Observation {
    /// In `stored_by`: the bytes have their initial value.
    static constexpr std::uint32_t initial = ~0U;

    std::uint32_t offset = 0;     ///< of the first one in LaneStep::loaded
    std::uint32_t bytes = 0;      ///< how many follow one another
    std::uint32_t stored_by = 0;  ///< LaneStep::index
};

/// A step of a trace.
struct LaneStep {
    std::uint64_t index = 0;              ///< from 0, over all launches
    std::uint32_t site = 0;               ///< index into LaneTrace::sites
    std::uint32_t launch = 0;             ///< index into LaneTrace::launches
    std::uint32_t block = 0;              ///< index in the launch
    std::uint32_t thread = 0;             ///< index in the block
    std::uint64_t address = 0;            ///< in the buffer, or in the shared memory of the block; in bytes
    std::uint32_t mask = 0;               ///< the lanes that collective_results has results for
    std::vector<std::uint64_t> operands;  ///< as LaneStepKind says
    std::vector<std::uint64_t> results;   ///< [lanes in mask]
    std::vector<std::byte> loaded;        ///< what an access or a copy reads
    std::vector<std::byte> stored;        ///< what it leaves in memory
    std::vector<Observation> observed;    ///< the stores that left `loaded` there, in the order of addresses

    /// The warp of the thread in its block.
    std::uint32_t warp() const { return thread / 32; }
    /// The lane of the thread in its warp.
    std::uint32_t lane() const { return thread % 32; }
};

/// Predicts the next step: the site is the one that followed last time, and the address continues the
/// distance of the last two addresses of the site.
class LanePrediction {
  public:
    /// The site that followed `site` last time.
    std::uint32_t following(std::uint32_t site) const;
    /// The expected address of a step of that site.
    std::uint64_t address(std::uint32_t site) const;
    /// Learns from a step of `site`, which follows one of `previous_site`.
    void learn(std::uint32_t previous_site, std::uint32_t site, std::uint64_t address);

  private:
    struct Site {
        std::uint32_t following = 0;
        std::uint64_t address = 0;
        std::uint64_t distance = 0;
    };
    std::vector<Site> sites_;
};

/// Reads the steps of a trace one by one, and holds the memory as they leave it. The trace must outlive it. A
/// copy continues from the same step, so copies serve as keyframes; one takes about five times the buffers'
/// size.
class LaneReader {
  public:
    /// Begins before the first step.
    explicit LaneReader(const LaneTrace& trace);

    /// Reads the next step. Returns whether there is one. Throws Error{invalid_argument} where the trace is
    /// damaged.
    bool next();

    /// The step that `next` read.
    const LaneStep& step() const { return step_; }
    /// The site of that step.
    const LaneSite& site() const { return trace_->sites[step_.site]; }
    /// [bytes of the buffer] Its contents after the step.
    std::span<const std::byte> buffer(std::uint32_t index) const { return global_[index].bytes; }
    /// The shared memory of a block that runs, after the step; empty where no step has used it. Bytes that no
    /// lane has stored are `not_stored`.
    std::span<const std::byte> shared(std::uint32_t block) const;
    /// A hash of all bytes that were loaded so far (FNV-1a, Fowler, Noll and Vo 1991). At the end it equals
    /// that of the run, if the steps tell all that ran.
    std::uint64_t loads_hash() const { return hash_; }

  private:
    /// Bytes and the step that stored each of them.
    struct Memory {
        std::vector<std::byte> bytes;
        std::vector<std::uint32_t> stored_by;
    };
    std::uint64_t read_number();
    void read_head();
    void begin_launch();
    void read_body();
    std::vector<std::uint64_t> read_numbers(std::uint64_t count, bool all_same);
    std::vector<std::byte> read_bytes(std::uint64_t count, bool all_same);
    Memory& memory(MemorySpace space, std::uint64_t end);
    void load(MemorySpace space, std::uint64_t address);
    void store(MemorySpace space, std::uint64_t address);
    void play();
    void end_lane();

    const LaneTrace* trace_;
    std::size_t position_ = 0;
    unsigned head_ = 0;
    std::uint32_t num_read_ = 0;
    std::uint64_t num_launches_ = 0;
    std::uint64_t thread_in_launch_ = 0;
    LanePrediction prediction_;
    std::vector<Memory> global_;  ///< [buffers]
    std::map<std::uint32_t, Memory> shared_;
    std::map<std::uint32_t, std::uint32_t> ended_;  ///< lanes of each block
    std::uint64_t hash_ = hash_of_nothing;
    LaneStep step_;
};

/// What a traced compaction made.
struct LaneTracedCompaction {
    LaneTrace trace;                 ///< its steps
    std::vector<std::byte> output;   ///< [num_selected] items, as a run without a trace leaves them
    std::uint64_t num_selected = 0;  ///< how many items are kept
};

namespace simulated {

/// Runs an algorithm as trace_compaction does, with the same schedule, and records every step of every lane.
/// Takes some 100 ns and up to 20 bytes for each step; a lane makes about ten for each item of a scan.
/// Throws as trace_compaction. A run that fails is a trace with its fault, up to the failure.
LaneTracedCompaction trace_lanes(const Algorithm& algorithm, const Options& options, ItemSize item_size,
                                 std::span<const std::byte> items, Predicate keep, std::uint64_t seed);

}  // namespace simulated
}  // namespace compaction
