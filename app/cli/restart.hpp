#pragma once

#include <optional>
#include <string>

namespace warpsieve {

/// Starts the program anew in place of this process, with the same arguments, and tells it why. After a GPU
/// failure OpenGL may wait for ever for buffers that it shared with the lost CUDA context, so that nothing of
/// this process can be drawn, or even be cleaned up; a new process has a graphics channel of its own. Returns
/// only where the system refuses.
void restart_after_gpu_failure(char** argv, const std::string& why);

/// Why this process was started by restart_after_gpu_failure; nothing where it was not. The first call takes
/// the answer away, so that a program started from here does not inherit it.
std::optional<std::string> take_reason_of_restart();

}  // namespace warpsieve
