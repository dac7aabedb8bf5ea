#pragma once

#include <memory>
#include <string>

namespace warpsieve::platform {

/// A shared library that is loaded at run time.
class DynamicLibrary {
  public:
    /// Loads `file`, searched on the library search path of the program. Check with `loaded`.
    explicit DynamicLibrary(const std::string& file);

    bool loaded() const { return library_ != nullptr; }

    /// The function `name`; nullptr if the library has none.
    template <typename Function>
    Function find(const char* name) const {
        return reinterpret_cast<Function>(symbol(name));
    }

    /// Never unloads the library: drivers leave threads and exit handlers that still run its code.
    void keep_loaded() { static_cast<void>(library_.release()); }

  private:
    struct Unload {
        void operator()(void* library) const;
    };

    void* symbol(const char* name) const;

    std::unique_ptr<void, Unload> library_;
};

}  // namespace warpsieve::platform
