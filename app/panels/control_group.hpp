#pragma once

#include <cstdint>
#include <string_view>

#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// The sign before the name of a group of controls.
enum class GroupIcon : std::uint8_t { lens, stream, algorithm, launch, clock, display };

/// The heading of a group, which a click folds; returns whether its controls are shown. Records itself as
/// "group: `name`". `text`: what it reads, if that is more than the name.
bool control_group(Ui& ui, GroupIcon icon, std::string_view name, std::string_view text = {});

/// A muted line that stands for rows which have no effect now; a click shows them. Returns whether they are
/// shown.
bool fold_line(Ui& ui, std::string_view name, std::string_view text, std::string_view tooltip);

}  // namespace warpsieve::panels
