#include "experiments/reporter.hpp"

#include <algorithm>

namespace experiments {
namespace {

constexpr double period_s = 0.25;

}  // namespace

Reporter::Reporter(const Hooks& hooks, std::size_t settings_total)
    : hooks_(hooks), started_s_(hooks.now_s()) {
    progress_.settings_total = settings_total;
}

void Reporter::stream_done(std::size_t settings, const Measurement& measurement) {
    done_before_ += settings;
    if (hooks_.stream_done) hooks_.stream_done(measurement);
}

bool Reporter::due() {
    if (!hooks_.progress && !hooks_.so_far) return false;
    const double now_s = hooks_.now_s();
    if (now_s < next_s_) return false;
    next_s_ = now_s + period_s;
    return true;
}

void Reporter::report(const Stream& stream) {
    if (!hooks_.progress) return;
    const double elapsed_s = hooks_.now_s() - started_s_;
    const auto divided = [](double seconds, std::size_t settings) {
        return seconds / static_cast<double>(std::max<std::size_t>(1, settings));
    };
    // Estimate further streams from those before, or from the first one itself.
    const double each_s = done_before_ > 0 ? divided(elapsed_s, done_before_ + stream.settled)
                                           : divided(elapsed_s + stream.seconds_left, stream.settings);
    const std::size_t begun = std::min(done_before_ + stream.settings, progress_.settings_total);
    progress_.settings_done = done_before_ + stream.settled;
    progress_.seconds_left =
        stream.seconds_left + each_s * static_cast<double>(progress_.settings_total - begun);
    progress_.now = stream.now;
    hooks_.progress(progress_);
}

}  // namespace experiments
