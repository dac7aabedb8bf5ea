#pragma once

#include <string>

#include "app/kernel_view/replay.hpp"

namespace warpsieve::kernel_view {

/// A page that plays the trace in a browser, without a network: the events, the source and the script are in
/// it. `title`: what was traced. Throws Error{out_of_memory} if there is too little memory to pack it.
std::string page(const Replay& replay, const std::string& title);

}  // namespace warpsieve::kernel_view
