#pragma once

#include <future>

namespace warpsieve::platform {

/// Runs `work` on a new thread. Where the system allows no more threads, `work` runs when the result is
/// requested.
template <typename Work>
auto in_background(const Work& work) {
    // Passes a copy: libstdc++ moves from its argument before the system refuses the thread.
    return std::async(std::launch::async | std::launch::deferred, work);
}

}  // namespace warpsieve::platform
