#include "app/cli/output_files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "platform/files.hpp"

namespace warpsieve {
namespace {

std::vector<std::string> said;

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(OutputFiles, AFileWithoutMemoryDoesNotLoseTheOthers) {
    const platform::TemporaryFolder folder;
    said.clear();
    OutputFiles<int> files([](const std::string& sentence) { said.push_back(sentence); });
    files.add(folder.path() / "large.json", [](const int&) -> std::string { throw std::bad_alloc(); });
    files.add(folder.path() / "small.csv", [](const int& value) { return std::to_string(value); });
    files.write(1);
    EXPECT_FALSE(files.finish(2));
    EXPECT_EQ(text_of(folder.path() / "small.csv"), "2");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "large.json"));
    ASSERT_EQ(said.size(), 1U) << "each failing file once";
    EXPECT_NE(said[0].find("large.json cannot be written: host memory ran out"), std::string::npos)
        << said[0];
}

TEST(OutputFiles, AreWrittenAtIntervals) {
    const platform::TemporaryFolder folder;
    OutputFiles<int> files([](const std::string& sentence) { said.push_back(sentence); });
    files.add(folder.path() / "a.csv", [](const int& value) { return std::to_string(value); });
    EXPECT_TRUE(files.due()) << "the first result is written at once";
    files.write(1);
    EXPECT_FALSE(files.due());
    files.write(2);
    EXPECT_EQ(text_of(folder.path() / "a.csv"), "1");
    EXPECT_TRUE(files.finish(3));
    EXPECT_EQ(text_of(folder.path() / "a.csv"), "3");
}

TEST(OutputFiles, TakeATwentiethOfTheTime) {
    using std::chrono::seconds;
    EXPECT_EQ(platform::interval_after_write(seconds(0)), platform::min_write_interval);
    EXPECT_EQ(platform::interval_after_write(seconds(1)), seconds(19));
}

TEST(OutputFiles, ADeviceGetsTheLastTextAlone) {
    const platform::TemporaryFolder folder;
    const std::filesystem::path pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    OutputFiles<int> files([](const std::string& sentence) { said.push_back(sentence); });
    files.add(pipe, [](const int& value) { return std::to_string(value); });
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    files.write(1);
    EXPECT_TRUE(files.finish(2));
    char read[8] = {};
    EXPECT_EQ(::read(reader, read, sizeof read), 1);
    EXPECT_STREQ(read, "2");
    ::close(reader);
}

}  // namespace
}  // namespace warpsieve
