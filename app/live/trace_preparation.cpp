#include "app/live/trace_preparation.hpp"

#include <chrono>
#include <system_error>
#include <utility>

namespace warpsieve {

void TracePreparation::begin(const compaction::Algorithm& algorithm, std::uint64_t frame,
                             compaction::RunTrace trace, double whole_us) {
    const auto prepare = [&algorithm, frame, whole_us](compaction::RunTrace run) {
        return std::make_shared<const trace::TracedRun>(
            trace::prepare(algorithm, frame, std::move(run), whole_us));
    };
    try {
        preparing_ = std::async(std::launch::async, prepare, std::move(trace));
    } catch (const std::system_error&) {
        // The system has no thread left. The next trace may find one.
    }
}

std::shared_ptr<const trace::TracedRun> TracePreparation::collect() {
    if (!busy() || preparing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return nullptr;
    return preparing_.get();
}

void TracePreparation::wait() const {
    if (busy()) preparing_.wait();
}

}  // namespace warpsieve
