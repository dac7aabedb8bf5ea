#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "simulated/source_location.hpp"

/// What the lanes of a launch do, told step by step.
namespace compaction::simulated {

enum class EventKind : std::uint8_t {
    read,
    write,
    atomic_read,
    atomic_write,
    atomic_update,
    fence,
    launch_trigger,   ///< a lane allows the next launch to begin
    launch_wait,      ///< a lane waits for the end of the previous launch
    collective,       ///< a lane arrives; `value`: its argument
    barrier,          ///< a lane arrives at a barrier of the block; `value`: its vote
    mbarrier_init,    ///< `value`: the arrivals that it waits for
    mbarrier_arrive,  ///< `value`: the bytes that it expects
    mbarrier_wait,    ///< a lane stops waiting; `value`: the parity of the phase
    copy_to_shared,   ///< a bulk copy is requested; `value`: its address in shared memory
    copy_to_global,   ///< as copy_to_shared
    note,             ///< a named value of the kernel
    end,              ///< a lane ends
};

enum class Space : std::uint8_t { none, global, shared };
std::string_view name_of(Space space);

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

    /// Whether run_line is called for code that was compiled with -fsanitize-coverage=trace-pc.
    virtual bool follows_lines() const { return false; }
    /// The running lane runs code, up to the next branch.
    virtual void run_line(const Grid&, const void* /*code*/) {}
    virtual void start_block(const Block&) {}
    /// The lanes of the mask have all arrived at a collective operation.
    virtual void meet(const Warp&, unsigned /*mask*/) {}
    /// All lanes of the block have arrived at a barrier.
    virtual void release(const Block&) {}
    /// The running lane arrives at an mbarrier, or stops waiting there. `index`: in the block.
    virtual void use_mbarrier(const Grid&, EventKind, std::size_t /*index*/) {}
    virtual void complete_phase(const Block&, std::size_t /*index*/) {}
    /// The running lane fails.
    virtual void fail(const Grid&) {}
    /// A call of the runtime has changed that memory.
    virtual void on_memory_changed(const char* /*call*/, const void* /*to*/, std::size_t /*bytes*/) {}
    /// The host has replaced a library call, which reads and writes these ranges.
    virtual void on_library_call(const char* /*call*/, const void* /*from*/, std::size_t /*bytes_read*/,
                                 const void* /*to*/, std::size_t /*bytes_written*/) {}
};

/// The observer of this thread; null if there is none.
Observer* current_observer();

}  // namespace compaction::simulated
