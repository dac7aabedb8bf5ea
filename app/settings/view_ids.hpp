#pragma once

#include <array>
#include <string_view>

/// The ids of the views, as in the settings file.
namespace warpsieve {

#define MODE(id)
#define VIEW(id) inline constexpr std::string_view id##_tab = #id;
#include "app/settings/views.def"
#undef VIEW

/// Ids of all tabs, in the order of the tab bar.
inline constexpr std::array tab_ids{
#define VIEW(id) id##_tab,
#include "app/settings/views.def"
#undef VIEW
#undef MODE
};

}  // namespace warpsieve
