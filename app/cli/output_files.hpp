#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/files.hpp"

namespace warpsieve {

/// The output files of a command. Each is made from the `Contents`, and rewritten whenever they change.
template <typename... Contents>
class OutputFiles {
  public:
    using Notify = void (*)(const std::string& sentence);
    using Text = std::string (*)(const Contents&... contents);

    explicit OutputFiles(Notify notify) : notify_(notify) {}

    /// Ignores an empty path. Throws std::filesystem::filesystem_error if the file cannot be written, before
    /// any time is spent on measuring.
    void add(const std::filesystem::path& path, Text text) {
        if (path.empty()) return;
        platform::require_writable(path);
        files_.push_back({path, std::move(text)});
    }

    /// Writes all files. Returns whether all succeeded; reports each failing file once. A full disk does not
    /// end the command: a later write may succeed.
    bool write(const Contents&... contents) {
        bool written = true;
        for (File& file : files_) {
            try {
                platform::write_file(file.path, file.text(contents...));
            } catch (const std::filesystem::filesystem_error& error) {
                if (!file.reported_failure) {
                    notify_(file.path.string() + " cannot be written: " + error.code().message() +
                            ". Measuring continues; free some disk space.");
                }
                file.reported_failure = true;
                written = false;
            }
        }
        return written;
    }

  private:
    struct File {
        std::filesystem::path path;
        Text text;
        bool reported_failure = false;
    };
    Notify notify_;
    std::vector<File> files_;
};

}  // namespace warpsieve
