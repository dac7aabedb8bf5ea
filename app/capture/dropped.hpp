#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/settings/settings.hpp"
#include "app/view_model/messages.hpp"

namespace warpsieve::capture {

/// Loads the run, the labs and the look of a capture (PNG or JSON) that was dropped on the window. `notify`
/// receives the outcome. Returns false if the file is not a capture.
bool take_dropped_capture(const std::filesystem::path& file, Settings& settings,
                          const std::function<void(Severity severity, const std::string& text)>& notify);

}  // namespace warpsieve::capture
