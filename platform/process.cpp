#include "platform/process.hpp"

#include <unistd.h>

#include <cstdlib>

namespace warpsieve::platform {

bool is_terminal(std::FILE* stream) {
    return isatty(fileno(stream)) == 1;
}

void set_environment(const char* name, const std::string& value) {
    setenv(name, value.c_str(), 1);
}

void unset_environment(const char* name) {
    unsetenv(name);
}

void restart_program(char** argv) {
    execv("/proc/self/exe", argv);
}

}  // namespace warpsieve::platform
