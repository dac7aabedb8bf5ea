#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compaction/access_trace.hpp"

namespace warpsieve::trace {

/// A buffer of a trace at one step.
struct BufferState {
    std::vector<std::byte> contents;  ///< [num_elements * element_bytes]
    /// [num_elements] 1 + the step of the last load or atomic; 0: none
    std::vector<std::uint32_t> loaded_at;
    /// [num_elements] 1 + the step of the last store or atomic; 0: none
    std::vector<std::uint32_t> stored_at;

    /// The first 8 bytes of an element.
    std::uint64_t value(std::uint64_t element) const;
    std::span<const std::byte> bytes_of(std::uint64_t element) const;
    std::size_t element_bytes() const { return stored_at.empty() ? 0 : contents.size() / stored_at.size(); }
};

/// Plays a trace forwards and backwards: applies its accesses to a copy of its memory. Keyframes bound the
/// time of a step back. At 2^16 items of 4 bytes, every algorithm needs a few milliseconds and less than 32
/// MB.
class Playback {
  public:
    /// Plays the trace once to place the keyframes. All together take at most `max_keyframes_bytes`.
    explicit Playback(std::shared_ptr<const compaction::AccessTrace> trace,
                      std::size_t max_keyframes_bytes = default_max_keyframes_bytes);

    /// Moves to the state after all accesses of the steps before `step`.
    void seek(std::uint64_t step);
    /// The step of the last seek(). Initially 0.
    std::uint64_t step() const { return step_; }

    /// The buffers before step(), in the order of AccessTrace::buffers.
    std::span<const BufferState> buffers() const { return current_.buffers; }
    const compaction::AccessTrace& trace() const { return *trace_; }

    /// The memory of the trace, the current state and the keyframes.
    std::size_t size_bytes() const;

    static constexpr std::size_t default_max_keyframes_bytes = std::size_t{24} << 20;

  private:
    /// `buffers` before the access that `reader` is at.
    struct State {
        compaction::AccessReader reader;
        bool has_access;  ///< false: `reader` is at the end of the trace
        std::vector<BufferState> buffers;
    };

    State initial_state() const;
    static void apply(State& state);

    std::shared_ptr<const compaction::AccessTrace> trace_;
    std::vector<State> keyframes_;  ///< the first is the initial state
    State current_;
    std::uint64_t step_ = 0;
};

}  // namespace warpsieve::trace
