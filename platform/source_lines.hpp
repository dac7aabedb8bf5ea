#pragma once

#include <string>

/// Source lines of instructions, from the line tables of the program.
namespace warpsieve::platform {

struct SourceLine {
    std::string function;  ///< with its arguments; "" if not known
    std::string file;      ///< "" if not known
    unsigned line = 0;     ///< 0 if not known
};

/// The source line of an instruction. Among the functions inlined there, it takes the innermost one whose
/// file name contains none of the texts in `skipped` (separated by ':'). Needs addr2line of GNU binutils, and
/// code that was compiled with line tables (-gline-tables-only).
SourceLine source_line(const void* instruction, const std::string& skipped = {});

/// The address to which the function that contains the call returns.
[[gnu::always_inline]] inline const void* return_address() {
    return __builtin_return_address(0);
}

}  // namespace warpsieve::platform
