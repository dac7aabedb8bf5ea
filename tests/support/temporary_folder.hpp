#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace testing_support {

/// An empty folder of the running test, removed with everything in it at the end. Tests run side by side: the
/// folder's name is that of the test.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    static std::string name_of_test() {
        const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
        return std::string(test.test_suite_name()) + "-" + test.name();
    }

    std::filesystem::path path_ = std::filesystem::path(testing::TempDir()) / name_of_test();
};

}  // namespace testing_support
