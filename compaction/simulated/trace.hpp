#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulated/source_location.hpp"

/// What the lanes of a launch do, step by step. A launch with the same seed, arguments and memory makes the
/// same steps again, so a step back is a run to an earlier step.
namespace compaction::simulated {

enum class EventKind : std::uint8_t {
    read,
    write,
    atomic_read,
    atomic_write,
    atomic_update,
    fence,
    collective,       ///< a lane arrives; `value`: its argument
    barrier,          ///< a lane arrives at a barrier of the block; `value`: its vote
    mbarrier_init,    ///< `value`: the arrivals that it waits for
    mbarrier_arrive,  ///< `value`: the bytes that it expects
    mbarrier_wait,    ///< a lane stops waiting; `value`: the parity of the phase
    copy_to_shared,   ///< a bulk copy is requested
    copy_to_global,
    copy_done,  ///< a bulk copy is performed; by the lane that requested it
    note,       ///< a named value of the kernel
    end,        ///< a lane ends
};
std::string_view name_of(EventKind kind);

enum class Space : std::uint8_t { none, global, shared };
std::string_view name_of(Space space);

struct Event {
    std::uint64_t step = 0;    ///< from 0, over all launches of the trace
    std::uint32_t launch = 0;  ///< from 0
    std::uint32_t block = 0;
    std::uint16_t thread = 0;  ///< index in the block
    EventKind kind = EventKind::note;
    Space space = Space::none;
    std::uint16_t bytes = 0;    ///< size of the access or copy; 0 if there is none; at most 65,535
    std::uint32_t buffer = 0;   ///< number of the buffer in global memory, in the order of first use
    std::uint64_t address = 0;  ///< in the buffer, or in the shared memory of the block
    std::uint64_t value = 0;    ///< the first 8 bytes that were read or written, or as `kind` says
    const char* name = "";      ///< name of a note, a collective operation or a barrier
    SourceLocation location;

    unsigned warp() const { return thread / 32U; }
    unsigned lane() const { return thread % 32U; }
    bool operator==(const Event&) const = default;
};

struct Grid;

/// Collects the events of the launches of this thread from its constructor to its destructor. A thread can
/// have one trace at a time. Plain loads and stores are recorded only in code that was compiled with the
/// options of the target `compaction_simulated_checks`; all other events always are.
class Trace {
  public:
    /// Keeps `most` steps from step `first`.
    explicit Trace(std::uint64_t first = 0, std::uint64_t most = 1U << 20);
    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    /// The steps that it keeps.
    std::span<const Event> events() const { return events_; }
    /// The number of steps so far, kept or not.
    std::uint64_t num_steps() const { return num_steps_; }
    /// The name of the kernel of each launch.
    const std::vector<std::string>& kernels() const { return kernels_; }

    /// Writes a heading and a line for each event, with warp, lane and source line.
    void write_csv(std::ostream& to) const;

    // --- Called by the engine ---

    void begin_launch(std::string kernel);
    void end_launch();
    /// Adds an event of the running lane. `address`: the memory that it concerns, if any.
    void add(Grid& grid, EventKind kind, const void* address, std::size_t bytes, std::uint64_t value,
             const char* name, const SourceLocation& location);
    /// Adds a copy that lane `thread` of that block has requested.
    void add_copy(std::uint32_t block, unsigned thread, const void* global, std::size_t bytes);

  private:
    bool keeps_next() const { return num_steps_ >= first_ && num_steps_ - first_ < most_; }
    std::uint32_t number_of(std::uintptr_t buffer);
    /// Reads the value of the last write from memory, which is complete by now.
    void finish_write();

    std::uint64_t first_;
    std::uint64_t most_;
    std::uint64_t num_steps_ = 0;
    std::vector<Event> events_;
    std::vector<std::string> kernels_;
    std::map<std::uintptr_t, std::uint32_t> buffers_;
    const void* written_ = nullptr;  ///< the address that the last event wrote; null: none
};

/// The trace of the launches of this thread; null if there is none.
Trace* current_trace();

/// The events `first` to `first + count` of `run`, which prepares the memory and launches, and must do the
/// same each time.
std::vector<Event> replay(const std::function<void()>& run, std::uint64_t first, std::uint64_t count);

}  // namespace compaction::simulated
