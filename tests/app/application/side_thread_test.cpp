#include "app/application/side_thread.hpp"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <string>
#include <tuple>

namespace warpsieve {
namespace {

TEST(SideThread, RunsBothAtTheSameTime) {
    SideThread thread;
    for (int i = 0; i < 1000; ++i) {
        // Each waits for the other, so one after the other would never end.
        std::promise<int> from_beside, from_here;
        int beside = 0, here = 0;
        thread.run_both(
            [&] {
                from_beside.set_value(i);
                beside = from_here.get_future().get();
            },
            [&] {
                from_here.set_value(-i);
                here = from_beside.get_future().get();
            });
        ASSERT_EQ(beside, -i);
        ASSERT_EQ(here, i);
    }
}

std::string failure_of(SideThread& thread, bool beside_fails, bool here_fails, bool& beside_ran) {
    try {
        thread.run_both(
            [&] {
                beside_ran = true;
                if (beside_fails) throw std::runtime_error("beside");
            },
            [&] {
                if (here_fails) throw std::runtime_error("here");
            });
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

TEST(SideThread, WaitsForTheOtherBeforeItRethrows) {
    SideThread thread;
    for (const auto& [beside_fails, here_fails, expected] : {std::tuple{true, false, "beside"},
                                                             {false, true, "here"},
                                                             {true, true, "here"},
                                                             {false, false, "none"}}) {
        bool beside_ran = false;
        EXPECT_EQ(failure_of(thread, beside_fails, here_fails, beside_ran), expected);
        EXPECT_TRUE(beside_ran);
    }
}

}  // namespace
}  // namespace warpsieve
