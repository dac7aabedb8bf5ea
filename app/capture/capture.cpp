#include "app/capture/capture.hpp"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "experiments/result_file.hpp"
#include "platform/files.hpp"
#include "platform/time.hpp"

namespace warpsieve::capture {
namespace {

/// "warpsieve-20260131-120000", followed by "-<subject>" and "-<number>" unless empty or 0.
std::string name_of_capture(const std::string& subject, int number) {
    std::string name = "warpsieve-" + platform::local_time("%Y%m%d-%H%M%S");
    for (const char character : subject.empty() ? "" : "-" + subject)
        name += std::isalnum(static_cast<unsigned char>(character)) ? character : '-';
    return number ? name + "-" + std::to_string(number) : name;
}

/// Adds the replay command, and the time if it is missing, and writes the sidecar.
void write_sidecar(const std::filesystem::path& file, nlohmann::json sidecar) {
    if (!sidecar.contains("time")) sidecar["time"] = platform::local_time("%FT%T%z");
    sidecar["replay"] = "warpsieve --replay " + file.filename().string();
    platform::write_file(file, experiments::json_text(sidecar));
}

}  // namespace

std::filesystem::path folder_of(const Settings& settings) {
    return settings.window.captures();
}

std::string text_of_sidecar(const nlohmann::json& sidecar) {
    // ASCII: a text chunk of a PNG holds Latin-1.
    return sidecar.dump(/*indent=*/-1, /*indent_char=*/' ', /*ensure_ascii=*/true,
                        nlohmann::json::error_handler_t::replace);
}

std::filesystem::path write_new(const std::filesystem::path& folder, const std::string& subject,
                                const std::string& extension, std::string_view text) {
    std::filesystem::create_directories(folder);
    for (int number = 0;; ++number) {
        const std::filesystem::path file = folder / (name_of_capture(subject, number) + extension);
        if (!std::filesystem::exists(file) && platform::write_new_file(file, text)) return file;
    }
}

std::filesystem::path save_picture(const Image& image, nlohmann::json sidecar,
                                   const std::filesystem::path& folder, const std::string& subject) {
    sidecar["time"] = platform::local_time("%FT%T%z");
    const std::filesystem::path file =
        write_new(folder, subject, ".png", encode_png(image, text_of_sidecar(sidecar)));
    sidecar["picture"] = file.filename().string();
    write_sidecar(std::filesystem::path(file).replace_extension(".json"), std::move(sidecar));
    return file;
}

std::filesystem::path save_loop(std::string_view bytes, nlohmann::json sidecar,
                                const std::filesystem::path& folder) {
    const std::filesystem::path file = write_new(folder, "loop", ".webp", bytes);
    sidecar["loop"] = file.filename().string();
    write_sidecar(std::filesystem::path(file).replace_extension(".json"), std::move(sidecar));
    return file;
}

std::filesystem::path make_recording_folder(nlohmann::json sidecar, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    for (int number = 0;; ++number) {
        const std::filesystem::path recording = folder / name_of_capture("recording", number);
        if (!std::filesystem::create_directory(recording)) continue;
        try {
            write_sidecar(recording / "recording.json", std::move(sidecar));
        } catch (...) {
            std::error_code ignored;
            std::filesystem::remove(recording, ignored);
            throw;
        }
        return recording;
    }
}

std::filesystem::path save_text(const SaveFile& file, const std::filesystem::path& folder) {
    return write_new(folder, file.subject, file.extension, file.text);
}

std::string save_error_text(const std::string& what, const std::filesystem::filesystem_error& error) {
    return "The " + what + " could not be saved: " + error.path1().string() + ": " + error.code().message() +
           ". Choose another folder under \"Capture and display\".";
}

}  // namespace warpsieve::capture
