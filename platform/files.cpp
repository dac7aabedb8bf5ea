#include "platform/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace warpsieve::platform {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_errno(const char* what, const fs::path& file) {
    throw fs::filesystem_error(what, file, std::error_code(errno ? errno : EIO, std::generic_category()));
}

/// Owns a file descriptor.
class Descriptor {
  public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    ~Descriptor() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return descriptor_; }
    /// Closes now; false if the system reports an error.
    bool close() { return ::close(std::exchange(descriptor_, -1)) == 0; }

  private:
    int descriptor_;
};

/// Whether the descriptor refers to this file.
bool leads_to(int descriptor, const fs::path& file) {
    struct stat open {};
    struct stat named {};
    return ::fstat(descriptor, &open) == 0 && ::stat(file.c_str(), &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/// A device, a pipe, or /dev/stdout redirected to a file: must not be replaced by a rename.
bool is_stream(const fs::path& file) {
    std::error_code ignored;
    const fs::file_status status = fs::status(file, ignored);
    if (!fs::exists(status)) return false;
    return !fs::is_regular_file(status) || leads_to(STDOUT_FILENO, file) || leads_to(STDERR_FILENO, file);
}

/// `shown`: the file named in errors.
void write_all(const fs::path& shown, const fs::path& file, std::string_view text, int flags, Flush flush) {
    errno = 0;
    Descriptor out(::open(file.c_str(), O_WRONLY | O_CLOEXEC | flags, 0644));
    if (out.get() < 0) throw_errno("cannot open", shown);
    while (!text.empty()) {
        const ssize_t written = ::write(out.get(), text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw_errno("cannot write", shown);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    // Some file systems report a full disk only here, or on close.
    if (flush == Flush::to_disk && ::fsync(out.get()) != 0) throw_errno("cannot write", shown);
    if (!out.close()) throw_errno("cannot write", shown);
}

fs::path partial_of(const fs::path& file) {
    return file.string() + ".partial";
}

}  // namespace

void require_writable(const fs::path& file) {
    errno = 0;
    if (is_stream(file)) {
        // Opening and closing a pipe would look like its end to the reader.
        if (fs::is_directory(file)) errno = EISDIR;
        if (errno || ::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0)
            throw_errno("cannot open", file);
        return;
    }
    const fs::path probe = partial_of(file);
    const Descriptor out(::open(probe.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT, 0644));
    if (out.get() < 0) throw_errno("cannot open", file);
    fs::remove(probe);
}

void write_file(const fs::path& file, std::string_view text, Flush flush) {
    if (is_stream(file)) {
        write_all(file, file, text, O_APPEND, Flush::left_to_system);
        return;
    }
    const fs::path partial = partial_of(file);
    try {
        write_all(file, partial, text, O_CREAT | O_TRUNC, flush);
        fs::rename(partial, file);
    } catch (...) {
        // Free the space for the next try. Unlike fs::remove, unlink never deletes a directory.
        ::unlink(partial.c_str());
        throw;
    }
}

bool create_file(const fs::path& file) {
    errno = 0;
    const Descriptor out(::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644));
    if (out.get() < 0 && errno != EEXIST) throw_errno("cannot write", file);
    return out.get() >= 0;
}

}  // namespace warpsieve::platform
