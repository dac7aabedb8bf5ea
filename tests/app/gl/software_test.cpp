#include "app/gl/software.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "compaction/error.hpp"
#include "platform/process.hpp"

namespace {

using namespace warpsieve;

std::string value_of(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "unset";
}

/// The environment variables that drivers read, at each attempt to open a context.
class OpenInSoftware : public testing::Test {
  protected:
    void SetUp() override {
        platform::set_environment("__GLX_VENDOR_LIBRARY_NAME", "some");
        platform::unset_environment("LIBGL_ALWAYS_SOFTWARE");
    }
    void TearDown() override { platform::unset_environment("__GLX_VENDOR_LIBRARY_NAME"); }

    static std::string environment() {
        return value_of("__GLX_VENDOR_LIBRARY_NAME") + ", " + value_of("LIBGL_ALWAYS_SOFTWARE");
    }

    std::vector<std::string> seen_;
};

TEST_F(OpenInSoftware, AsksForMesaWhileItOpens) {
    gl::open_in_software([&] {
        seen_.push_back(environment());
        EXPECT_TRUE(gl::software_wanted());
        return nullptr;
    });
    EXPECT_EQ(seen_, std::vector<std::string>{"mesa, 1"});
    EXPECT_EQ(environment(), "some, unset");
    EXPECT_FALSE(gl::software_wanted());
}

TEST_F(OpenInSoftware, OpensAsTheSystemChoosesWhereMesaCannot) {
    const std::unique_ptr<gl::Context> none = gl::open_in_software([&]() -> std::unique_ptr<gl::Context> {
        seen_.push_back(environment());
        if (seen_.size() == 1) throw compaction::Error(compaction::ErrorCode::unavailable, "no Mesa");
        return nullptr;
    });
    EXPECT_EQ(seen_, (std::vector<std::string>{"mesa, 1", "some, unset"}));
}

}  // namespace
