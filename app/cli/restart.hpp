#pragma once

#include <optional>
#include <string>

namespace warpsieve {

/// Replaces this process by a new run of the program with the same arguments and passes on the reason. After
/// a GPU failure OpenGL may block for ever on buffers shared with the lost CUDA context, so this process can
/// neither draw nor clean up. A new process has its own graphics channel. Returns only if the system refuses.
void restart_after_gpu_failure(char** argv, const std::string& why);

/// The reason passed by restart_after_gpu_failure; empty after a normal start. Clears the reason, so that
/// child processes do not inherit it.
std::optional<std::string> take_reason_of_restart();

}  // namespace warpsieve
