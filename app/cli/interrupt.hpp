#pragma once

#include <atomic>

namespace warpsieve {

/// While it lives, Ctrl-C (SIGINT) and SIGTERM set a flag instead of ending the program, so that what was
/// measured can be written. A second one ends it at once. One at a time.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /// For experiments::Hooks::cancel.
    const std::atomic<bool>* flag() const;
};

}  // namespace warpsieve
