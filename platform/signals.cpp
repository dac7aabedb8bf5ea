#include "platform/signals.hpp"

#include <atomic>
#include <csignal>
#include <ctime>

namespace warpsieve::platform {
namespace {

/// A wrapper such as timeout(1) signals the program and then its process group: both count as one.
constexpr long together_ms = 100;

std::atomic<void (*)(int)> handler_of_first = nullptr;
std::atomic<long> first_ms = 0;
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
    } else if (now_ms - first_ms.load() >= together_ms) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

}  // namespace

void on_end_signal(void (*handler)(int signal)) {
    handler_of_first = handler;
    struct sigaction action {};
    action.sa_handler = on_signal;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction inherited {};
        sigaction(signal, nullptr, &inherited);
        if (inherited.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
    }
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
