#include "platform/dynamic_library.hpp"

#include <dlfcn.h>

namespace warpsieve::platform {

DynamicLibrary::DynamicLibrary(const std::string& file)
    : library_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {}

void* DynamicLibrary::symbol(const char* name) const {
    return dlsym(library_.get(), name);
}

void DynamicLibrary::Unload::operator()(void* library) const {
    dlclose(library);
}

}  // namespace warpsieve::platform
