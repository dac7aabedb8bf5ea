#pragma once

#include <string>

#include "app/nvml/reading.hpp"

/// Readings as text; empty where unknown.
namespace warpsieve::nvml {

/// "1.41 of 1.98 GHz".
std::string clock_text(const Reading& reading);
/// "61 °C".
std::string temperature_text(const Reading& reading);
/// "698 of 700 W".
std::string power_text(const Reading& reading);
/// "power cap, idle", or "none".
std::string clock_reasons_text(const Reading& reading);

}  // namespace warpsieve::nvml
