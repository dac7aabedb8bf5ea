#include "platform/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "platform/descriptor.hpp"

namespace warpsieve::platform {
namespace {

constexpr std::size_t max_output_bytes = 64 << 10;
constexpr std::chrono::milliseconds poll_period{20};

std::vector<char*> pointers_to(const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    return argv;
}

/// The arguments of posix_spawn for a child that starts with no signal blocked. It would inherit those that
/// on_end_signal() blocks in this process.
class SpawnArguments {
  public:
    SpawnArguments() {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    }
    ~SpawnArguments() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnArguments(const SpawnArguments&) = delete;
    SpawnArguments& operator=(const SpawnArguments&) = delete;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

/// Waits for the end of a child and returns its status. Empty if it cannot be waited for.
std::optional<int> wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return std::nullopt;
    }
    return status;
}

/// Holds the number of the process that reads a child's output.
constexpr const char* parent_variable = "WARPSIEVE_PARENT";

/// Starts a program that writes its output and errors to `pipe_end`. 0 if the system refuses.
pid_t start(const std::filesystem::path& program, const std::vector<std::string>& arguments, int pipe_end) {
    const std::vector<char*> argv = pointers_to(arguments);
    SpawnArguments spawn;
    posix_spawn_file_actions_addopen(&spawn.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_adddup2(&spawn.actions, pipe_end, descriptor);
    const std::string parent = std::string(parent_variable) + "=" + std::to_string(getpid());
    std::vector<char*> environment{const_cast<char*>(parent.c_str())};
    for (char** each = environ; *each; ++each)
        if (!std::string_view(*each).starts_with(std::string(parent_variable) + "="))
            environment.push_back(*each);
    environment.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawn(&child, program.c_str(), &spawn.actions, &spawn.attributes, argv.data(),
                                  environment.data());
    return error == 0 ? child : 0;
}

/// Appends what is read from the pipe to `output`, up to max_output_bytes. Returns `exited` when all writers
/// are gone; otherwise the reason for stopping earlier.
ChildEnd read_output(int pipe_end, std::string& output, std::chrono::milliseconds time_limit,
                     const std::atomic<bool>* cancel) {
    const auto deadline = std::chrono::steady_clock::now() + time_limit;
    std::array<char, 4096> part{};
    while (true) {
        if (cancel && cancel->load()) return ChildEnd::cancelled;
        if (std::chrono::steady_clock::now() > deadline) return ChildEnd::timed_out;
        pollfd ready{pipe_end, POLLIN, 0};
        if (poll(&ready, 1, static_cast<int>(poll_period.count())) <= 0) continue;
        const ssize_t count = read(pipe_end, part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return ChildEnd::exited;
        const std::size_t bytes_left = max_output_bytes - output.size();
        output.append(part.data(), std::min(bytes_left, static_cast<std::size_t>(count)));
    }
}

}  // namespace

void prepare_process() {
    // open takes the lowest free number.
    int descriptor = STDIN_FILENO;
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDWR);
    if (descriptor > STDERR_FILENO) ::close(descriptor);
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
    // Nobody else ends a child whose parent is gone.
    const char* const parent = std::getenv(parent_variable);
    if (!parent || std::to_string(getppid()) != parent) return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
}

bool is_terminal(std::FILE* stream) {
    return isatty(fileno(stream)) == 1;
}

bool reader_is_gone(std::FILE* stream) {
    pollfd descriptor{::fileno(stream), 0, 0};
    return ::poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLERR) != 0;
}

void write_without_waiting(std::FILE* stream, std::string_view text) {
    pollfd descriptor{::fileno(stream), POLLOUT, 0};
    if (::poll(&descriptor, 1, 0) != 1 || (descriptor.revents & POLLOUT) == 0) return;
    if (::write(descriptor.fd, text.data(), text.size()) < 0) return;
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

void replace_program(const std::filesystem::path& program, char** argv) {
    execv(program.c_str(), argv);
}

std::filesystem::path program_file() {
    std::error_code unknown;
    return std::filesystem::read_symlink("/proc/self/exe", unknown);
}

bool run_program(const std::vector<std::string>& arguments, const std::function<bool()>& cancelled) {
    const std::vector<char*> argv = pointers_to(arguments);
    SpawnArguments spawn;
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&spawn.actions, descriptor, "/dev/null", O_RDWR, 0);
    pid_t child = 0;
    const int error =
        posix_spawnp(&child, argv.front(), &spawn.actions, &spawn.attributes, argv.data(), environ);
    if (error != 0) return false;
    siginfo_t ended{};
    while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0) {
        if (cancelled()) kill(child, SIGKILL);
        std::this_thread::sleep_for(poll_period);
    }
    const std::optional<int> status = wait_for(child);
    return status && WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
}

ChildResult run_and_read(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         std::chrono::milliseconds time_limit, const std::atomic<bool>* cancel) {
    ChildResult result;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return result;
    const Descriptor reading(ends[0]);
    pid_t child = 0;
    {
        const Descriptor writing(ends[1]);
        child = start(program.empty() ? "/proc/self/exe" : program, arguments, writing.get());
    }
    if (child == 0) return result;
    result.end = read_output(reading.get(), result.output, time_limit, cancel);
    if (result.end != ChildEnd::exited) kill(child, SIGKILL);
    const std::optional<int> status = wait_for(child);
    if (result.end != ChildEnd::exited) return result;
    if (!status) {
        result.end = ChildEnd::not_started;
    } else if (WIFEXITED(*status)) {
        result.code = WEXITSTATUS(*status);
    } else {
        result.end = ChildEnd::killed;
        result.code = WTERMSIG(*status);
    }
    return result;
}

bool is_program(const std::filesystem::path& file) {
    std::error_code unknown;
    return std::filesystem::is_regular_file(file, unknown) && access(file.c_str(), X_OK) == 0;
}

bool has_program(const std::string& name) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) return true;
    }
    return false;
}

}  // namespace warpsieve::platform
