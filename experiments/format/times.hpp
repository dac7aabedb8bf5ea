#pragma once

#include <string>

namespace experiments::format {

/// An estimate of a duration: "40 s", "3 min", "2 h 5 min". Rounded up to a second, from 90 s on to a minute.
std::string rough_duration(double seconds);

}  // namespace experiments::format
