#pragma once

#include <span>
#include <string>
#include <vector>

/// Source lines of instructions, from the line tables of the program.
namespace warpsieve::platform {

struct SourceLine {
    std::string function;  ///< with its arguments; "" if not known
    std::string file;      ///< "" if not known
    unsigned line = 0;     ///< 0 if not known
};

/// The functions that each instruction is in, the innermost inlined one first; empty where they are not
/// known. Needs GCC's libbacktrace, and code that was compiled with line tables (-gline-tables-only). The
/// first call of the process reads the tables, which takes some 100 ms.
std::vector<std::vector<SourceLine>> source_frames(std::span<const void* const> instructions);

/// The lines of the code that runs when each call returns, each line once: up to the next of the calls, or to
/// the next call of a function that one of `block_begins` calls. The code must have such a call where a basic
/// block begins, as it has if compiled with -fsanitize-coverage=trace-pc.
/// `calls`, `block_begins`: addresses from calling_instruction(). Needs the same as source_frames, and an
/// x86-64 processor; empty on others.
std::vector<std::vector<SourceLine>> source_lines_after(std::span<const void* const> calls,
                                                        std::span<const void* const> block_begins);

/// Why source_frames finds no lines, as a clause: "the program has no line tables".
std::string missing_lines_reason();

/// Whether the path contains one of the texts, which are separated by ':'.
bool contains_one_of(const std::string& path, const std::string& texts);

/// The source line of an instruction. Among the functions inlined there, it takes the innermost one whose
/// path contains none of the texts in `skipped` (separated by ':'). Needs the same as source_frames.
SourceLine source_line(const void* instruction, const std::string& skipped = {});

/// An address within the call instruction that called the current function.
[[gnu::always_inline]] inline const void* calling_instruction() {
    return static_cast<const char*>(__builtin_return_address(0)) - 1;
}

}  // namespace warpsieve::platform
