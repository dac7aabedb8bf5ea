#include "app/cli/restart.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace warpsieve {
namespace {

constexpr const char* variable = "WARPSIEVE_GPU_FAILURE";

}  // namespace

void restart_after_gpu_failure(char** argv, const std::string& why) {
    setenv(variable, why.c_str(), 1);
    std::fflush(nullptr);  // buffered output would be lost
    execv("/proc/self/exe", argv);
    unsetenv(variable);
}

std::optional<std::string> take_reason_of_restart() {
    const char* why = std::getenv(variable);
    if (!why) return std::nullopt;
    const std::string reason = why;
    unsetenv(variable);
    return reason;
}

}  // namespace warpsieve
