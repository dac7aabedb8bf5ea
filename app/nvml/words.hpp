#pragma once

#include <string>

#include "app/nvml/reading.hpp"

/// A reading as the window writes it; empty where it is not known.
namespace warpsieve::nvml {

/// "1.41 of 1.98 GHz".
std::string clock_words(const Reading& reading);
/// "61 °C".
std::string temperature_words(const Reading& reading);
/// "698 of 700 W".
std::string power_words(const Reading& reading);
/// What holds the clock down: "power cap, idle", or "none".
std::string clock_reason_words(const Reading& reading);

}  // namespace warpsieve::nvml
