#pragma once

#include "compaction/error.hpp"

namespace warpsieve {

/// Exit codes of the process.
enum ExitCode : int {
    exit_ok = 0,
    exit_failure = 1,       ///< a runtime failure, reported on stderr
    exit_usage = 2,         ///< an unknown algorithm, an illegal option or an unreadable file
    exit_wrong_result = 3,  ///< a compaction differed from the reference
    exit_regression = 4,    ///< slower than the baseline by more than the allowed percentage
    exit_no_device = 77,    ///< the requested device is missing
    exit_closed_pipe = 141  ///< the reader of the standard output has gone; as SIGPIPE would end it
    // 128 + the signal's number: ended by a signal; results so far are kept. See interrupt_exit_code().
};

/// The exit code of a program that ends with this error.
inline int exit_code_for(const compaction::Error& error) {
    switch (error.code()) {
        case compaction::ErrorCode::invalid_option:
        case compaction::ErrorCode::invalid_argument:
            return exit_usage;
        case compaction::ErrorCode::unavailable:
            return exit_no_device;
        case compaction::ErrorCode::out_of_memory:
        case compaction::ErrorCode::device_failure:
            return exit_failure;
    }
    return exit_failure;
}

}  // namespace warpsieve
