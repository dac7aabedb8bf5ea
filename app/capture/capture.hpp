#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/capture/png.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve::capture {

/// Where captures go: the folder of the settings, or `captures` below the current one.
std::filesystem::path folder_of(const Settings& settings);

/// Creates an empty file named after the time and, unless empty, the subject, under a name that no file had,
/// so that no capture can overwrite another, not even one made by a second window at the same time.
/// `extension`: ".png". Throws std::filesystem::filesystem_error.
std::filesystem::path claim_name(const std::filesystem::path& folder, const std::string& subject,
                                 const std::string& extension);

/// Writes the picture, and beside it the JSON sidecar with the time and the picture's name added, under a
/// name no file has yet; `subject` becomes part of it unless empty. Makes the folder where it is missing.
/// Returns the picture's path. Throws std::filesystem::filesystem_error.
std::filesystem::path save(const Image& image, nlohmann::json sidecar, const std::filesystem::path& folder,
                           const std::string& subject);

/// Makes a folder for a recording, under a name that none has yet, and puts the sidecar into it. Throws
/// std::filesystem::filesystem_error.
std::filesystem::path make_recording_folder(nlohmann::json sidecar, const std::filesystem::path& folder);

/// Writes a text into the folder under a name no file has yet. Makes the folder where it is missing. Returns
/// the path. Throws std::filesystem::filesystem_error.
std::filesystem::path save_text(const SaveFile& file, const std::filesystem::path& folder);

/// A sentence to tell: that `what` ("picture") could not be saved, why, and what to do.
std::string not_saved(const std::string& what, const std::filesystem::filesystem_error& error);

}  // namespace warpsieve::capture
