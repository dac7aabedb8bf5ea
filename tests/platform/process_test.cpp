#include "platform/process.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "platform/background.hpp"
#include "platform/files.hpp"
#include "platform/machine.hpp"
#include "tests/platform/child.hpp"

namespace {

using namespace warpsieve::platform;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// The environment variable with the file that a child makes when it has started.
constexpr const char* started = "WARPSIEVE_TEST_STARTED";

/// The children: this program runs one of these tests by its name.
TEST(Child, DISABLED_SaysWhatItReads) {
    std::printf("reads %d;", std::getchar());
    std::fflush(stdout);
    std::fputs("an error\n", stderr);
    std::_Exit(7);
}
TEST(Child, DISABLED_WritesMuch) {
    const std::string line(1000, 'x');
    for (int i = 0; i < 1000; ++i) std::puts(line.c_str());
    std::fflush(stdout);
    std::_Exit(0);
}
TEST(Child, DISABLED_IsKilled) {
    std::raise(SIGKILL);
}
TEST(Child, DISABLED_Hangs) {
    if (const char* const file = std::getenv(started)) std::ofstream{file};
    while (true) ::pause();
}

ChildResult run_child(const std::string& name, milliseconds limit = seconds(60),
                      const std::atomic<bool>* cancel = nullptr) {
    return run_and_read(
        {}, {"platform_test", "--gtest_also_run_disabled_tests", "--gtest_filter=Child.DISABLED_" + name},
        limit, cancel);
}

TEST(RunAndRead, GivesOutputErrorsAndExitCode) {
    const ChildResult child = run_child("SaysWhatItReads");
    EXPECT_EQ(child.end, ChildEnd::exited);
    EXPECT_EQ(child.code, 7);
    EXPECT_NE(child.output.find("reads -1;an error"), std::string::npos) << child.output;
}

TEST(RunAndRead, ReadsAllOutputAndKeepsAPart) {
    const ChildResult child = run_child("WritesMuch");
    EXPECT_EQ(child.end, ChildEnd::exited);
    EXPECT_EQ(child.code, 0);
    EXPECT_EQ(child.output.size(), std::size_t{64} << 10);
}

TEST(RunAndRead, NamesTheSignalThatEndedTheChild) {
    const ChildResult child = run_child("IsKilled");
    EXPECT_EQ(child.end, ChildEnd::killed);
    EXPECT_EQ(child.code, SIGKILL);
}

TEST(RunAndRead, EndsAChildAfterTheLimit) {
    EXPECT_EQ(run_child("Hangs", milliseconds(300)).end, ChildEnd::timed_out);
}

TEST(RunAndRead, EndsAChildWhenCancelled) {
    const warpsieve::platform::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "started";
    ::setenv(started, file.c_str(), 1);
    std::atomic<bool> cancel = false;
    std::thread later([&] {
        while (!std::filesystem::exists(file)) std::this_thread::yield();
        cancel = true;
    });
    EXPECT_EQ(run_child("Hangs", seconds(60), &cancel).end, ChildEnd::cancelled);
    later.join();
    ::unsetenv(started);
}

TEST(RunProgram, SaysWhetherTheProgramSucceeded) {
    const auto never = [] { return false; };
    EXPECT_TRUE(run_program({"true"}, never));
    EXPECT_FALSE(run_program({"false"}, never));
    EXPECT_FALSE(run_program({"no such program"}, never));
}

TEST(RunProgram, EndsTheProgramWhenCancelled) {
    EXPECT_FALSE(run_program({"sleep", "60"}, [] { return true; }));
}

/// Threads that have ended may still count for a moment; this must not prevent new ones from starting.
TEST(StartableThreads, CanBeStartedAgainAtOnce) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root: only another user can be given a limit of processes";
    constexpr std::uint32_t allowed = 2;
    const int code = testing_support::in_child([] {
        const rlimit limit{allowed + 1, allowed + 1};
        if (::setrlimit(RLIMIT_NPROC, &limit) != 0 || ::setuid(54'322) != 0) return 98;
        for (int i = 1; i <= 2000; ++i) {
            if (startable_threads(allowed) != allowed) return 1;
        }
        return startable_threads(allowed + 5) == allowed ? 0 : 2;
    });
    EXPECT_EQ(code, 0);
}

TEST(InBackground, RunsTheWorkWhereTheSystemRefusesAThread) {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root: only another user can be given a limit of processes";
    const int code = testing_support::in_child([] {
        const rlimit limit{1, 1};
        if (::setrlimit(RLIMIT_NPROC, &limit) != 0 || ::setuid(54'323) != 0) return 98;
        if (startable_threads(1) != 0) return 97;
        const std::string text(100, 'x');
        return in_background([text] { return text; }).get() == text ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
}

}  // namespace
