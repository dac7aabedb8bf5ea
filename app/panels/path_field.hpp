#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// A text field for a path. Elides the middle of a long path while nobody types, so that the file name stays
/// visible. With the focus, Enter starts typing. Records itself under `label`.
void path_field(Ui& ui, const char* label, const char* hint, std::string& path);

/// Stores a typed path in `path`; if it is too long for the system, shows a notice instead.
void store_path(Ui& ui, const std::string& typed, std::filesystem::path& path);

/// The path with its middle elided to fit into `width`; keeps more of the end.
std::string elided_path(const ImFont* font, std::string_view path, float width);

}  // namespace warpsieve::panels
