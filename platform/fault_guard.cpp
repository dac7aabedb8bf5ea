#include "platform/fault_guard.hpp"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <memory>
#include <mutex>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace warpsieve::platform {
namespace {

constexpr std::array fault_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
/// Programs rarely use SIGURG, and it is ignored by default.
constexpr int tick_signal = SIGURG;

struct Guarded {
    void (*interrupt)(void* context, const Fault& fault) = nullptr;
    void* context = nullptr;
};
constinit thread_local Guarded guarded;

/// The actions that set_handlers() replaced.
std::array<struct sigaction, fault_signals.size()> previous_fault_actions;
struct sigaction previous_tick_action;

const void* instruction_of(const void* context) {
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void*>(registers.pc);
#else
    static_cast<void>(registers);
    return nullptr;
#endif
}

Fault::Kind kind_of(int signal) {
    return signal == SIGFPE   ? Fault::Kind::division
           : signal == SIGILL ? Fault::Kind::instruction
                              : Fault::Kind::access;
}

void on_fault(int signal, siginfo_t* info, void* context) {
    // A process may send these signals too. Then si_code is not positive.
    if (guarded.interrupt && info->si_code > 0)
        guarded.interrupt(guarded.context, {kind_of(signal), info->si_addr, instruction_of(context)});
    for (std::size_t i = 0; i < fault_signals.size(); ++i)
        if (fault_signals[i] == signal) sigaction(signal, &previous_fault_actions[i], nullptr);
    if (info->si_code <= 0) raise(signal);
}

void on_tick(int signal, siginfo_t* info, void* context) {
    if (info->si_code == SI_TIMER) {
        if (guarded.interrupt)
            guarded.interrupt(guarded.context, {Fault::Kind::tick, nullptr, instruction_of(context)});
        return;
    }
    const struct sigaction& previous = previous_tick_action;
    if (previous.sa_flags & SA_SIGINFO)
        previous.sa_sigaction(signal, info, context);
    else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
        previous.sa_handler(signal);
}

using Handler = void (*)(int signal, siginfo_t* info, void* context);

struct sigaction action_of(int signal) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    return action;
}

bool calls(const struct sigaction& action, Handler handler) {
    return action.sa_flags & SA_SIGINFO && action.sa_sigaction == handler;
}

/// Sets the handlers, unless they are still set: other code may have replaced them since the last call.
void set_handlers() {
    if (calls(action_of(fault_signals.front()), on_fault)) return;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    struct sigaction action {};
    // The signals are not blocked in a handler, because it may be left by switching stacks.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    const auto set = [&](int signal, Handler handler, struct sigaction& previous) {
        const struct sigaction current = action_of(signal);
        if (calls(current, handler)) return;
        previous = current;
        action.sa_sigaction = handler;
        sigaction(signal, &action, nullptr);
    };
    for (std::size_t i = 0; i < fault_signals.size(); ++i)
        set(fault_signals[i], on_fault, previous_fault_actions[i]);
    set(tick_signal, on_tick, previous_tick_action);
}

/// What a thread needs for its guards: a stack for signal handlers, and a timer of its processor time.
class ThreadSignals {
  public:
    ThreadSignals() {
        stack_t current{};
        if (sigaltstack(nullptr, &current) == 0 && current.ss_flags & SS_DISABLE) {
            stack_ = std::make_unique<std::byte[]>(stack_bytes);
            current = {};
            current.ss_sp = stack_.get();
            current.ss_size = stack_bytes;
            sigaltstack(&current, nullptr);
        }
        sigset_t guarded_signals;
        sigemptyset(&guarded_signals);
        for (const int signal : fault_signals) sigaddset(&guarded_signals, signal);
        sigaddset(&guarded_signals, tick_signal);
        pthread_sigmask(SIG_UNBLOCK, &guarded_signals, nullptr);
        sigevent event{};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = tick_signal;
        event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
        has_timer_ = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
    }
    ~ThreadSignals() {
        if (has_timer_) timer_delete(timer_);
        stack_t current{};
        if (!stack_ || sigaltstack(nullptr, &current) != 0 || current.ss_sp != stack_.get()) return;
        current.ss_flags = SS_DISABLE;
        sigaltstack(&current, nullptr);
    }
    ThreadSignals(const ThreadSignals&) = delete;
    ThreadSignals& operator=(const ThreadSignals&) = delete;

    /// Starts the ticks; 0 stops them.
    void tick_every(double seconds) const {
        if (!has_timer_) return;
        itimerspec period{};
        period.it_interval.tv_sec = static_cast<std::time_t>(seconds);
        period.it_interval.tv_nsec = static_cast<long>(std::fmod(seconds, 1.0) * 1e9);
        period.it_value = period.it_interval;
        timer_settime(timer_, 0, &period, nullptr);
    }

  private:
    static constexpr std::size_t stack_bytes = 64 << 10;
    std::unique_ptr<std::byte[]> stack_;
    timer_t timer_{};
    bool has_timer_ = false;
};

const ThreadSignals& signals_of_thread() {
    static thread_local const ThreadSignals signals;
    return signals;
}

}  // namespace

FaultGuard::FaultGuard(void (*interrupt)(void*, const Fault&), void* context, double tick_s)
    : ticks_(tick_s > 0) {
    const ThreadSignals& signals = signals_of_thread();
    set_handlers();
    guarded = {interrupt, context};
    if (ticks_) signals.tick_every(tick_s);
}

FaultGuard::~FaultGuard() {
    if (ticks_) signals_of_thread().tick_every(0);
    guarded = {};
}

}  // namespace warpsieve::platform
