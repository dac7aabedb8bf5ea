#pragma once

#include <array>
#include <ostream>

#include "app/gl/pixels.hpp"
#include "tests/app/panels/gallery_states.hpp"

/// Every view, and the sizes and scales at which nothing may be cut off or covered.
namespace warpsieve::states {

struct Shown {
    const char* name;
    void (*arrange)(fake::Machine& machine);
    int key = 0;  ///< GLFW key pressed first, with Ctrl for P
};

inline void PrintTo(const Shown& view, std::ostream* out) {
    *out << view.name;
}

inline constexpr int palette_key = 80;        // P
inline constexpr int help_key = 290;          // F1
inline constexpr int presentation_key = 300;  // F11

inline constexpr std::array shown_views{Shown{"two_stage", gpu},
                                        Shown{"two_stage_cpu", cpu},
                                        Shown{"particles", particles},
                                        Shown{"first_start", first_start},
                                        Shown{"troubled", troubled},
                                        Shown{"changed", changed},
                                        Shown{"starting", starting},
                                        Shown{"timeline", history},
                                        Shown{"timeline_full", history_full},
                                        Shown{"timeline_hot", history_hot},
                                        Shown{"inside", inside},
                                        Shown{"inside_roles", inside_roles},
                                        Shown{"inside_waits", inside_waits},
                                        Shown{"inside_appends", inside_appends},
                                        Shown{"lens", lens},
                                        Shown{"lens_troubled", lens_troubled},
                                        Shown{"lens_inside", inside_lens},
                                        Shown{"difference", difference},
                                        Shown{"slot_map", map},
                                        Shown{"slot_map_long", map_long},
                                        Shown{"slow_motion", slow_motion},
                                        Shown{"kernel", kernel},
                                        Shown{"kernel_fault", kernel_fault},
                                        Shown{"race", race},
                                        Shown{"race_memory", race_memory},
                                        Shown{"race_in_steps", race_in_steps},
                                        Shown{"labs_empty", labs_empty},
                                        Shown{"compare", labs_compare},
                                        Shown{"tune", labs_tune},
                                        Shown{"sweep", sweep},
                                        Shown{"sweep_of_many", sweep_of_many},
                                        Shown{"steps", fake::steps_report},
                                        Shown{"roofline", fake::roofline_report},
                                        Shown{"reproduce", fake::reproduce_report},
                                        Shown{"palette", gpu, palette_key},
                                        Shown{"presentation", gpu, presentation_key},
                                        Shown{"help", gpu, help_key}};

/// Calls `with(size, scale)` for every promised size and scale: at least 1024 x 640 pixels at 100 %.
template <typename With>
void at_promised_sizes(With with) {
    for (const gl::PixelSize size : {gl::PixelSize{1024, 640}, gl::PixelSize{1280, 720},
                                     gl::PixelSize{1600, 1000}, gl::PixelSize{2560, 1440}}) {
        for (const float scale : {1.0F, 1.5F, 2.0F}) {
            if (static_cast<float>(size.width) >= 1024 * scale &&
                static_cast<float>(size.height) >= 640 * scale)
                with(size, scale);
        }
    }
}

}  // namespace warpsieve::states
