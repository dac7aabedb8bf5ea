#pragma once

#include <string_view>

namespace warpsieve::platform {

/// Calls `handler` on the first Ctrl-C (SIGINT), SIGTERM or SIGHUP. A second signal within 100 ms is ignored;
/// a later one ends the program at once. Signals that the parent process ignores stay ignored, for nohup.
/// `handler` may only set lock-free atomics. Call on_end_signal on the main thread, before others start.
void on_end_signal(void (*handler)(int signal));

/// From here on, these signals end the program at once.
void end_at_signals();

/// The common name of one of these signals: "Ctrl-C", "SIGTERM" or "SIGHUP".
std::string_view name_of_signal(int signal);

}  // namespace warpsieve::platform
