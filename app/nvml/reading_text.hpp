#pragma once

#include <string>

#include "app/nvml/reading.hpp"

/// A reading as the window writes it; empty where it is not known.
namespace warpsieve::nvml {

/// "1.41 of 1.98 GHz".
std::string clock_text(const Reading& reading);
/// "61 °C".
std::string temperature_text(const Reading& reading);
/// "698 of 700 W".
std::string power_text(const Reading& reading);
/// What holds the clock down: "power cap, idle", or "none".
std::string clock_reasons_text(const Reading& reading);

}  // namespace warpsieve::nvml
