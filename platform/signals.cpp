#include "platform/signals.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <ctime>

namespace warpsieve::platform {
namespace {

/// A wrapper such as timeout(1) signals the program and then its process group: both count as one.
constexpr long same_signal_ms = 100;

std::atomic<void (*)(int)> handler_of_first = nullptr;
std::atomic<long> first_ms = 0;  // time of the first signal; 0 before it
static_assert(std::atomic<long>::is_always_lock_free && std::atomic<void (*)(int)>::is_always_lock_free);

long monotonic_ms() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

void on_signal(int signal) {
    const long now_ms = monotonic_ms();
    long none = 0;
    if (first_ms.compare_exchange_strong(none, now_ms)) {
        handler_of_first.load()(signal);
    } else if (now_ms - first_ms.load() >= same_signal_ms) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

/// Gives the handler a stack of its own on this thread: the stack of a lane of the simulated GPU is too
/// small.
void use_own_stack() {
    static std::array<std::byte, 64 << 10> bytes;
    stack_t stack{};
    stack.ss_sp = bytes.data();
    stack.ss_size = bytes.size();
    sigaltstack(&stack, nullptr);
}

/// Sets the handler of those signals that the parent process does not ignore.
void handle_by(void (*handler)(int signal)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction inherited {};
        sigaction(signal, nullptr, &inherited);
        if (inherited.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
    }
}

}  // namespace

void on_end_signal(void (*handler)(int signal)) {
    handler_of_first = handler;
    use_own_stack();
    handle_by(on_signal);
}

void end_at_signals() {
    handle_by(SIG_DFL);
}

std::string_view name_of_signal(int signal) {
    switch (signal) {
        case SIGTERM:
            return "SIGTERM";
        case SIGHUP:
            return "SIGHUP";
        default:
            return "Ctrl-C";
    }
}

}  // namespace warpsieve::platform
