#pragma once

#include <cstddef>
#include <string>

#include "experiments/measure.hpp"

namespace experiments {

/// Tells the hooks how far a measurement is, but not after every sample: telling takes time too.
class Reporter {
  public:
    /// `hooks` must have a clock and outlive it.
    Reporter(const Hooks& hooks, std::size_t settings_total);

    /// These will not be measured.
    void leave_out(std::size_t settings) { progress_.settings_total -= settings; }
    void stream_done(std::size_t settings, const Measurement& measurement);

    /// Whether the hooks are to hear of the sample just taken.
    bool due();

    /// What is said of a stream that is being measured.
    struct Stream {
        std::string now;           ///< what is being done
        std::size_t settings = 0;  ///< measured on it
        std::size_t settled = 0;   ///< of these
        double seconds_left = 0;   ///< that the others take, by estimate
    };
    void report(const Stream& stream);

  private:
    const Hooks& hooks_;
    Progress progress_;
    std::size_t done_before_ = 0;  ///< settings of the streams that are done
    double started_s_;
    double next_s_ = 0;
};

}  // namespace experiments
