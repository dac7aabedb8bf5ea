// Linked into AddressSanitizer builds: keeps libraries loaded until the process ends. Memory of an unloaded
// OpenGL driver would be reported as leaked, without a name that could be suppressed.
#include <dlfcn.h>

extern "C" int dlclose(void*) noexcept {
    return 0;
}
