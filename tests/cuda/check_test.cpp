// How failed CUDA calls are reported.
#include "compaction/cuda/check.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "compaction/error.hpp"

namespace {

using compaction::Error;
using compaction::ErrorCode;

std::optional<Error> error_of(cudaError_t result) {
    try {
        compaction::cuda::check(result, "cudaThis");
    } catch (const Error& error) {
        return error;
    }
    return {};
}

bool says(const Error& error, const char* words) {
    return std::string(error.what()).find(words) != std::string::npos;
}

TEST(Check, ReportsALostGpuOnlyWhereItIsLost) {
    EXPECT_FALSE(error_of(cudaSuccess));
    for (const cudaError_t result : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorAssert,
                                     cudaErrorECCUncorrectable, cudaErrorLaunchTimeout}) {
        const std::optional<Error> error = error_of(result);
        ASSERT_TRUE(error);
        EXPECT_EQ(error->code(), ErrorCode::device_failure);
        EXPECT_TRUE(says(*error, "state is lost")) << error->what();
    }
    for (const cudaError_t result : {cudaErrorInvalidValue, cudaErrorInvalidConfiguration,
                                     cudaErrorCooperativeLaunchTooLarge, cudaErrorNoKernelImageForDevice}) {
        const std::optional<Error> error = error_of(result);
        ASSERT_TRUE(error);
        EXPECT_EQ(error->code(), ErrorCode::device_failure);
        EXPECT_FALSE(says(*error, "lost")) << error->what();
        EXPECT_TRUE(says(*error, "cudaThis failed at check_test.cpp:")) << error->what();
    }
}

TEST(Check, ReportsThatMemoryRanOut) {
    const std::optional<Error> error = error_of(cudaErrorMemoryAllocation);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::out_of_memory);
}

}  // namespace
