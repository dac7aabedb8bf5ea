#pragma once

#include <stdexcept>
#include <string>

namespace compaction {

/// What kind of thing went wrong; callers branch on this, people read Error::what().
enum class ErrorCode {
    invalid_option,    ///< an option the algorithm does not have, or a value it does not allow
    invalid_argument,  ///< a null pointer, a length over the limit, an unknown id
    unavailable,       ///< the engine asked for cannot run on this machine
    out_of_memory,     ///< an allocation was refused; the message says what would fit
    device_failure,    ///< the device reported an error; its context may be lost
};

/// The library's one exception: a code for programs and a sentence for people.
/// The sentence says what happened and what to do next.
class Error : public std::runtime_error {
  public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

    ErrorCode code() const noexcept { return code_; }

  private:
    ErrorCode code_;
};

}  // namespace compaction
