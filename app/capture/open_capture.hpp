#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/settings/settings.hpp"
#include "app/view_model/messages.hpp"

namespace warpsieve::capture {

/// Loads the run, the labs and the look of a capture (PNG or JSON) that was dropped on the window or
/// picked. A PNG that this program has not saved becomes the picture whose bright pixels are the live slots.
/// `notify` receives the outcome. Returns false if the file is neither a capture nor a picture.
bool open_capture(const std::filesystem::path& file, Settings& settings,
                  const std::function<void(Severity severity, const std::string& text)>& notify);

}  // namespace warpsieve::capture
