#pragma once

#include <filesystem>
#include <string>

namespace experiments {

/// Reads the whole file. Throws compaction::Error{invalid_argument} with the system's reason.
std::string read_whole(const std::filesystem::path& file);

}  // namespace experiments
