#pragma once

/// The parts of the program in memory.
namespace warpsieve::platform {

/// Whether the address is in the code, the constants or the variables of the program and its libraries, or in
/// the thread-local variables of this thread. Fast if it is in the part that this thread asked for last.
bool is_in_program_image(const void* address);

/// Whether the address is in readable memory: the heap, a stack, the image of the program. Slow.
bool is_readable(const void* address);

}  // namespace warpsieve::platform
