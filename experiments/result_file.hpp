#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace experiments {

/// Puts `text` into `file`: written beside it as FILE.partial, flushed to the disk, renamed into place, so
/// that what was there before is never half overwritten. A device such as /dev/stdout is written directly.
/// Throws std::filesystem::filesystem_error with the system's reason; the partial file then stays, with what
/// could be written.
void write_into_place(const std::filesystem::path& file, std::string_view text);

/// Makes sure that `file` can be written before there is something to write. Throws
/// std::filesystem::filesystem_error.
void require_writable(const std::filesystem::path& file);

/// The whole file. Throws compaction::Error{invalid_argument} with the system's reason.
std::string read_whole(const std::filesystem::path& file);

}  // namespace experiments
