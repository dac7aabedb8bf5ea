#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compaction/access_trace.hpp"
#include "simulated/observer.hpp"

namespace compaction::simulated {

/// What the recorders of traces have in common: the buffers, the launches, and stores that are announced and
/// not performed yet.
class TraceRecorder : public Observer {
  public:
    /// Launches from here on belong to that phase, or to none.
    void set_phase(std::optional<std::uint8_t> phase) { phase_ = phase; }
    /// Describes the first access that no buffer holds, or another reason why the trace is wrong; else "".
    std::string failure() const;

  protected:
    /// Where a buffer is.
    struct Range {
        std::uintptr_t begin;
        std::uintptr_t end;
        std::uint32_t buffer;  ///< its index
    };

    /// memory: where each buffer is. Both vectors must outlive the recorder.
    TraceRecorder(std::vector<TracedLaunch>& launches, const std::vector<TracedBuffer>& buffers,
                  const std::vector<const void*>& memory);

    TracedLaunch& add_launch(LaunchKind kind, std::string name);
    TracedLaunch& add_launch(const Grid& grid, std::string kernel);

    /// The buffer that holds the whole range; null if none does.
    const Range* range_of(const void* address, std::size_t bytes) const;
    /// Where each buffer is, in the order of addresses.
    const std::vector<Range>& ranges() const { return ranges_; }
    /// Says why the trace is wrong. The first reason counts.
    void report(const std::string& what, const SourceLocation& location);
    void report_unknown_buffer(const SourceLocation& location);

    /// Calls `visit(range, address, bytes)` for the part of a range of memory in each buffer.
    template <typename Visit>
    void for_each_buffer(const void* from, std::size_t bytes, Visit visit) {
        const auto begin = reinterpret_cast<std::uintptr_t>(from);
        for (std::uintptr_t at = begin; at < begin + bytes;) {
            const Range* const range = range_of(reinterpret_cast<const void*>(at), /*bytes=*/1);
            if (!range) return report_unknown_buffer({});
            const std::uintptr_t end = range->end < begin + bytes ? range->end : begin + bytes;
            visit(*range, at, end - at);
            at = end;
        }
    }

    /// The running lane announces a store. `number` identifies it for finish_write.
    void announce(const Grid& grid, const void* address, std::size_t bytes, bool is_atomic,
                  std::size_t number);
    /// Before an access of that range: finishes the announced stores, unless all of them may come after it.
    /// Compiled code may announce several plain accesses of a lane to disjoint memory before it performs
    /// them.
    void finish_writes_before(const Grid& grid, EventKind kind, const void* address, std::size_t bytes);
    void finish_writes();
    /// Called when the announced store with that number has been performed, so that memory holds its result.
    virtual void finish_write(std::size_t number) = 0;

  private:
    struct Write {
        std::uintptr_t begin;
        std::uintptr_t end;
        std::uint64_t thread;  ///< in the launch
        bool is_atomic;
        std::size_t number;
    };

    std::vector<TracedLaunch>& launches_;
    std::vector<Range> ranges_;
    std::optional<std::uint8_t> phase_;
    std::string failure_;
    SourceLocation failed_at_;
    std::vector<Write> announced_;
};

/// Whether the event is an access of memory.
constexpr bool is_access(EventKind kind) {
    return kind <= EventKind::atomic_update || kind == EventKind::copy_to_shared ||
           kind == EventKind::copy_to_global;
}

/// The number of the running thread in its launch.
std::uint64_t thread_in_launch(const Grid& grid);

}  // namespace compaction::simulated
