#pragma once

#include <future>

namespace warpsieve::platform {

/// The result of `work`, which runs on a thread of its own; where the system allows no more threads, it runs
/// when the result is asked for.
template <typename Work>
auto in_background(const Work& work) {
    // A copy: std::async of libstdc++ has moved its argument away when the system refuses the thread.
    return std::async(std::launch::async | std::launch::deferred, work);
}

}  // namespace warpsieve::platform
