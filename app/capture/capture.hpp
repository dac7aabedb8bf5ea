#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "app/capture/png.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve::capture {

/// The capture folder of the settings, or `captures` in the current folder.
std::filesystem::path folder_of(const Settings& settings);

/// The sidecar as the text chunk of a picture holds it.
std::string text_of_sidecar(const nlohmann::json& sidecar);

/// Writes `text` under a new name made of time, subject and extension (".png"), which no file has yet.
/// Creates the folder if needed. Returns the path. Throws std::filesystem::filesystem_error and leaves no
/// file.
std::filesystem::path write_new(const std::filesystem::path& folder, const std::string& subject,
                                const std::string& extension, std::string_view text);

/// Writes the picture and its JSON sidecar under a new name that contains `subject`. Creates the folder if
/// needed. Returns the picture's path. Throws std::filesystem::filesystem_error.
std::filesystem::path save_picture(const Image& image, nlohmann::json sidecar,
                                   const std::filesystem::path& folder, const std::string& subject);

/// Creates a new folder in `folder` for a recording, with the sidecar in it. Returns its path. Throws
/// std::filesystem::filesystem_error.
std::filesystem::path make_recording_folder(nlohmann::json sidecar, const std::filesystem::path& folder);

/// Writes the bytes of an animated WebP and its JSON sidecar under a new name. Creates the folder if needed.
/// Returns the path. Throws std::filesystem::filesystem_error.
std::filesystem::path save_loop(std::string_view bytes, nlohmann::json sidecar,
                                const std::filesystem::path& folder);

/// Writes a text file under a new name. Creates the folder if needed. Returns the path. Throws
/// std::filesystem::filesystem_error.
std::filesystem::path save_text(const SaveFile& file, const std::filesystem::path& folder);

/// The message that `what` ("picture") could not be saved, with the reason and a remedy.
std::string save_error_text(const std::string& what, const std::filesystem::filesystem_error& error);

}  // namespace warpsieve::capture
