#include "cuda/support/recorder.hpp"

namespace compaction::cuda {

void EventRecorder::begin_run(std::uint64_t run) {
    if (in_flight_ == runs_.size()) {
        ++dropped_;
        return;
    }
    current_ = &runs_[(oldest_ + in_flight_) % runs_.size()];
    current_->id = run;
    current_->num_phases = 0;
    current_->boundaries[0].record(stream_);
}

void EventRecorder::end_phase() {
    if (!current_ || current_->num_phases == max_phases) return;
    current_->boundaries[++current_->num_phases].record(stream_);
}

void EventRecorder::end_run() {
    if (current_ && current_->num_phases > 0) ++in_flight_;
    current_ = nullptr;
}

void EventRecorder::poll(std::vector<RunTiming>& finished) {
    for (; in_flight_ > 0; --in_flight_, oldest_ = (oldest_ + 1) % runs_.size()) {
        const Run& run = runs_[oldest_];
        if (!run.boundaries[run.num_phases].ready()) return;
        RunTiming timing{run.id, {}, run.num_phases};
        for (std::size_t phase = 0; phase < run.num_phases; ++phase) {
            timing.phase_us[phase] = run.boundaries[phase + 1].us_since(run.boundaries[phase]);
        }
        finished.push_back(timing);
    }
}

}  // namespace compaction::cuda
