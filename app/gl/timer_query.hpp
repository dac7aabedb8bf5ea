#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "app/gl/object.hpp"

namespace warpsieve::gl {

/// Times a span of OpenGL's work on the GPU's clock. Results arrive frames later, and reading them never
/// waits. Spans of two queries must not overlap. Needs a current context.
class TimerQuery {
  public:
    /// Begins a span; without a free query in the ring, the span is not timed.
    void begin();
    void end();
    /// Returns the duration of the oldest finished span in microseconds and removes it; nullopt if there is
    /// none.
    std::optional<double> poll_us();

  private:
    static constexpr std::size_t max_in_flight = 8;

    std::array<ElapsedTimeQuery, max_in_flight> queries_;
    std::size_t num_ended_ = 0;
    std::size_t num_read_ = 0;
    bool active_ = false;  ///< between begin() and end() of a span that is timed
};

/// Times the work from the constructor to the destructor; does nothing if the query is null.
class ScopedTimer {
  public:
    explicit ScopedTimer(TimerQuery* query) : query_(query) {
        if (query_) query_->begin();
    }
    ~ScopedTimer() {
        if (query_) query_->end();
    }
    ScopedTimer(const ScopedTimer&) = delete;
    ScopedTimer& operator=(const ScopedTimer&) = delete;

  private:
    TimerQuery* query_;
};

}  // namespace warpsieve::gl
