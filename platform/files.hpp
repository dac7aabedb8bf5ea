#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "platform/descriptor.hpp"

namespace warpsieve::platform {

/// Whether a write waits for the disk, so that the data survives a crash of the machine. No write waits after
/// a signal has asked the program to end.
enum class Flush { to_disk, left_to_system };

/// Writes `text` to a new file beside `file` and renames it to `file`, so that `file` has either its old or
/// its new contents, even after a failure. Follows links, keeps mode and owner, and refuses a read-only file.
/// Devices, pipes and the targets of stdout and stderr are appended to directly. Several processes may write
/// one file. Throws std::filesystem::filesystem_error with the system's reason.
void write_file(const std::filesystem::path& file, std::string_view text, Flush flush = Flush::to_disk);

/// Like write_file, but returns false and leaves `file` alone if it exists.
bool write_new_file(const std::filesystem::path& file, std::string_view text, Flush flush = Flush::to_disk);

/// Whether `file` is a pipe, a device, or the target of stdout or stderr: write_file appends to it.
bool is_stream(const std::filesystem::path& file);

/// Checks that `file` can be written. Throws std::filesystem::filesystem_error.
void require_writable(const std::filesystem::path& file);

/// A run writes its results so far at intervals, so that they are not lost if the program is killed. This is
/// the shortest interval.
inline constexpr std::chrono::seconds min_write_interval{2};
/// The time to wait after a write that took `write_time`: writing takes at most a twentieth of the run.
inline std::chrono::steady_clock::duration interval_after_write(
    std::chrono::steady_clock::duration write_time) {
    return std::max<std::chrono::steady_clock::duration>(min_write_interval, 19 * write_time);
}

/// Creates a file of `size_bytes` in `folder`, or in its nearest parent that exists, and removes it again.
/// Returns the reason of a failure; "" after success.
std::string try_to_write(const std::filesystem::path& folder, std::uint64_t size_bytes);

/// The content of a file.
struct FileText {
    std::string text;     ///< its bytes unchanged, even if they are no text
    std::string problem;  ///< why the file could not be read whole, such as "it is a folder"; "" if it was
};

/// Reads a regular file of at most `max_bytes`. Refuses pipes, which could block, and devices.
FileText read_file(const std::filesystem::path& file, std::uint64_t max_bytes);

/// A lock on a folder: only one process at a time holds it. Leaves no file behind. Waits at most a second;
/// then, and where the file system has no locks, continues without the lock.
class FolderLock {
  public:
    explicit FolderLock(const std::filesystem::path& folder);

  private:
    Descriptor folder_;
};

/// A new folder for temporary files. It is removed with its contents at the end.
class TemporaryFolder {
  public:
    /// Throws std::filesystem::filesystem_error.
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// The maximum bytes of a path, and of one name in it.
inline constexpr std::size_t max_path_bytes = 4095;
inline constexpr std::size_t max_name_bytes = 255;

/// Whether a path and all names in it are within these limits.
bool fits_path_limits(std::string_view text);

/// The file that the symbolic links at `file` lead to; it need not exist. Throws
/// std::filesystem::filesystem_error.
std::filesystem::path follow_links(std::filesystem::path file);

}  // namespace warpsieve::platform
