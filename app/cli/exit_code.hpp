#pragma once

namespace warpsieve {

/// What the process exits with.
enum ExitCode : int {
    exit_ok = 0,
    exit_failure = 1,       ///< a runtime failure, told on stderr
    exit_usage = 2,         ///< an unknown algorithm, an illegal option, a file that cannot be understood
    exit_wrong_result = 3,  ///< a compaction differed from the reference
    exit_regression = 4,    ///< slower than the baseline by more than was allowed
    exit_no_device = 77,    ///< the device that was asked for is not there
    exit_interrupted = 130  ///< Ctrl-C; what was measured until then is kept
};

}  // namespace warpsieve
