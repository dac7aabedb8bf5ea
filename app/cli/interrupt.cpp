#include "app/cli/interrupt.hpp"

#include "platform/signals.hpp"

namespace warpsieve {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not block");

extern "C" void note_interrupt(int) {
    interrupted = true;
}

}  // namespace

InterruptGuard::InterruptGuard() {
    interrupted = false;
    platform::on_interrupt(note_interrupt);
}

InterruptGuard::~InterruptGuard() {
    platform::end_on_interrupt();
}

const std::atomic<bool>* InterruptGuard::flag() const {
    return &interrupted;
}

}  // namespace warpsieve
