#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace experiments {

/// The limit for result files. A table of 400,000 frames is smaller.
inline constexpr std::uint64_t max_result_bytes = 64 << 20;

/// Reads a regular file of at most max_result_bytes. Throws compaction::Error{invalid_argument} with the
/// reason.
std::string read_whole(const std::filesystem::path& file);

/// Whether the file begins as CSV or JSON results do.
bool is_result_file(const std::filesystem::path& file);

/// JSON files hold settings and results, which are far below these limits. Deeper documents would overflow
/// the stack where they are walked recursively.
inline constexpr std::uint64_t max_json_bytes = 16 << 20;
inline constexpr int max_json_levels = 64;

/// Parses a whole document within the limits. Throws compaction::Error{invalid_argument} with what is wrong:
/// "it is cut off after 12 bytes".
nlohmann::json parse_json(std::string_view text);

/// The text of a JSON file. Bytes that are not UTF-8, as in the name of a folder, are replaced.
std::string json_text(const nlohmann::json& document);
std::string json_text(const nlohmann::ordered_json& document);

/// The message of a JSON exception without the library's own words in brackets: "key 'n' not found".
std::string reason_in(std::string_view message);

}  // namespace experiments
