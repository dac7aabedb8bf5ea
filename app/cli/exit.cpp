#include "app/cli/exit.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "platform/process.hpp"
#include "platform/signals.hpp"

namespace warpsieve {
namespace {

std::atomic<int> received_signal = 0;

std::mutex unsaved_work_mutex;
const char* unsaved_work = nullptr;

/// Ends the process after a signal, if it has nothing to save. Call with the mutex locked.
void exit_without_results(int signal) {
    if (!unsaved_work || signal == 0) return;
    platform::write_without_waiting(stderr, "warpsieve: " + std::string(platform::name_of_signal(signal)) +
                                                " ended " + unsaved_work + "; no file was written.\n");
    std::_Exit(signal_exit_code + signal);
}

void note_interrupt(int signal) {
    received_signal = signal;
    const std::lock_guard lock(unsaved_work_mutex);
    exit_without_results(signal);
}

/// Ends the process while other threads wait for a display or a GPU that does not answer.
void end_overdue(int signal) {
    const std::string sentence =
        "warpsieve: " + std::string(platform::name_of_signal(signal)) +
        " could not end the run in time: the display, the GPU or a disk may not answer. The files keep what "
        "was written last.\n";
    platform::write_without_waiting(stderr, sentence);
    std::_Exit(signal_exit_code + signal);
}

constexpr const char* failure_variable = "WARPSIEVE_GPU_FAILURE";

}  // namespace

int exit_code_for(const compaction::Error& error) {
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

void catch_interrupts() {
    platform::on_end_signal({.on_first = note_interrupt, .on_overdue = end_overdue});
}

void begin_unsaved_work(const char* work) {
    const std::lock_guard lock(unsaved_work_mutex);
    unsaved_work = work;
    exit_without_results(received_signal);
}

void end_unsaved_work() {
    const std::lock_guard lock(unsaved_work_mutex);
    unsaved_work = nullptr;
}

const std::atomic<bool>& interrupted() {
    return platform::end_requested();
}

std::string_view interrupt_name() {
    return platform::name_of_signal(received_signal);
}

int interrupt_exit_code() {
    return signal_exit_code + received_signal;
}

std::string interruption(std::size_t num_results) {
    const std::string ended = std::string(interrupt_name()) + " ended the measurement";
    if (num_results == 0) return ended + " before there was a result; no file was written.";
    return ended + "; " +
           (num_results == 1 ? "its one result is" : "its " + std::to_string(num_results) + " results are") +
           " kept.";
}

void restart_after_gpu_failure(char** argv, const std::string& why) {
    platform::set_environment(failure_variable, why);
    std::fflush(nullptr);  // buffered output would be lost
    platform::restart_program(argv);
    platform::unset_environment(failure_variable);
}

std::optional<std::string> take_reason_of_restart() {
    const char* why = std::getenv(failure_variable);
    if (!why) return std::nullopt;
    const std::string reason = why;
    platform::unset_environment(failure_variable);
    return reason;
}

}  // namespace warpsieve
