#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "compaction/error.hpp"

namespace testing_support {

/// The message of the error that `work` throws; checks its code.
inline std::string error_of(compaction::ErrorCode code, const std::function<void()>& work) {
    try {
        work();
    } catch (const compaction::Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

inline bool says(const std::string& sentence, const std::string& words) {
    return sentence.find(words) != std::string::npos;
}

}  // namespace testing_support
