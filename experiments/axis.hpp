#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace experiments {

/// Reads a list of counts; keeps the order and drops repeats. Accepts "4096", "2^12", "1024,4096",
/// "2^10..2^26" (every power of two), "2^10..2^26:2" (every second one), "32..1024:32" (steps of 32) and
/// "1..8" (steps of 1). Throws compaction::Error{invalid_argument} that shows the accepted forms.
std::vector<std::uint64_t> parse_counts(std::string_view text);

/// Reads a list of fractions from 0 to 1: "0.5", "0.1,0.9", "0.1..0.9:0.2". Throws
/// compaction::Error{invalid_argument}.
std::vector<double> parse_fractions(std::string_view text);

/// Reads a list of words. A range of counts becomes its members, written in digits. Throws
/// compaction::Error{invalid_argument}.
std::vector<std::string> parse_words(std::string_view text);

}  // namespace experiments
