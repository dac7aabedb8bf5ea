#pragma once

#include <string>

namespace warpsieve::platform {

/// The current time, formatted as by strftime.
std::string local_time(const char* format);
std::string utc_time(const char* format);

}  // namespace warpsieve::platform
