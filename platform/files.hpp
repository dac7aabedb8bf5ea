#pragma once

#include <filesystem>
#include <string_view>

namespace warpsieve::platform {

/// Whether a write waits for the disk, so that the data survives a crash of the machine.
enum class Flush { to_disk, left_to_system };

/// Writes `text` to FILE.partial, flushes it and renames it to FILE, so that an existing file is never half
/// overwritten. Devices, pipes and the targets of stdout and stderr are appended to directly. Throws
/// std::filesystem::filesystem_error with the system's reason; leaves no partial file behind.
void write_file(const std::filesystem::path& file, std::string_view text, Flush flush = Flush::to_disk);

/// Checks that `file` can be written. Throws std::filesystem::filesystem_error.
void require_writable(const std::filesystem::path& file);

/// Creates an empty file. Returns false if it exists. Throws std::filesystem::filesystem_error.
bool create_file(const std::filesystem::path& file);

}  // namespace warpsieve::platform
