#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>

namespace warpsieve {

/// From this call on, Ctrl-C, SIGTERM and SIGHUP set a flag instead of ending the program, so that results
/// can be written. A signal that comes twice ends the program at once.
void catch_interrupts();

/// Set by the first signal; for experiments::Hooks::cancel.
const std::atomic<bool>& interrupted();

/// How people know the signal: "Ctrl-C", "SIGTERM" or "SIGHUP". Only after a signal.
std::string_view interrupt_name();

/// 128 + the signal's number, as shells report it: 130 for Ctrl-C, 143 for SIGTERM. Only after a signal.
int interrupt_exit_code();

/// One sentence on a measurement that ended with so many results. Only after a signal.
std::string interruption(std::size_t num_results);

}  // namespace warpsieve
