#pragma once

#include <string>

#include "experiments/measure.hpp"

namespace warpsieve {

/// A progress line on stderr. Prints nothing if stderr is not a terminal.
class ProgressBar {
  public:
    explicit ProgressBar(bool wanted);
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(const experiments::Progress& progress);
    /// Removes the line, so that other text can be printed.
    void clear();

  private:
    bool shown_ = false;
    bool on_terminal_;
    double last_shown_s_ = 0;
};

/// "[######......] 12 of 30, about 40 s left: 2^20 items, ...".
std::string progress_line(const experiments::Progress& progress);

}  // namespace warpsieve
