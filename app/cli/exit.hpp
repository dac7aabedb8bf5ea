#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "compaction/error.hpp"

/// How the program ends: exit codes, signals, and the restart after a failure of the GPU.
namespace warpsieve {

/// Exit codes of the process.
enum ExitCode : int {
    exit_ok = 0,
    exit_failure = 1,        ///< a runtime failure, reported on stderr
    exit_usage = 2,          ///< an unknown algorithm, an illegal option or an unreadable file
    exit_wrong_result = 3,   ///< a compaction differed from the reference
    exit_regression = 4,     ///< slower than the other program by more than the allowed percentage
    exit_no_device = 77,     ///< the requested device is missing
    signal_exit_code = 128,  ///< plus the number of the signal that ended the run; see interrupt_exit_code()
    exit_closed_pipe = 141   ///< the reader of stdout has gone; equals 128 + SIGPIPE
};

/// The exit code of a program that this error ends.
int exit_code_for(const compaction::Error& error);

/// From this call on, the signals of platform::on_end_signal() set a flag instead of ending the program, so
/// that results can be written. A program that does not end by itself is ended within 5 s.
void catch_interrupts();

/// Until end_unsaved_work(), the first signal ends the program at once with a sentence: `work`, such as "the
/// trace", has no result to keep yet, and no file was begun.
void begin_unsaved_work(const char* work);
/// Call before the first file is written. From now on, signals set the flag again.
void end_unsaved_work();

/// The flag that the first signal sets; for experiments::Hooks::cancel.
const std::atomic<bool>& interrupted();

/// The usual name of the received signal, such as "Ctrl-C" or "SIGTERM". Call it only after a signal.
std::string_view interrupt_name();

/// The exit code of a run that the signal ended, as shells report it: 130 for Ctrl-C, 143 for SIGTERM. Call
/// it only after a signal.
int interrupt_exit_code();

/// A sentence about a measurement that a signal ended after `num_results` results. Call it only after a
/// signal.
std::string interruption(std::size_t num_results);

/// Replaces this process by a new run of the program with the same arguments and passes on the reason, `why`.
/// After a GPU failure, OpenGL may block for ever on buffers shared with the lost CUDA context, so any
/// drawing or cleaning up in this process may hang. A new process has its own graphics channel. Returns only
/// if the system refuses.
void restart_after_gpu_failure(char** argv, const std::string& why);

/// The reason passed by restart_after_gpu_failure; empty after a normal start. Clears the reason, so that
/// child processes do not inherit it.
std::optional<std::string> take_reason_of_restart();

}  // namespace warpsieve
