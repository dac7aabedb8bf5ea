#include "platform/signals.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>

#include "tests/platform/child.hpp"

namespace {

using namespace warpsieve::platform;

std::uintptr_t handled_at = 0;

void record_stack_address(int) {
    const volatile char here = 0;
    handled_at = reinterpret_cast<std::uintptr_t>(&here);
}

/// The lanes of the simulated GPU have stacks of a few kilobytes.
TEST(EndSignals, AreHandledOnAnotherStack) {
    const int code = testing_support::in_child([] {
        on_end_signal(record_stack_address);
        const volatile char here = 0;
        std::raise(SIGTERM);
        const std::uintptr_t stack = reinterpret_cast<std::uintptr_t>(&here);
        constexpr std::uintptr_t max_used = 1 << 20;
        return handled_at > stack - max_used && handled_at < stack + max_used ? 1 : 0;
    });
    EXPECT_EQ(code, 0);
}

TEST(EndSignals, EndAProcessThatNoLongerCatchesThem) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const int code = testing_support::in_child([=] {
            on_end_signal(record_stack_address);
            end_at_signals();
            std::raise(signal);
            return 0;
        });
        EXPECT_EQ(code, -signal);
    }
}

TEST(EndSignals, StayIgnoredWhereTheParentIgnoresThem) {
    const int code = testing_support::in_child([] {
        std::signal(SIGHUP, SIG_IGN);
        on_end_signal(record_stack_address);
        end_at_signals();
        std::raise(SIGHUP);
        return handled_at == 0 ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
}

}  // namespace
