#pragma once

#include <cstdio>
#include <string>

namespace warpsieve::platform {

/// Whether the stream writes to a terminal.
bool is_terminal(std::FILE* stream);

/// Sets or removes a variable of the environment. Call before other threads start.
void set_environment(const char* name, const std::string& value);
void unset_environment(const char* name);

/// Replaces this process by a new run of the program. Returns only if the system refuses.
void restart_program(char** argv);

}  // namespace warpsieve::platform
