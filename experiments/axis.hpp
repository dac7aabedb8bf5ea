#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace experiments {

/// The counts that `text` lists, in its order, each once: "4096", "2^12", "1024,4096", "2^10..2^26" (every
/// power of two), "2^10..2^26:2" (every second one), "32..1024:32" (in steps of 32), "1..8" (in steps of 1).
/// Throws compaction::Error{invalid_argument} that says what can be written.
std::vector<std::uint64_t> parse_counts(std::string_view text);

/// The fractions that `text` lists: "0.5", "0.1,0.9", "0.1..0.9:0.2". Each from 0 to 1. Throws
/// compaction::Error{invalid_argument}.
std::vector<double> parse_fractions(std::string_view text);

/// The words that `text` lists; a range of counts among them becomes its members in digits. Throws
/// compaction::Error{invalid_argument}.
std::vector<std::string> parse_words(std::string_view text);

}  // namespace experiments
