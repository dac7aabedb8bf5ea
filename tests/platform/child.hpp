#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <exception>

namespace testing_support {

/// Runs `act` in a child process, which exits with its result; with 99 if it throws.
template <typename Act>
pid_t start_child(Act act) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    int code = 99;
    try {
        code = act();
    } catch (const std::exception&) {
    }
    ::_exit(code);
}

/// Waits for a child. Negative: the signal that ended it.
inline int exit_code_of(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

template <typename Act>
int in_child(Act act) {
    return exit_code_of(start_child(act));
}

}  // namespace testing_support
