#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace warpsieve {

/// A subcommand of the program. To add one, add a file with its function, a declaration below, and a line in
/// commands.cpp.
struct Command {
    std::string_view name;     ///< first argument of the program, such as "bench"
    std::string_view summary;  ///< one line, for --help
    /// Runs the command, whose name is argv[0]. Returns an ExitCode. main() reports exceptions.
    int (*run)(int argc, char** argv);
};

/// `warpsieve bench`: measures algorithms and steps over a grid of settings, prints a table, writes files and
/// compares with another program or with earlier results.
int run_bench(int argc, char** argv);

/// `warpsieve reproduce`: measures published results again, prints both side by side, answers the questions
/// of the publications and writes reports.
int run_reproduce(int argc, char** argv);

/// `warpsieve trace`: records one compaction, prints a summary and writes the trace to a file, which it also
/// reads.
int run_trace(int argc, char** argv);

/// `warpsieve first-call`: times the first runs of an algorithm in its process, with the setting that the
/// arguments name. `reproduce` starts several such processes for a setting; --help does not list it.
int run_first_call(int argc, char** argv);

/// The commands that --help lists.
std::span<const Command> commands();

/// The command of that name, listed or not; nullptr if there is none.
const Command* find_command(std::string_view name);

/// The column at which `warpsieve --help` begins descriptions.
inline constexpr std::size_t help_column_width = 38;

/// The list of commands in `warpsieve --help`.
std::string commands_help();

}  // namespace warpsieve
