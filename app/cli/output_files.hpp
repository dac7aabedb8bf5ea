#pragma once

#include <chrono>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/files.hpp"

namespace warpsieve {

/// The output files of a command. The text of each file is a function of the `Contents`.
template <typename... Contents>
class OutputFiles {
  public:
    using Notify = void (*)(const std::string& sentence);
    using ToText = std::string (*)(const Contents&... contents);

    explicit OutputFiles(Notify notify) : notify_(notify) {}

    /// Ignores an empty path. Throws std::filesystem::filesystem_error if the file cannot be written, before
    /// any time is spent on measuring.
    void add(const std::filesystem::path& path, ToText to_text) {
        if (path.empty()) return;
        platform::require_writable(path);
        files_.push_back({path, std::move(to_text), platform::is_stream(path)});
    }

    /// Whether write() writes: the interval since the last write is over.
    bool due() const { return Clock::now() >= next_write_; }
    /// Writes all files except pipes and devices, which finish() writes, if that is due. Reports each failing
    /// file once. The command goes on after a failure, because a later write may succeed.
    void write(const Contents&... contents) {
        if (!due()) return;
        const Clock::time_point start = Clock::now();
        write_all(false, contents...);
        next_write_ = Clock::now() + platform::interval_after_write(Clock::now() - start);
    }
    /// Writes all files for the last time. Returns whether all succeeded.
    bool finish(const Contents&... contents) { return write_all(true, contents...); }

  private:
    using Clock = std::chrono::steady_clock;

    bool write_all(bool last, const Contents&... contents) {
        bool written = true;
        for (File& file : files_) {
            if (file.is_stream && !last) continue;
            try {
                platform::write_file(file.path, file.to_text(contents...));
            } catch (const std::filesystem::filesystem_error& error) {
                const bool is_full = error.code() == std::errc::no_space_on_device;
                report(file, error.code().message() + (is_full ? ". Free some disk space." : "."), last);
                written = false;
            } catch (const std::bad_alloc&) {
                report(file, "host memory ran out. Close other programs.", last);
                written = false;
            }
        }
        return written;
    }

    struct File {
        std::filesystem::path path;
        ToText to_text;
        bool is_stream;
        bool reported_failure = false;
    };

    void report(File& file, const std::string& why, bool last) {
        if (std::exchange(file.reported_failure, true)) return;
        notify_(file.path.string() + " cannot be written: " + why +
                (last ? "" : " Measuring continues, and the file is tried again later."));
    }

    Notify notify_;
    std::vector<File> files_;
    Clock::time_point next_write_;  ///< the first write is due at once
};

}  // namespace warpsieve
