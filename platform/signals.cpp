#include "platform/signals.hpp"

#include <pthread.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string_view>
#include <system_error>
#include <thread>

namespace warpsieve::platform {
namespace {

using Clock = std::chrono::steady_clock;

/// A wrapper such as timeout(1) signals the program and then its process group. Signals within this time
/// count as one.
constexpr std::chrono::milliseconds same_signal_window{100};

/// Interrupts a system call of the main thread, such as the opening of a pipe that nobody reads. The system
/// leaves this signal to programs. FaultGuard takes SIGURG, with a handler that restarts system calls.
const int wake_signal = SIGRTMIN;

struct SignalInfo {
    int signal;
    std::string_view name;
    bool repeats;  ///< a second one is no wish to end at once: SIGXCPU comes every second
};

constexpr std::array<SignalInfo, 7> end_signals{{{SIGINT, "Ctrl-C", false},
                                                 {SIGTERM, "SIGTERM", false},
                                                 {SIGHUP, "SIGHUP", false},
                                                 {SIGXCPU, "SIGXCPU", true},
                                                 {SIGUSR1, "SIGUSR1", true},
                                                 {SIGUSR2, "SIGUSR2", true},
                                                 {SIGALRM, "SIGALRM", true}}};

std::atomic<bool> ends_at_first_signal = false;  // set by end_at_signals()
std::atomic<bool> has_received_signal = false;

const SignalInfo& info_of(int signal) {
    for (const SignalInfo& each : end_signals)
        if (each.signal == signal) return each;
    return end_signals.front();
}

/// The end signals that the parent process does not ignore.
sigset_t signals_not_ignored() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const SignalInfo& each : end_signals) {
        struct sigaction inherited {};
        sigaction(each.signal, nullptr, &inherited);
        if (inherited.sa_handler != SIG_IGN) sigaddset(&signals, each.signal);
    }
    return signals;
}

/// Ends the process by the default effect of the signal.
void end_by(int signal) {
    ::signal(signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    ::raise(signal);
}

/// Waits for a signal. Returns -1 if none arrives before the deadline.
int wait_for_signal(const sigset_t& signals, Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now());
    if (left.count() <= 0) return -1;
    const timespec timeout{.tv_sec = left.count() / 1'000'000'000, .tv_nsec = left.count() % 1'000'000'000};
    return sigtimedwait(&signals, nullptr, &timeout);
}

/// The work of the thread that receives the signals.
void receive(const sigset_t signals, const EndSignalHandlers handlers, pthread_t main_thread) {
    int first_signal = 0;
    while (sigwait(&signals, &first_signal) != 0) continue;
    if (ends_at_first_signal) end_by(first_signal);
    const Clock::time_point received = Clock::now();
    handlers.on_first(first_signal);
    has_received_signal = true;
    pthread_kill(main_thread, wake_signal);
    while (Clock::now() - received < end_limit) {
        const int next = wait_for_signal(signals, received + end_limit);
        if (next > 0 && !info_of(next).repeats && Clock::now() - received >= same_signal_window) end_by(next);
    }
    handlers.on_overdue(first_signal);
}

}  // namespace

void on_end_signal(const EndSignalHandlers& handlers) {
    const sigset_t signals = signals_not_ignored();
    struct sigaction wake {};
    wake.sa_handler = [](int) {};  // without SA_RESTART: the signal must interrupt system calls
    sigaction(wake_signal, &wake, nullptr);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    try {
        std::thread(receive, signals, handlers, pthread_self()).detach();
    } catch (const std::system_error&) {
        pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    }
}

const std::atomic<bool>& end_requested() {
    return has_received_signal;
}

void end_at_signals() {
    ends_at_first_signal = true;
}

std::string_view name_of_signal(int signal) {
    return info_of(signal).name;
}

}  // namespace warpsieve::platform
