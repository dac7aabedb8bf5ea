#include "platform/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace warpsieve::platform;

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class WrittenFile : public testing::Test {
  protected:
    WrittenFile() { std::filesystem::create_directories(folder_); }
    ~WrittenFile() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) /
        (std::string("written_file_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(WrittenFile, IsReplacedAsAWhole) {
    const auto file = folder_ / "results.csv";
    write_file(file, "first, and longer");
    write_file(file, "second");
    EXPECT_EQ(text_of(file), "second");
    EXPECT_FALSE(std::filesystem::exists(file.string() + ".partial"));
}

TEST_F(WrittenFile, AFullDiskIsReportedAndLosesNothing) {
    // The partial file is a link to a device that is always full.
    const auto file = folder_ / "results.csv";
    write_file(file, "what was measured before");
    std::filesystem::create_symlink("/dev/full", file.string() + ".partial");
    try {
        write_file(file, "more");
        FAIL() << "nothing was thrown";
    } catch (const std::filesystem::filesystem_error& error) {
        EXPECT_EQ(error.code(), std::errc::no_space_on_device);
        EXPECT_EQ(error.path1(), file);
    }
    EXPECT_EQ(text_of(file), "what was measured before");
    EXPECT_FALSE(std::filesystem::is_symlink(file.string() + ".partial")) << "the partial file is removed";
    EXPECT_THROW(write_file("/dev/full", "more"), std::filesystem::filesystem_error);
}

TEST_F(WrittenFile, LeavesAFolderInItsWayAlone) {
    const auto file = folder_ / "results.csv";
    std::filesystem::create_directory(file.string() + ".partial");
    EXPECT_THROW(write_file(file, "results"), std::filesystem::filesystem_error);
    EXPECT_TRUE(std::filesystem::is_directory(file.string() + ".partial"));
}

TEST_F(WrittenFile, IsTriedBeforehand) {
    EXPECT_NO_THROW(require_writable(folder_ / "results.csv"));
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "the check leaves nothing behind";
    EXPECT_NO_THROW(require_writable("/dev/null"));
    EXPECT_THROW(require_writable(folder_ / "missing" / "results.csv"), std::filesystem::filesystem_error);
    EXPECT_THROW(require_writable(folder_), std::filesystem::filesystem_error);
}

TEST_F(WrittenFile, APipeIsWrittenToAndStaysAPipe) {
    const auto pipe = folder_ / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    require_writable(pipe);
    pollfd seen{.fd = reader, .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&seen, 1, 0), 0) << "the check must not close the pipe";
    write_file(pipe, "results");
    char text[16] = {};
    EXPECT_EQ(::read(reader, text, sizeof text - 1), 7);
    EXPECT_STREQ(text, "results");
    ::close(reader);
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(WrittenFile, AppendsToRedirectedOutput) {
    // A link to the standard output, like /dev/stdout.
    const auto link = folder_ / "stdout";
    const auto output = folder_ / "output.txt";
    std::filesystem::create_symlink("/proc/self/fd/1", link);
    std::fflush(stdout);
    const int terminal = ::dup(STDOUT_FILENO);
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ::dup2(file, STDOUT_FILENO);
    std::printf("table\n");
    std::fflush(stdout);
    write_file(link, "results");
    ::dup2(terminal, STDOUT_FILENO);
    ::close(terminal);
    ::close(file);
    EXPECT_EQ(text_of(output), "table\nresults");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
}

}  // namespace
