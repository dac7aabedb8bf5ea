#pragma once

#include <cstddef>
#include <string>

#include "experiments/measure.hpp"

namespace experiments {

/// Reports the progress of a measurement to the hooks, at most four times a second: reporting takes time too.
class Reporter {
  public:
    /// `hooks` must have a clock and outlive the reporter.
    Reporter(const Hooks& hooks, std::size_t settings_total);

    /// Removes settings that will not be measured.
    void leave_out(std::size_t settings) { progress_.settings_total -= settings; }
    void stream_done(std::size_t settings, const Measurement& measurement);

    /// Whether it is time for the next report.
    bool due();

    /// The progress on the current stream.
    struct Stream {
        std::string now;           ///< current activity
        std::size_t settings = 0;  ///< on this stream
        std::size_t settled = 0;   ///< settings that are done
        double seconds_left = 0;   ///< estimate for the others
    };
    void report(const Stream& stream);

  private:
    const Hooks& hooks_;
    Progress progress_;
    std::size_t done_before_ = 0;  ///< settings of finished streams
    double started_s_;
    double next_s_ = 0;
};

}  // namespace experiments
