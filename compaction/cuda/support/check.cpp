#include "compaction/cuda/check.hpp"

#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>

#include "compaction/error.hpp"

namespace compaction::cuda {
namespace {

/// Whether the context is lost, so that every later call fails too.
bool loses_context(cudaError_t result) {
    switch (result) {
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchTimeout:
        case cudaErrorContextIsDestroyed:
        case cudaErrorAssert:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorLaunchFailure:
        case cudaErrorMpsClientTerminated:
            return true;
        default:
            return false;
    }
}

}  // namespace

void check(cudaError_t result, const char* call, std::source_location where) {
    if (result == cudaSuccess) return;
    cudaGetLastError();
    const std::string_view path = where.file_name();
    const std::string location =
        std::string(path.substr(path.find_last_of('/') + 1)) + ":" + std::to_string(where.line());
    const std::string message = std::string(call) + " failed at " + location + ": " +
                                cudaGetErrorString(result) + " (" + cudaGetErrorName(result) + ").";
    if (result == cudaErrorMemoryAllocation) {
        throw Error(ErrorCode::out_of_memory,
                    message + " Use fewer slots, or free GPU memory held by other programs.");
    }
    if (loses_context(result)) {
        throw Error(
            ErrorCode::device_failure,
            message +
                " The GPU's state is lost. Use the CPU engine, or restart the program to use the GPU again.");
    }
    throw Error(ErrorCode::device_failure,
                message + " The GPU remains usable. Use other settings or the CPU engine.");
}

void check_launch(const char* kernel, std::source_location where) {
    check(cudaGetLastError(), kernel, where);
}

void log_failure(cudaError_t result, const char* call) noexcept {
    static std::atomic_flag reported;
    if (result == cudaSuccess || reported.test_and_set()) return;
    std::fprintf(stderr, "warpsieve: %s failed while cleaning up: %s\n", call, cudaGetErrorString(result));
}

}  // namespace compaction::cuda
