#pragma once

namespace warpsieve::platform {

/// Calls `handler` on the next Ctrl-C (SIGINT) and on the next SIGTERM, each once: a second one ends the
/// program. `handler` may only set lock-free atomics.
void on_interrupt(void (*handler)(int signal));

/// Both end the program again.
void end_on_interrupt();

}  // namespace warpsieve::platform
