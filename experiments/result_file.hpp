#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace experiments {

/// A table of 400,000 frames has less.
inline constexpr std::uint64_t most_result_bytes = 64 << 20;

/// Reads a regular file of at most most_result_bytes. Throws compaction::Error{invalid_argument} with the
/// reason.
std::string read_whole(const std::filesystem::path& file);

}  // namespace experiments
