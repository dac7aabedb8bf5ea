#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace warpsieve::platform {

/// Whether a write waits for the disk, so that the data survives a crash of the machine.
enum class Flush { to_disk, left_to_system };

/// Writes `text` to a new file beside `file` and renames it to `file`, which thereby has either its old or
/// its new contents, also after a failure. Follows links, keeps mode and owner, and refuses a read-only file.
/// Devices, pipes and the targets of stdout and stderr are appended to directly. Several processes may write
/// one file. Throws std::filesystem::filesystem_error with the system's reason.
void write_file(const std::filesystem::path& file, std::string_view text, Flush flush = Flush::to_disk);

/// Like write_file, but returns false and leaves `file` alone if it exists.
bool write_new_file(const std::filesystem::path& file, std::string_view text, Flush flush = Flush::to_disk);

/// Whether `file` is a pipe or a device, which keeps what was written before.
bool is_stream(const std::filesystem::path& file);

/// Checks that `file` can be written. Throws std::filesystem::filesystem_error.
void require_writable(const std::filesystem::path& file);

/// Writes and removes a file of `size_bytes` in `folder`, or in the nearest folder above that exists. Returns
/// why that failed; "" if it succeeded.
std::string try_to_write(const std::filesystem::path& folder, std::uint64_t size_bytes);

struct FileText {
    std::string text;
    std::string problem;  ///< why the file was not read whole: "it is a folder"; "" if it was
};

/// Reads a regular file of at most `max_bytes`. Never waits for a pipe and never reads from a device.
FileText read_file(const std::filesystem::path& file, std::uint64_t max_bytes);

/// The file that the links at `file` lead to; it need not exist. Throws std::filesystem::filesystem_error.
std::filesystem::path follow_links(std::filesystem::path file);

}  // namespace warpsieve::platform
