#include "platform/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "platform/process.hpp"
#include "tests/platform/child.hpp"

namespace {

using namespace warpsieve::platform;
using testing_support::exit_code_of;
using testing_support::in_child;
using testing_support::start_child;

/// Sets the limit of `ulimit -f` after the program has started.
void limit_files_to(rlim_t bytes) {
    prepare_process();
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class WrittenFile : public testing::Test {
  protected:
    std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            found.push_back(entry.path().filename());
        return found;
    }

    warpsieve::platform::TemporaryFolder temporary_;
    std::filesystem::path folder_ = temporary_.path();
    std::filesystem::path file_ = folder_ / "results.csv";
};

TEST_F(WrittenFile, IsReplacedAsAWhole) {
    write_file(file_, "first, and longer");
    write_file(file_, "second");
    EXPECT_EQ(text_of(file_), "second");
    EXPECT_EQ(names(), std::vector<std::string>{"results.csv"});
}

TEST_F(WrittenFile, AFullDiskIsReportedAndLosesNothing) {
    EXPECT_THROW(write_file("/dev/full", "more"), std::filesystem::filesystem_error);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
    write_file(file_, "what was measured before");
    EXPECT_EQ(in_child([&] {
                  limit_files_to(16);
                  try {
                      write_file(file_, std::string(1'000, 'x'));
                  } catch (const std::filesystem::filesystem_error& error) {
                      return error.code() == std::errc::file_too_large && error.path1() == file_ ? 0 : 1;
                  }
                  return 2;
              }),
              0);
    EXPECT_EQ(in_child([&] {
                  limit_files_to(16);
                  try {
                      write_new_file(folder_ / "new.csv", std::string(1'000, 'x'));
                  } catch (const std::filesystem::filesystem_error&) {
                      return 0;
                  }
                  return 1;
              }),
              0);
    EXPECT_EQ(text_of(file_), "what was measured before");
    EXPECT_EQ(names(), std::vector<std::string>{"results.csv"}) << "nothing is left behind";
}

TEST_F(WrittenFile, LeavesOtherFilesAlone) {
    const std::filesystem::path partial = file_.string() + ".partial";
    std::ofstream(partial) << "the user's own";
    require_writable(file_);
    write_file(file_, "results");
    EXPECT_EQ(text_of(partial), "the user's own");
    std::filesystem::remove(partial);
    std::filesystem::create_directory(partial);
    write_file(file_, "more results");
    EXPECT_EQ(text_of(file_), "more results");
    EXPECT_TRUE(std::filesystem::is_directory(partial));
}

TEST_F(WrittenFile, IsWrittenThroughLinks) {
    std::filesystem::create_directory(folder_ / "elsewhere");
    const std::filesystem::path target = folder_ / "elsewhere/results.csv";
    std::filesystem::create_symlink("elsewhere/results.csv", folder_ / "inner");
    std::filesystem::create_symlink(folder_ / "inner", file_);
    for (const char* const text : {"a link to nothing creates it", "the target is replaced"}) {
        require_writable(file_);
        write_file(file_, text);
        EXPECT_TRUE(std::filesystem::is_symlink(file_));
        EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(target)));
        EXPECT_EQ(text_of(target), text);
    }
    const std::filesystem::path loop = folder_ / "loop";
    std::filesystem::create_symlink("loop", loop);
    EXPECT_THROW(write_file(loop, "text"), std::filesystem::filesystem_error);
}

TEST_F(WrittenFile, KeepsModeAndOwner) {
    write_file(file_, "first");
    const bool root = ::geteuid() == 0;
    constexpr uid_t other = 1234;
    if (root) {
        ASSERT_EQ(::chown(file_.c_str(), other, other), 0);
    }
    for (const mode_t mode : {0600, 0664, 0755}) {
        ASSERT_EQ(::chmod(file_.c_str(), mode), 0);
        write_file(file_, "next");
        struct stat status {};
        ASSERT_EQ(::stat(file_.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777, mode);
        EXPECT_EQ(status.st_uid, root ? other : ::geteuid());
    }
}

TEST_F(WrittenFile, IsNotReplacedIfItIsReadOnly) {
    write_file(file_, "kept");
    ASSERT_EQ(::chmod(file_.c_str(), 0444), 0);
    EXPECT_THROW(require_writable(file_), std::filesystem::filesystem_error);
    EXPECT_THROW(write_file(file_, "lost"), std::filesystem::filesystem_error);
    EXPECT_EQ(text_of(file_), "kept");
}

TEST_F(WrittenFile, MayBeWrittenByManyProcesses) {
    constexpr int processes = 40;
    constexpr int rounds = 20;
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) {
        children.push_back(start_child([&] {
            const std::string text(1'000 + 100 * static_cast<std::size_t>(i),
                                   static_cast<char>('A' + i % 26));
            for (int round = 0; round < rounds; ++round) {
                require_writable(file_);
                write_file(file_, text, Flush::left_to_system);
                const std::string now = text_of(file_);
                if (now.size() < 1'000 || now.find_first_not_of(now[0]) != std::string::npos) return 1;
            }
            return 0;
        }));
    }
    for (const pid_t child : children) EXPECT_EQ(exit_code_of(child), 0);
    EXPECT_EQ(names(), std::vector<std::string>{"results.csv"});
}

TEST_F(WrittenFile, ANewOneReplacesNone) {
    EXPECT_TRUE(write_new_file(file_, "first"));
    EXPECT_FALSE(write_new_file(file_, "second"));
    EXPECT_EQ(text_of(file_), "first");
    EXPECT_EQ(names(), std::vector<std::string>{"results.csv"});
}

TEST_F(WrittenFile, IsTriedBeforehand) {
    EXPECT_NO_THROW(require_writable(file_));
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

class ReadFile : public WrittenFile {};

TEST_F(ReadFile, IsARegularFileWithinTheLimit) {
    std::ofstream(file_, std::ios::binary) << std::string("a\0b", 3);
    EXPECT_EQ(read_file(file_, 3).text, std::string("a\0b", 3));
    EXPECT_EQ(read_file(file_, 3).problem, "");
    EXPECT_NE(read_file(file_, 2).problem, "");
    std::filesystem::create_symlink(file_, folder_ / "link");
    EXPECT_EQ(read_file(folder_ / "link", 3).problem, "");
}

TEST_F(ReadFile, OtherFilesAreRefusedAtOnce) {
    const std::filesystem::path pipe = folder_ / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::filesystem::path sparse = folder_ / "sparse";
    std::ofstream(sparse).close();
    std::filesystem::resize_file(sparse, std::uintmax_t{60} << 30);
    constexpr std::uint64_t limit = 1 << 20;
    EXPECT_EQ(read_file(pipe, limit).problem, "it is not a regular file");
    EXPECT_EQ(read_file("/dev/zero", limit).problem, "it is not a regular file");
    EXPECT_EQ(read_file(folder_, limit).problem, "it is a folder");
    EXPECT_EQ(read_file(sparse, limit).problem, "it has 61440 MiB, and at most 1 MiB are read");
    EXPECT_EQ(read_file(folder_ / "missing", limit).problem, "No such file or directory");
    EXPECT_EQ(read_file("/proc/self/mem", limit).text, "");
    EXPECT_EQ(read_file("/proc/self/maps", limit).text, "") << "not even where reading would succeed";
}

TEST_F(ReadFile, WritingIsTriedInTheNearestFolder) {
    EXPECT_EQ(try_to_write(folder_ / "not/yet/there", 1 << 20), "");
    EXPECT_TRUE(names().empty());
    EXPECT_EQ(in_child([&] {
                  limit_files_to(1'000);
                  return try_to_write(folder_, 1 << 20).empty() ? 1 : 0;
              }),
              0);
    EXPECT_TRUE(names().empty());
    EXPECT_NE(try_to_write("/proc/none", 1 << 20), "");
}

TEST(Process, OpensClosedStandardDescriptors) {
    EXPECT_EQ(in_child([] {
                  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
                      ::close(descriptor);
                  prepare_process();
                  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
                      if (::fcntl(descriptor, F_GETFD) < 0) return 1;
                  }
                  return ::open("/dev/null", O_RDONLY) > STDERR_FILENO ? 0 : 2;
              }),
              0);
}

}  // namespace
