#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace experiments {

/// Whether a write waits for the disk, so that the data survives a crash of the machine.
enum class Flush { to_disk, left_to_system };

/// Writes `text` to FILE.partial, flushes it and renames it to FILE, so that an existing file is never half
/// overwritten. Devices, pipes and the targets of stdout and stderr are appended to directly. Throws
/// std::filesystem::filesystem_error with the system's reason; leaves no partial file behind.
void write_into_place(const std::filesystem::path& file, std::string_view text, Flush flush = Flush::to_disk);

/// Checks that `file` can be written. Throws std::filesystem::filesystem_error.
void require_writable(const std::filesystem::path& file);

/// Reads the whole file. Throws compaction::Error{invalid_argument} with the system's reason.
std::string read_whole(const std::filesystem::path& file);

}  // namespace experiments
