#pragma once

#include <stdexcept>
#include <string>

namespace compaction {

/// The kind of error. Programs branch on it; people read Error::what().
enum class ErrorCode {
    invalid_option,    ///< an option that the algorithm does not have, or an illegal value
    invalid_argument,  ///< a null pointer, a length over the limit, an unknown id
    unavailable,       ///< the engine or algorithm cannot run here
    out_of_memory,     ///< an allocation failed; the message names the free memory
    device_failure,    ///< the device reported an error; its context may be lost
};

/// The only exception type of the library. The message says what happened and what to do next.
class Error : public std::runtime_error {
  public:
    /// Makes an error with a code for programs and a message for people.
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

    /// The kind of error.
    ErrorCode code() const noexcept { return code_; }

  private:
    ErrorCode code_;
};

}  // namespace compaction
