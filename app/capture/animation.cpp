#include "app/capture/animation.hpp"

#include <system_error>

#include "platform/process.hpp"

namespace warpsieve::capture {

bool can_animate() {
    return platform::has_program("ffmpeg");
}

std::string animate(const std::filesystem::path& folder, double rate,
                    const std::function<bool()>& cancelled) {
    const std::filesystem::path file = folder / "recording.gif";
    // Under another name until it is whole.
    const std::filesystem::path part = folder / ".recording.gif";
    // One palette for all frames.
    const std::string filter =
        "fps=12,scale=min(iw\\,960):-1:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse";
    const bool made = platform::run_program(
        {"ffmpeg", "-nostdin", "-y", "-framerate", std::to_string(rate), "-i",
         (folder / "frame-%05d.png").string(), "-filter_complex", filter, part.string()},
        cancelled);
    std::error_code error;
    if (made) std::filesystem::rename(part, file, error);
    if (made && !error) return "Saved " + file.string() + ".";
    std::filesystem::remove(part, error);
    return "ffmpeg made no animation of " + folder.string() + "; the frames are there.";
}

}  // namespace warpsieve::capture
