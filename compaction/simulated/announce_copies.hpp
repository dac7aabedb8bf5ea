#pragma once

// GCC, and Clang before version 15, let instrumented code call memcpy, memmove and memset as other code does.
// These names lead such calls to instrumentation.cpp.
asm(".set memcpy, __tsan_memcpy\n"
    ".set memmove, __tsan_memmove\n"
    ".set memset, __tsan_memset\n");
