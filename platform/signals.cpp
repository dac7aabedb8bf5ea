#include "platform/signals.hpp"

#include <csignal>

namespace warpsieve::platform {
namespace {

constexpr int interrupts[] = {SIGINT, SIGTERM};

}  // namespace

void on_interrupt(void (*handler)(int signal)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESETHAND;
    for (const int signal : interrupts) sigaction(signal, &action, nullptr);
}

void end_on_interrupt() {
    for (const int signal : interrupts) std::signal(signal, SIG_DFL);
}

}  // namespace warpsieve::platform
