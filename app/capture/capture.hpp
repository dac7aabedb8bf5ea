#pragma once

#include <filesystem>
#include <string>

#include "app/capture/png.hpp"
#include "app/settings.hpp"
#include "app/view.hpp"

namespace warpsieve::capture {

/// Where captures go unless the settings say otherwise: `captures` below the current folder.
std::filesystem::path default_folder();

/// Creates an empty file named after the time, under a name that no file had, so that no capture can
/// overwrite another, not even one made by a second window at the same time. `extension`: ".png". Throws
/// std::filesystem::filesystem_error.
std::filesystem::path claim_name(const std::filesystem::path& folder, const std::string& extension);

/// Writes the picture and beside it a JSON sidecar that says what it shows, under a name no file has yet.
/// Makes the folder where it is missing. Returns the picture's path. Throws
/// std::filesystem::filesystem_error.
std::filesystem::path save(const Image& image, const View& view, const Settings& settings);

}  // namespace warpsieve::capture
