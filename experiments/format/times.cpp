#include "experiments/format/times.hpp"

#include <algorithm>
#include <cmath>

namespace experiments::format {

std::string rough_duration(double seconds) {
    const auto whole = static_cast<long long>(std::ceil(std::max(seconds, 0.0)));
    if (whole < 90) return std::to_string(whole) + " s";
    const long long minutes = (whole + 30) / 60;
    if (minutes < 60) return std::to_string(minutes) + " min";
    const std::string hours = std::to_string(minutes / 60) + " h";
    return minutes % 60 == 0 ? hours : hours + " " + std::to_string(minutes % 60) + " min";
}

}  // namespace experiments::format
