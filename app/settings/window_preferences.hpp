#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace warpsieve {

enum class Theme : std::uint8_t { dark, light };

/// Id of the tab that compares two algorithms.
inline constexpr std::string_view lens_tab = "lens";

inline constexpr std::uint32_t min_timeline_frames = 60;
inline constexpr std::uint32_t max_timeline_frames = 6'000;

/// How the window looks and where it puts files. Nothing here changes what runs, except that the lens tab
/// runs B beside A.
struct WindowPreferences {
    float controls_width = 340;           ///< pixels at 100 %
    float timings_height = 220;           ///< pixels at 100 %
    bool show_timings = true;             ///< along the bottom, below the main area
    std::string tab = "particles";        ///< id of the tab in the main area
    float divider = 0.5F;                 ///< A's share of the view in the A/B lens
    std::uint32_t slot_map_zoom = 0;      ///< step of the slot map's zoom ladder; 0: the whole stream
    std::uint64_t slot_map_first = 0;     ///< first slot of the slot map
    std::uint32_t timeline_frames = 600;  ///< frames across the timeline view
    bool timeline_log = false;            ///< logarithmic time axis
    std::filesystem::path ghost;          ///< a saved run, shown behind the live one; empty: none
    float scale = 0;                      ///< 1 is 100 %; 0: the scale of the display
    Theme theme = Theme::dark;
    Theme plot_theme = Theme::light;  ///< of pictures of one plot: white for print
    std::filesystem::path capture_folder;

    bool operator==(const WindowPreferences&) const = default;
};

}  // namespace warpsieve
