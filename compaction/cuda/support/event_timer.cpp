#include "cuda/support/event_timer.hpp"

namespace compaction::cuda {

void EventTimer::begin(std::uint64_t span) {
    if (in_flight_ == spans_.size()) {
        ++dropped_;
        return;
    }
    current_ = &spans_[(oldest_ + in_flight_) % spans_.size()];
    current_->id = span;
    current_->begin.record(stream_);
}

void EventTimer::end() {
    if (!current_) return;
    current_->end.record(stream_);
    ++in_flight_;
    current_ = nullptr;
}

void EventTimer::poll(std::vector<SpanTiming>& finished) {
    for (; in_flight_ > 0; --in_flight_, oldest_ = (oldest_ + 1) % spans_.size()) {
        const Span& span = spans_[oldest_];
        if (!span.end.ready()) return;
        finished.push_back({span.id, span.end.us_since(span.begin)});
    }
}

}  // namespace compaction::cuda
