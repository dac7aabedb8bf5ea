#pragma once

#include <atomic>
#include <chrono>
#include <string_view>

namespace warpsieve::platform {

/// The time that the program has to end by itself after the first signal.
inline constexpr std::chrono::milliseconds end_limit{4500};

/// What is called when a signal asks the program to end.
struct EndSignalHandlers {
    /// At the first signal.
    void (*on_first)(int signal);
    /// If the process still runs end_limit later. Must end it without waiting for any other thread.
    void (*on_overdue)(int signal);
};

/// Handles Ctrl-C (SIGINT), SIGTERM and SIGHUP, and SIGXCPU, SIGUSR1, SIGUSR2 and SIGALRM, which batch
/// systems and timers send. A thread of its own receives them, so that they arrive while all others wait for
/// a display or a GPU. A second Ctrl-C, SIGTERM or SIGHUP ends the program at once, unless it comes within
/// 100 ms. Signals that the parent process ignores stay ignored, for nohup. If the system refuses the thread,
/// signals keep their default effect. Call on the main thread before other threads start: they inherit its
/// mask, which blocks these signals.
void on_end_signal(const EndSignalHandlers& handlers);

/// Whether one of these signals has arrived since on_end_signal(), and EndSignalHandlers::on_first has
/// returned.
const std::atomic<bool>& end_requested();

/// From now on, the first of these signals ends the program at once.
void end_at_signals();

/// The common name of one of these signals: "Ctrl-C", "SIGTERM".
std::string_view name_of_signal(int signal);

}  // namespace warpsieve::platform
