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
struct Block;
struct Warp;
struct Copy;

/// Receives what the launches of this thread do, from its constructor to its destructor. A thread can have
/// one at a time. Plain loads and stores are seen only in code that was compiled with the options of the
/// target `compaction_simulated_checks`; all other events always are.
class Observer {
  public:
    Observer();
    virtual ~Observer();
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;

    virtual void begin_launch(const Grid& grid, std::string kernel) = 0;
    virtual void end_launch() = 0;
    /// The running lane is about to do that. `address`: the memory that it concerns, if any.
    virtual void add(Grid& grid, EventKind kind, const void* address, std::size_t bytes, std::uint64_t value,
                     const char* name, const SourceLocation& location) = 0;
    /// A bulk copy is about to be performed.
    virtual void add_copy(const Copy& copy) = 0;

    virtual void start_block(const Block&) {}
    /// The lanes of the mask have all arrived at a collective operation.
    virtual void meet(const Warp&, unsigned /*mask*/) {}
    /// All lanes of the block have arrived at a barrier.
    virtual void release(const Block&) {}
    /// The running lane arrives at an mbarrier, or stops waiting there. `index`: in the block.
    virtual void use_mbarrier(const Grid&, EventKind, std::size_t /*index*/) {}
    virtual void complete_phase(const Block&, std::size_t /*index*/) {}
    /// A call of the runtime has changed that memory.
    virtual void change_memory(const char* /*call*/, const void* /*to*/, std::size_t /*bytes*/) {}
    /// The host has replaced a library call, which reads and writes these ranges.
    virtual void call_library(const char* /*call*/, const void* /*from*/, std::size_t /*bytes_read*/,
                              const void* /*to*/, std::size_t /*bytes_written*/) {}
};

/// The observer of this thread; null if there is none.
Observer* current_observer();

/// Collects the events of launches, lane by lane.
class Trace final : public Observer {
  public:
    /// Keeps `most` steps from step `first`.
    explicit Trace(std::uint64_t first = 0, std::uint64_t most = 1U << 20);

    /// The steps that it keeps.
    std::span<const Event> events() const { return events_; }
    /// The number of steps so far, kept or not.
    std::uint64_t num_steps() const { return num_steps_; }
    /// The name of the kernel of each launch.
    const std::vector<std::string>& kernels() const { return kernels_; }

    /// Writes a heading and a line for each event, with warp, lane and source line.
    void write_csv(std::ostream& to) const;

    void begin_launch(const Grid& grid, std::string kernel) override;
    void end_launch() override;
    void add(Grid& grid, EventKind kind, const void* address, std::size_t bytes, std::uint64_t value,
             const char* name, const SourceLocation& location) override;
    void add_copy(const Copy& copy) override;

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

/// The events `first` to `first + count` of `run`, which prepares the memory and launches, and must do the
/// same each time.
std::vector<Event> replay(const std::function<void()>& run, std::uint64_t first, std::uint64_t count);

}  // namespace compaction::simulated
