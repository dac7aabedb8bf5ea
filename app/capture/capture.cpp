#include "app/capture/capture.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "app/capture/report.hpp"

namespace warpsieve::capture {
namespace {

std::string local_time(const char* format) {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[64];
    std::strftime(text, sizeof text, format, &parts);
    return text;
}

}  // namespace

std::filesystem::path default_folder() {
    return "captures";
}

std::filesystem::path claim_name(const std::filesystem::path& folder, const std::string& extension) {
    const std::string stem = "warpsieve-" + local_time("%Y%m%d-%H%M%S");
    for (int number = 0;; ++number) {
        const std::filesystem::path file =
            folder / (stem + (number ? "-" + std::to_string(number) : "") + extension);
        const int descriptor = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0644);
        if (descriptor >= 0) {
            ::close(descriptor);
            return file;
        }
        if (errno != EEXIST) {
            throw std::filesystem::filesystem_error("cannot write", file,
                                                    std::error_code(errno, std::generic_category()));
        }
    }
}

std::filesystem::path save(const Image& image, const View& view, const Settings& settings) {
    const std::filesystem::path folder =
        settings.capture_folder.empty() ? default_folder() : settings.capture_folder;
    std::filesystem::create_directories(folder);
    const std::filesystem::path file = claim_name(folder, ".png");
    write_png(file, image);
    nlohmann::json sidecar = describe_run(view, settings);
    sidecar["time"] = local_time("%FT%T%z");
    sidecar["picture"] = file.filename().string();
    std::filesystem::path beside = file;
    write_text(beside.replace_extension(".json"), sidecar.dump(2) + "\n");
    return file;
}

}  // namespace warpsieve::capture
