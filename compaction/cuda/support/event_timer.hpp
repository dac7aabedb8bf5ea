#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/cuda/stream.hpp"
#include "compaction/timing.hpp"

namespace compaction::cuda {

/// Times spans of a stream's work by two CUDA events each, in a ring buffer. A span is read when
/// cudaEventQuery reports that its last event has completed.
class EventTimer final : public SpanTimer {
  public:
    EventTimer(cudaStream_t stream, std::size_t max_spans) : stream_(stream), spans_(max_spans) {}

    void begin(std::uint64_t span) override {
        if (in_flight_ == spans_.size()) {
            ++dropped_;
            return;
        }
        current_ = &spans_[(oldest_ + in_flight_) % spans_.size()];
        current_->id = span;
        current_->begin.record(stream_);
    }

    void end() override {
        if (!current_) return;
        current_->end.record(stream_);
        ++in_flight_;
        current_ = nullptr;
    }

    void poll(std::vector<SpanTiming>& finished) override {
        for (; in_flight_ > 0; --in_flight_, oldest_ = (oldest_ + 1) % spans_.size()) {
            const Span& span = spans_[oldest_];
            if (!span.end.ready()) return;
            finished.push_back({span.id, span.end.us_since(span.begin)});
        }
    }

    std::uint64_t dropped() const override { return dropped_; }

  private:
    struct Span {
        std::uint64_t id = 0;
        Event begin{cudaEventDefault};
        Event end{cudaEventDefault};
    };

    cudaStream_t stream_;
    std::vector<Span> spans_;
    std::size_t oldest_ = 0;  ///< ring index of the oldest span in flight
    std::size_t in_flight_ = 0;
    Span* current_ = nullptr;  ///< the span that has begun but not ended; null if there is none
    std::uint64_t dropped_ = 0;
};

}  // namespace compaction::cuda
