#pragma once

#include <optional>
#include <string>

namespace published {

/// Three significant digits without an exponent: "0.00832", "1.50", "1,283", "-" for nothing. Digits before
/// the decimal point are all given.
std::string figure(double value);
std::string figure(std::optional<double> value);

/// A factor: "x1.26", "x0.71".
std::string factor(double value);

/// "20 %", "0.35 %": of a share from 0 to 1.
std::string percent(double share);

}  // namespace published
