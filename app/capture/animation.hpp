#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace warpsieve::capture {

/// Whether ffmpeg is installed, which makes animations.
bool can_animate();

/// Makes a GIF beside the frames of a recording, at most 960 pixels wide and 12 frames per second. `rate`:
/// recorded frames per second. Waits for ffmpeg, until `cancelled` returns true. Returns a message: the file,
/// or that there is none.
std::string animate(const std::filesystem::path& folder, double rate, const std::function<bool()>& cancelled);

}  // namespace warpsieve::capture
