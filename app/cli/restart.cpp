#include "app/cli/restart.hpp"

#include <cstdio>
#include <cstdlib>

#include "platform/process.hpp"

namespace warpsieve {
namespace {

constexpr const char* variable = "WARPSIEVE_GPU_FAILURE";

}  // namespace

void restart_after_gpu_failure(char** argv, const std::string& why) {
    platform::set_environment(variable, why);
    std::fflush(nullptr);  // buffered output would be lost
    platform::restart_program(argv);
    platform::unset_environment(variable);
}

std::optional<std::string> take_reason_of_restart() {
    const char* why = std::getenv(variable);
    if (!why) return std::nullopt;
    const std::string reason = why;
    platform::unset_environment(variable);
    return reason;
}

}  // namespace warpsieve
