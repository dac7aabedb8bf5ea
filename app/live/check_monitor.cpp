#include "app/live/check_monitor.hpp"

namespace warpsieve {

bool CheckMonitor::due(bool wanted, std::uint32_t every, std::uint64_t frame, const std::string& algorithm) {
    if (!wanted) {
        view_.state = view_.wrong > 0 ? CheckState::wrong : CheckState::off;
        return false;
    }
    if (view_.state == CheckState::off) view_.state = CheckState::waiting;
    return algorithm != compared_ || frame - last_frame_ >= every;
}

void CheckMonitor::begin(std::uint64_t frame, const std::string& algorithm) {
    last_frame_ = frame;
    compared_ = algorithm;
}

void CheckMonitor::take(const compaction::Verdict& verdict) {
    ++view_.checked;
    view_.last = verdict.describe();
    if (!verdict.correct()) {
        ++view_.wrong;
        if (view_.first_failure.empty()) {
            view_.first_failure =
                compared_ + ", frame " + std::to_string(verdict.run) + ": " + verdict.describe();
        }
    }
    if (view_.wrong > 0) {
        view_.state = CheckState::wrong;
    } else if (view_.state != CheckState::off) {
        view_.state = CheckState::correct;
    }
}

}  // namespace warpsieve
