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

    /// Adds a file, unless the path is empty. Checks at once, before any time is spent on measuring, that it
    /// can be written; throws std::filesystem::filesystem_error.
    void add(const std::filesystem::path& path, ToText to_text) {
        if (path.empty()) return;
        platform::require_writable(path);
        files_.push_back({path, to_text, platform::is_stream(path)});
    }

    /// Whether the next write is due; see platform::interval_after_write.
    bool due() const { return Clock::now() >= next_write_; }
    /// If a write is due, writes all files except pipes and devices, which only finish() writes. Reports each
    /// failing file once. The command goes on after a failure, because a later write may succeed.
    void write(const Contents&... contents) {
        if (!due()) return;
        const Clock::time_point start = Clock::now();
        write_all(/*is_last=*/false, contents...);
        next_write_ = Clock::now() + platform::interval_after_write(Clock::now() - start);
    }
    /// Writes all files for the last time. Returns whether all succeeded.
    bool finish(const Contents&... contents) { return write_all(/*is_last=*/true, contents...); }

  private:
    using Clock = std::chrono::steady_clock;

    bool write_all(bool is_last, const Contents&... contents) {
        bool all_written = true;
        for (File& file : files_) {
            if (file.is_stream && !is_last) continue;
            try {
                platform::write_file(file.path, file.to_text(contents...));
            } catch (const std::filesystem::filesystem_error& error) {
                const bool is_full = error.code() == std::errc::no_space_on_device;
                report(file, error.code().message() + (is_full ? ". Free some disk space." : "."), is_last);
                all_written = false;
            } catch (const std::bad_alloc&) {
                report(file, "host memory ran out. Close other programs.", is_last);
                all_written = false;
            }
        }
        return all_written;
    }

    struct File {
        std::filesystem::path path;
        ToText to_text;
        bool is_stream;
        bool reported_failure = false;
    };

    void report(File& file, const std::string& why, bool is_last) {
        if (std::exchange(file.reported_failure, true)) return;
        notify_(file.path.string() + " cannot be written: " + why +
                (is_last ? "" : " Measuring continues, and the file is tried again later."));
    }

    Notify notify_;
    std::vector<File> files_;
    Clock::time_point next_write_;  ///< the first write is due at once
};

}  // namespace warpsieve
