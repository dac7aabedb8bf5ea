#include "simulated/gpu.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "compaction/error.hpp"
#include "platform/source_lines.hpp"
#include "simulated/checker.hpp"
#include "simulated/counters.hpp"
#include "simulated/grid.hpp"
#include "simulated/memory.hpp"
#include "simulated/observer.hpp"

namespace compaction::simulated {

inline namespace builtins {

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};

}  // namespace builtins

namespace {

constexpr std::uint64_t ns_per_launch = 2000;
constexpr std::uint64_t timer_step_ns = 32;
/// The alignment of variables of fixed size behind the dynamic shared memory.
constexpr std::size_t arena_alignment = 128;

constinit thread_local Grid* current_grid = nullptr;
constinit thread_local std::uint64_t now_ns = 0;
constinit thread_local std::uint64_t seed = 0;
constinit thread_local Checks checks;
constinit thread_local const Site* left_out_line = nullptr;
std::atomic<std::uint64_t> num_launches{0};

/// The checker of the previous launch of this thread, if it was checked and the next one may overlap it.
std::unique_ptr<Checker>& previous_checker() {
    static thread_local std::unique_ptr<Checker> previous;
    return previous;
}

/// Launches by kernels of this thread that have not begun.
std::deque<std::function<void()>>& launches_of_kernels() {
    static thread_local std::deque<std::function<void()>> launches;
    return launches;
}

/// Unused blocks with their stacks, kept for the next launch of this thread.
std::vector<std::unique_ptr<Block>>& spare_blocks() {
    static thread_local std::vector<std::unique_ptr<Block>> spare;
    return spare;
}

}  // namespace

unsigned resident_blocks(const LaunchShape& shape) {
    unsigned blocks = std::min(max_blocks_per_multiprocessor,
                               max_threads_per_multiprocessor / std::max(shape.threads, lanes_per_warp));
    if (shape.shared_bytes > 0) {
        blocks =
            std::min(blocks, static_cast<unsigned>(shared_bytes_per_multiprocessor / shape.shared_bytes));
    }
    return blocks;
}

namespace {

/// The product of the sizes; 0, which run_grid refuses, if it does not fit 32 bits.
unsigned volume(const dim3& size) {
    const std::uint64_t plane = std::uint64_t{size.x} * size.y;
    if (plane == 0 || size.z == 0 || plane > ~0U || plane * size.z > ~0U) return 0;
    return static_cast<unsigned>(plane * size.z);
}

}  // namespace

LaunchShape shape_of(dim3 grid, dim3 block, std::size_t shared_bytes) {
    return {.blocks = volume(grid),
            .threads = volume(block),
            .shared_bytes = shared_bytes,
            .grid = grid,
            .block = block};
}
std::uint64_t current_seed() {
    return seed;
}
void set_seed(std::uint64_t new_seed) {
    seed = new_seed;
}
Checks current_checks() {
    return checks;
}
void set_checks(const Checks& new_checks) {
    checks = new_checks;
}
void leave_out(const Site* line) {
    left_out_line = line;
}
bool is_left_out(const Site& site) {
    return left_out_line && site.line == left_out_line->line &&
           std::string_view(site.file).ends_with(left_out_line->file);
}
void end_overlap() {
    previous_checker().reset();
}
void launch_after_this_one(std::function<void()> launch) {
    launches_of_kernels().push_back(std::move(launch));
}
void run_launches_of_kernels() {
    auto& launches = launches_of_kernels();
    while (!launches.empty()) {
        const std::function<void()> next = std::move(launches.front());
        launches.pop_front();
        end_overlap();
        next();
    }
}
std::uint64_t clock_ns() {
    return now_ns;
}
void advance_clock(std::uint64_t ns) {
    now_ns += ns;
}

Grid& running_grid() {
    return *current_grid;
}

void fail_assertion(const char* condition, const Site& site) {
    if (current_grid) fail_at(std::string("assertion failed: ") + condition, site);
    throw Error(ErrorCode::device_failure, site_text(site) + ": assertion failed: " + condition);
}

/// The description that the compiler passes for an access where -fsanitize=alignment finds a wrong address.
struct WrongAlignment {
    Site site;
    const void* type;
    std::uint8_t log2_alignment;
};
extern "C" void __ubsan_handle_type_mismatch_v1(const WrongAlignment* wrong, std::uintptr_t) {  // NOLINT
    if (current_grid)
        fail_at("misaligned: an access at an address that is no multiple of " +
                    std::to_string(1U << wrong->log2_alignment) + " bytes, the alignment of its type",
                wrong->site);
}

std::uint64_t simulated_ns() {
    Grid& grid = running_grid();
    std::uint64_t& clock = grid.clock[grid.block().multiprocessor];
    clock += timer_step_ns;  // so that time passes for a lane that polls the timer
    return (now_ns + clock) / timer_step_ns * timer_step_ns;
}

bool is_lane_running() {
    return current_grid && current_grid->lane_runs;
}

unsigned multiprocessor_of_block() {
    return running_grid().block().multiprocessor;
}

namespace {

/// "scan_kernel": the name without namespaces, arguments and template arguments.
std::string name_of(const KernelName& kernel) {
    if (kernel.text) return kernel.text;
    const auto frames = warpsieve::platform::source_frames({&kernel.code, 1}).front();
    std::string name = frames.empty() ? "" : frames.back().function;
    const std::string unnamed = "(anonymous namespace)::";
    while (name.find(unnamed) != std::string::npos) name.erase(name.find(unnamed), unnamed.size());
    name = name.substr(0, name.find_first_of("<("));
    name = name.substr(name.find_last_of(": ") + 1);
    return name.empty() ? "a kernel" : name;
}

/// Makes the grid the current one of this thread until the scope ends.
class RunningGrid {
  public:
    explicit RunningGrid(Grid& grid) : outer_(std::exchange(current_grid, &grid)) {}
    ~RunningGrid() {
        current_grid = outer_;
        watches_accesses = watches_atomics = watches_lines = false;
    }
    RunningGrid(const RunningGrid&) = delete;
    RunningGrid& operator=(const RunningGrid&) = delete;

  private:
    Grid* outer_;
};

}  // namespace

void run_grid(const KernelName& kernel, const LaunchShape& shape, const Schedule& schedule,
              const std::function<void()>& body) {
    if (shape.threads == 0 || shape.threads > max_block_threads || shape.blocks == 0 ||
        shape.shared_bytes > max_shared_bytes_per_block || resident_blocks(shape) == 0) {
        throw Error(ErrorCode::invalid_argument, name_of(kernel) + ": the GPU cannot hold such a block.");
    }
    if (shape.cooperative && shape.blocks > resident_blocks(shape) * schedule.multiprocessors) {
        throw Error(ErrorCode::invalid_argument,
                    name_of(kernel) + ": a cooperative launch of " + std::to_string(shape.blocks) +
                        " blocks, but the GPU holds " +
                        std::to_string(resident_blocks(shape) * schedule.multiprocessors) + " at once.");
    }
    Grid grid(shape, schedule, body, ++num_launches);
    grid.resident.swap(spare_blocks());
    for (auto& block : grid.resident) block->alive = 0;
    grid.arena_bytes =
        (shape.shared_bytes + arena_alignment - 1) / arena_alignment * arena_alignment + arena_static_bytes;
    std::iota(grid.order.begin(), grid.order.end(), 0U);
    if (schedule.order == Order::reverse) std::ranges::reverse(grid.order);
    if (schedule.order == Order::random || schedule.order == Order::adversarial) {
        for (unsigned i = shape.blocks; i > 1; --i)
            std::swap(grid.order[i - 1], grid.order[grid.random.below(i)]);
    }
    if (checks.accesses || checks.uninitialised)
        grid.checker = std::make_unique<Checker>(grid, checks, previous_checker().get());
    {
        const RunningGrid scope(grid);
        grid.observer = current_observer();
        grid.counters = current_counters();
        if (grid.observer) grid.observer->begin_launch(grid, name_of(kernel));
        if (grid.counters) grid.counters->begin_launch(name_of(kernel), shape);
        watches_accesses = grid.checker || grid.observer || grid.counters;
        watches_lines = grid.observer && grid.observer->follows_lines();
        watches_atomics = watches_accesses || grid.preemptions_left > 0 || schedule.slow_lanes;
        blockDim = shape.block.x > 0 ? shape.block : dim3(shape.threads);
        gridDim = shape.grid.x > 0 ? shape.grid : dim3(shape.blocks);
        run_to_end(grid, checks.max_turn_s, checks.patience);
    }
    if (grid.observer) grid.observer->end_launch();
    if (grid.counters) grid.counters->end_launch();
    if (grid.describe) grid.failure = grid.describe() + grid.failure;
    previous_checker() = std::move(grid.checker);
    now_ns += ns_per_launch + *std::ranges::max_element(grid.clock);
    if (grid.failure.empty()) {
        if (const void* const guard = restore_guards()) {
            grid.failure = "out of bounds: bytes beside a buffer were overwritten, first " +
                           std::to_string(reinterpret_cast<std::uintptr_t>(guard));
        }
    }
    std::string waiters = grid.failure.empty() ? "" : waiters_text(grid);
    for (auto& block : grid.resident) block->alive = 0;
    grid.resident.swap(spare_blocks());
    if (!grid.failure.empty()) {
        launches_of_kernels().clear();
        throw Error(ErrorCode::device_failure,
                    name_of(kernel) + " failed on the simulated GPU: " + grid.failure + ".\n" + waiters +
                        "Repeat with seed " + std::to_string(schedule.seed) + ".");
    }
}

// --- Observers of accesses: the checker, a trace, counters ---

constinit thread_local bool watches_accesses = false;
constinit thread_local bool watches_atomics = false;
constinit thread_local bool watches_lines = false;

Location location_of(Grid& grid, const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto shared = reinterpret_cast<std::uintptr_t>(grid.block().shared_bytes());
    if (at - shared < grid.arena_bytes) return {Space::shared, at - shared};
    const GlobalRange range = global_range_at(address);
    if (range.what != GlobalRange::inside || grid.block().stacks->contains(address)) return {};
    return {Space::global, at - range.data, range.data};
}

namespace {

/// Whether the address is in GPU memory or beside a buffer. The rest is the memory of functions of the
/// standard library, among them those that the engine itself calls: the linker may choose the instrumented
/// ones.
bool is_gpu_memory(Grid& grid, const void* address) {
    const auto offset = static_cast<const std::byte*>(address) - grid.block().shared_bytes();
    if (offset >= 0 && static_cast<std::size_t>(offset) < grid.arena_bytes) return true;
    return !grid.block().stacks->contains(address) && global_range_at(address).what != GlobalRange::outside;
}

/// Notes that the running lane has read GPU memory.
void note_reading(Grid& grid, const void* word, std::uint64_t value, const SourceLocation& location,
                  bool is_plain) {
    constexpr unsigned unexamined_readings = 8;  // the first readings of a turn, to save time
    constexpr unsigned repeated_readings_of_a_poll = 8;
    constexpr unsigned readings_of_many_words = 256;
    Lane& lane = grid.running();
    lane.last_load = {word, value};
    lane.last_load_location = location;
    if (!is_plain) ++grid.work.atomic_readings;
    if (++lane.num_readings_in_turn <= unexamined_readings && grid.had_news_lately()) return;
    end_endless_lane(grid, location);
    const bool is_new = note_if_new(grid, lane.last_load);
    if (is_new) grid.note_word_read(word);
    lane.repeated_readings = is_new ? 0 : lane.repeated_readings + 1;
    if (lane.repeated_readings >= repeated_readings_of_a_poll ||
        (!is_plain && lane.num_readings_in_turn % readings_of_many_words == 0)) {
        lane.repeated_readings = 0;
        yield_lane();
    }
}

/// Called before a plain or volatile access, which reads or overwrites the value that is there now.
void note_value_at(Grid& grid, const void* address, std::size_t bytes, const SourceLocation& location,
                   bool is_plain) {
    std::uint64_t value = 0;
    std::memcpy(&value, address, std::min(bytes, sizeof value));
    note_reading(grid, address, value, location, is_plain);
}

}  // namespace

void note_reading(const void* word, std::uint64_t value, const SourceLocation& location) {
    if (current_grid) note_reading(*current_grid, word, value, location, /*is_plain=*/false);
}
void note_instrumented_reading(const void* word, std::uint64_t value, const SourceLocation& location) {
    Grid* const grid = current_grid;
    if (grid && grid->lane_runs && location_of(*grid, word).space != Space::none)
        note_reading(*grid, word, value, location, /*is_plain=*/false);
}

void watch_access(const void* address, std::size_t bytes, Access access, const SourceLocation& location,
                  const void* caller) {
    Grid& grid = running_grid();
    if (!grid.warp) return;  // not a kernel: the scheduler runs a function that was compiled with the checks
    grid.is_instrumented |= location.line == 0;
    const bool is_in_memory = location_of(grid, address).space != Space::none;
    if (is_in_memory) note_value_at(grid, address, bytes, location, /*is_plain=*/true);
    if (is_in_memory || is_gpu_memory(grid, address))
        grid.operation = {caller ? caller : warpsieve::platform::calling_instruction(), location, address,
                          bytes};
    if (grid.checker) grid.checker->access(address, bytes, access, location);
    if (grid.counters) grid.counters->access(grid, address, bytes, access, location);
    constexpr std::array kinds{EventKind::read, EventKind::write, EventKind::atomic_read,
                               EventKind::atomic_write};
    if (grid.observer)
        grid.observer->add(grid, kinds[static_cast<std::size_t>(access)], address, bytes, /*value=*/0,
                           /*name=*/"", location);
    grid.last_access = location;
}

namespace {

std::uint64_t observe_atomic(const void* word, std::size_t bytes, Atomic kind, MemoryOrder order, Scope scope,
                             const SourceLocation& location, const void* caller, bool may_be_stale) {
    preempt_before_atomic();
    if (kind != Atomic::load) delay_slow_lane(/*one_in=*/64);
    Grid& grid = running_grid();
    grid.last_access = location;
    grid.operation = {caller, location, word, bytes};
    std::uint64_t value = 0;
    std::memcpy(&value, word, std::min(bytes, sizeof value));
    if (grid.checker) value = grid.checker->atomic(word, bytes, kind, order, scope, location, may_be_stale);
    if (grid.counters)
        grid.counters->access(grid, word, bytes,
                              kind == Atomic::load ? Access::atomic_read : Access::atomic_write, location);
    constexpr std::array kinds{EventKind::atomic_read, EventKind::atomic_write, EventKind::atomic_update};
    if (grid.observer)
        grid.observer->add(grid, kinds[static_cast<std::size_t>(kind)], word, bytes, value, /*name=*/"",
                           location);
    return value;
}

}  // namespace

std::uint64_t watch_atomic(const void* word, std::size_t bytes, Atomic kind, MemoryOrder order, Scope scope,
                           const SourceLocation& location, const void* caller) {
    const std::size_t alignment = bytes & (~bytes + 1);  // the largest power of two that divides it
    if (reinterpret_cast<std::uintptr_t>(word) & (alignment - 1)) {
        fail_with([=] {
            return "misaligned: an atomic access of " + std::to_string(bytes) + " bytes (" +
                   location_text(location) + ") at an address that is no multiple of " +
                   std::to_string(alignment) + " bytes";
        });
    }
    return observe_atomic(word, bytes, kind, order, scope, location,
                          caller ? caller : warpsieve::platform::calling_instruction(),
                          /*may_be_stale=*/true);
}

void watch_volatile(const void* word, std::size_t bytes, Atomic kind, const SourceLocation& location) {
    Grid* const grid = current_grid;
    if (!grid || !grid->lane_runs) return;
    if (kind == Atomic::load && location_of(*grid, word).space != Space::none)
        note_value_at(*grid, word, bytes, location, /*is_plain=*/false);
    // The kernel reads the memory itself, hence the newest value.
    if (watches_atomics)
        observe_atomic(word, bytes, kind, MemoryOrder::relaxed, Scope::gpu, location, /*caller=*/nullptr,
                       /*may_be_stale=*/false);
}

void watch_fence(Scope scope, const Site& site) {
    if (is_left_out(site)) return;
    Grid& grid = running_grid();
    note_operation(grid, warpsieve::platform::calling_instruction(), site);
    if (grid.checker) grid.checker->fence(scope);
    if (grid.observer)
        grid.observer->add(grid, EventKind::fence, /*address=*/nullptr, /*bytes=*/0, /*value=*/0, /*name=*/"",
                           SourceLocation::of(site));
}

void watch_line(const void* code) {
    Grid& grid = running_grid();
    grid.observer->run_line(grid, code);
}

void note_value(const char* name, std::uint64_t value, const Site& site) {
    Grid& grid = running_grid();
    note_operation(grid, warpsieve::platform::calling_instruction(), site);
    if (grid.observer)
        grid.observer->add(grid, EventKind::note, /*address=*/nullptr, /*bytes=*/0, value, name,
                           SourceLocation::of(site));
}

}  // namespace compaction::simulated
