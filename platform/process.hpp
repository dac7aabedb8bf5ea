#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::platform {

/// Call first in main. Opens closed standard descriptors on /dev/null; otherwise the next socket or file
/// would get their number, and messages would be written to it. Makes writes to a closed pipe or beyond the
/// size limit of files (ulimit -f) fail with an error; otherwise such writes would end the process.
void prepare_process();

/// Whether the stream writes to a terminal.
bool is_terminal(std::FILE* stream);

/// Whether the stream writes to a pipe whose reader has closed it.
bool reader_is_gone(std::FILE* stream);

/// Writes text, or nothing if that would wait for the stream's reader, such as a stopped terminal. Does not
/// use the stream's buffer, whose lock another thread may hold.
void write_without_waiting(std::FILE* stream, std::string_view text);

/// The home folder of the user in the user database, independent of HOME; "" if there is none.
std::filesystem::path home_folder();

/// Sets or removes a variable of the environment. Call before other threads start.
void set_environment(const char* name, const std::string& value);
void unset_environment(const char* name);

/// Replaces this process by a new run of the same program. Returns only if the system refuses.
void restart_program(char** argv);
/// Replaces this process by another program. Returns only if the system refuses, with the reason in errno.
void replace_program(const std::filesystem::path& program, char** argv);
/// The file of the running program; empty if unknown.
std::filesystem::path program_file();

/// Runs a program of PATH without input and output, and waits for its end. `arguments`: the name of the
/// program first. Returns whether it could be started and exited with 0. Kills it when `cancelled`, which is
/// polled, returns true.
bool run_program(const std::vector<std::string>& arguments, const std::function<bool()>& cancelled);

/// How a child process ended.
enum class ChildEnd {
    exited,       ///< by itself, with an exit code
    killed,       ///< by a signal
    cancelled,    ///< ended by this process, as `cancel` was set
    timed_out,    ///< ended by this process, after the limit
    not_started,  ///< the system refused to start it, or did not tell how it ended
};

/// The result of a child process.
struct ChildResult {
    ChildEnd end = ChildEnd::not_started;
    int code = 0;        ///< the exit code, or the signal that killed it
    std::string output;  ///< standard output and errors, up to 64 KiB
};

/// Runs a program with empty standard input, and waits for its end. `program`: its file; empty for this
/// program. `arguments`: the name of the program first. Kills it after `time_limit`, or when `*cancel`
/// becomes true; `cancel` may be null.
ChildResult run_and_read(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         std::chrono::milliseconds time_limit, const std::atomic<bool>* cancel);

/// Whether the file is a regular one that can be executed.
bool is_program(const std::filesystem::path& file);

/// Whether PATH has a program of that name.
bool has_program(const std::string& name);

}  // namespace warpsieve::platform
