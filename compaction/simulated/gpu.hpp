#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "compaction/simulated_schedule.hpp"
#include "simulated/source_location.hpp"

/// The engine of the simulated GPU: runs the lanes of a grid as fibers of the calling thread.
namespace compaction::simulated {

inline constexpr unsigned lanes_per_warp = 32;
inline constexpr unsigned max_block_threads = 1024;
inline constexpr unsigned max_threads_per_multiprocessor = 2048;
inline constexpr unsigned max_blocks_per_multiprocessor = 32;
inline constexpr unsigned shared_bytes_per_multiprocessor = 228 * 1024;
inline constexpr unsigned max_shared_bytes_per_block = 227 * 1024;
/// The limit for variables of fixed size in shared memory.
inline constexpr unsigned max_static_shared_bytes = 48 * 1024;

/// The size of the memory for these variables, with gaps between them.
inline constexpr unsigned arena_static_bytes = 64 * 1024;

/// Types and built-in variables of CUDA.
inline namespace builtins {

struct uint3 {
    unsigned x, y, z;
};
constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
    return {x, y, z};
}
struct dim3 {
    unsigned x, y, z;
    // NOLINTNEXTLINE(google-explicit-constructor): CUDA converts numbers, too.
    constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1)
        : x(width), y(height), z(depth) {}
    // NOLINTNEXTLINE(google-explicit-constructor): as CUDA does
    constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
};
extern constinit thread_local uint3 threadIdx;
extern constinit thread_local uint3 blockIdx;
extern constinit thread_local dim3 blockDim;
extern constinit thread_local dim3 gridDim;
inline constexpr int warpSize = lanes_per_warp;

}  // namespace builtins

struct LaunchShape {
    unsigned blocks = 1;           ///< in the grid
    unsigned threads = 1;          ///< in each block
    std::size_t shared_bytes = 0;  ///< dynamic shared memory
    bool cooperative = false;      ///< all blocks must be resident at once
    bool overlapping = false;      ///< may start before the previous launch of this thread ends
    dim3 grid = 0;                 ///< the blocks in x, y and z; 0: all in x
    dim3 block = 0;                ///< the threads of a block in x, y and z; 0: all in x
    std::size_t stack_bytes = 0;   ///< of a lane; 0: the default
};
/// A number of blocks or threads that does not fit 32 bits becomes 0, which run_grid refuses.
LaunchShape shape_of(dim3 grid, dim3 block, std::size_t shared_bytes = 0);

/// How many blocks of that shape a multiprocessor of the GPU holds.
unsigned resident_blocks(const LaunchShape& shape);

/// Names a kernel for error messages: by a text, or by the address of its code, which costs a look-up.
struct KernelName {
    const char* text = nullptr;
    const void* code = nullptr;
};

/// Runs `body` once for each thread of the grid and returns when all have ended. Throws
/// Error{device_failure}, which names the waiting lanes and the seed, if a lane fails, if all remaining lanes
/// wait for each other, or if bytes beside a buffer were overwritten.
void run_grid(const KernelName& kernel, const LaunchShape& shape, const Schedule& schedule,
              const std::function<void()>& body);

/// The seed of the schedule of all launches of this thread; initially 0.
std::uint64_t current_seed();
void set_seed(std::uint64_t seed);

/// The checks of launches of this thread; none by default. Plain loads and stores are seen in code that was
/// compiled with the options of the target `compaction_simulated_checks`.
struct Checks {
    bool accesses = false;       ///< bounds of plain accesses, and data races
    bool uninitialised = false;  ///< reads of shared memory that no lane of the block has written
    /// Relaxed and acquire loads of global memory may read older values, where the memory model allows that.
    /// Needs `accesses`.
    bool stale_values = false;
    /// Two plain writes of global memory do not race: the kernel may write a value twice.
    bool allows_rewrites = false;
    /// Accesses of the heap and of stacks of the program fail, except in registered memory. Needs `accesses`.
    bool host_memory = false;
    /// The processor time, roughly, after which a lane that neither waits nor polls fails; 0: never.
    double max_turn_s = 10;
    /// A factor of the limits on steps in which lanes only poll, or only repeat themselves. Raise it for a
    /// right kernel that needs more steps.
    double patience = 1;
};
Checks current_checks();
void set_checks(const Checks& checks);

/// A line without effect in the launches of this thread, to show why it is there: it waits for nobody and
/// orders no accesses. `file` is the end of a path. Null: no line. Must outlive the launches.
void leave_out(const Site* line);
bool is_left_out(const Site& site);

/// The clock of the cost model of this thread's simulated GPU, in nanoseconds. Never compare it with real
/// times.
std::uint64_t clock_ns();
void advance_clock(std::uint64_t ns);

/// The next launch does not overlap the previous one, because the operation between them waits for all
/// earlier launches.
void end_overlap();

/// Runs the launches that kernels have requested by `launch_after_this_one`, until there are none.
void run_launches_of_kernels();

// --- Called by lanes ---

/// `launch` runs when the running launch has ended. No launch overlaps it.
void launch_after_this_one(std::function<void()> launch);

enum class Collective : std::uint8_t {
    sync,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    ballot,
    add,
    minimum,
    maximum,
    bit_and,
    bit_or,
    bit_xor,
    match,
    match_all,
    active
};

/// Exchanges a value with the lanes of `mask`, which must call with the same operation, mask and site.
/// `parameter` is the lane or the distance of a shuffle, `width` the number of lanes that it stays within.
std::uint64_t exchange(Collective operation, unsigned mask, std::uint64_t value, unsigned parameter,
                       const Site& site, unsigned width = lanes_per_warp);

/// The mask of the lanes of the warp that call this together: those that reach the site before one of them
/// runs on.
unsigned active_lanes(const Site& site);

/// Waits for all threads of the block; returns how many passed true.
unsigned wait_for_block(bool value, const char* name, const Site& site);

/// Waits for the previous launch, if this one overlaps it. The other lanes of the block may then use its
/// results too.
void wait_for_launch(const Site& site = Site::current());
/// Tells the observer that the next launch may begin. Has no other effect: launches do not overlap.
void trigger_launch(const Site& site = Site::current());

/// Lets other lanes run; polling lanes call it.
void yield_lane();

/// Lets other warps run, at a few atomic accesses of a launch in the adversarial order.
void preempt_before_atomic();

/// Called after a lane has read a word. Lets other lanes run if the lane keeps reading the same, because it
/// may be polling.
void note_reading(const void* word, std::uint64_t value, const SourceLocation& location);

/// Called at each relaxed or acquire load. Lets other lanes run at every eighth load since the last
/// collective operation of the lane, because the lane may be polling.
void yield_if_polling();

/// Ends the run with an error.
[[noreturn]] void fail(const std::string& what);
/// Ends the run with an error that names the site.
[[noreturn]] void fail_at(const std::string& what, const Site& site);
/// The device's assert. Throws Error if no lane runs.
[[noreturn]] void fail_assertion(const char* condition, const Site& site);
/// Ends the run with an error; `describe` is called after the run, outside the lane's small stack.
[[noreturn]] void fail_with(const std::function<std::string()>& describe);

/// Checks an access of global memory; fails if it is wrong.
void check_global(const void* address, std::size_t bytes, const char* what,
                  const Site& site = Site::current());

enum class Access : std::uint8_t { read, write, atomic_read, atomic_write, block_read, block_write };
enum class Atomic : std::uint8_t { load, store, update };
enum class MemoryOrder : std::uint8_t { relaxed, acquire, release, acquire_release };
/// The scope of an atomic access or a fence: the lanes of the block, or all lanes. System scope counts as GPU
/// scope.
enum class Scope : std::uint8_t { block, gpu };

/// Whether a checker, a trace or counters observe the accesses of the grid that this thread runs.
extern constinit thread_local bool watches_accesses;
/// Whether atomic accesses are observed, or a lane may be stopped before one.
extern constinit thread_local bool watches_atomics;
/// Whether the observer follows the lines that lanes run.
extern constinit thread_local bool watches_lines;

/// Called before an access, an atomic access and a fence. `watch_atomic` returns the value that a load of up
/// to 8 bytes reads. `caller`: an instruction of the kernel, if that is not the one that calls this.
void watch_access(const void* address, std::size_t bytes, Access access, const SourceLocation& location,
                  const void* caller = nullptr);
std::uint64_t watch_atomic(const void* word, std::size_t bytes, Atomic kind, MemoryOrder order, Scope scope,
                           const SourceLocation& location, const void* caller = nullptr);
/// Called before a volatile access, which counts as a relaxed atomic access. A load reads the newest value.
void watch_volatile(const void* word, std::size_t bytes, Atomic kind, const SourceLocation& location);
void watch_fence(Scope scope, const Site& site);
/// The running lane runs code, up to the next branch.
void watch_line(const void* code);
inline void note_access(const void* address, std::size_t bytes, Access access, const Site& site,
                        const void* caller = nullptr) {
    if (watches_accesses) watch_access(address, bytes, access, SourceLocation::of(site), caller);
}
inline void note_atomic(const void* word, std::size_t bytes, Atomic kind, MemoryOrder order, Scope scope,
                        const Site& site, const void* caller = nullptr) {
    if (!watches_atomics) return;
    if (is_left_out(site)) order = MemoryOrder::relaxed;
    watch_atomic(word, bytes, kind, order, scope, SourceLocation::of(site), caller);
}
inline void note_fence(Scope scope, const Site& site) {
    if (watches_accesses) watch_fence(scope, site);
}

/// Records a value of the running lane under a name in the trace.
void note_value(const char* name, std::uint64_t value, const Site& site);

/// The offset of a variable in shared memory, one for each declaration.
struct SharedVariable {
    std::uint64_t launch = 0;
    std::size_t offset = 0;
};
/// The address of the variable in the shared memory of the block. Its first use in a launch chooses the
/// offset.
void* shared_variable(SharedVariable& variable, std::size_t bytes, std::size_t alignment);
void* dynamic_shared();

/// Converts between pointers and the 32-bit addresses of shared memory. `at_shared` fails if the access is
/// wrong.
std::uint32_t shared_address_of(const void* address);
void* at_shared(std::uint32_t address, std::size_t bytes, const Site& site = Site::current());

void init_mbarrier(std::uint32_t barrier, unsigned arrivals, const Site& site = Site::current());
void arrive_at_mbarrier(std::uint32_t barrier, unsigned expected_bytes, const Site& site);
/// Whether the phase of that parity is complete.
bool try_wait_for_mbarrier(std::uint32_t barrier, unsigned parity, const Site& site = Site::current());
void wait_for_mbarrier(std::uint32_t barrier, unsigned parity, const Site& site);

/// Makes the mbarriers that this lane has initialised visible to bulk copies.
void fence_mbarrier_init();
/// Makes earlier writes visible to bulk copies: a proxy fence.
void fence_for_bulk_copies();

/// Requests bulk copies. The mbarrier `barrier` counts the bytes that have arrived.
void copy_to_shared(std::uint32_t to, const void* from, unsigned bytes, std::uint32_t barrier,
                    const Site& site = Site::current());
void copy_to_global(void* to, std::uint32_t from, unsigned bytes, const Site& site = Site::current());
/// Ends a group of this lane's copies to global memory, as cp.async.bulk.commit_group does.
void commit_copies();
/// Waits until all but the last `max_pending` groups have read shared memory.
void wait_for_copies(unsigned max_pending);

/// The clock of the cost model in a kernel, in steps of 32 ns.
std::uint64_t simulated_ns();
/// Whether a lane calls this, not the host.
bool is_lane_running();
unsigned multiprocessor_of_block();

}  // namespace compaction::simulated
