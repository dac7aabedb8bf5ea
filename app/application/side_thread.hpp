#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

namespace warpsieve {

/// A thread for work beside that of its owner.
class SideThread {
  public:
    /// Throws std::system_error if the system has no thread to give.
    SideThread() : thread_([this] { run(); }) {}
    ~SideThread() {
        enter(State::ended);
        thread_.join();
    }
    SideThread(const SideThread&) = delete;
    SideThread& operator=(const SideThread&) = delete;

    /// Runs `beside` on the thread and `here` on the caller's at the same time. Returns when both are done,
    /// and rethrows what `here` threw, or else what `beside` threw.
    template <typename Beside, typename Here>
    void run_both(Beside&& beside, Here&& here) {
        work_ = std::ref(beside);
        failure_ = nullptr;
        enter(State::busy);
        const Joined joined{*this};
        here();
        joined.wait();
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

  private:
    enum class State : std::uint8_t { idle, busy, ended };

    /// Waits at the end of its life, because the work refers to what the caller's scope holds.
    struct Joined {
        SideThread& thread;
        void wait() const { thread.state_.wait(State::busy); }
        ~Joined() { wait(); }
    };

    void enter(State state) {
        state_ = state;
        state_.notify_all();
    }

    void run() {
        for (;;) {
            state_.wait(State::idle);
            if (state_ == State::ended) return;
            try {
                work_();
            } catch (...) {
                failure_ = std::current_exception();
            }
            enter(State::idle);
        }
    }

    std::atomic<State> state_ = State::idle;
    std::function<void()> work_;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace warpsieve
