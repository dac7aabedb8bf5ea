#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/result_file.hpp"

namespace warpsieve {

/// The files that a command was asked for, each a text made of the `Told`, written anew whenever there is
/// more to tell.
template <typename... Told>
class OutputFiles {
  public:
    using Notify = void (*)(const std::string& sentence);
    using Text = std::string (*)(const Told&... told);

    explicit OutputFiles(Notify notify) : notify_(notify) {}

    /// An empty path asks for nothing. Throws std::filesystem::filesystem_error where the file cannot be
    /// written: now rather than after an hour of measuring.
    void add(const std::filesystem::path& path, Text text) {
        if (path.empty()) return;
        experiments::require_writable(path);
        files_.push_back({path, std::move(text)});
    }

    /// Whether all are written; says so once for each that is not. A disk that fills ends nothing: a later
    /// try may succeed.
    bool write(const Told&... told) {
        bool written = true;
        for (File& file : files_) {
            try {
                experiments::write_into_place(file.path, file.text(told...));
            } catch (const std::filesystem::filesystem_error& error) {
                if (!file.told_failure) {
                    notify_(file.path.string() + " cannot be written: " + error.code().message() +
                            ". Measuring goes on; make room, or choose another place.");
                }
                file.told_failure = true;
                written = false;
            }
        }
        return written;
    }

  private:
    struct File {
        std::filesystem::path path;
        Text text;
        bool told_failure = false;
    };
    Notify notify_;
    std::vector<File> files_;
};

}  // namespace warpsieve
