#pragma once

// Clang before version 16 calls memcpy, memmove and memset from instrumented code as if it were not
// instrumented. These names lead such calls to instrumentation.cpp.
asm(".set memcpy, __tsan_memcpy\n"
    ".set memmove, __tsan_memmove\n"
    ".set memset, __tsan_memset\n");
