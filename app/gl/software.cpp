#include "app/gl/software.hpp"

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "compaction/error.hpp"
#include "platform/process.hpp"

namespace warpsieve::gl {
namespace {

constexpr const char* software_variable = "LIBGL_ALWAYS_SOFTWARE";

/// A variable of the environment that has another value for a while.
class ScopedVariable {
  public:
    ScopedVariable(const char* name, const char* value) : name_(name) {
        if (const char* const before = std::getenv(name)) before_ = before;
        platform::set_environment(name, value);
    }
    ~ScopedVariable() {
        if (before_) {
            platform::set_environment(name_, *before_);
        } else {
            platform::unset_environment(name_);
        }
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace

bool software_wanted() {
    const char* const value = std::getenv(software_variable);
    return value && (std::string_view(value) == "1" || std::string_view(value) == "true");
}

std::unique_ptr<Context> open_in_software(const std::function<std::unique_ptr<Context>()>& open) {
    try {
        const ScopedVariable software(software_variable, "1");
        // Which library GLVND calls for a window.
        const ScopedVariable library("__GLX_VENDOR_LIBRARY_NAME", "mesa");
        return open();
    } catch (const compaction::Error&) {
        return open();
    }
}

}  // namespace warpsieve::gl
