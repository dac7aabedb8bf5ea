#include "platform/files.hpp"

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <thread>

#include "platform/descriptor.hpp"
#include "platform/signals.hpp"

namespace warpsieve::platform {
namespace {

namespace fs = std::filesystem;

/// `error_number`: a value of errno; 0 if the system gives no reason.
[[noreturn]] void throw_error(const char* what, const fs::path& file, int error_number = errno) {
    throw fs::filesystem_error(what, file,
                               std::error_code(error_number ? error_number : EIO, std::generic_category()));
}

using Status = struct stat;

/// Empty if there is no such file.
std::optional<Status> status_of(const fs::path& file) {
    Status status{};
    return ::stat(file.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

bool is_same_file(int descriptor, const Status& named) {
    Status open{};
    return ::fstat(descriptor, &open) == 0 && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/// Whether it is a device, a pipe, or the target of stdout or stderr, which a rename must not replace.
bool is_stream(const Status& status) {
    return !S_ISREG(status.st_mode) || is_same_file(STDOUT_FILENO, status) ||
           is_same_file(STDERR_FILENO, status);
}

/// Throws if `file` may not be written. Refuses a read-only file even to root.
void require_permission(const fs::path& file, const Status& status) {
    if (S_ISDIR(status.st_mode)) throw_error("cannot open", file, EISDIR);
    if ((status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) throw_error("cannot open", file, EACCES);
    if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0) throw_error("cannot open", file);
}

/// `shown`: the file named in errors.
void write_and_close(const fs::path& shown, Descriptor& out, std::string_view text, Flush flush) {
    while (!text.empty()) {
        const ssize_t written = ::write(out.get(), text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw_error("cannot write", shown, written < 0 ? errno : ENOSPC);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    // A busy disk can take seconds for each file, and a signal ends the program before that. Some file
    // systems report a full disk only here, or on close.
    const bool waits = flush == Flush::to_disk && !end_requested();
    if (waits && ::fsync(out.get()) != 0) throw_error("cannot write", shown);
    if (!out.close()) throw_error("cannot write", shown);
}

/// A new file in the folder of `target`. Removed again unless it replaces the target.
class Temporary {
  public:
    Temporary(const fs::path& shown, fs::path target, std::optional<Status> replaced = std::nullopt)
        : shown_(shown),
          target_(std::move(target)),
          out_(create(replaced ? replaced->st_mode & 0777 : 0666)) {
        if (replaced) take_over(*replaced);
    }
    ~Temporary() {
        // Unlike fs::remove, unlink never deletes a folder.
        if (!renamed_) ::unlink(path_.c_str());
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    void write_and_close(std::string_view text, Flush flush) {
        platform::write_and_close(shown_, out_, text, flush);
    }

    void replace_target() {
        if (::rename(path_.c_str(), target_.c_str()) != 0) throw_error("cannot write", shown_);
        renamed_ = true;
    }

    int descriptor() const { return out_.get(); }

  private:
    int create(mode_t mode) {
        static std::atomic<unsigned> number = 0;
        while (true) {
            path_ = target_.parent_path() /
                    (".warpsieve-" + std::to_string(::getpid()) + "-" + std::to_string(++number));
            const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            if (descriptor >= 0) return descriptor;
            if (errno != EEXIST) throw_error("cannot open", shown_);
        }
    }

    /// Takes over owner, group and mode, as far as the system lets us.
    void take_over(const Status& replaced) const {
        const int out = out_.get();
        if (::fchown(out, replaced.st_uid, replaced.st_gid) != 0 &&
            ::fchown(out, static_cast<uid_t>(-1), replaced.st_gid) != 0)
            errno = 0;
        // After the owner: a change of owner clears some bits of the mode.
        ::fchmod(out, replaced.st_mode & 07777);
    }

    fs::path shown_;
    fs::path target_;
    fs::path path_;
    Descriptor out_;
    bool renamed_ = false;
};

}  // namespace

fs::path follow_links(fs::path file) {
    constexpr int max_links = 40;
    const fs::path start = file;
    std::error_code error;
    for (int links = 0; fs::is_symlink(file, error); ++links) {
        if (links == max_links) throw_error("cannot open", start, ELOOP);
        file = file.parent_path() / fs::read_symlink(file);
    }
    return file;
}

bool is_stream(const fs::path& file) {
    const std::optional<Status> status = status_of(file);
    return status && is_stream(*status);
}

void require_writable(const fs::path& file) {
    const std::optional<Status> status = status_of(file);
    if (status) require_permission(file, *status);
    // Streams are not tried: opening and closing a pipe would look like its end to the reader.
    if (!status || !is_stream(*status)) Temporary(file, follow_links(file));
}

void write_file(const fs::path& file, std::string_view text, Flush flush) {
    const std::optional<Status> status = status_of(file);
    if (status) require_permission(file, *status);
    if (status && is_stream(*status)) {
        Descriptor out(::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_APPEND));
        if (!out.is_open()) throw_error("cannot open", file);
        write_and_close(file, out, text, Flush::left_to_system);
        return;
    }
    Temporary temporary(file, follow_links(file), status);
    temporary.write_and_close(text, flush);
    temporary.replace_target();
}

bool write_new_file(const fs::path& file, std::string_view text, Flush flush) {
    Temporary temporary(file, file);
    temporary.write_and_close(text, flush);
    const Descriptor claim(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!claim.is_open() && errno == EEXIST) return false;
    if (!claim.is_open()) throw_error("cannot open", file);
    temporary.replace_target();
    return true;
}

std::string try_to_write(const fs::path& folder, std::uint64_t size_bytes) {
    fs::path existing = folder;
    std::error_code error;
    while (existing.has_relative_path() && !fs::exists(existing, error)) existing = existing.parent_path();
    try {
        const Temporary temporary(existing, existing / "probe");
        const int error_number = ::posix_fallocate(temporary.descriptor(), 0, static_cast<off_t>(size_bytes));
        return error_number ? std::generic_category().message(error_number) : "";
    } catch (const fs::filesystem_error& failure) {
        return failure.code().message();
    }
}

FileText read_file(const fs::path& file, std::uint64_t max_bytes) {
    const auto failed = [] { return FileText{{}, std::generic_category().message(errno)}; };
    Status status{};
    if (::stat(file.c_str(), &status) != 0) return failed();
    if (S_ISDIR(status.st_mode)) return {{}, "it is a folder"};
    if (!S_ISREG(status.st_mode)) return {{}, "it is not a regular file"};
    // Non-blocking: a pipe may have taken the place of the file.
    const Descriptor in(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!in.is_open() || ::fstat(in.get(), &status) != 0) return failed();
    if (!S_ISREG(status.st_mode)) return {{}, "it is not a regular file"};
    const auto size_bytes = static_cast<std::uint64_t>(status.st_size);
    if (size_bytes > max_bytes) {
        return {{},
                "it has " + std::to_string(size_bytes >> 20) + " MiB, and at most " +
                    std::to_string(max_bytes >> 20) + " MiB are read"};
    }
    // Files of the kernel report no size; nothing is read from them.
    FileText read{std::string(size_bytes, '\0'), {}};
    std::size_t filled = 0;
    while (filled < size_bytes) {
        const ssize_t got = ::read(in.get(), read.text.data() + filled, size_bytes - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed();
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    read.text.resize(filled);
    return read;
}

static_assert(max_path_bytes + 1 == PATH_MAX && max_name_bytes == NAME_MAX);

bool fits_path_limits(std::string_view text) {
    if (text.size() > max_path_bytes) return false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('/'), text.size());
        if (end > max_name_bytes) return false;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return true;
}

FolderLock::FolderLock(const fs::path& folder)
    : folder_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr std::chrono::milliseconds pause{10};
    constexpr int max_tries = 100;
    for (int tries = 0; tries < max_tries && ::flock(folder_.get(), LOCK_EX | LOCK_NB) != 0; ++tries) {
        if (errno != EWOULDBLOCK && errno != EINTR) return;
        std::this_thread::sleep_for(pause);
    }
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "warpsieve-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw std::filesystem::filesystem_error("mkdtemp", name,
                                                std::error_code(errno, std::generic_category()));
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpsieve::platform
