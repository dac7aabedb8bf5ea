#include "platform/process.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace warpsieve::platform {

void prepare_process() {
    // open takes the lowest free number.
    int descriptor = STDIN_FILENO;
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDWR);
    if (descriptor > STDERR_FILENO) ::close(descriptor);
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

bool is_terminal(std::FILE* stream) {
    return isatty(fileno(stream)) == 1;
}

std::filesystem::path home_folder() {
    const passwd* const user = getpwuid(getuid());
    return user && user->pw_dir ? user->pw_dir : "";
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
