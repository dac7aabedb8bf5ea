#pragma once

#include <atomic>

namespace warpsieve {

/// During its lifetime, Ctrl-C (SIGINT) and SIGTERM set a flag instead of ending the program, so that results
/// can be written. A second signal ends the program at once. Only one instance may exist at a time.
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
