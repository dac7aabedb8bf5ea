#pragma once

#include <cstdint>

namespace warpsieve::platform {

/// What interrupts a thread's code.
struct Fault {
    enum class Kind : std::uint8_t {
        none,
        access,       ///< an access to memory that is not mapped, or not with the needed permission
        division,     ///< an integer division by zero, or one whose quotient does not fit
        instruction,  ///< an invalid instruction, such as the one of __builtin_trap
        tick,         ///< no fault: some processor time has passed
    } kind = Kind::none;
    const void* address = nullptr;      ///< the accessed address; null if the processor does not report it
    const void* instruction = nullptr;  ///< the interrupted instruction
};

/// During its life, calls a function when the code of this thread faults, and at each tick of the thread's
/// processor time. The function runs in a signal handler, on the stack for signals. It may leave by switching
/// to another stack; the interrupted code is then abandoned. If it returns after a fault, the fault goes to
/// the handler that was there before, which usually ends the process.
class FaultGuard {
  public:
    /// A thread can have one guard at a time. `tick_s`: processor time between two ticks; 0 for no ticks.
    FaultGuard(void (*interrupt)(void* context, const Fault& fault), void* context, double tick_s);
    ~FaultGuard();
    FaultGuard(const FaultGuard&) = delete;
    FaultGuard& operator=(const FaultGuard&) = delete;

  private:
    bool ticks_;
};

}  // namespace warpsieve::platform
