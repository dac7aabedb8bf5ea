#pragma once

#include <string_view>

namespace warpsieve::platform {

/// Calls `handler` on the next Ctrl-C (SIGINT), SIGTERM and SIGHUP, each once: a second one ends the program.
/// Signals that the parent process ignores stay ignored, as nohup needs it. `handler` may only set lock-free
/// atomics.
void on_end_signal(void (*handler)(int signal));

/// How people know one of these signals: "Ctrl-C", "SIGTERM" or "SIGHUP".
std::string_view name_of_signal(int signal);

}  // namespace warpsieve::platform
