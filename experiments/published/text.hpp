#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace published {

/// Three significant digits without an exponent, but all digits before the decimal point: "0.00832", "1.50",
/// "1,283". "-" if there is no value.
std::string figure(double value);
std::string figure(std::optional<double> value);

/// A unit of a document as people read it: "µs" for "us".
std::string unit_text(const std::string& unit);

/// A factor: "x1.26", "x0.71".
std::string factor(double value);

/// "20 %", "0.35 %": of a share from 0 to 1.
std::string percent(double share);

/// Whether both are the same but for upper and lower case of ASCII letters.
bool equal_ignoring_case(std::string_view a, std::string_view b);

/// Escapes text for HTML and SVG elements and quoted attributes. Drops control characters except line breaks
/// and tabs.
std::string escaped(std::string_view text);

/// "<tag>escaped text</tag>".
std::string element(std::string_view tag, std::string_view text);

}  // namespace published
