#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace experiments {

/// Whether a write waits until the disk has what was written, so that it outlives a crash of the machine.
enum class Flush { to_disk, left_to_system };

/// Puts `text` into `file`: written beside it as FILE.partial, flushed, renamed into place, so that what was
/// there before is never half overwritten. To a device, a pipe, and wherever stdout or stderr lead, it is
/// written directly, behind what is there. Throws std::filesystem::filesystem_error with the system's reason,
/// and then leaves no partial file behind.
void write_into_place(const std::filesystem::path& file, std::string_view text, Flush flush = Flush::to_disk);

/// Makes sure that `file` can be written before there is something to write. Throws
/// std::filesystem::filesystem_error.
void require_writable(const std::filesystem::path& file);

/// The whole file. Throws compaction::Error{invalid_argument} with the system's reason.
std::string read_whole(const std::filesystem::path& file);

}  // namespace experiments
