#pragma once

#include <cstdint>

namespace warpsieve::platform {

/// What interrupts a thread's code.
struct Fault {
    enum class Kind : std::uint8_t {
        none,
        access,       ///< of memory that is not there, or that may not be accessed so
        division,     ///< of an integer by zero, or with a quotient that does not fit
        instruction,  ///< one that the processor does not know, such as that of __builtin_trap
        tick,         ///< no fault: some processor time has passed
    } kind = Kind::none;
    const void* address = nullptr;      ///< of an access; null where the processor does not tell it
    const void* instruction = nullptr;  ///< where the thread was
};

/// Calls a function when the code of this thread faults, and at each tick of its processor time, from the
/// constructor to the destructor. The function runs in a signal handler, on the stack for signals. It may
/// leave by switching to another stack, and then nothing returns to the interrupted code. If it returns after
/// a fault, the fault goes to the handler that was there before, which usually ends the process.
class FaultGuard {
  public:
    /// A thread can have one guard at a time. `tick_s`: 0 for no ticks.
    FaultGuard(void (*interrupt)(void* context, const Fault& fault), void* context, double tick_s);
    ~FaultGuard();
    FaultGuard(const FaultGuard&) = delete;
    FaultGuard& operator=(const FaultGuard&) = delete;

  private:
    bool ticks_;
};

}  // namespace warpsieve::platform
