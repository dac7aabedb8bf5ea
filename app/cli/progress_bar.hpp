#pragma once

#include "experiments/measure.hpp"

namespace warpsieve {

/// A progress line on stderr. Prints nothing if stderr is not a terminal.
class ProgressBar {
  public:
    explicit ProgressBar(bool enabled);
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// Updates the line, at most five times a second.
    void show(const experiments::Progress& progress);
    /// Removes the line, so that other text can be printed.
    void clear();

  private:
    bool shown_ = false;
    bool on_terminal_;
    double last_shown_s_ = 0;
};

}  // namespace warpsieve
