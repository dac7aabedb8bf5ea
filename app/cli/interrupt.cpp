#include "app/cli/interrupt.hpp"

#include <csignal>

namespace warpsieve {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not block");

constexpr int signals[] = {SIGINT, SIGTERM};

extern "C" void note_interrupt(int) {
    interrupted = true;
}

}  // namespace

InterruptGuard::InterruptGuard() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    // Restores the default: a second signal ends the program.
    action.sa_flags = SA_RESETHAND;
    for (const int signal : signals) sigaction(signal, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
    for (const int signal : signals) std::signal(signal, SIG_DFL);
}

const std::atomic<bool>* InterruptGuard::flag() const {
    return &interrupted;
}

}  // namespace warpsieve
