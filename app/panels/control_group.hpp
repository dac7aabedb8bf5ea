#pragma once

#include <cstdint>
#include <string_view>

#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// The icon before the name of a group of controls.
enum class GroupIcon : std::uint8_t { lens, stream, algorithm, launch, clock, display };

/// The heading of a group, which a click folds; returns whether its controls are shown. Records itself as
/// "group: `name`". `text`: the text of the heading; empty: the name.
bool control_group(Ui& ui, GroupIcon icon, std::string_view name, std::string_view text = {});

}  // namespace warpsieve::panels
