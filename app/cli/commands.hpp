#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpsieve {

/// A subcommand of the program. To add one, add a file with its `run` and a line in commands.cpp.
struct Command {
    std::string_view name;     ///< "bench": the program's first argument
    std::string_view summary;  ///< one line, for --help
    /// Runs the command; argv[0] is its name. Returns an ExitCode. May throw; main() reports exceptions.
    int (*run)(int argc, char** argv);
};

std::span<const Command> commands();

/// The command of that name, or nullptr.
const Command* find_command(std::string_view name);

/// The list of commands in `warpsieve --help`.
std::string commands_help();

}  // namespace warpsieve
