#pragma once

#include <string>

/// Where code comes from, by the line tables of the program.
namespace warpsieve::platform {

struct CodePlace {
    std::string function;  ///< with its arguments; "" if not known
    std::string file;      ///< "" if not known
    unsigned line = 0;     ///< 0 if not known
};

/// The source line of an instruction: of functions that were inlined there, the innermost whose path does not
/// contain one of `skipped` (separated by ':'). Asks addr2line of GNU binutils; knows nothing without it, and
/// no lines of code that was compiled without them (-gline-tables-only).
CodePlace code_place(const void* instruction, const std::string& skipped = {});

/// The address to which the function that contains the call returns.
[[gnu::always_inline]] inline const void* return_address() {
    return __builtin_return_address(0);
}

}  // namespace warpsieve::platform
