#include "platform/signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "platform/fault_guard.hpp"
#include "tests/platform/child.hpp"

namespace {

using namespace warpsieve::platform;
using namespace std::chrono_literals;

std::atomic<int> received = 0;

constexpr EndSignalHandlers handlers{.on_first = [](int signal) { received = signal; },
                                     .on_overdue = [](int signal) { ::_exit(128 + signal); }};

/// Sends a signal to the process, as a terminal or a batch system does.
void send(int signal) {
    ::kill(::getpid(), signal);
}

/// Whether the first signal has been received within some seconds.
bool is_received(int signal) {
    for (int turn = 0; turn < 500 && received != signal; ++turn) std::this_thread::sleep_for(10ms);
    return received == signal;
}

TEST(EndSignals, AllAreReceived) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM}) {
        const int code = testing_support::in_child([=] {
            on_end_signal(handlers);
            send(signal);
            return is_received(signal) ? 0 : 1;
        });
        EXPECT_EQ(code, 0) << name_of_signal(signal);
    }
}

/// The kernel wakes this main thread for no signal that has a handler, as in a driver whose GPU hangs.
TEST(EndSignals, EndAProcessWhoseMainThreadHangsInTheKernel) {
    const auto started = std::chrono::steady_clock::now();
    const pid_t child = testing_support::start_child([] {
        on_end_signal(handlers);
        send(SIGTERM);
        // The parent of vfork waits until its child ends.
        if (::vfork() == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            while (true) ::pause();
        }
        return 0;
    });
    EXPECT_EQ(testing_support::exit_code_of(child), 128 + SIGTERM);
    EXPECT_LT(std::chrono::steady_clock::now() - started, 5s);
}

TEST(EndSignals, EndTheProcessAtOnceIfTheyComeTwice) {
    for (const int second : {SIGINT, SIGTERM, SIGHUP}) {
        const int code = testing_support::in_child([=] {
            on_end_signal(handlers);
            send(SIGINT);
            if (!is_received(SIGINT)) return 1;
            std::this_thread::sleep_for(150ms);
            send(second);
            std::this_thread::sleep_for(3s);
            return 0;
        });
        EXPECT_EQ(code, -second);
    }
}

/// Beyond a limit of processor time, SIGXCPU comes every second.
TEST(EndSignals, MayRepeatIfTheyComeFromABatchSystem) {
    const int code = testing_support::in_child([] {
        on_end_signal(handlers);
        send(SIGXCPU);
        if (!is_received(SIGXCPU)) return 1;
        std::this_thread::sleep_for(150ms);
        send(SIGXCPU);
        std::this_thread::sleep_for(150ms);
        return 0;
    });
    EXPECT_EQ(code, 0);
}

/// A system call that waits, such as the opening of a pipe that nobody reads, ends.
TEST(EndSignals, InterruptTheMainThread) {
    const int code = testing_support::in_child([] {
        on_end_signal(handlers);
        std::thread([] {
            std::this_thread::sleep_for(50ms);
            send(SIGINT);
        }).detach();
        ::pause();
        return received == SIGINT ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
}

/// A guard has a handler for a signal of its own, which restarts system calls.
TEST(EndSignals, InterruptTheMainThreadAfterItWasGuarded) {
    const int code = testing_support::in_child([] {
        on_end_signal(handlers);
        {
            const FaultGuard guard([](void*, const Fault&) {}, nullptr, 0);
        }
        std::thread([] {
            std::this_thread::sleep_for(50ms);
            send(SIGINT);
        }).detach();
        std::array<int, 2> ends{};
        char byte = 0;
        if (::pipe(ends.data()) != 0) return 1;
        return ::read(ends[0], &byte, 1) < 0 && received == SIGINT ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
}

TEST(EndSignals, EndAProcessThatNoLongerCatchesThem) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
        const int code = testing_support::in_child([=] {
            on_end_signal(handlers);
            end_at_signals();
            send(signal);
            std::this_thread::sleep_for(3s);
            return 0;
        });
        EXPECT_EQ(code, -signal);
    }
}

TEST(EndSignals, StayIgnoredWhereTheParentIgnoresThem) {
    const int code = testing_support::in_child([] {
        ::signal(SIGHUP, SIG_IGN);
        on_end_signal(handlers);
        end_at_signals();
        send(SIGHUP);
        std::this_thread::sleep_for(150ms);
        return received == 0 ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
}

}  // namespace
