#include "app/cli/interrupt.hpp"

#include "platform/signals.hpp"

namespace warpsieve {
namespace {

std::atomic<int> received = 0;
std::atomic<bool> any_received = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler must not block");

extern "C" void note_interrupt(int signal) {
    received = signal;
    any_received = true;
}

}  // namespace

void catch_interrupts() {
    platform::on_end_signal(note_interrupt);
}

const std::atomic<bool>& interrupted() {
    return any_received;
}

std::string_view interrupt_name() {
    return platform::name_of_signal(received);
}

int interrupt_exit_code() {
    return 128 + received;
}

std::string interruption(std::size_t num_results) {
    const std::string ended = std::string(interrupt_name()) + " ended the measurement";
    if (num_results == 0) return ended + " before there was a result; no file was written.";
    return ended + "; " +
           (num_results == 1 ? "its one result is" : "its " + std::to_string(num_results) + " results are") +
           " kept.";
}

}  // namespace warpsieve
